// LeakWatch: memory and objects that one launch after the other keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/wire/protocol.hpp"

namespace klab::runner {

/// What is held at a moment: allocations that are not freed; streams, events, graphs, executable
/// graphs, pools, textures and surfaces that are not destroyed; and host memory that was taken
/// while a kernel file's `launch` ran, in pieces.
struct Held {
  std::int64_t allocations = 0;
  std::int64_t objects = 0;
  std::int64_t host_pieces = 0;
};

/// Tells launches that take memory, or create streams and graphs, each time from a plan that is
/// made for a new size, and from a few of them that are kept: every size is launched more than
/// once.
class LeakWatch {
 public:
  /// So many launches in a row that each keep something are a leak.
  explicit LeakWatch(int launches = 8) : launches_(launches) {}

  /// What is held before and after a launch; findings when one after the other kept something.
  std::vector<record::Finding> launched(const std::optional<Held>& before,
                                        const std::optional<Held>& after,
                                        const VariantName& variant);

 private:
  bool is_leak(int& in_a_row, bool kept) const;

  int launches_;
  int memory_ = 0, host_ = 0, objects_ = 0;  ///< launches in a row that kept some
};

}  // namespace klab::runner
