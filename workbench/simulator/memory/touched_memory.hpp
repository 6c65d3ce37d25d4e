// Which bytes a piece of work reads, writes, or changes atomically.
#pragma once
#include <cstdint>
#include <vector>

namespace klab::sim {

struct ByteRange {
  std::uint64_t begin = 0, end = 0;
};

// Ranges as they come, neighbours joined.
class ByteRanges {
 public:
  void add(std::uint64_t begin, std::uint64_t end);
  void add(const ByteRanges& other);
  // Ranges that begin within these addresses.
  void forget(std::uint64_t begin, std::uint64_t end);
  // Ascending, none touching another.
  const std::vector<ByteRange>& in_order();

 private:
  void put_in_order();

  std::vector<ByteRange> ranges_;
  std::size_t most_ = 4096;  // kept out of order
};

struct TouchedMemory {
  ByteRanges read, written, atomic;

  void add(const TouchedMemory& other) {
    read.add(other.read);
    written.add(other.written);
    atomic.add(other.atomic);
  }
  void forget(std::uint64_t begin, std::uint64_t end) {
    for (ByteRanges* ranges : {&read, &written, &atomic}) ranges->forget(begin, end);
  }
};

}  // namespace klab::sim
