// Statistics of timing samples. A resample is kept as how often each sample was drawn, and medians
// are read off in an order sorted once, so that a resample of n pairs costs O(n) without sorting.
#include "core/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace klab {
namespace {

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): the
/// same numbers from the same seed with every standard library.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

using Counts = std::vector<std::uint32_t>;

/// Draws as many samples as there are, with replacement: counts[i] is how often sample i came up.
void draw(SplitMix64& random, Counts& counts) {
  std::fill(counts.begin(), counts.end(), 0u);
  const std::uint64_t size = counts.size();
  for (std::uint64_t drawn = 0; drawn < size; drawn += 2) {
    const std::uint64_t bits = random();
    ++counts[((bits >> 32) * size) >> 32];
    if (drawn + 1 < size) ++counts[((bits & 0xffffffffu) * size) >> 32];
  }
}

/// Samples with the order that sorts them.
class SortedSamples {
 public:
  explicit SortedSamples(std::span<const double> samples)
      : samples_(samples), order_(samples.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return samples[a] < samples[b]; });
  }

  double median_of(const Counts& counts) const {
    const std::size_t upper_rank = samples_.size() / 2;
    const std::size_t lower_rank = (samples_.size() - 1) / 2;
    std::size_t passed = 0, position = 0;
    while ((passed += counts[order_[position]]) <= lower_rank) ++position;
    const double lower = samples_[order_[position]];
    if (passed > upper_rank) return lower;
    while ((passed += counts[order_[++position]]) <= upper_rank) {
    }
    return (lower + samples_[order_[position]]) / 2;
  }

 private:
  std::span<const double> samples_;
  std::vector<std::uint32_t> order_;
};

double quantile_of_sorted(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = position - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

bool usable(std::span<const double> samples) {
  return samples.size() >= policy::least_samples_for_interval &&
         std::all_of(samples.begin(), samples.end(), [](double s) { return std::isfinite(s); });
}

}  // namespace

std::optional<double> median(std::span<const double> samples) { return quantile(samples, 0.5); }

std::optional<double> quantile(std::span<const double> samples, double share) {
  if (samples.empty() || !(share >= 0 && share <= 1)) return std::nullopt;
  std::vector<double> sorted(samples.begin(), samples.end());
  if (std::any_of(sorted.begin(), sorted.end(), [](double s) { return std::isnan(s); })) {
    return std::nullopt;
  }
  std::sort(sorted.begin(), sorted.end());
  return quantile_of_sorted(sorted, share);
}

std::optional<Interval> median_interval(std::span<const double> samples,
                                        const Bootstrap& bootstrap) {
  if (!usable(samples)) return std::nullopt;
  const SortedSamples sorted(samples);
  Counts counts(samples.size(), 1);
  const double center = sorted.median_of(counts);
  SplitMix64 random(bootstrap.seed);
  std::vector<double> medians(static_cast<std::size_t>(std::max(bootstrap.resamples, 1)));
  for (double& one : medians) {
    draw(random, counts);
    one = sorted.median_of(counts);
  }
  std::sort(medians.begin(), medians.end());
  const double tail = (1 - bootstrap.confidence) / 2;
  return Interval{center, std::min(center, quantile_of_sorted(medians, tail)),
                  std::max(center, quantile_of_sorted(medians, 1 - tail))};
}

std::optional<Interval> ratio_interval(std::span<const double> numerator,
                                       std::span<const double> denominator,
                                       const Bootstrap& bootstrap) {
  std::vector<double> ratios(std::min(numerator.size(), denominator.size()));
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    if (!(denominator[i] > 0) || !std::isfinite(denominator[i])) return std::nullopt;
    ratios[i] = numerator[i] / denominator[i];
  }
  return median_interval(ratios, bootstrap);
}

std::optional<double> relative_half_width(const Interval& interval) {
  if (!(interval.median > 0)) return std::nullopt;
  return (interval.high - interval.low) / 2 / interval.median;
}

std::optional<double> cliffs_delta(std::span<const double> a, std::span<const double> b) {
  const auto is_nan = [](double s) { return std::isnan(s); };
  if (a.empty() || b.empty() || std::any_of(a.begin(), a.end(), is_nan) ||
      std::any_of(b.begin(), b.end(), is_nan)) {
    return std::nullopt;
  }
  std::vector<double> sorted(b.begin(), b.end());
  std::sort(sorted.begin(), sorted.end());
  double dominance = 0;
  for (const double value : a) {
    const auto [first_equal, first_above] = std::equal_range(sorted.begin(), sorted.end(), value);
    dominance += static_cast<double>(first_equal - sorted.begin());
    dominance -= static_cast<double>(sorted.end() - first_above);
  }
  return dominance / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

bool StoppingRule::is_undecided() const {
  return policy_.line && ratio_ && ratio_->low < *policy_.line && *policy_.line <= ratio_->high;
}

bool StoppingRule::is_far_beyond() const {
  return policy_.line && ratio_ && ratio_->low >= policy::far_beyond_line * *policy_.line;
}

double StoppingRule::caps_for(std::size_t pairs) const {
  if (pairs < policy::least_samples_for_interval) return policy::caps_for_few_pairs;
  return is_undecided() ? policy::caps_for_undecided : 1;
}

bool StoppingRule::should_stop(std::span<const double> reference, std::span<const double> candidate,
                               double elapsed_s) {
  if (!reason_.empty()) return true;
  const std::size_t pairs = std::min(reference.size(), candidate.size());
  const auto out_of_time = [&] { return elapsed_s >= caps_for(pairs) * policy_.time_cap_s; };
  const bool out_of_samples = pairs >= static_cast<std::size_t>(policy_.most_samples);
  const bool took_long = elapsed_s >= policy::few_share_of_cap * policy_.time_cap_s;
  const auto enough = [&](int least) { return pairs >= static_cast<std::size_t>(least); };
  const int few =
      std::min(took_long ? policy_.few_samples : policy::least_samples, policy_.least_samples);
  const bool due = enough(few) && pairs >= next_evaluation_;
  if (!due && !out_of_time() && !out_of_samples) return false;

  ratio_ = ratio_interval(reference, candidate);
  next_evaluation_ = std::max(
      pairs + 1, static_cast<std::size_t>(static_cast<double>(pairs) * policy::evaluation_growth));
  if (!enough(policy_.least_samples))
    next_evaluation_ = std::min(next_evaluation_, static_cast<std::size_t>(policy_.least_samples));
  const auto half_width = ratio_ ? relative_half_width(*ratio_) : std::nullopt;
  const double wanted = !is_far_beyond() ? policy_.target_half_width
                        : took_long ? std::min(policy::wider_far_beyond * policy_.target_half_width,
                                               policy::widest_far_beyond)
                                    : policy_.far_beyond_half_width;
  const bool has_enough = enough(took_long || is_far_beyond() ? few : policy_.least_samples);
  if (has_enough && half_width && *half_width <= wanted && !is_undecided()) {
    reason_ = "interval narrow enough";
  } else if (out_of_time()) {
    reason_ = "time cap reached";
  } else if (out_of_samples) {
    reason_ = "sample cap reached";
  }
  return !reason_.empty();
}

}  // namespace klab
