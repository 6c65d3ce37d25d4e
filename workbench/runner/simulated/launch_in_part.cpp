// The first blocks, the last ones and some in between.
#include "runner/simulated/launch_in_part.hpp"

#include <algorithm>
#include <vector>

#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/last_launch.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/problem/problem_memory.hpp"
#include "runner/simulated/reach.hpp"
#include "runner/simulated/simulator_link.hpp"

namespace klab::runner {
namespace {

constexpr std::uint64_t blocks_in_part = 4;
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

double count_of(const SimulatorReport& report, const std::string& name) {
  const auto found = std::find_if(report.counts.begin(), report.counts.end(),
                                  [&](const BaseValue& count) { return count.name == name; });
  return found == report.counts.end() ? 0 : found->value;
}

/// What one kernel does wrong with some of its blocks, it does wrong; a second one may miss what
/// the blocks that were left out had to tell it.
bool is_one_kernel(const SimulatorReport& report) {
  return count_of(report, "kernel_launches") <= 1 && count_of(report, "graph_launches") == 0;
}

void configure(std::uint64_t blocks, std::optional<std::uint64_t> first = std::nullopt) {
  configure_simulator(
      {.full_checks = false,
       .deferred = true,
       .budget = blocks <= blocks_in_part ? budget_in_part : budget,
       .touched_limit_bytes = blocks <= blocks_in_part ? touched_in_part : touched_at_most,
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
                     [](const record::Finding& f) { return f.kind == "out_of_bounds"; });
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

record::Finding out_of_reach(const Plugin& plugin, const Buffers& buffers,
                             const record::Launched& shape, const Unreached& place) {
  const BufferSpec& spec = buffers.specs[place.buffer];
  const std::string element = spec.name + "[" + std::to_string(place.element) + "]";
  record::Finding finding{.variant = plugin.variant(),
                          .kind = "out_of_reach",
                          .message = {},
                          .kernel = shape.kernel,
                          .file = {},
                          .line = {}};
  finding.message =
      place.why == Unreached::Why::begins_anew
          ? "of many blocks drawn at random none comes to " + element +
                " or beyond, though most elements lie there: an unsigned index of 32 bits begins "
                "anew"
          : "its " + std::to_string(shape.blocks) + " blocks do not come to " + element +
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
    if (!run(setup, plugin, buffers)) return std::nullopt;
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
  // Before more of them touch so many pages that nobody can tell where they end.
  if (!whole && each * (blocks_apart + blocks_seen_again) < static_cast<double>(budget) / 2) {
    const auto run_block = [&](std::uint64_t block) {
      configure(1, block);
      return run(setup, plugin, buffers);
    };
    if (const auto place = unreached(buffers.stretches(), blocks, setup.request.seed, run_block))
      setup.out.write(out_of_reach(plugin, buffers, *shape, *place));
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
