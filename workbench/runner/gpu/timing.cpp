// One sample: refill, empty the L2, let the host run ahead, then one launch (or a batch of short
// ones) between two events, or between two readings of the host's clock.
#include "runner/gpu/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

#include "core/measure/measure_policy.hpp"
#include "core/measure/statistics.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/nvtx_range.hpp"
#include "runner/device/timing_kernels.hpp"
#include "runner/gpu/nvml.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/verify.hpp"
#include "runner/problem/least_work.hpp"

namespace klab::runner {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Head start of the host beyond the time that its calls were seen to take.
constexpr std::chrono::microseconds head_start_margin{10};
/// Where a launch keeps the host busy for longer (it waits for the device itself), no head start
/// can help.
constexpr std::chrono::microseconds longest_head_start{1000};

/// Takes samples of kernel files on one problem.
class Sampler {
 public:
  Sampler(Session& session, ProblemMemory& memory)
      : session_(session), memory_(memory), start_(make_event()), stop_(make_event()) {}

  int launches_per_sample() const { return launches_per_sample_; }

  /// Launches every kernel file a few times, and learns how long the host's calls take and whether
  /// launches must be batched.
  void warm_up() {
    double shortest_s = std::numeric_limits<double>::infinity();
    for (const Plugin& plugin : session_.plugins) {
      const NvtxRange range("warm-up", plugin.variant());
      double seconds = 0;
      for (int i = 0; i < policy::warm_up_launches; ++i) seconds = sample(plugin);
      shortest_s = std::min(shortest_s, seconds);
    }
    if (session_.request.timing == TimingMode::wall) return;
    const bool repeatable =
        std::none_of(memory_.specs().begin(), memory_.specs().end(),
                     [](const BufferSpec& spec) { return spec.role == Role::inout; });
    if (!repeatable || shortest_s >= policy::batching_threshold_s) return;
    launches_per_sample_ = std::clamp(static_cast<int>(policy::batch_target_s / shortest_s), 2,
                                      policy::most_launches_per_sample);
    // Again, so that the head start covers a whole batch.
    for (const Plugin& plugin : session_.plugins) sample(plugin);
  }

  /// Seconds of one launch. Errors: RunnerError.
  double sample(const Plugin& plugin) {
    const NvtxRange range("sample", plugin.variant());
    const void* args = session_.workload->bind(memory_.working());
    memory_.refresh(session_.stream.get());
    cold_.flush(session_.stream.get());
    return session_.request.timing == TimingMode::wall ? wall_sample(plugin, args)
                                                       : device_sample(plugin, args);
  }

 private:
  double device_sample(const Plugin& plugin, const void* args) {
    delay(session_.stream.get(), head_start_);
    const NvtxRange range("launch", plugin.variant());
    const Clock::time_point began = Clock::now();
    check_cuda(cudaEventRecord(start_.get(), session_.stream.get()));
    for (int i = 0; i < launches_per_sample_; ++i) launch(session_, plugin, args);
    check_cuda(cudaEventRecord(stop_.get(), session_.stream.get()));
    const auto enqueueing = Clock::now() - began;
    // The whole device, so that nothing of this sample runs into the next.
    wait_for_device(session_, plugin);
    head_start_ = std::clamp<std::chrono::nanoseconds>(
        std::max<std::chrono::nanoseconds>(head_start_, enqueueing + head_start_margin),
        head_start_margin, longest_head_start);
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
    return milliseconds * 1e-3 / launches_per_sample_;
  }

  double wall_sample(const Plugin& plugin, const void* args) {
    wait_for_device(session_, plugin);
    const NvtxRange range("launch", plugin.variant());
    const Clock::time_point began = Clock::now();
    launch(session_, plugin, args);
    wait_for_device(session_, plugin);
    return Seconds(Clock::now() - began).count();
  }

  Session& session_;
  ProblemMemory& memory_;
  ColdCache cold_;
  Event start_;
  Event stop_;
  std::chrono::nanoseconds head_start_ = head_start_margin;
  int launches_per_sample_ = 1;
};

/// Tells samples taken while the GPU was throttled or waking up: at a clock well below the run's
/// median. A bounded share of the samples is judged so; after that the run is taken as it is, and
/// its throttle reasons are reported.
class SlowClock {
 public:
  bool spoils(std::optional<double> mhz) {
    if (!mhz) return false;
    seen_mhz_.push_back(*mhz);
    const bool slow =
        seen_mhz_.size() >= least_readings && *mhz < policy::least_clock_share * *median(seen_mhz_);
    const double share = (spoiled_ + 1) / static_cast<double>(seen_mhz_.size());
    if (!slow || share > policy::most_retaken_share) return false;
    ++spoiled_;
    return true;
  }

 private:
  static constexpr std::size_t least_readings = 5;
  std::vector<double> seen_mhz_;
  int spoiled_ = 0;
};

/// Ends when the ratio of the first kernel file to every other one is known well enough.
class Settled {
 public:
  explicit Settled(const Request& request, std::size_t plugins)
      : rules_(plugins > 1 ? plugins - 1 : 1, StoppingRule(policy_for(request))) {}

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
    if (request.timing == TimingMode::wall)
      policy.target_half_width = policy::target_half_width_wall;
    return policy;
  }

  std::vector<StoppingRule> rules_;
  std::string reason_;
};

}  // namespace

void time(Session& session) {
  const Request& request = session.request;
  const Size& size = request.sizes.front();
  session.out.progress("filling " + to_string(size));
  ProblemMemory memory(*session.workload, size, Where::device, guard_bytes);
  memory.fill(*session.workload, derived_seed(request.seed, size, 0));
  memory.prepare(first_poison, session.stream.get());

  Sampler sampler(session, memory);
  session.out.progress("warm-up");
  sampler.warm_up();

  session.out.progress("sampling");
  ClockWatch clock;
  SlowClock slow_clock;
  Settled settled(request, session.plugins.size());
  std::vector<std::vector<double>> samples(session.plugins.size());
  std::vector<std::size_t> order(session.plugins.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(request.seed);
  const Clock::time_point began = Clock::now();
  do {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      const Plugin& plugin = session.plugins[i];
      double seconds = sampler.sample(plugin);
      std::optional<double> mhz = clock.look();
      if (slow_clock.spoils(mhz)) {
        std::this_thread::sleep_for(Seconds(policy::throttle_pause_s));
        seconds = sampler.sample(plugin);
        mhz = clock.look();
      }
      samples[i].push_back(seconds);
      session.out.write(record::Sample{plugin.variant(), seconds, mhz});
    }
  } while (!settled(samples, Seconds(Clock::now() - began).count()));

  session.out.progress("checking again");
  memory.fill(*session.workload, derived_seed(request.seed, size, 1));
  for (const Plugin& plugin : session.plugins)
    session.out.write(verify_once(session, plugin, memory, second_poison));
  session.out.write(record::Timed{settled.reason(), clock.throttle_reasons(),
                                  sampler.launches_per_sample(),
                                  least_work(*session.workload, size)});
}

}  // namespace klab::runner
