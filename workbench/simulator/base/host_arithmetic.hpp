// How this thread of the host rounds, and what it makes of numbers next to zero. Kernels are worked
// out with it, so what a program has set for itself does not reach them, nor the other way round.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <cfenv>
#endif

namespace klab::sim {

/// As a thread begins, until the end of the scope. There is one around each launch, and most
/// programs leave all as it is, so the registers are looked at rather than set: fesetenv() takes
/// longer than a launch.
class DefaultArithmetic {
 public:
#if defined(__x86_64__)
  DefaultArithmetic() : mxcsr_(_mm_getcsr()) {
    asm volatile("fnstcw %0" : "=m"(x87_control_));
    if ((mxcsr_ & ~raised) != default_mxcsr) _mm_setcsr(default_mxcsr);
    if (x87_control_ != default_x87_control) asm volatile("fldcw %0" : : "m"(default_x87_control));
  }
  ~DefaultArithmetic() {
    if (_mm_getcsr() != mxcsr_) _mm_setcsr(mxcsr_);
    if (x87_control_ != default_x87_control) asm volatile("fldcw %0" : : "m"(x87_control_));
  }
#else
  DefaultArithmetic() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultArithmetic() { std::fesetenv(&before_); }
#endif
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;

 private:
#if defined(__x86_64__)
  static constexpr unsigned default_mxcsr = 0x1f80;
  static constexpr unsigned raised = 0x3f;  // what happened so far
  static constexpr unsigned short default_x87_control = 0x037f;
  unsigned mxcsr_;
  unsigned short x87_control_;
#else
  std::fenv_t before_;
#endif
};

}  // namespace klab::sim
