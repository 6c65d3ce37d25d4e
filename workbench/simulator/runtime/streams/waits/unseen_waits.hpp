// Deferred mode: a host that waits for work by no call, at a flag that a host function sets or in
// memory that a kernel or copy writes. Nothing else would ever run that work.
#pragma once

namespace klab::sim {

/// A thread that looks now and then whether the program has called nothing for a while, and then
/// runs what it may be waiting for. It is started once, and lives as long as the process.
class UnseenWaits {
 public:
  /// Work was queued. Under the runtime's lock, as all else.
  void watch();

 private:
  bool watched_ = false;
};

}  // namespace klab::sim
