// Whether a thread is within a call of the runtime: what is allocated then is the runtime's.
#pragma once

namespace klab::sim {

class WithinCall {
 public:
  WithinCall() { ++depth_; }
  ~WithinCall() { --depth_; }
  WithinCall(const WithinCall&) = delete;
  WithinCall& operator=(const WithinCall&) = delete;
  static int depth() { return depth_; }

 private:
  static inline thread_local int depth_ = 0;
};

}  // namespace klab::sim
