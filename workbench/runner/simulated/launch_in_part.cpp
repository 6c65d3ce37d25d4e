// The first blocks, the last ones and some in between.
#include "runner/simulated/launch_in_part.hpp"

#include <algorithm>
#include <vector>

#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/last_launch.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/phases/trial.hpp"
#include "runner/problem/problem_memory.hpp"
#include "runner/simulated/reach.hpp"
#include "runner/simulated/results_in_part.hpp"
#include "runner/simulated/simulator_link.hpp"
#include "runner/workload/random.cuh"

namespace klab::runner {
namespace {

constexpr std::uint64_t blocks_in_part = 4;
/// Blocks whose results are compared, as far as they are short.
constexpr std::uint64_t blocks_compared = 6;
/// Warp instructions of those blocks: a second's work.
constexpr std::uint64_t budget_in_part = 3'000'000;
/// Where few blocks stride through all of the memory, each access may be the first to a page, which
/// the system takes longer to find than the simulator to run the access. Then it is left.
constexpr std::uint64_t touched_in_part = std::uint64_t{256} << 20;
constexpr std::uint64_t touched_at_most = 4 * touched_in_part;
/// More of them, where they are short: in a loop over the grid few blocks get to the last elements.
constexpr std::uint64_t budget_of_more = budget_in_part / 2;
/// Grids whose blocks together take no more than half of this are run whole.
constexpr std::uint64_t budget = 60'000'000;
/// Address space; what nobody touches takes no memory.
constexpr std::uint64_t memory_limit_bytes = std::uint64_t{1} << 39;
/// Of each output, at either end: enough for the last element to be looked at.
constexpr std::size_t marked_bytes = 4096;

struct Buffers {
  std::vector<BufferSpec> specs;
  std::vector<DeviceBuffer> memory;
  Problem problem;

  Buffers(const Workload& workload, const Size& size, std::uint64_t seed)
      : specs(workload.buffers(size)), problem{size, Where::device, {}, seed} {
    for (const BufferSpec& spec : specs) {
      memory.push_back(make_device_buffer(spec.count * spec.element_bytes));
      problem.buffers.push_back(memory.back().get());
      name_memory(memory.back().get(), "args." + spec.name);
    }
  }

  void mark_ends() const {
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const std::size_t bytes = specs[i].count * specs[i].element_bytes;
      const std::size_t marked = std::min(bytes, marked_bytes);
      if (specs[i].role == Role::output)
        check_cuda(cudaMemset(memory[i].get() + bytes - marked, 0xFF, marked));
    }
    check_cuda(cudaDeviceSynchronize());
  }
  std::vector<Stretch> stretches() const {
    std::vector<Stretch> all;
    for (std::size_t i = 0; i < specs.size(); ++i)
      all.push_back({memory[i].get(), specs[i].count, specs[i].element_bytes,
                     specs[i].role == Role::output, specs[i].may_stay, marked_bytes});
    return all;
  }
  /// The first output whose last element was not written.
  std::optional<std::size_t> without_end() const {
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (specs[i].role != Role::output) continue;
      std::vector<std::byte> last(specs[i].element_bytes);
      check_cuda(cudaMemcpy(last.data(), memory[i].get() + (specs[i].count - 1) * last.size(),
                            last.size(), cudaMemcpyDefault));
      if (is_poison(last.data(), last.size(), 0xFF)) return i;
    }
    return std::nullopt;
  }
};

double count_of(const SimulatorReport& report, std::string_view name) {
  return find_count(report, name).value_or(0);
}

/// What one kernel does wrong with some of its blocks, it does wrong; a second one may miss what
/// the blocks that were left out had to tell it.
bool is_one_kernel(const SimulatorReport& report) {
  return count_of(report, "kernel_launches") <= 1 && count_of(report, "graph_launches") == 0;
}

void configure(std::uint64_t blocks, std::optional<std::uint64_t> first = std::nullopt,
               std::uint64_t times_the_budget = 1) {
  configure_simulator(
      {.full_checks = false,
       .deferred = true,
       .budget = times_the_budget * (blocks <= blocks_in_part ? budget_in_part : budget),
       .touched_limit_bytes =
           times_the_budget * (blocks <= blocks_in_part ? touched_in_part : touched_at_most),
       .blocks_in_part = blocks,
       .part_begins = first,
       .memory_limit_bytes = memory_limit_bytes,
       .quiet = true});  // that it was too much is nobody's fault
}

record::Verified unwritten(record::Verified verified, const Buffers& buffers, std::size_t buffer) {
  verified.correct = false;
  verified.problem = ResultProblem::not_written;
  verified.buffer = buffers.specs[buffer].name;
  verified.index = static_cast<std::int64_t>(buffers.specs[buffer].count) - 1;
  verified.total = *verified.index + 1;
  verified.wrong = 1;
  verified.got_text = "what was there before the launch";
  return verified;
}

/// Nothing that the task is about was looked at: a loop that ends before it begins.
record::Verified unread(record::Verified verified, const Buffers& buffers) {
  const auto input = std::find_if(
      buffers.specs.begin(), buffers.specs.end(),
      [](const BufferSpec& spec) { return spec.role == Role::input || spec.role == Role::inout; });
  if (input == buffers.specs.end()) return verified;
  verified.correct = false;
  verified.problem = ResultProblem::not_read;
  verified.buffer = input->name;
  verified.wrong = 1;
  return verified;
}

/// Runs the launch; false where it ended in an error from which nothing follows.
bool run(PhaseSetup& setup, const Plugin& plugin, const Buffers& buffers) {
  begin_simulation();
  try {
    launch(setup, plugin, setup.workload->bind(buffers.problem));
    setup.workload->unbind();
    // Nothing has run yet, and of several kernels nothing has to.
    if (!is_one_kernel(simulator_report())) {
      stop_simulation();
      begin_simulation();
      return false;
    }
    wait_for_device(setup, plugin);
    return true;
  } catch (const RunnerError& failure) {
    const SimulatorReport report = simulator_report();
    begin_simulation();  // clears the fault
    if (!is_one_kernel(report)) return false;
    if (failure.error().code == ErrorCode::launch_failed) throw;
    const auto outside =
        std::find_if(report.findings.begin(), report.findings.end(),
                     [](const record::Finding& f) { return f.kind == FindingKind::out_of_bounds; });
    if (outside == report.findings.end()) return false;
    record::Finding finding = *outside;
    finding.variant = plugin.variant();
    finding.message += " This is at the size " + to_string(buffers.problem.size) +
                       ", where a 32-bit index no longer tells all elements apart.";
    setup.out.write(finding);
    throw RunnerError(failure.error(), plugin.variant());
  }
}

/// Warp instructions of a block, as those that were run took.
double of_a_block(const record::Launched& shape, const SimulatorReport& report,
                  std::uint64_t run_already) {
  const auto blocks = std::min(static_cast<std::uint64_t>(shape.blocks), run_already);
  return std::max(1.0, count_of(report, "warp_instructions") / static_cast<double>(blocks));
}

/// How many blocks to run after the first few were right: all of a grid that takes no longer than
/// it may, some of others; 0: none.
std::uint64_t how_many_more(std::uint64_t blocks, double each, std::uint64_t run_already) {
  if (blocks <= run_already) return 0;
  if (each * static_cast<double>(blocks) < static_cast<double>(budget) / 2) return blocks;
  const auto more = static_cast<std::uint64_t>(static_cast<double>(budget_of_more) / each);
  return more >= 2 * run_already ? std::min(more, blocks) : 0;
}

std::uint64_t accesses_in(const SimulatorReport& report) {
  double accesses = 0;
  for (const char* name : {"global_load_requests", "global_store_requests", "global_atomics"})
    accesses += count_of(report, name);
  return static_cast<std::uint64_t>(accesses);
}

/// Whether a block has touched these elements of a buffer all along, which a look here and there
/// tells, and none behind them.
bool went_through(const std::byte* memory, const BufferSpec& spec, std::uint64_t end) {
  constexpr std::uint64_t looks = 16, stretch = 1u << 24, page = simulated_page_bytes;
  const auto touched = [&](std::uint64_t from, std::uint64_t to) {
    return !touched_pages(memory + from * spec.element_bytes, (to - from) * spec.element_bytes, 1)
                .empty();
  };
  for (std::uint64_t look = 0; look < looks; ++look) {
    const std::uint64_t from = (end - stretch) / (looks - 1) * look / page * page;
    if (!touched(from, from + stretch)) return false;
  }
  const std::uint64_t behind = (end + page - 1) / page * page;
  return behind >= spec.count || !touched(behind, spec.count);
}

/// The input that the one block which was run, and did not come to an end, goes through again and
/// again: it has been through all elements that 32 bits can tell apart, and stays there for as long
/// as some rounds take.
std::optional<std::size_t> going_round(PhaseSetup& setup, const Plugin& plugin,
                                       const Buffers& buffers) {
  constexpr std::uint64_t begins_anew = std::uint64_t{1} << 32, rounds = 4;
  for (std::size_t i = 0; i < buffers.specs.size(); ++i) {
    const BufferSpec& spec = buffers.specs[i];
    if (spec.role != Role::input || spec.count < begins_anew - 1) continue;
    const auto end = std::min<std::uint64_t>(spec.count, begins_anew);
    if (!went_through(buffers.memory[i].get(), spec, end)) continue;
    configure(1, std::nullopt, rounds);
    if (!run(setup, plugin, buffers) && went_through(buffers.memory[i].get(), spec, end)) return i;
  }
  return std::nullopt;
}

record::Finding endless(const Plugin& plugin, const Buffers& buffers, std::size_t buffer) {
  const auto shape = last_launch_shape();
  return {.variant = plugin.variant(),
          .kind = FindingKind::out_of_reach,
          .message = "A loop over args." + buffers.specs[buffer].name +
                     " begins anew at 2^32 elements and never ends: its index has 32 bits. This is "
                     "at the size " +
                     to_string(buffers.problem.size) + ".",
          .kernel = shape ? shape->kernel : "",
          .file = {},
          .line = {}};
}

/// Whether what a block writes follows from the inputs alone: blocks that were left out hand
/// nothing over, and no copy was left out.
bool stands_alone(const SimulatorReport& part, const Buffers& buffers) {
  for (std::size_t i = 0; i < buffers.specs.size(); ++i) {
    const BufferSpec& spec = buffers.specs[i];
    if (spec.role == Role::inout) return false;
    if (spec.role == Role::scratch &&
        !touched_pages(buffers.memory[i].get(), spec.count * spec.element_bytes, 1).empty())
      return false;
  }
  for (const char* name : {"global_atomics", "host_to_device_copies", "device_to_device_copies",
                           "device_to_host_copies", "host_to_host_copies", "memsets"})
    if (count_of(part, name) > 0) return false;
  return true;
}

std::vector<std::uint64_t> blocks_to_compare(std::uint64_t blocks, double each,
                                             std::uint64_t seed) {
  const auto affordable = static_cast<std::uint64_t>(static_cast<double>(budget_of_more) / each);
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t i = 0; i < std::min({blocks_compared, affordable, blocks}); ++i)
    chosen.push_back(i == 1 ? blocks - 1 : i == 3 ? 0 : hash(seed, i) % blocks);
  return chosen;
}

record::Verified compared(record::Verified verified, const Buffers& buffers,
                          const Mismatch& mismatch) {
  verified.total = mismatch.total;
  if (mismatch.wrong == 0) return verified;
  verified.correct = false;
  describe_values(verified, mismatch, buffers.specs.at(mismatch.buffer).name);
  return verified;
}

record::Finding too_short(const Plugin& plugin, const Buffers& buffers,
                          const record::Launched& shape, const Unreached& place) {
  const BufferSpec& spec = buffers.specs[place.buffer];
  const std::string element = spec.name + "[" + std::to_string(place.element) + "]";
  record::Finding finding{.variant = plugin.variant(),
                          .kind = FindingKind::out_of_reach,
                          .message = {},
                          .kernel = shape.kernel,
                          .file = {},
                          .line = {}};
  finding.message =
      place.why == Unreached::Why::begins_anew
          ? "Of many blocks drawn at random none comes to " + element +
                " or beyond, though most elements lie there: an unsigned index of 32 bits begins "
                "anew"
          : "Its " + std::to_string(shape.blocks) + " blocks do not come to " + element +
                ", even if each writes as much as the busiest of those that were run: a number of "
                "blocks that is worked out in float, which has 24 bits, loses the last ones";
  finding.message += ". This is at the size " + to_string(buffers.problem.size) + ".";
  return finding;
}

std::optional<record::Verified> outcome(PhaseSetup& setup, const Plugin& plugin,
                                        const Buffers& buffers) {
  std::uint64_t run_already = blocks_in_part;
  configure(run_already);
  if (!run(setup, plugin, buffers)) {
    // Of a grid that is as large as the device, one block strides through all of the memory.
    configure(run_already = 1);
    if (!run(setup, plugin, buffers)) {
      if (const auto buffer = going_round(setup, plugin, buffers))
        setup.out.write(endless(plugin, buffers, *buffer));
      return std::nullopt;
    }
  }
  const SimulatorReport part = simulator_report();
  const auto shape = last_launch_shape();
  if (!shape || !is_one_kernel(part)) return std::nullopt;

  record::Verified verified{.variant = plugin.variant(),
                            .size = buffers.problem.size,
                            .seed = setup.request.seed,
                            .correct = true};
  std::size_t output = 0;
  while (output < buffers.specs.size() && buffers.specs[output].role == Role::input) ++output;
  const double writes = count_of(part, "global_store_requests") + count_of(part, "global_atomics");
  if (writes == 0 && output < buffers.specs.size()) return unwritten(verified, buffers, output);

  if (count_of(part, "global_load_requests") == 0)
    if (const auto wrong = unread(verified, buffers); !wrong.correct) return wrong;

  const auto blocks = static_cast<std::uint64_t>(shape->blocks);
  const double each = of_a_block(*shape, part, run_already);
  const std::uint64_t more = how_many_more(blocks, each, run_already);
  bool whole = blocks <= run_already || more == blocks;
  const auto run_block = [&](std::uint64_t block) -> std::optional<std::uint64_t> {
    configure(1, block);
    if (!run(setup, plugin, buffers)) return std::nullopt;
    return accesses_in(simulator_report());
  };
  // Before more of them touch so many pages that nobody can tell where they end.
  if (blocks > run_already && setup.workload->checks_parts() && stands_alone(part, buffers)) {
    const auto chosen = blocks_to_compare(blocks, each, setup.request.seed);
    const auto mismatch =
        compare_in_part(*setup.workload, buffers.stretches(), buffers.problem, chosen, run_block);
    buffers.mark_ends();
    if (mismatch) verified = compared(verified, buffers, *mismatch);
    if (!verified.correct) return verified;
  }
  if (!whole && each * (blocks_apart + blocks_seen_again) < static_cast<double>(budget) / 2) {
    if (const auto place = unreached(buffers.stretches(), blocks, setup.request.seed, run_block))
      setup.out.write(too_short(plugin, buffers, *shape, *place));
  }
  if (more > 0) {
    configure(more);
    whole &= run(setup, plugin, buffers);
  }
  if (whole)
    if (const auto buffer = buffers.without_end()) return unwritten(verified, buffers, *buffer);
  return verified;
}

}  // namespace

std::optional<record::Verified> launch_in_part(PhaseSetup& setup, const Plugin& plugin,
                                               const Size& size) {
  const auto specs = setup.workload->buffers(size);
  if (std::any_of(specs.begin(), specs.end(),
                  [](const BufferSpec& spec) { return spec.memory != Memory::device; }))
    return std::nullopt;
  configure(blocks_in_part);
  std::optional<Buffers> buffers;
  try {
    buffers.emplace(*setup.workload, size, setup.request.seed);
  } catch (const RunnerError&) {
    return std::nullopt;  // too little address space
  }
  buffers->mark_ends();
  return outcome(setup, plugin, *buffers);
}

}  // namespace klab::runner
