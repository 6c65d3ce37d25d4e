// A mark for each byte of a range of addresses; what nobody marked takes no memory.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>

namespace klab::sim {

// Offsets are from the beginning of the range. Several threads may mark at once.
class ByteMap {
 public:
  explicit ByteMap(std::uint64_t bytes);
  ~ByteMap();
  ByteMap(const ByteMap&) = delete;
  ByteMap& operator=(const ByteMap&) = delete;
  // The system gave no address space for it.
  bool failed() const { return marks_ == nullptr; }

  void mark(std::uint64_t first, std::uint64_t bytes);
  void clear(std::uint64_t first, std::uint64_t bytes);   // whole pages of 4,096 bytes
  void unmark(std::uint64_t first, std::uint64_t bytes);  // both multiples of 8
  void clear();                                           // all that was marked since the last time
  std::optional<std::uint64_t> first_marked(std::uint64_t first, std::uint64_t bytes) const {
    return first_of(first, bytes, 0);
  }
  std::optional<std::uint64_t> first_unmarked(std::uint64_t first, std::uint64_t bytes) const {
    return first_of(first, bytes, ~std::uint64_t{0});
  }

 private:
  // The first whose mark differs from those of `others`.
  std::optional<std::uint64_t> first_of(std::uint64_t first, std::uint64_t bytes,
                                        std::uint64_t others) const;
  // One word more, since the map is read word by word from any byte on.
  std::uint64_t map_bytes() const { return bytes_ / 8 + sizeof(std::uint64_t); }

  std::uint64_t bytes_;
  std::atomic<std::uint64_t> low_ = ~std::uint64_t{0}, high_ = 0;  // of what was marked
  std::uint8_t* marks_ = nullptr;                                  // one bit a byte
};

}  // namespace klab::sim
