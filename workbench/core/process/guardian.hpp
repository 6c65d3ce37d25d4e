// Guardian: what we started ends with us, even if we are killed.
#pragma once

#include <sys/types.h>

#include <string>

#include "core/process/child.hpp"

namespace klab {

/// A small process beside ours. If ours dies while the guardian lives, it kills the process group
/// that it was told of and removes `folder`, unless that is empty. Where it cannot be started,
/// nothing is guarded.
class Guardian {
 public:
  explicit Guardian(const std::string& folder = {});
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;
  /// Once.
  void watch(pid_t group);

 private:
  Child shell_;
};

}  // namespace klab
