// How long a phase on the simulator may take.
#pragma once

#include <ctime>
#include <optional>

namespace klab::runner {

class Patience {
 public:
  explicit Patience(std::optional<double> limit_s) : limit_s_(limit_s) {}

  /// By what this thread was given of a processor, which others may have: it fills and compares,
  /// and takes part in every launch. `share`: of the time that there is.
  bool is_over(double share = 1) const { return limit_s_ && taken_s() > share * *limit_s_; }
  /// As much time, from now on.
  Patience anew() const { return Patience(limit_s_); }
  double taken_s() const { return given_s() - begin_s_; }

 private:
  static double given_s() {
    timespec given{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &given);
    return static_cast<double>(given.tv_sec) + 1e-9 * static_cast<double>(given.tv_nsec);
  }

  std::optional<double> limit_s_;
  double begin_s_ = given_s();
};

}  // namespace klab::runner
