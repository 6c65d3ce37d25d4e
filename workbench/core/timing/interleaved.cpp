// The loop of timing. Which samples are verified is drawn from the system's randomness, which no
// kernel file can know; everything else follows from the request's seed.
#include "core/timing/interleaved.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "core/measure/measure_policy.hpp"
#include "core/measure/slow_clock.hpp"
#include "core/measure/statistics.hpp"
#include "core/timing/processors.hpp"
#include "core/timing/runner_sides.hpp"

namespace klab {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Ends when the ratio of the first kernel file to every other one is known well enough.
class Settled {
 public:
  Settled(const Request& request, std::size_t sides)
      : rules_(sides > 1 ? sides - 1 : 1, StoppingRule(policy_for(request))) {}

  bool operator()(const std::vector<std::vector<double>>& samples, double elapsed_s) {
    bool all = true;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const auto& candidate = samples[std::min(i + 1, samples.size() - 1)];
      const bool open = rules_[i].reason().empty();
      if (!rules_[i].should_stop(samples.front(), candidate, elapsed_s))
        all = false;
      else if (open)
        reason_ = rules_[i].reason();
    }
    return all;
  }
  /// Of the rule that settled last.
  const std::string& reason() const { return reason_; }

 private:
  static StoppingPolicy policy_for(const Request& request) {
    StoppingPolicy policy;
    policy.time_cap_s = request.time_cap_s;
    policy.line = request.speedup;
    if (request.timing == TimingMode::wall) {
      policy.target_half_width = policy::target_half_width_wall;
      policy.far_beyond_half_width = policy::far_beyond_half_width_wall;
      policy.least_samples = policy::least_samples_wall;
    }
    return policy;
  }

  std::vector<StoppingRule> rules_;
  std::string reason_;
};

class Interleaving {
 public:
  Interleaving(const Request& request, const StartSide& start,
               const std::function<void(const Record&)>& on_record)
      : request_(request), start_(start), on_record_(on_record), seeds_(request.seed) {}

  PhaseOutcome run() {
    const auto began = Clock::now();
    if (run_to_end()) finish();
    outcome_.seconds = Seconds(Clock::now() - began).count();
    return std::move(outcome_);
  }

 private:
  /// A kernel file in its processes and what is known of it.
  struct Entry {
    VariantName variant;
    bool allocates = false;  ///< as its PluginRequest says
    std::vector<std::unique_ptr<Side>> sides;
    std::vector<double> outside_s;
    std::size_t at = 0;  ///< whose turn it is
    Side& side() { return *sides[at]; }
  };

  /// False once there is nothing more to hope for.
  bool run_to_end() {
    if (request_.plugins.empty()) return true;
    if (!time_alone() || !start_others()) return false;
    // A kernel much shorter than the flawed one makes both be launched in batches. What the flawed
    // one takes alone is then measured anew, alone again.
    if (entries_.size() > 1 && launches_ > alone_launches_) {
      entries_.clear();
      if (!time_alone() || !start_others()) return false;
    }
    return sample_rounds() && verify_last();
  }

  bool time_alone() {
    const PluginRequest& first = request_.plugins.front();
    tell("timing " + first.variant.name() + " alone");
    entries_.push_back({.variant = first.variant, .allocates = first.allocates});
    add_side(entries_.front(), first);
    if (!warm_up(entries_.front()) || !choose_processor()) return false;
    std::vector<double> samples;
    const auto end = Clock::now() + Seconds(policy::alone_share_of_cap * request_.time_cap_s);
    const auto enough = [&] {
      const auto taken = static_cast<int>(samples.size());
      return taken >= policy::samples_alone ||
             (taken >= policy::least_samples_alone && Clock::now() > end);
    };
    while (!enough()) {
      const auto sample = take(entries_.front());
      if (!sample) return false;
      samples.push_back(sample->seconds);
    }
    alone_s_ = median(samples);
    alone_launches_ = launches_;
    return true;
  }

  /// By the host's clock all samples begin on one processor, the quickest of some: each is slowed
  /// down by who else uses its core, on a virtual machine by a tenth and more, and a side that
  /// stayed on one of its own would be faster or slower for no reason of the kernel file's.
  bool choose_processor() {
    if (request_.timing != TimingMode::wall) return true;
    std::vector<int> processors = allowed_processors();
    std::shuffle(processors.begin(), processors.end(), seeds_);
    std::optional<double> quickest_s;
    std::optional<int> chosen;
    const auto end = Clock::now() + Seconds(policy::choosing_share_of_cap * request_.time_cap_s);
    for (const int processor : processors) {
      if (chosen && Clock::now() > end) break;
      processor_ = processor;
      const auto sample = take(entries_.front());
      if (!sample) return false;
      if (quickest_s && sample->seconds >= *quickest_s) continue;
      quickest_s = sample->seconds;
      chosen = processor;
    }
    processor_ = chosen;
    return true;
  }

  bool start_others() {
    // All at once, because starting takes longer than all that follows.
    const int processes = request_.plugins.size() > 1 ? processes_a_side(request_) : 1;
    for (std::size_t i = 1; i < request_.plugins.size(); ++i)
      entries_.push_back(
          {.variant = request_.plugins[i].variant, .allocates = request_.plugins[i].allocates});
    for (std::size_t i = 0; i < entries_.size(); ++i)
      while (std::ssize(entries_[i].sides) < processes) add_side(entries_[i], request_.plugins[i]);
    for (Entry& entry : entries_) {
      const bool one_is_warm = &entry == &entries_.front();
      for (entry.at = one_is_warm ? 1 : 0; entry.at < entry.sides.size(); ++entry.at) {
        tell("starting " + entry.variant.name());
        if (!warm_up(entry)) return false;
      }
      entry.at = 0;
      entry.outside_s.clear();
    }
    return true;
  }

  void add_side(Entry& entry, const PluginRequest& plugin) {
    entry.sides.push_back(start_(plugin));
  }

  /// The first launches load the module, and tell whether launches must be batched.
  bool warm_up(Entry& entry) {
    double seconds = 0, all_s = 0;
    for (int i = 0; i < policy::warm_up_launches && all_s < policy::warm_up_s; ++i) {
      const auto sample = take(entry);
      if (!sample) return false;
      all_s += seconds = sample->seconds;
    }
    if (request_.timing == TimingMode::wall || seconds >= policy::batching_threshold_s) return true;
    const double wanted = policy::batch_target_s / std::max(seconds, 1e-9);
    const int most = policy::most_launches_per_sample;
    launches_ = std::max(launches_, static_cast<int>(std::clamp(wanted, 2.0, double(most))));
    return take(entry).has_value();
  }

  bool sample_rounds() {
    tell("sampling");
    Settled settled(request_, entries_.size());
    std::bernoulli_distribution is_verified(share_to_verify());
    std::vector<std::vector<double>> samples(entries_.size());
    // The first one last: what it leaves of a seed in memory that the sides share, nobody needs any
    // more.
    std::vector<std::size_t> order(entries_.size());
    std::iota(order.begin(), order.end(), 1);
    order.back() = 0;
    const auto began = Clock::now();
    do {
      std::shuffle(order.begin(), order.end() - 1, seeds_);
      const std::uint64_t seed = seeds_();  // both sides of a pair do the same work
      for (const std::size_t i : order) {
        const auto sample = take_calm(entries_[i], seed);
        if (!sample) return false;
        samples[i].push_back(sample->seconds);
        report(*sample);
        if (i > 0 && is_verified(secret_) && !verify(entries_[i])) return false;
      }
      for (Entry& entry : entries_) entry.at = (entry.at + 1) % entry.sides.size();
    } while (!settled(samples, Seconds(Clock::now() - began).count()));
    stopped_because_ = settled.reason();
    return true;
  }

  /// The fewer samples there is time for, the more of them.
  double share_to_verify() const {
    const double pairs =
        policy::few_share_of_cap * request_.time_cap_s / std::max(alone_s_.value_or(0), 1e-9);
    return std::clamp(policy::verified_samples / pairs, policy::verified_share, 1.0);
  }

  /// Samples that do not count otherwise: what is behind the last ones is gone where sides share
  /// memory, and no kernel file can tell one from another.
  bool verify_last() {
    tell("checking the last launches");
    return std::all_of(entries_.begin(), entries_.end(), [&](Entry& entry) {
      for (entry.at = 0; entry.at < entry.sides.size(); ++entry.at)
        if (!take(entry) || !verify(entry)) return false;
      return true;
    });
  }

  /// Taken again if the GPU was throttled or waking up.
  std::optional<record::Sample> take_calm(Entry& entry, std::uint64_t seed) {
    auto sample = take(entry, seed);
    if (!sample || !slow_clock_.spoils(sample->sm_clock_mhz)) return sample;
    std::this_thread::sleep_for(Seconds(policy::throttle_pause_s));
    return take(entry, seeds_());
  }

  std::optional<record::Sample> take(Entry& entry) { return take(entry, seeds_()); }
  std::optional<record::Sample> take(Entry& entry, std::uint64_t seed) {
    const auto sampled = entry.side().sample({Turn::Act::sample, seed, launches_, processor_});
    if (!sampled) {
      fail(sampled.error(), entry);
      return std::nullopt;
    }
    const record::Sample& sample = sampled->sample;
    if (!(sample.seconds > 0) || sample.launches < 1 || sample.launches > launches_ ||
        sample.seconds * sample.launches > sampled->turn_s) {
      fail(
          make_error(ErrorCode::protocol_mismatch,
                     "The runner reported a time that its turn had no room for, so nothing of it "
                     "counts.",
                     "Have the kernel file leave clocks and the runner's memory alone; if it does, "
                     "check again on a quieter machine."),
          entry);
      return std::nullopt;
    }
    launches_ = sample.launches;  // both sides do what the smaller memory allows
    entry.outside_s.push_back(sampled->turn_s - sample.seconds * sample.launches);
    return sample;
  }

  bool verify(Entry& entry) {
    const auto verified = entry.side().verify();
    if (!verified) return fail(verified.error(), entry);
    report(*verified);
    return verified->correct;
  }

  void finish() {
    record::Timed timed;
    timed.stopped_because = stopped_because_;
    timed.launches_per_sample = launches_;
    std::set<std::string> throttle_reasons;
    for (Entry& entry : entries_) {
      for (const auto& side : entry.sides) {
        const auto end = side->end();
        if (!end) {
          fail(end.error(), entry);
          return;
        }
        timed.least = end->least;
        throttle_reasons.insert(end->throttle_reasons.begin(), end->throttle_reasons.end());
      }
      const bool is_first = &entry == &entries_.front();
      timed.watches.push_back({entry.variant, is_first ? alone_s_ : std::nullopt,
                               median(entry.outside_s).value_or(0), entry.allocates});
    }
    timed.throttle_reasons.assign(throttle_reasons.begin(), throttle_reasons.end());
    report(timed);
  }

  bool fail(const Error& error, const Entry& entry) {
    outcome_.error = error;
    report(record::Failure{error, entry.variant});
    return false;
  }

  void tell(std::string step) { report(record::Progress{std::move(step), {}, {}}); }
  void report(Record record) {
    outcome_.records.push_back(std::move(record));
    if (on_record_) on_record_(outcome_.records.back());
  }

  const Request& request_;
  const StartSide& start_;
  const std::function<void(const Record&)>& on_record_;
  PhaseOutcome outcome_;
  std::vector<Entry> entries_;
  std::mt19937_64 seeds_;
  std::random_device secret_;
  SlowClock slow_clock_;
  int launches_ = 1, alone_launches_ = 1;
  std::optional<double> alone_s_;
  std::optional<int> processor_;
  std::string stopped_because_;
};

}  // namespace

PhaseOutcome time_interleaved(const Request& request, const StartSide& start,
                              const std::function<void(const Record&)>& on_record) {
  return Interleaving(request, start, on_record).run();
}

PhaseOutcome time_interleaved(const std::filesystem::path& runner, const Request& request,
                              double time_limit_s,
                              const std::function<void(const Record&)>& on_record,
                              const std::atomic<bool>* canceled) {
  RunnerSides sides(runner, request, time_limit_s, canceled);
  return time_interleaved(
      request, [&](const PluginRequest& plugin) { return sides.start(plugin); }, on_record);
}

}  // namespace klab
