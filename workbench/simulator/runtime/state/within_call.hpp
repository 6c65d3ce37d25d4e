// What a thread is about in the runtime.
#pragma once

#include <utility>

namespace klab::sim {

/// Whether a thread is within a call of the runtime: what is allocated then is the runtime's.
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

/// A function that asks another of the runtime's to do its work: what is told and recorded of that
/// call bears this one's name, as the program wrote it.
class CalledAs {
 public:
  explicit CalledAs(const char* name = __builtin_FUNCTION()) { name_ = name; }
  ~CalledAs() { name_ = nullptr; }
  CalledAs(const CalledAs&) = delete;
  CalledAs& operator=(const CalledAs&) = delete;
  /// The name of the call that begins: this one's, once, or its own.
  static const char* take(const char* own) {
    const char* outer = std::exchange(name_, nullptr);
    return outer != nullptr ? outer : own;
  }

 private:
  static inline thread_local const char* name_ = nullptr;
};

}  // namespace klab::sim
