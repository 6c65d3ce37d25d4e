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
#include "runner/problem/size_with_room.hpp"
#include "runner/simulated/part_run.hpp"
#include "runner/simulated/reach.hpp"
#include "runner/simulated/results_in_part.hpp"
#include "runner/simulated/simulator_link.hpp"
#include "runner/simulated/turns.hpp"
#include "runner/workload/random.cuh"

namespace klab::runner {
namespace {

/// Blocks whose results are compared, as far as they are short.
constexpr std::uint64_t blocks_compared = 6;
/// Where four blocks did not come to their end, one has so many times what they had together.
constexpr std::uint64_t times_for_one = 4;
/// More of them, where they are short: in a loop over the grid few blocks get to the last elements.
constexpr std::uint64_t budget_of_more = budget_in_part / 2;

double copies_in(const SimulatorReport& report) {
  double copies = 0;
  for (const char* name : {"host_to_device_copies", "device_to_device_copies",
                           "device_to_host_copies", "host_to_host_copies", "memsets"})
    copies += count_of(report, name);
  return copies;
}

/// Elements that no block has to write: copies within the device may have brought them.
bool may_write_by_copies(const SimulatorReport& report) {
  return count_of(report, "device_to_device_copies") > 0 || report.left_out.copies > 0;
}

record::Verified unwritten(record::Verified verified, const PartBuffers& buffers,
                           std::size_t buffer) {
  verified.correct = false;
  verified.problem = ResultProblem::not_written;
  verified.buffer = buffers.specs()[buffer].name;
  verified.index = static_cast<std::int64_t>(buffers.specs()[buffer].count) - 1;
  verified.total = *verified.index + 1;
  verified.wrong = 1;
  verified.got_text = "what was there before the launch";
  return verified;
}

/// Nothing that the task is about was looked at: a loop that ends before it begins.
record::Verified unread(record::Verified verified, const BufferSpec& input) {
  verified.correct = false;
  verified.problem = ResultProblem::not_read;
  verified.buffer = input.name;
  verified.wrong = 1;
  return verified;
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
  for (const char* name : {"global_load_requests", "global_store_requests", "global_atomics",
                           "bulk_sectors", "texture_sectors"})
    accesses += count_of(report, name);
  return static_cast<std::uint64_t>(accesses);
}

record::Finding endless(const Plugin& plugin, const PartBuffers& buffers, std::size_t buffer) {
  const auto shape = last_launch_shape();
  return {.variant = plugin.variant(),
          .kind = FindingKind::out_of_reach,
          .message = "A loop over args." + buffers.specs()[buffer].name +
                     " begins anew at 2^32 elements and never ends: its index has 32 bits. This is "
                     "at the size " +
                     to_string(buffers.problem().size) + ".",
          .kernel = shape ? shape->kernel : "",
          .file = {},
          .line = {}};
}

/// Whether what a block writes follows from the inputs alone: blocks that were left out hand
/// nothing over, and no copy was left out.
bool stands_alone(const SimulatorReport& part, const PartBuffers& buffers) {
  for (std::size_t i = 0; i < buffers.specs().size(); ++i) {
    const BufferSpec& spec = buffers.specs()[i];
    if (spec.role == Role::inout) return false;
    if (spec.role == Role::scratch &&
        !touched_pages(buffers.at(i), spec.count * spec.element_bytes, 1).empty())
      return false;
  }
  return count_of(part, "global_atomics") == 0 && copies_in(part) == 0;
}

bool is_checked_in_part(const Workload& workload, const Size& size) {
  return workload.checks_parts() && !is_one_long_chain(workload, size);
}

std::vector<std::uint64_t> blocks_to_compare(std::uint64_t blocks, double each,
                                             std::uint64_t seed) {
  constexpr std::uint64_t fewest = 2;
  const auto affordable =
      std::max(fewest, static_cast<std::uint64_t>(static_cast<double>(budget_of_more) / each));
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t i = 0; i < std::min({blocks_compared, affordable, blocks}); ++i)
    chosen.push_back(i == 1 ? blocks - 1 : i == 3 ? 0 : hash(seed, i) % blocks);
  return chosen;
}

record::Verified compared(record::Verified verified, const PartBuffers& buffers,
                          const Mismatch& mismatch) {
  verified.total = mismatch.total;
  if (mismatch.wrong == 0) return verified;
  verified.correct = false;
  describe_values(verified, mismatch, buffers.specs().at(mismatch.buffer).name);
  return verified;
}

record::Finding too_short(const Plugin& plugin, const PartBuffers& buffers,
                          const record::Launched& shape, const Unreached& place) {
  const BufferSpec& spec = buffers.specs()[place.buffer];
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
                " or beyond, though most elements lie there: " +
                (is_beyond_32_bits(spec.count, spec.element_bytes)
                     ? "an index of 32 bits, of an element, a vector or a thread, begins anew, or "
                     : "") +
                "something is bounded (" + std::string(bounded_things) + ")"
          : "Its " + std::to_string(shape.blocks) + " blocks do not come to " + element +
                ", even if each writes as much as the busiest of those that were run. Look at how "
                "the number of blocks is worked out (a float has 24 bits, an int 32), and at what "
                "is left when a loop takes several turns at once";
  finding.message += ". This is at the size " + to_string(buffers.problem().size) + ".";
  return finding;
}

void tell_cut_short(PhaseSetup& setup, const Plugin& plugin, const PartBuffers& buffers,
                    const SimulatorReport& part) {
  if (part.left_out.cut_short == 0) return;
  setup.out.write(record::Finding{
      .variant = plugin.variant(),
      .kind = FindingKind::out_of_reach,
      .message = "A copy or memset from an array's beginning is as long as the last 32 bits of the "
                 "array's bytes say, and leaves out the rest. This is at the size " +
                 to_string(buffers.problem().size) + ".",
      .kernel = {},
      .file = {},
      .line = {}});
}

record::Finding unread_end(const Plugin& plugin, const PartBuffers& buffers,
                           const record::Launched& shape, std::size_t buffer) {
  const BufferSpec& spec = buffers.specs()[buffer];
  return {.variant = plugin.variant(),
          .kind = FindingKind::out_of_reach,
          .message = "All of its blocks come to their end, and none of them reads " + spec.name +
                     "[" + std::to_string(spec.count - 1) +
                     "], the last element: an extent that is kept in 32 bits is another one there. "
                     "This is at the size " +
                     to_string(buffers.problem().size) + ".",
          .kernel = shape.kernel,
          .file = {},
          .line = {}};
}

record::Verified nothing_wrong(const PhaseSetup& setup, const Plugin& plugin,
                               const PartBuffers& buffers) {
  return {.variant = plugin.variant(),
          .size = buffers.problem().size,
          .seed = setup.request.seed,
          .correct = true};
}

/// A buffer to be written, where no kernel wrote anything, or none ran and nothing was copied.
std::optional<std::size_t> without_writes(const SimulatorReport& part, const PartBuffers& buffers) {
  // Of bulk copies, and of textures and surfaces, both ways are counted together.
  const double writes = count_of(part, "global_store_requests") + count_of(part, "global_atomics") +
                        count_of(part, "bulk_sectors") + count_of(part, "texture_sectors");
  if (writes > 0) return std::nullopt;
  if (count_of(part, "kernels_executed") == 0 && copies_in(part) > 0) return std::nullopt;
  for (std::size_t i = 0; i < buffers.specs().size(); ++i)
    if (const Role role = buffers.specs()[i].role; role == Role::output || role == Role::inout)
      return i;
  return std::nullopt;
}

/// Whether that may be right: of inputs that are zero what is there already may be the result, and
/// so may what was copied there. Some of the real ones change it.
bool writes_real_inputs(PhaseSetup& setup, const Plugin& plugin, const PartBuffers& buffers,
                        const SimulatorReport& part, const Part& again) {
  if (part.left_out.copies > 0) return true;  // nobody knows what the kernel found there
  const bool copied = copies_in(part) > 0;
  const bool kept = std::any_of(buffers.specs().begin(), buffers.specs().end(),
                                [](const BufferSpec& spec) { return spec.role == Role::inout; });
  if (!copied && !kept) return false;
  const RealInputs real(*setup.workload, buffers.stretches(), buffers.problem());
  return !real.exist() || !ends(setup, plugin, buffers, again) ||
         !without_writes(simulator_report(), buffers);
}

record::Verified overwritten(record::Verified verified, const PartBuffers& buffers,
                             const InputPlace& place) {
  verified.correct = false;
  verified.problem = ResultProblem::input_changed;
  verified.buffer = buffers.specs()[place.buffer].name;
  verified.index = place.element;
  verified.wrong = 1;
  return verified;
}

/// Up to where copies and fills that were left out would have written this buffer; its beginning
/// where there are none.
std::uint64_t copied_up_to(const SimulatorReport& part, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t last = begin;
  for (const auto& [from, to] : part.left_out.copied_to)
    if (to > begin && from < end) last = std::max(last, std::min(to, end));
  return last;
}

/// The first output whose last element nothing writes: where all kernels ran whole, and where it is
/// host memory, which copies write.
std::optional<std::size_t> without_end(const SimulatorReport& part, const PartBuffers& buffers) {
  for (std::size_t i = 0; i < buffers.specs().size(); ++i) {
    const BufferSpec& spec = buffers.specs()[i];
    if (spec.role != Role::output || !buffers.is_as_marked(i)) continue;
    const auto begin = reinterpret_cast<std::uint64_t>(buffers.at(i));
    const std::uint64_t end = begin + spec.count * spec.element_bytes;
    const std::uint64_t copied = copied_up_to(part, begin, end);
    const bool is_copied = spec.memory == Memory::pinned_host && copied > begin;
    if (copied < end && (is_copied || part.left_out.kernels == 0)) return i;
  }
  return std::nullopt;
}

/// Each kernel runs some of its blocks, once on inputs that are zero and once on real ones. What
/// they leave to each other is incomplete, so that of their results nothing is known.
std::optional<record::Verified> outcome_of_several(PhaseSetup& setup, const Plugin& plugin,
                                                   const PartBuffers& buffers) {
  const auto run_blocks = [&](Part part) {
    part.of_several = true;
    return ends(setup, plugin, buffers, part);
  };
  if (!run_blocks({})) return std::nullopt;
  const SimulatorReport part = simulator_report();
  tell_cut_short(setup, plugin, buffers, part);
  const record::Verified verified = nothing_wrong(setup, plugin, buffers);
  if (const auto output = without_writes(part, buffers))
    return writes_real_inputs(setup, plugin, buffers, part, {.of_several = true})
               ? verified
               : unwritten(verified, buffers, *output);
  if (const auto output = without_end(part, buffers)) return unwritten(verified, buffers, *output);
  const std::uint64_t blocks = part.left_out.most_blocks;
  const double each =
      count_of(part, "warp_instructions") / static_cast<double>(std::min(blocks, blocks_in_part));
  const bool fast = each * (blocks_apart + blocks_seen_again) < static_cast<double>(budget) / 2;
  if (fast && part.left_out.uncertain == 0) {
    const auto run_block = [&](std::uint64_t block) -> std::optional<std::uint64_t> {
      if (!run_blocks({.blocks = 1, .first = block})) return std::nullopt;
      return accesses_in(simulator_report());
    };
    if (const auto place = begins_anew(buffers.stretches(), blocks, setup.request.seed, run_block))
      setup.out.write(too_short(plugin, buffers, {}, *place));
  }
  const RealInputs real(*setup.workload, buffers.stretches(), buffers.problem());
  if (!real.exist() || !run_blocks({})) return verified;
  const auto place = real.changed();
  return place ? overwritten(verified, buffers, *place) : verified;
}

std::optional<record::Verified> outcome(PhaseSetup& setup, const Plugin& plugin,
                                        const PartBuffers& buffers) {
  std::uint64_t run_already = blocks_in_part, times = 1;
  const auto of_one_block = [&](std::optional<std::uint64_t> block) {
    return Part{.blocks = 1, .first = block, .times_the_budget = times, .more_memory = false};
  };
  configure({});
  const Ran ran = run_part(setup, plugin, buffers, {});
  if (ran == Ran::several_kernels) return outcome_of_several(setup, plugin, buffers);
  if (ran != Ran::whole_launch) {
    // Of a grid that is as large as the device, one block strides through all of the memory. What
    // is wrong far behind shows in the last one; another stands for it where that had nothing to
    // do. Blocks that wait for each other, and grids of a few, have been run all together.
    constexpr std::uint64_t last = ~std::uint64_t{0};
    run_already = 1;
    times = times_for_one;
    const bool goes_far = buffers.comes_to_more(times * blocks_in_part);
    const bool last_tells = ran == Ran::part_not_to_its_end &&
                            ends(setup, plugin, buffers, of_one_block(last)) &&
                            !without_writes(simulator_report(), buffers);
    if (!last_tells && !(goes_far && ends(setup, plugin, buffers, of_one_block({})))) {
      if (const auto buffer = going_round(setup, plugin, buffers))
        setup.out.write(endless(plugin, buffers, *buffer));
      return std::nullopt;
    }
  }
  const SimulatorReport part = simulator_report();
  tell_cut_short(setup, plugin, buffers, part);
  const auto shape = last_launch_shape();
  record::Verified verified = nothing_wrong(setup, plugin, buffers);
  if (const auto output = without_writes(part, buffers)) {
    // One that found nothing to do, beside others that had more than could be run.
    if (ran != Ran::whole_launch) return std::nullopt;
    return writes_real_inputs(setup, plugin, buffers, part, {})
               ? verified
               : unwritten(verified, buffers, *output);
  }
  const auto input = std::find_if(
      buffers.specs().begin(), buffers.specs().end(),
      [](const BufferSpec& spec) { return spec.role == Role::input || spec.role == Role::inout; });
  const bool copied = copies_in(part) > count_of(part, "memsets") || part.left_out.copies > 0;
  if (input != buffers.specs().end() && (shape || !copied) &&
      count_of(part, "global_load_requests") + count_of(part, "bulk_sectors") +
              count_of(part, "texture_sectors") ==
          0)
    return unread(verified, *input);
  if (!shape) return std::nullopt;

  const auto blocks = static_cast<std::uint64_t>(shape->blocks);
  const double each = of_a_block(*shape, part, run_already);
  const std::uint64_t more = how_many_more(blocks, each, run_already);
  const bool all_copies = part.left_out.copies == 0;
  bool whole = all_copies && (blocks <= run_already || more == blocks);
  const auto run_block = [&](std::uint64_t block) -> std::optional<std::uint64_t> {
    if (!ends(setup, plugin, buffers, of_one_block(block))) return std::nullopt;
    return accesses_in(simulator_report());
  };
  // Before more of them touch so many pages that nobody can tell where they end.
  if (blocks > run_already && is_checked_in_part(*setup.workload, buffers.problem().size) &&
      stands_alone(part, buffers)) {
    const auto chosen = blocks_to_compare(blocks, each, setup.request.seed);
    const auto mismatch =
        compare_in_part(*setup.workload, buffers.stretches(), buffers.problem(), chosen, run_block);
    buffers.mark_ends();
    if (mismatch) verified = compared(verified, buffers, *mismatch);
    if (!verified.correct) return verified;
  }
  if (!whole && !may_write_by_copies(part) &&
      each * (blocks_apart + blocks_seen_again) < static_cast<double>(budget) / 2) {
    const GridUse use{.in_rows = is_last_grid_in_rows(),
                      .by_number = count_of(part, "global_atomics") == 0};
    if (const auto place =
            unreached(buffers.stretches(), blocks, use, setup.request.seed, run_block))
      setup.out.write(too_short(plugin, buffers, *shape, *place));
  }
  if (more > 0) {
    whole &= ends(setup, plugin, buffers, {.blocks = more});
  }
  if (!whole) return verified;
  if (const auto buffer = buffers.without_end()) return unwritten(verified, buffers, *buffer);
  if (const auto buffer = buffers.unread_end())
    setup.out.write(unread_end(plugin, buffers, *shape, *buffer));
  return verified;
}

}  // namespace

std::optional<record::Verified> launch_in_part(PhaseSetup& setup, const Plugin& plugin,
                                               const Size& size) {
  const auto specs = setup.workload->buffers(size);
  if (std::any_of(specs.begin(), specs.end(), [](const BufferSpec& spec) {
        return spec.memory != Memory::device && spec.memory != Memory::pinned_host;
      }))
    return std::nullopt;
  configure({});
  std::optional<PartBuffers> buffers;
  try {
    if (setup.request.full_checks) look_at_turns(setup, plugin, size);
    configure({});
    buffers.emplace(*setup.workload, size, setup.request.seed);
  } catch (const RunnerError& failure) {
    const ErrorCode code = failure.error().code;
    if (code == ErrorCode::hang || code == ErrorCode::launch_failed) throw;
    return std::nullopt;  // too little address space
  }
  buffers->mark_ends();
  return outcome(setup, plugin, *buffers);
}

}  // namespace klab::runner
