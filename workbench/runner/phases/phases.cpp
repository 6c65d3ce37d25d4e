// Dispatch of the phases, with one place where exceptions become records.
#include "runner/phases/phases.hpp"

#include <chrono>
#include <functional>
#include <iostream>
#include <random>
#include <string>

#include "core/measure/format.hpp"
#include "runner/device/nvtx_range.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/device/timing_kernels.hpp"
#include "runner/measurement/agreement.hpp"
#include "runner/phases/device_facts.hpp"
#include "runner/phases/last_launch.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/phases/timeline.hpp"
#include "runner/phases/trial.hpp"
#include "runner/problem/least_work.hpp"
#include "runner/verify/verify.hpp"

namespace klab::runner {
namespace {

/// Covers the enqueueing of some dozen kernels under CUPTI's callbacks.
constexpr std::chrono::milliseconds trace_head_start{1};
/// The turns of a request that are no turn of the phases verify and time.
constexpr std::uint64_t first_counted_turn = std::uint64_t{1} << 32;
/// Of the catalogue.
constexpr const char* kept_memory = "kept_allocations";

void require_capability(const Request& request, const DeviceFacts& facts) {
  if (facts.compute_capability >= request.minimum_compute_capability) return;
  throw RunnerError(make_error(
      ErrorCode::no_device, facts.name + " has compute capability " +
                                format_capability(facts.compute_capability) + "; this lab needs " +
                                to_string(request.minimum_compute_capability) + " or higher."));
}

/// The device beside the first one. The simulator has one, which stands for both.
std::optional<SecondDevice> second_device(const Request& request, int first) {
  if (request.gpus.value_or(1) < 2) return std::nullopt;
  if (is_simulated()) return SecondDevice(first, cudaStreamNonBlocking, false);
  int count = 0;
  check_cuda(cudaGetDeviceCount(&count));
  if (count < 2)
    throw RunnerError(
        make_error(ErrorCode::no_device, "This lab needs 2 GPUs; this machine has 1."));
  return SecondDevice((first + 1) % count, cudaStreamDefault, true);
}

PhaseSetup set_up(const Request& request, RecordWriter& out) {
  // What is beyond the usual sizes is verified alone as well.
  const bool any_beyond = !request.beyond.empty() || !request.huge.empty();
  if (request.sizes.empty() && (request.phase != Phase::verify || !any_beyond))
    throw RunnerError(make_error(ErrorCode::usage, "The request names no problem size."));
  if (request.plugins.empty())
    throw RunnerError(make_error(ErrorCode::usage, "The request names no kernel file."));
  PhaseSetup setup{
      request,         out, load_workload(request.workload), {}, make_given_stream(), {}, {},
      current_device()};
  if (!is_simulated()) setup.cold.emplace();
  setup.second = second_device(request, setup.device);
  reset_devices(setup);  // as they are before any kernel file is loaded
  return setup;
}

Where where_counted() { return is_simulated() ? Where::host : Where::device; }

/// A launch at another size than the one that is looked at.
void launch_at(PhaseSetup& setup, const Plugin& plugin, const Size& size) {
  Trial trial(setup, size, where_counted());
  trial.prepare(plugin, derived_seed(setup.request.seed, size, first_counted_turn));
  trial.deliver(plugin);
  trial.launch(plugin);
  wait_for_device(setup, plugin);
}

/// Launches that are not looked at, so that a kernel file cannot tell by their number which one is
/// counted: the timed ones are preceded by up to a few dozen, and so is this one. How many is left
/// to chance, and where they take long, for how long they go on.
void launch_some(const Countable& countable) {
  constexpr unsigned least = 15, most = 40, least_ms = 50, most_ms = 150;
  std::random_device chance;
  const auto began = std::chrono::steady_clock::now();
  const std::chrono::milliseconds longest(least_ms + chance() % (most_ms - least_ms + 1));
  for (unsigned left = least + chance() % (most - least + 1);
       left > 0 && std::chrono::steady_clock::now() - began < longest; --left) {
    countable.prepare();
    countable.launch();
    countable.wait();
  }
}

/// Counters, trace or stalls: `look` launches each kernel file at this size and writes what it saw.
/// Its second argument is the same, but with a launch at the size in between before each.
void look_at_each(PhaseSetup& setup, Trial& trial, const Size& size,
                  const std::function<void(const Countable&, const Countable&)>& look) {
  const LeastWork least = least_work(*setup.workload, size);
  std::uint64_t turn = first_counted_turn;
  int done = 0;
  for (const Plugin& plugin : setup.plugins) {
    const NvtxRange range(std::string(to_string(setup.request.phase)), plugin.variant());
    setup.out.progress(std::string(to_string(setup.request.phase)) + " " + plugin.variant().name(),
                       ++done, static_cast<int>(setup.plugins.size()));
    const Countable countable{
        plugin.variant(),
        size,
        least,
        [&] {
          // What two machines compare is counted on the same inputs, however often each counts.
          const bool compared = setup.request.digest_results;
          trial.prepare(plugin, derived_seed(setup.request.seed, size, compared ? 0 : turn++));
          trial.deliver(plugin);
        },
        [&] { delay(setup.stream.get(), trace_head_start); },
        setup.request.timing == TimingMode::wall,
        [&] { trial.launch(plugin); },
        [&] { wait_for_device(setup, plugin); }};
    Countable in_turns = countable;
    if (!setup.request.between.empty())
      in_turns.prepare = [&] {
        launch_at(setup, plugin, setup.request.between);
        countable.prepare();
      };
    try {
      // The simulator's launches are dear, and two machines that are compared count from the start.
      if (!is_simulated() && !setup.request.digest_results) launch_some(countable);
      look(countable, in_turns);
      if (setup.request.share_of_blocks) continue;  // blocks that were left out wrote nothing
      trial.capture(plugin);
      if (const record::Verified last = trial.verify(plugin); !last.correct) setup.out.write(last);
    } catch (const RunnerError& failure) {
      // What concerns one kernel file leaves the others countable; anything else does not.
      const ErrorCode code = failure.error().code;
      if (code != ErrorCode::runner_failed && code != ErrorCode::launch_failed) throw;
      setup.out.write(record::Failure{failure.error(), plugin.variant()});
    }
  }
}

/// False if whoever asked has no need of it any more.
bool is_let_begin(const Request& request) {
  std::string word;
  return !request.waits || std::getline(std::cin, word);
}

/// What counts in these phases; null in the others.
std::unique_ptr<CounterSource> counter_source(const Request& request) {
  if (request.phase == Phase::counters) return make_counter_source(request);
  if (request.phase == Phase::trace) return make_trace_source(request);
  return nullptr;
}

/// Writes what counters or the trace say of these launches.
void count(const PhaseSetup& setup, CounterSource& source, const Countable& countable,
           const Countable& in_turns) {
  record::CounterSet counted = source.count(countable);
  counted.least = countable.least;
  counted.size = countable.size;
  if (auto launched = last_launch_shape()) {
    launched->variant = countable.variant;
    setup.out.write(*launched);
  }
  if (auto lines = source.lines(); !lines.empty())
    setup.out.write(record::LineCosts{countable.variant, std::move(lines)});
  // What is taken anew whenever the size changes, and not given back, shows between two sizes.
  const auto kept = counted.values.find(kept_memory);
  if (kept != counted.values.end() && !setup.request.between.empty())
    if (const auto again = source.count(in_turns).values[kept_memory];
        again.value > kept->second.value)
      kept->second = again;
  setup.out.write(counted);
}

/// Whether a phase that waits for its turn asks for memory before: of a GPU that holds what all of
/// them take together.
bool makes_room_ahead(const Request& request) {
  constexpr std::size_t plenty = std::size_t{32} << 30;
  std::size_t free_bytes = 0, all_bytes = 0;
  if (!request.waits) return false;
  check_cuda(cudaMemGetInfo(&free_bytes, &all_bytes));
  return free_bytes >= plenty;
}

void load_kernel_files(PhaseSetup& setup) {
  for (const PluginRequest& plugin : setup.request.plugins)
    setup.plugins.emplace_back(plugin.variant, plugin.library);
}

/// With clock or counters, which may have their memory before it is their turn.
void measure(const Request& request, const DeviceFacts& facts, CounterSource* source,
             RecordWriter& out) {
  const bool ahead = makes_room_ahead(request);
  const auto is_let = [&] {
    out.write(record::Device{facts});
    require_capability(request, facts);
    return is_let_begin(request);
  };
  if (!ahead && !is_let()) return;
  PhaseSetup setup = set_up(request, out);
  if (!ahead) load_kernel_files(setup);
  const std::function<bool()> begins = [&] {
    if (!ahead) return true;  // it has
    if (!is_let()) return false;
    load_kernel_files(setup);
    return true;
  };
  if (request.phase == Phase::time) return time_launches(setup, begins);
  std::optional<Trial> trial;
  for (const Size& size : request.sizes) {
    const bool is_first = !trial;
    trial.emplace(setup, size, where_counted());
    if (is_first && !begins()) return;
    look_at_each(setup, *trial, size, [&](const Countable& countable, const Countable& in_turns) {
      count(setup, *source, countable, in_turns);
    });
  }
}

void run_phase(const Request& request, RecordWriter& out) {
  const DeviceFacts facts = device_facts(request.phase);
  // Before it says that it is awake: what takes as long as waking is done ahead, too.
  const std::unique_ptr<CounterSource> source = counter_source(request);
  if (source || request.phase == Phase::time) return measure(request, facts, source.get(), out);
  out.write(record::Device{facts});
  if (request.phase == Phase::device) {
    if (const auto obstacle = counter_obstacle()) out.write(record::Failure{*obstacle, {}});
    return;
  }
  if (request.phase == Phase::ceilings) return measure_ceilings(out);

  require_capability(request, facts);
  if (!is_let_begin(request)) return;
  std::unique_ptr<StallSource> stalls;
  if (request.phase == Phase::stalls) stalls = make_stall_source();
  PhaseSetup setup = set_up(request, out);
  load_kernel_files(setup);
  if (request.phase == Phase::verify) return verify(setup);
  if (request.phase == Phase::agreement) return agreement(setup);
  if (request.phase == Phase::timeline) return record_timeline(setup);
  const Size& size = request.sizes.front();
  Trial trial(setup, size, where_counted());
  look_at_each(setup, trial, size, [&](const Countable& countable, const Countable&) {
    out.write(record::Stalls{stalls->sample(countable)});
  });
}

}  // namespace

void run(const Request& request, RecordWriter& out) {
  try {
    // The live values come from NVML, so nothing is made ready for CUDA.
    if (request.phase == Phase::live) return watch_device(request, out);
    prepare_platform(request, out);
    const NvtxRange range(std::string(to_string(request.phase)) + ": " + request.lab);
    run_phase(request, out);
  } catch (const RunnerError& failure) {
    out.write(record::Failure{failure.error(), failure.variant()});
  } catch (const std::bad_alloc&) {
    out.write(
        record::Failure{make_error(ErrorCode::out_of_memory,
                                   "There is too little memory for the problem and its reference."),
                        {}});
  } catch (const std::exception& failure) {
    out.write(record::Failure{make_error(ErrorCode::runner_failed, failure.what()), {}});
  }
}

}  // namespace klab::runner
