// Statistics of timing samples: medians, bootstrap intervals, effect size, and when to stop.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/measure/measure_policy.hpp"
#include "core/verdict/verdict.hpp"

namespace klab {

/// The middle value, or the mean of the two middle values; nullopt if there is none.
std::optional<double> median(std::span<const double> samples);

/// The quantile for `share` in [0, 1], linear between order statistics (definition 7 of Hyndman
/// and Fan, "Sample quantiles in statistical packages", 1996). nullopt if there are no samples.
std::optional<double> quantile(std::span<const double> samples, double share);

/// How a bootstrap interval is computed. The method is the percentile bootstrap (Efron and
/// Tibshirani, "An introduction to the bootstrap", 1993, chapter 13).
struct Bootstrap {
  double confidence = policy::confidence;
  int resamples = policy::bootstrap_resamples;
  std::uint64_t seed = policy::bootstrap_seed;
};

/// The median with its interval. nullopt for fewer than policy::least_samples_for_interval samples
/// or a sample that is not finite.
std::optional<Interval> median_interval(std::span<const double> samples,
                                        const Bootstrap& bootstrap = {});

/// The median of numerator[i] / denominator[i] with its interval, from interleaved pairs: both were
/// sampled in the same round, so that drift of the clock, which hits both alike, leaves their ratio
/// as it is. Where the lengths differ, the longer one's surplus is left out. nullopt as for
/// median_interval, or if a denominator is not positive.
std::optional<Interval> ratio_interval(std::span<const double> numerator,
                                       std::span<const double> denominator,
                                       const Bootstrap& bootstrap = {});

/// Half the interval's length as a share of its median; nullopt if the median is not positive.
std::optional<double> relative_half_width(const Interval& interval);

/// Cliff's delta: the probability that a value of `a` exceeds one of `b`, less the reverse; from -1
/// to 1, 0 if neither tends to be larger (Cliff, "Dominance statistics", 1993). nullopt if either
/// is empty or holds NaN.
std::optional<double> cliffs_delta(std::span<const double> a, std::span<const double> b);

/// When to stop sampling.
struct StoppingPolicy {
  int least_samples = policy::least_samples;
  int few_samples = policy::few_samples;  ///< enough once they took long
  int most_samples = policy::most_samples;
  double target_half_width = policy::target_half_width;  ///< of the ratio, as a share of it
  /// The same for one that is far beyond the line.
  double far_beyond_half_width = policy::target_half_width;
  double time_cap_s = policy::time_cap_s;
  std::optional<double> line;  ///< what the verdict asks of the ratio
};

/// Decides after each round of interleaved samples whether another is needed. Holds no clock and
/// no samples: the caller passes both.
class StoppingRule {
 public:
  explicit StoppingRule(const StoppingPolicy& policy = {}) : policy_(policy) {}

  /// True if sampling should stop. `elapsed_s` is the time since the first sample began; the time
  /// cap waits, up to policy::caps_for_few_pairs times as long, for the pairs that an interval
  /// takes, and policy::caps_for_undecided times for one on one side of the line. To time several
  /// variants against one reference, keep one rule for each and stop when all say so.
  bool should_stop(std::span<const double> reference, std::span<const double> candidate,
                   double elapsed_s);

  /// Why it stopped, as a sentence's end: "interval narrow enough", "time cap reached", "sample cap
  /// reached"; empty while it has not.
  const std::string& reason() const { return reason_; }
  /// The last interval computed of reference / candidate.
  const std::optional<Interval>& ratio() const { return ratio_; }

 private:
  StoppingPolicy policy_;
  std::size_t next_evaluation_ = 0;
  double caps_for(std::size_t pairs) const;
  bool is_undecided() const;
  bool is_far_beyond() const;

  std::optional<Interval> ratio_;
  std::string reason_;
};

}  // namespace klab
