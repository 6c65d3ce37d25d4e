// What launches keep, one after the other.
#pragma once

#include <optional>

#include "runner/phases/phase_setup.hpp"
#include "runner/phases/platform.hpp"

namespace klab::runner {

/// Tells launches that take memory, or create streams and graphs, each time from a plan that is
/// made for a new size, and from a few of them that are kept: every size is launched more than
/// once.
class LeakWatch {
 public:
  /// So many launches in a row that each keep something are a leak.
  explicit LeakWatch(int launches = 8) : launches_(launches) {}

  void before() { before_ = held(); }
  /// Writes a finding when one launch after the other kept something.
  void after(PhaseSetup& setup, const Plugin& plugin);

 private:
  bool is_leak(int& in_a_row, bool kept) const;

  int launches_;
  std::optional<Held> before_;
  int memory_ = 0, objects_ = 0;  ///< launches in a row that kept some
};

}  // namespace klab::runner
