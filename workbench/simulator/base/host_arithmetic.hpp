// How this thread of the host rounds, and what it makes of numbers next to zero. Kernels are worked
// out with it, so what a program has set for itself does not reach them, nor the other way round.
#pragma once

#include <cfenv>

namespace klab::sim {

/// As a thread begins, until the end of the scope.
class DefaultArithmetic {
 public:
  DefaultArithmetic() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultArithmetic() { std::fesetenv(&before_); }
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace klab::sim
