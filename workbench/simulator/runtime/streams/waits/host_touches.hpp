// Deferred mode: memory that host and kernels share, which the host touches while a kernel that
// uses it is pending.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/base/finding.hpp"
#include "simulator/memory/touched_memory.hpp"
#include "simulator/runtime/state/host_access.hpp"
#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

/// What a kernel uses is known when it has run. Until then the host finds closed what it can reach
/// by its parameters and its module's variables; where the host goes there is kept, and compared.
class HostTouches {
 public:
  /// Whether a kernel reaches memory that the host reaches, too, and has fences.
  static bool may_speak(const KernelWork& kernel);
  /// Of a kernel that was queued; what it reaches.
  std::vector<ByteRange> close_for(const KernelWork& kernel);
  /// It has run, or runs next.
  void open(const std::vector<ByteRange>& ranges);

  /// What the host touched since the last call comes behind all work up to this number.
  void collect(std::uint64_t next_sequence);
  /// The runtime touched it, or host code that it called.
  void drop();
  bool any_behind(std::uint64_t sequence) const {
    return !touches_.empty() && touches_.back().sequence > sequence;
  }
  /// By the host, behind the call that queued this kernel: what it should have waited for.
  std::optional<Finding> too_early(const KernelWork& kernel, std::uint64_t sequence,
                                   TouchedMemory& touched) const;
  /// Nothing is pending.
  void forget() { touches_.clear(); }

 private:
  struct Touch {
    HostTouch host;
    std::uint64_t sequence = 0;  ///< of the work that is queued next
  };
  std::map<std::uint64_t, std::size_t> closed_;  ///< where ranges begin; for how many kernels
  std::vector<Touch> touches_;
};

}  // namespace klab::sim
