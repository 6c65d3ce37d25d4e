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

/// Of what there is more.
struct Grown {
  bool allocations = false, objects = false, host_pieces = false;

  bool any() const { return allocations || objects || host_pieces; }
  Grown operator|(const Grown& other) const;
  Grown operator&(const Grown& other) const;
  Grown without(const Grown& other) const;
};

/// From one moment to a later one, by so much or more. Nothing where it is not known what is held.
Grown grown(const std::optional<Held>& before, const std::optional<Held>& after,
            std::int64_t by = 1);

/// Tells launches that take memory, or create streams and graphs, each time from a plan that is
/// made for a new size, and from a few of them that are kept: every size is launched more than
/// once.
class LeakWatch {
 public:
  /// So many launches in a row that each keep something may be a leak.
  explicit LeakWatch(int launches = 8) : launches_(launches) {}

  /// What a launch kept; answers what one after the other kept some of, once.
  Grown launched(const Grown& kept);

  /// What was found to be kept on and on.
  Grown told;

 private:
  bool is_suspect(int& in_a_row, bool kept) const;

  int launches_;
  int allocations_ = 0, host_pieces_ = 0, objects_ = 0;  ///< launches in a row that kept some
};

/// What to say of launches that keep these.
std::vector<record::Finding> leaks(const Grown& kept, const VariantName& variant);

}  // namespace klab::runner
