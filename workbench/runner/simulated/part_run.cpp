// Memory of such a launch, and what its end says.
#include "runner/simulated/part_run.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/text.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/problem/problem_memory.hpp"
#include "runner/simulated/results_in_part.hpp"

namespace klab::runner {
namespace {

/// Where few blocks stride through all of the memory, each access may be the first to a page, which
/// the system takes longer to find than the simulator to run the access. Then it is left.
constexpr std::uint64_t touched_in_part = std::uint64_t{64} << 20;
constexpr std::uint64_t touched_by_one = std::uint64_t{256} << 20;
constexpr std::uint64_t touched_at_most = 4 * touched_by_one;
/// Where only the first turns are looked at: what they touched is filled for the second look.
constexpr std::uint64_t touched_in_turns = std::uint64_t{4} << 20;
/// Address space; what nobody touches takes no memory.
constexpr std::uint64_t memory_limit_bytes = std::uint64_t{1} << 41;
/// Of each output, at either end: enough for the last element to be looked at.
constexpr std::size_t marked_bytes = 4096;
/// An input in host memory of up to so many bytes holds what it should.
constexpr std::size_t small_bytes = std::size_t{4} << 20;
/// A launch of more kernels takes too long even in part.
constexpr double most_kernels = 16;

bool is_small_input(const BufferSpec& spec) {
  return spec.role == Role::input && spec.memory == Memory::pinned_host &&
         spec.count * spec.element_bytes <= small_bytes;
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

/// A few atomics beside many loads: the block has arrived somewhere, and may be waiting for others
/// that were left out.
bool may_have_arrived(const SimulatorReport& stopped) {
  constexpr double loads_for_each = 1000;
  const double atomics = count_of(stopped, "global_atomics");
  return atomics > 0 && atomics * loads_for_each < count_of(stopped, "global_load_requests");
}

/// Whether some warps were through, and wait for those that run after them: the simulator runs each
/// up to its next barrier. A loop that never ends keeps the first one for good, or all in step.
bool one_after_the_other(const SimulatorReport& stopped) {
  const LeftOut& warps = stopped.left_out;
  return warps.warps_ahead > 1 && warps.warps_ahead < warps.warps;
}

}  // namespace

PartBuffers::PartBuffers(const Workload& workload, const Size& size, std::uint64_t seed)
    : specs_(workload.buffers(size)), problem_{size, Where::device, {}, seed} {
  for (const BufferSpec& spec : specs_) {
    const std::size_t bytes = spec.count * spec.element_bytes;
    const bool host = spec.memory == Memory::pinned_host;
    device_.push_back(host ? nullptr : make_device_buffer(bytes));
    pinned_.push_back(host ? make_pinned_buffer(bytes) : nullptr);
    problem_.buffers.push_back(at(problem_.buffers.size()));
    name_memory(problem_.buffers.back(), "args." + spec.name);
  }
  Problem filled = problem_;
  filled.where = Where::host;
  for (const BufferSpec& spec : specs_)
    filled.parts.push_back(is_small_input(spec)
                               ? std::vector<Elements>{{0, static_cast<std::int64_t>(spec.count)}}
                               : std::vector<Elements>{});
  workload.fill(filled);
}

std::byte* PartBuffers::at(std::size_t buffer) const {
  return device_[buffer] ? device_[buffer].get() : pinned_[buffer].get();
}

void PartBuffers::mark_ends() const {
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    const std::size_t bytes = specs_[i].count * specs_[i].element_bytes;
    const std::size_t marked = std::min(bytes, marked_bytes);
    if (specs_[i].role != Role::output) continue;
    if (pinned_[i])
      std::memset(at(i) + bytes - marked, 0xFF, marked);
    else
      check_cuda(cudaMemset(at(i) + bytes - marked, 0xFF, marked));
  }
  check_cuda(cudaDeviceSynchronize());
}

std::vector<Stretch> PartBuffers::stretches() const {
  std::vector<Stretch> all;
  for (std::size_t i = 0; i < specs_.size(); ++i)
    all.push_back({at(i), specs_[i].count, specs_[i].element_bytes, specs_[i].role == Role::output,
                   specs_[i].role == Role::input, specs_[i].may_stay, marked_bytes});
  return all;
}

std::optional<std::size_t> PartBuffers::without_end() const {
  for (std::size_t i = 0; i < specs_.size(); ++i)
    if (specs_[i].role == Role::output && is_as_marked(i)) return i;
  return std::nullopt;
}

bool PartBuffers::is_as_marked(std::size_t output) const {
  std::vector<std::byte> last(specs_[output].element_bytes);
  check_cuda(cudaMemcpy(last.data(), at(output) + (specs_[output].count - 1) * last.size(),
                        last.size(), cudaMemcpyDefault));
  return is_poison(last.data(), last.size(), 0xFF);
}

std::optional<std::size_t> PartBuffers::unread_end() const {
  constexpr std::size_t end_of_int = std::size_t{1} << 31;
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    const bool read = specs_[i].role == Role::input || specs_[i].role == Role::inout;
    if (!read || pinned_[i] || specs_[i].count < end_of_int) continue;
    const std::size_t end = specs_[i].count * specs_[i].element_bytes;
    const std::size_t last = (end - 1) / simulated_page_bytes * simulated_page_bytes;
    if (!touched_pages(at(i) + last, end - last, 1).empty()) return std::nullopt;
    if (!first) first = i;
  }
  return first;
}

bool PartBuffers::comes_to_more(std::uint64_t times) const {
  constexpr std::size_t most_pages = std::size_t{1} << 15;  // all that a part may touch
  bool any_touched = false;
  for (const Stretch& stretch : stretches()) {
    const std::uint64_t bytes = stretch.count * stretch.element_bytes;
    const std::uint64_t unmarked = (bytes - std::min<std::uint64_t>(bytes, stretch.marked_bytes)) /
                                   simulated_page_bytes * simulated_page_bytes;
    const auto pages = touched_pages(stretch.begin, unmarked, most_pages);
    if (pages.empty()) continue;
    any_touched = true;
    const std::uint64_t begin = pages.front() * simulated_page_bytes,
                        end = (pages.back() + 1) * simulated_page_bytes;
    if (pages.size() == most_pages ||
        passes_landmark(end, begin + times * (end - begin), unmarked, stretch.element_bytes))
      return true;
  }
  return !any_touched;
}

void configure(const Part& part) {
  const bool few = part.blocks <= blocks_in_part;
  const std::uint64_t once = part.turns ? budget_of_turns : few ? budget_in_part : budget;
  const std::uint64_t times = part.more_memory ? part.times_the_budget : 1;
  configure_simulator(
      {.block_checks = part.checked,
       .deferred = true,
       .budget = part.times_the_budget * once,
       .touched_limit_bytes = part.turns        ? touched_in_turns
                              : !few            ? touched_at_most
                              : part.blocks > 1 ? touched_in_part
                                                : std::min(times * touched_by_one, touched_at_most),
       .blocks_in_part = part.blocks,
       .part_begins = part.first,
       .part_of_several = part.of_several,
       .memory_limit_bytes = memory_limit_bytes,
       .quiet = true});  // that it was too much is nobody's fault
}

namespace {

/// What the launch takes for itself may be more than is left; who does not look at the answer then
/// uses an address that is none.
bool has_its_memory(const SimulatorReport& report) { return report.left_out.allocations == 0; }

/// What one kernel does wrong with some of its blocks, it does wrong; of several only that counts
/// which does not follow from what others left out, and the simulator tells these apart.
bool can_be_run(const SimulatorReport& report, const Part& part) {
  if (count_of(report, "graph_launches") > 0 || !has_its_memory(report)) return false;
  return count_of(report, "kernel_launches") <= (part.of_several ? most_kernels : 1);
}

std::string at_the_size(const PartBuffers& buffers) {
  bool is_beyond = false;
  for (const BufferSpec& spec : buffers.specs())
    is_beyond |= is_beyond_32_bits(spec.count, spec.element_bytes);
  const std::string size = " This is at the size " + to_string(buffers.problem().size);
  return is_beyond ? size + ", where a 32-bit index no longer tells all elements apart."
                   : size + "; smaller ones were right: look at what is bounded (" +
                         std::string(bounded_things) +
                         "), and at what is worked out from a product of extents.";
}

/// What leaves its memory, if anything does.
std::optional<record::Finding> outside(const SimulatorReport& report, bool one_kernel) {
  const auto found =
      std::find_if(report.findings.begin(), report.findings.end(), [&](const record::Finding& f) {
        // What a copy that was left out would have brought may be an address.
        const bool follows = one_kernel && report.left_out.copies > 0 && !is_of_host(f);
        return f.kind == FindingKind::out_of_bounds && !follows;
      });
  return found == report.findings.end() ? std::nullopt : std::optional(*found);
}

/// Whether it stays within its memory once the inputs that it reads hold what they may: of zeros,
/// which no contract promises, an index may be worked out that is none.
bool is_due_to_zeros(PhaseSetup& setup, const Plugin& plugin, const PartBuffers& buffers,
                     bool one_kernel) {
  // A fault ends the launch: each turn fills what one block more was found to read.
  for (std::uint64_t turn = 0; turn < 2 * blocks_in_part; ++turn) {
    const RealInputs real(*setup.workload, buffers.stretches(), buffers.problem());
    if (!real.exist()) return false;
    try {
      launch(setup, plugin, setup.workload->bind(buffers.problem()));
      setup.workload->unbind();
      wait_for_device(setup, plugin);
      return true;
    } catch (const RunnerError&) {
      const SimulatorReport report = simulator_report();
      begin_simulation();  // clears the fault
      if (!outside(report, one_kernel)) return true;
    }
  }
  return false;
}

void tell(PhaseSetup& setup, const Plugin& plugin, const PartBuffers& buffers,
          record::Finding finding) {
  finding.variant = plugin.variant();
  finding.message += at_the_size(buffers);
  if (!is_of_host(finding)) setup.out.write(finding);  // or it is written already
}

}  // namespace

namespace {

/// Memory that no device has room for, and no address space: a negative number of bytes, most
/// often.
void tell_absurd_request(PhaseSetup& setup, const Plugin& plugin, const PartBuffers& buffers,
                         const SimulatorReport& report) {
  constexpr std::uint64_t addressed = std::uint64_t{1} << 47;
  if (report.left_out.most_bytes < addressed) return;
  setup.out.write(record::Finding{
      .variant = plugin.variant(),
      .kind = FindingKind::out_of_reach,
      .message = "It asks for " + with_separators(std::to_string(report.left_out.most_bytes)) +
                 " bytes of memory at once, more than any address can tell apart: a number of "
                 "elements or bytes that is kept in an int becomes negative there. This is at the "
                 "size " +
                 to_string(buffers.problem().size) + ".",
      .kernel = {},
      .file = {},
      .line = {}});
}

/// Of the grid, whatever it is that its blocks wait for.
bool tell_deadlock(PhaseSetup& setup, const Plugin& plugin, const PartBuffers& buffers,
                   const SimulatorReport& report) {
  for (record::Finding finding : report.findings) {
    if (finding.kind != FindingKind::grid_deadlock) continue;
    finding.variant = plugin.variant();
    finding.message += " This is at the size " + to_string(buffers.problem().size) + ".";
    setup.out.write(finding);
    return true;
  }
  return false;
}

}  // namespace

Ran run_part(PhaseSetup& setup, const Plugin& plugin, const PartBuffers& buffers, const Part& part,
             SimulatorReport* counted) {
  begin_simulation();
  try {
    launch(setup, plugin, setup.workload->bind(buffers.problem()));
    setup.workload->unbind();
    if (const SimulatorReport report = simulator_report(); !can_be_run(report, part)) {
      if (!part.of_several) tell_absurd_request(setup, plugin, buffers, report);
      stop_simulation();
      begin_simulation();
      return Ran::several_kernels;
    }
    wait_for_device(setup, plugin);
    if (counted) *counted = simulator_report();
    return Ran::whole_launch;
  } catch (const RunnerError& failure) {
    const SimulatorReport report = simulator_report();
    if (counted) *counted = report;
    begin_simulation();  // clears the fault
    if (!can_be_run(report, part)) {
      if (!part.of_several) tell_absurd_request(setup, plugin, buffers, report);
      return Ran::several_kernels;
    }
    if (tell_deadlock(setup, plugin, buffers, report)) return Ran::several_kernels;
    if (const auto finding = outside(report, !part.of_several)) {
      if (is_due_to_zeros(setup, plugin, buffers, !part.of_several)) return Ran::several_kernels;
      tell(setup, plugin, buffers, *finding);
      throw RunnerError(failure.error(), plugin.variant());
    }
    if (failure.error().code == ErrorCode::launch_failed) throw;
    return report.left_out.kernels > 0 || report.left_out.most_blocks == 0
               ? Ran::part_not_to_its_end
               : Ran::grid_not_to_its_end;
  }
}

bool ends(PhaseSetup& setup, const Plugin& plugin, const PartBuffers& buffers, const Part& part) {
  configure(part);
  return run_part(setup, plugin, buffers, part) == Ran::whole_launch;
}

namespace {

/// Whether one block goes on loading for as long as some rounds take. One that is through, and
/// waits for blocks that were left out, loads no more, or has told them by an atomic.
bool is_going_round(PhaseSetup& setup, const Plugin& plugin, const PartBuffers& buffers) {
  // Of up to eight warps one after the other, all are through by the last.
  constexpr std::uint64_t some_rounds = 4, rounds = 9;
  constexpr double goes_on = 1.5;
  SimulatorReport stopped;
  double loads = 0;
  for (const std::uint64_t times : {some_rounds, rounds}) {
    const Part part{.blocks = 1, .times_the_budget = times};
    configure(part);
    if (run_part(setup, plugin, buffers, part, &stopped) == Ran::whole_launch) return false;
    const double before = std::exchange(loads, count_of(stopped, "global_load_requests"));
    if (loads < goes_on * before) return false;
  }
  return !one_after_the_other(stopped) && !may_have_arrived(stopped);
}

}  // namespace

std::optional<std::size_t> going_round(PhaseSetup& setup, const Plugin& plugin,
                                       const PartBuffers& buffers) {
  constexpr std::uint64_t begins_anew = std::uint64_t{1} << 32;
  for (std::size_t i = 0; i < buffers.specs().size(); ++i) {
    const BufferSpec& spec = buffers.specs()[i];
    if (spec.role != Role::input || spec.count < begins_anew - 1) continue;
    const auto end = std::min<std::uint64_t>(spec.count, begins_anew);
    if (!went_through(buffers.at(i), spec, end)) continue;
    if (is_going_round(setup, plugin, buffers) && went_through(buffers.at(i), spec, end)) return i;
  }
  return std::nullopt;
}

}  // namespace klab::runner
