// Medians, intervals, effect size and the stopping rule, on samples whose truth is known.
#include "core/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace klab;
using Catch::Approx;

namespace {

/// Times around `center` with a share of noise and now and then a slow outlier, as timings have.
std::vector<double> timings(std::mt19937_64& random, int count, double center, double noise) {
  std::normal_distribution<double> spread(0, noise);
  std::uniform_real_distribution<double> chance(0, 1);
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) {
    samples.push_back(center * (1 + spread(random)) * (chance(random) < 0.03 ? 1.5 : 1));
  }
  return samples;
}

}  // namespace

TEST_CASE("the median is the middle value or the mean of the two middle ones",
          "[core][statistics]") {
  CHECK(median(std::vector{3.0, 1.0, 2.0}) == 2.0);
  CHECK(median(std::vector{4.0, 1.0, 2.0, 3.0}) == 2.5);
  CHECK(median(std::vector{7.0}) == 7.0);
  CHECK_FALSE(median(std::vector<double>{}));
}

TEST_CASE("quantiles lie linearly between order statistics", "[core][statistics]") {
  const std::vector samples{10.0, 0.0, 20.0, 30.0, 40.0};
  CHECK(quantile(samples, 0) == 0.0);
  CHECK(quantile(samples, 1) == 40.0);
  CHECK(*quantile(samples, 0.25) == Approx(10));
  CHECK(*quantile(samples, 0.9) == Approx(36));
  CHECK_FALSE(quantile(samples, 1.1));
  CHECK_FALSE(quantile(std::vector{1.0, std::nan("")}, 0.5));
}

TEST_CASE("an interval needs five finite samples", "[core][statistics]") {
  const std::vector four{1.0, 1.0, 1.0, 1.0};
  CHECK_FALSE(median_interval(four));
  CHECK_FALSE(ratio_interval(four, four));
  const std::vector with_nan{1.0, 1.0, 1.0, 1.0, std::nan("")};
  const std::vector five{1.0, 1.0, 1.0, 1.0, 1.0};
  CHECK_FALSE(median_interval(with_nan));
  CHECK_FALSE(ratio_interval(with_nan, five));
  CHECK_FALSE(ratio_interval(five, with_nan));
  CHECK(median_interval(five));
  CHECK_FALSE(ratio_interval(five, std::vector{1.0, 1.0, 0.0, 1.0, 1.0}));
  CHECK_FALSE(ratio_interval(five, std::vector{1.0, 1.0, HUGE_VAL, 1.0, 1.0}));
}

TEST_CASE("equal samples give equal intervals on every call", "[core][statistics]") {
  std::mt19937_64 random(1);
  const auto a = timings(random, 60, 2e-3, 0.01);
  const auto b = timings(random, 60, 1e-3, 0.01);
  const auto first = ratio_interval(a, b);
  const auto second = ratio_interval(a, b);
  REQUIRE(first);
  CHECK(first->low == second->low);
  CHECK(first->high == second->high);
  CHECK(first->low < first->median);
  CHECK(first->median < first->high);
}

TEST_CASE("the center of an interval is the plain median, for odd and even counts",
          "[core][statistics]") {
  std::mt19937_64 random(2);
  for (const int count : {5, 6, 21, 40}) {
    const auto a = timings(random, count, 3e-3, 0.02);
    const auto b = timings(random, count, 1e-3, 0.02);
    CHECK(median_interval(a)->median == *median(a));
    std::vector<double> ratios;
    for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
    CHECK(ratio_interval(a, b)->median == *median(ratios));
  }
}

TEST_CASE("the interval of a median covers the true median about as often as it says",
          "[core][statistics]") {
  std::mt19937_64 random(3);
  int covered = 0;
  constexpr int trials = 500;
  for (int trial = 0; trial < trials; ++trial) {
    std::normal_distribution<double> spread(10, 1);
    std::vector<double> samples(41);
    for (double& sample : samples) sample = spread(random);
    const auto interval = median_interval(samples);
    covered += interval->low <= 10 && 10 <= interval->high;
  }
  CHECK(covered >= trials * 0.92);
  CHECK(covered <= trials * 0.99);
}

TEST_CASE("the interval of a ratio covers the true ratio about as often as it says",
          "[core][statistics]") {
  std::mt19937_64 random(4);
  int covered = 0;
  constexpr int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    std::normal_distribution<double> slow(3, 0.06), fast(1, 0.02);
    std::vector<double> a(40), b(40);
    for (double& sample : a) sample = slow(random);
    for (double& sample : b) sample = fast(random);
    const auto interval = ratio_interval(a, b);
    covered += interval->low <= 3 && 3 <= interval->high;
  }
  CHECK(covered >= trials * 0.92);
  CHECK(covered <= trials * 0.995);
}

TEST_CASE("drift that hits both variants alike hardly widens the interval of their ratio",
          "[core][statistics]") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> spread(0, 0.001);
  std::vector<double> a, b, shuffled;
  for (int i = 0; i < 100; ++i) {
    const double drift = 1 + 0.1 * i / 100;  // the clock falls by 10 % over the run
    a.push_back(2e-3 * drift * (1 + spread(random)));
    b.push_back(1e-3 * drift * (1 + spread(random)));
  }
  shuffled = b;
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  const double paired = *relative_half_width(*ratio_interval(a, b));
  const double unpaired = *relative_half_width(*ratio_interval(a, shuffled));
  CHECK(paired < 0.005);
  CHECK(unpaired > 2 * paired);
}

TEST_CASE("a pace that both of a pair share moves their ratio less than that of two medians",
          "[core][statistics]") {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> pace(1, 1.5);
  std::normal_distribution<double> spread(1, 0.005);
  double of_pairs = 0, of_medians = 0;
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> a, b;
    for (int i = 0; i < 20; ++i) {
      const double shared = pace(random);
      a.push_back(3e-3 * shared * spread(random));
      b.push_back(1e-3 * shared * spread(random));
    }
    of_pairs += std::abs(ratio_interval(a, b)->median - 3);
    of_medians += std::abs(*median(a) / *median(b) - 3);
  }
  CHECK(of_pairs < 0.6 * of_medians);
}

TEST_CASE("a few slow outliers do not move the ratio", "[core][statistics]") {
  std::vector<double> a(50, 2.0), b(50, 1.0);
  for (int i = 0; i < 50; ++i) a[i] += 1e-4 * i, b[i] += 1e-4 * i;
  const auto clean = ratio_interval(a, b);
  for (const int i : {3, 17, 30}) a[i] *= 20;
  const auto dirty = ratio_interval(a, b);
  CHECK(dirty->median == Approx(clean->median).epsilon(0.001));
  CHECK(dirty->high == Approx(clean->high).epsilon(0.002));
}

TEST_CASE("twice the resamples move the ends by less than a twentieth of the width",
          "[core][statistics]") {
  std::mt19937_64 random(6);
  const auto a = timings(random, 200, 2e-3, 0.01);
  const auto b = timings(random, 200, 1e-3, 0.01);
  const auto some = ratio_interval(a, b);
  Bootstrap more;
  more.resamples *= 2;
  more.seed += 1;
  const auto twice = ratio_interval(a, b, more);
  const double width = some->high - some->low;
  CHECK(std::abs(some->low - twice->low) < width / 20);
  CHECK(std::abs(some->high - twice->high) < width / 20);
}

TEST_CASE("surplus samples of the longer series are left out", "[core][statistics]") {
  const std::vector a{2.0, 2.0, 2.0, 2.0, 2.0, 100.0, 100.0, 100.0, 100.0, 100.0, 100.0};
  const std::vector b{1.0, 1.0, 1.0, 1.0, 1.0};
  CHECK(ratio_interval(a, b)->median == 2.0);
}

TEST_CASE("Cliff's delta is one for separated samples and zero for equal ones",
          "[core][statistics]") {
  const std::vector low{1.0, 2.0, 3.0};
  const std::vector high{4.0, 5.0};
  CHECK(cliffs_delta(high, low) == 1.0);
  CHECK(cliffs_delta(low, high) == -1.0);
  CHECK(cliffs_delta(low, low) == 0.0);
  // 2 > 1, 2 = 2, 3 > both: (1 + 0 + 1 + 1) of 4 pairs.
  CHECK(*cliffs_delta(std::vector{2.0, 3.0}, std::vector{1.0, 2.0}) == Approx(0.75));
  CHECK_FALSE(cliffs_delta(std::vector<double>{}, low));
}

TEST_CASE("steady samples stop as soon as there are enough of them", "[core][statistics]") {
  StoppingRule rule;
  std::vector<double> a, b;
  std::mt19937_64 random(7);
  std::normal_distribution<double> spread(1, 0.001);
  while (!rule.should_stop(a, b, 0.001 * a.size())) {
    a.push_back(2e-3 * spread(random));
    b.push_back(2e-3 * spread(random));
    REQUIRE(a.size() < 1000);
  }
  CHECK(a.size() == policy::least_samples);
  CHECK(rule.reason() == "interval narrow enough");
  REQUIRE(rule.ratio());
  CHECK(*relative_half_width(*rule.ratio()) <= 0.005);
}

TEST_CASE("a few long samples are enough if they agree", "[core][statistics]") {
  std::mt19937_64 random(7);
  const auto taken = [&](double spread_of) {
    StoppingRule rule;
    std::vector<double> a, b;
    std::normal_distribution<double> spread(1, spread_of);
    while (!rule.should_stop(a, b, 0.08 * static_cast<double>(a.size()))) {
      a.push_back(8e-2 * spread(random));
      b.push_back(1e-4 * spread(random));
    }
    return a.size();
  };
  CHECK(taken(1e-4) == policy::few_samples);
  CHECK(taken(0.1) == 13);  // until the time cap
}

TEST_CASE("noisy samples go on until the interval is narrow", "[core][statistics]") {
  StoppingRule rule;
  std::vector<double> a, b;
  std::mt19937_64 random(8);
  std::normal_distribution<double> spread(1, 0.02);
  while (!rule.should_stop(a, b, 0)) {
    a.push_back(2e-3 * spread(random));
    b.push_back(2e-3 * spread(random));
  }
  CHECK(a.size() > policy::least_samples);
  CHECK(a.size() < policy::most_samples);
  CHECK(rule.reason() == "interval narrow enough");
}

TEST_CASE("a run that never settles ends at its caps and says which", "[core][statistics]") {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> wild(0.1, 3);
  std::vector<double> a, b;
  StoppingRule by_time;
  while (!by_time.should_stop(a, b, 0.02 * a.size())) {
    a.push_back(wild(random));
    b.push_back(wild(random));
  }
  CHECK(by_time.reason() == "time cap reached");
  CHECK(a.size() == 50);

  StoppingPolicy small;
  small.most_samples = 30;
  StoppingRule by_count(small);
  std::size_t rounds = 0;
  while (!by_count.should_stop(std::span(a).first(rounds), std::span(b).first(rounds), 0)) {
    ++rounds;
  }
  CHECK(by_count.reason() == "sample cap reached");
  CHECK(rounds == 30);
}

TEST_CASE("the time cap waits for the pairs that an interval takes, but not for ever",
          "[core][statistics]") {
  const std::vector<double> few(policy::least_samples_for_interval - 1, 0.8),
      enough(policy::least_samples_for_interval, 0.8);
  StoppingRule long_kernel;
  CHECK_FALSE(long_kernel.should_stop(few, few, policy::time_cap_s));
  CHECK(long_kernel.should_stop(enough, enough, 2 * policy::time_cap_s));
  CHECK(long_kernel.ratio());

  StoppingRule none;
  CHECK_FALSE(none.should_stop({}, {}, policy::time_cap_s));
  CHECK(none.should_stop({}, {}, policy::caps_for_few_pairs * policy::time_cap_s));
  CHECK(none.reason() == "time cap reached");
  CHECK_FALSE(none.ratio());
}

TEST_CASE("samples go on for longer while the interval holds what is asked of the ratio",
          "[core][statistics]") {
  std::mt19937_64 random(10);
  std::uniform_real_distribution<double> busy(0.6, 1.4);
  const auto seconds_with = [&](std::optional<double> line) {
    StoppingPolicy policy;
    policy.line = line;
    StoppingRule rule(policy);
    std::vector<double> a, b;
    while (!rule.should_stop(a, b, 0.02 * static_cast<double>(a.size()))) {
      a.push_back(2 * busy(random));
      b.push_back(busy(random));
    }
    CHECK(rule.reason() == "time cap reached");
    return 0.02 * static_cast<double>(a.size());
  };
  CHECK(seconds_with({}) == Catch::Approx(policy::time_cap_s));
  CHECK(seconds_with(1.2) == Catch::Approx(policy::time_cap_s));  // clearly above
  CHECK(seconds_with(2) > 2 * policy::time_cap_s);
  CHECK(seconds_with(2) <= policy::caps_for_undecided * policy::time_cap_s + 0.02);
}

TEST_CASE(
    "a ratio far beyond what is asked of it is soon known well enough, where launches are long",
    "[core][statistics]") {
  std::mt19937_64 random(10);
  std::normal_distribution<double> spread(1, 0.01);
  const auto pairs_with = [&](double line, double seconds_each) {
    StoppingPolicy policy;
    policy.line = line;
    StoppingRule rule(policy);
    std::vector<double> a, b;
    while (!rule.should_stop(a, b, seconds_each * static_cast<double>(a.size()))) {
      a.push_back(100 * spread(random));
      b.push_back(spread(random));
    }
    return a.size();
  };
  constexpr double long_launch = 0.06, short_launch = 0.0001;
  CHECK(pairs_with(10, long_launch) < 12);
  CHECK(pairs_with(0.9 * 100 / policy::far_beyond_line, long_launch) < 12);
  CHECK(pairs_with(1.1 * 100 / policy::far_beyond_line, long_launch) > 15);  // until time is over
  CHECK(pairs_with(10, short_launch) > 20);
}

TEST_CASE("more samples are asked for by the host's clock, but not of a ratio far beyond its line",
          "[core][statistics]") {
  const std::vector steady(policy::least_samples_wall, 1.0);
  const auto pairs_with = [&](std::optional<double> line) {
    StoppingPolicy policy;
    policy.least_samples = policy::least_samples_wall;
    policy.line = line;
    StoppingRule rule(policy);
    std::size_t pairs = 0;
    while (!rule.should_stop(std::span(steady).first(pairs), std::span(steady).first(pairs), 0))
      ++pairs;
    return static_cast<int>(pairs);
  };
  CHECK(pairs_with(2) == policy::least_samples_wall);
  CHECK(pairs_with({}) == policy::least_samples_wall);
  CHECK(pairs_with(0.9 / policy::far_beyond_line) == policy::least_samples);
}

TEST_CASE("a rule that has stopped stays stopped, with its first reason", "[core][statistics]") {
  StoppingRule rule;
  REQUIRE(rule.should_stop({}, {}, policy::caps_for_few_pairs * policy::time_cap_s));
  const std::vector steady(policy::least_samples, 1.0);
  CHECK(rule.should_stop(steady, steady, 0));
  CHECK(rule.reason() == "time cap reached");
}

TEST_CASE("stopping as soon as the interval is narrow does not spoil its coverage",
          "[core][statistics]") {
  std::mt19937_64 random(10);
  std::normal_distribution<double> spread(1, 0.005);
  int covered = 0;
  constexpr int trials = 300;
  for (int trial = 0; trial < trials; ++trial) {
    StoppingRule rule;
    std::vector<double> a, b;
    while (!rule.should_stop(a, b, 0)) {
      a.push_back(spread(random));
      b.push_back(spread(random));
    }
    covered += rule.ratio()->low <= 1 && 1 <= rule.ratio()->high;
  }
  CHECK(covered >= trials * 0.92);
}
