// GpuLock: waiting in line for the GPUs that a check takes.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/base/tree.hpp"

namespace klab {

/// Holds the tree's GPUs for one check; others wait in line. Who chose some with
/// CUDA_VISIBLE_DEVICES waits for those only, who chose none takes all of the machine. A GPU behind
/// a remote runner has a line of its own here, and its machine keeps one for all who come from
/// elsewhere.
class GpuLock {
 public:
  /// Waits until the lock is free; calls `on_wait` once if it has to. Returns without the lock if
  /// canceled or if the lock file cannot be used: waiting is a courtesy between checks, not a
  /// condition.
  GpuLock(const Tree& tree, const std::function<void()>& on_wait,
          const std::atomic<bool>& canceled);

 private:
  std::vector<Descriptor> held_;
};

/// Whether a check or an investigation of any klab on this machine holds one of the tree's GPUs
/// right now.
bool gpu_is_held(const Tree& tree);

}  // namespace klab
