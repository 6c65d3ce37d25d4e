// How long a phase on the simulator may take.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>

namespace klab::runner {

class Patience {
 public:
  explicit Patience(std::optional<double> limit_s) : limit_s_(limit_s) {}

  /// By the clock, or by what the process was given of the processors where others have them.
  bool is_over() const {
    if (!limit_s_) return false;
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin_;
    const double given_s = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    return std::min(since.count(), given_s) > *limit_s_;
  }

 private:
  std::optional<double> limit_s_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace klab::runner
