// What a program advised about managed memory, and where it prefetched it to.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>
#include <optional>

namespace klab::sim {

/// A value for each address of a range; none where nothing was set.
class AdvisedRanges {
 public:
  using Value = std::optional<cudaMemLocation>;

  void set(std::uint64_t begin, std::uint64_t end, Value value);
  /// What the whole range has alike; nothing where parts of it differ.
  Value all_of(std::uint64_t begin, std::uint64_t end) const;

 private:
  Value at(std::uint64_t address) const;

  std::map<std::uint64_t, Value> from_;  ///< each value holds up to the next one's address
};

/// Pages do not move here: this is kept for who asks.
struct ManagedAdvice {
  AdvisedRanges read_mostly, preferred, prefetched;
  AdvisedRanges accessed_by_device, accessed_by_host;
};

}  // namespace klab::sim
