// Checked launches at every size.
#include "runner/phases/verify.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/course/smaller_size.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/phases/trial.hpp"
#include "runner/problem/affordable.hpp"
#include "runner/problem/leak_watch.hpp"
#include "runner/problem/patience.hpp"

namespace klab::runner {
namespace {

/// Problems up to this many elements are filled and checked on the host, so that small sizes have
/// a true CPU reference; larger ones on the device, where filling 64 Mi elements takes milliseconds
/// instead of seconds.
constexpr std::size_t host_limit_elements = 1u << 14;

std::size_t elements_of(const Workload& workload, const Size& size) {
  std::size_t elements = 0;
  for (const BufferSpec& spec : workload.buffers(size)) elements += spec.count;
  return elements;
}

Where where_to_check(const Workload& workload, const Size& size) {
  if (is_simulated()) return Where::host;
  return elements_of(workload, size) <= host_limit_elements ? Where::host : Where::device;
}

/// The launches at each size.
enum class Turn : std::uint64_t { usual, unusual, elsewhere, same_place, in_a_row, moved };

/// `right`: the result does not depend on what stands in shared memory that the block has not
/// written, which is different in every launch: whoever reads there does not use it.
void report_findings(PhaseSetup& setup, const Plugin& plugin, bool right) {
  for (const record::Finding& finding : take_findings(plugin.variant()))
    if (!right || finding.kind != FindingKind::uninitialized_shared) setup.out.write(finding);
}

/// Operations of a task that is tried whole: its reference, in double precision, then takes some
/// tenths of a second on a large GPU.
constexpr double most_huge_operations = 1e12;

/// Of these for an element of the results: one long chain, which no GPU ends within a second.
constexpr double most_huge_operations_each = 1e8;

/// Page-locked memory takes the system some tenths of a second a gigabyte.
constexpr double most_huge_pinned_bytes = 0x1p30;

/// For each element of the results, of a reference that takes passes of its own: two in double.
constexpr double reference_bytes = 16;

/// Of a buffer: to fill and compare more takes longer than a check may, and the simulator tries
/// such sizes in part.
constexpr std::size_t most_huge_elements = std::size_t{1} << 33;

/// Inputs and results are kept once more each, and the reference takes some.
bool has_room_for(const Workload& workload, const Size& size) {
  const Work work = workload.least_work(size);
  const double operations = work.fp32 + work.fp64 + work.fp16;
  std::size_t free_bytes = 0, all_bytes = 0;
  check_cuda(cudaMemGetInfo(&free_bytes, &all_bytes));
  double device = 0, pinned = 0, results = 0;
  for (const BufferSpec& spec : workload.buffers(size)) {
    if (spec.count > most_huge_elements) return false;
    const double count = static_cast<double>(spec.count);
    (spec.memory == Memory::device ? device : pinned) +=
        count * static_cast<double>(spec.element_bytes);
    if (spec.role == Role::output || spec.role == Role::inout) results += count;
  }
  return operations <= most_huge_operations &&
         operations <= most_huge_operations_each * std::max(results, 1.0) &&
         pinned <= most_huge_pinned_bytes &&
         2.1 * device + (workload.checks_parts() ? 0 : reference_bytes * results) <
             static_cast<double>(free_bytes);
}

/// Of a size that is too large for any GPU, a third.
std::optional<Size> size_with_room(const Workload& workload, const Size& size) {
  const std::vector<BufferSpec> specs = workload.buffers(size);
  const bool too_large = std::any_of(specs.begin(), specs.end(), [](const BufferSpec& spec) {
    return spec.count > most_huge_elements;
  });
  const Size tried = too_large ? a_third_of(size) : size;
  return has_room_for(workload, tried) ? std::optional(tried) : std::nullopt;
}

/// A size beyond 32-bit indices, once: as a whole where there is room for it, on the simulator by
/// its addresses alone.
void verify_huge(PhaseSetup& setup, const Size& size, const std::set<VariantName>& refused,
                 const Affordable& affordable) {
  setup.out.progress("verify " + to_string(size));
  for (const Plugin& plugin : setup.plugins) {
    if (refused.contains(plugin.variant())) continue;
    if (is_simulated()) {
      const std::size_t elements = elements_of(*setup.workload, size);
      if (!affordable.leaves_memory(plugin.variant(), elements)) continue;
      if (const auto verified = try_addresses(setup, plugin, size)) setup.out.write(*verified);
    } else if (const auto whole = size_with_room(*setup.workload, size)) {
      try {
        Trial trial(setup, *whole, Where::device);
        trial.prepare(plugin, derived_seed(setup.request.seed, *whole, 0));
        trial.run(plugin);
        setup.out.write(trial.verify(plugin));
      } catch (const RunnerError& failure) {
        // What a kernel file takes for itself, or the reference, may be more than is left.
        if (failure.error().code != ErrorCode::out_of_memory) throw;
        forget_errors();
      }
    }
  }
}

/// The launches of one size. `refused`: kernel files whose launches CUDA does not take.
class SizeCheck {
 public:
  SizeCheck(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
            std::map<VariantName, LeakWatch>& memory, int launches = 1)
      : setup_(setup),
        size_(size),
        refused_(refused),
        memory_(memory),
        trial_(setup, size, where_to_check(*setup.workload, size), launches),
        results_(setup.plugins.size()),
        shares_(setup.plugins.size()),
        pieces_(setup.plugins.size()) {}

  void leave_out(const VariantName& variant) { left_out_.insert(variant); }

  /// Each kernel file that was right so far.
  void launch_each(Turn turn) {
    // The same size in other memory: addresses that were kept with the size lead back to the first.
    if (turn == Turn::elsewhere) elsewhere_.emplace(setup_, size_, Where::host);
    for (std::size_t i = 0; i < setup_.plugins.size(); ++i) {
      if (is_out(i)) continue;
      const bool first = turn != Turn::unusual && turn != Turn::elsewhere;
      if (first || results_[i].correct) launch(i, turn);
    }
  }

  void move(std::size_t buffer) { trial_.move(buffer); }

  /// What the last launch of each came to. True if all are right.
  bool tell() const {
    bool right = refused_.empty();
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (is_out(i)) continue;
      setup_.out.write(results_[i]);
      right &= results_[i].correct;
    }
    return right;
  }
  /// Kernel files that CUDA launched, with a wrong result.
  std::vector<VariantName> wrong() const {
    std::vector<VariantName> names;
    for (const record::Verified& result : results_)
      if (!result.size.empty() && !result.correct) names.push_back(result.variant);
    return names;
  }
  /// What the usual launches took.
  void tell_cost(Affordable& affordable) const {
    const std::size_t elements = elements_of(*setup_.workload, size_);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      affordable.launched(setup_.plugins[i].variant(), size_, shares_[i]);
      affordable.took(setup_.plugins[i].variant(), elements, pieces_[i]);
    }
  }

 private:
  bool is_out(std::size_t i) const {
    const VariantName& variant = setup_.plugins[i].variant();
    return refused_.contains(variant) || left_out_.contains(variant);
  }
  void launch(std::size_t i, Turn turn) {
    const Plugin& plugin = setup_.plugins[i];
    Trial& trial = turn == Turn::elsewhere ? *elsewhere_ : trial_;
    try {
      const std::uint64_t seed =
          derived_seed(setup_.request.seed, size_, static_cast<std::uint64_t>(turn));
      // Results that two machines compare are those of usual inputs.
      trial.prepare(plugin, seed, turn == Turn::unusual && !setup_.request.digest_results);
      const auto before = held();
      largest_host_piece();  // forgets what was taken before
      trial.run(plugin);
      pieces_[i] = std::max(pieces_[i], largest_host_piece());
      for (const record::Finding& leak :
           memory_[plugin.variant()].launched(before, held(), plugin.variant()))
        setup_.out.write(leak);
      if (turn == Turn::usual) shares_[i] = share_of_budget(setup_.request);
      results_[i] = trial.verify(plugin);
      report_findings(setup_, plugin, results_[i].correct);
    } catch (const RunnerError& failure) {
      report_findings(setup_, plugin, false);
      if (failure.error().code != ErrorCode::launch_failed) throw;
      setup_.out.write(record::Failure{failure.error(), failure.variant()});
      refused_.insert(plugin.variant());
    }
  }

  PhaseSetup& setup_;
  const Size& size_;
  std::set<VariantName>& refused_;
  std::set<VariantName> left_out_;
  std::map<VariantName, LeakWatch>& memory_;
  Trial trial_;
  std::optional<Trial> elsewhere_;
  std::vector<record::Verified> results_;
  std::vector<std::optional<double>> shares_;
  std::vector<std::uint64_t> pieces_;  ///< of host memory, the largest
};

RunnerError too_slow(int done, int total) {
  return RunnerError(make_error(
      ErrorCode::too_slow, "Right as far as it was tried, at " + std::to_string(done) + " of " +
                               std::to_string(total) +
                               " sizes; then the simulator had taken as long as a check may."));
}

/// The larger ones of the small sizes, up to the largest and down again.
std::vector<Size> up_and_down(const PhaseSetup& setup) {
  constexpr std::size_t small_elements = 1u << 12, enough = 8;
  const auto elements = [&](const Size& size) { return elements_of(*setup.workload, size); };
  std::vector<Size> sizes;
  for (const Size& size : setup.request.sizes)
    if (elements(size) <= small_elements) sizes.push_back(size);
  std::stable_sort(sizes.begin(), sizes.end(), [&](const Size& a, const Size& b) {
    return std::pair(elements(a), a) < std::pair(elements(b), b);
  });
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  sizes.erase(sizes.begin(),
              sizes.end() - static_cast<std::ptrdiff_t>(std::min(sizes.size(), enough)));
  const std::vector<Size> down(sizes.rbegin(), sizes.rend());
  sizes.insert(sizes.end(), down.begin(), down.end());
  return sizes;
}

/// Small sizes in a row, each in the memory that the one before it gave back: a plan that is kept
/// by an address alone is of another size. On a GPU addresses come back by chance.
bool verify_in_same_place(PhaseSetup& setup, std::set<VariantName>& refused) {
  if (!is_simulated()) return true;
  bool right = true;
  constexpr int fewest_changes = 3;  // that tell what is kept at each from what is kept for good
  // Watched apart: a plan for each address is made anew here, and kept, launch after launch. On the
  // way down all sizes have been there, and only the first is that of the launch before: what takes
  // memory now does so at each change.
  std::map<VariantName, LeakWatch> memory;
  reuse_addresses(true);
  const std::vector<Size> sizes = up_and_down(setup);
  // Places that are large enough for all, so that each size finds the one before at its own.
  if (!sizes.empty()) SizeCheck(setup, sizes[sizes.size() / 2], refused, memory);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i <= sizes.size() / 2) memory.clear();
    if (const auto changes = static_cast<int>(sizes.size() / 2) - 1;
        i == sizes.size() / 2 && changes >= fewest_changes)
      for (const Plugin& plugin : setup.plugins)
        memory.emplace(plugin.variant(), LeakWatch(changes));
    SizeCheck check(setup, sizes[i], refused, memory);
    check.launch_each(Turn::same_place);
    right &= check.tell();
  }
  reuse_addresses(false);
  return right;
}

/// More than the places that a kernel file uses by turns.
constexpr int launches_in_a_row = 10;

/// Several launches, all asked for before the first one has run: what the host writes for a launch,
/// and writes again for a later one, may not have been read yet.
bool verify_in_a_row(PhaseSetup& setup, std::set<VariantName>& refused) {
  const std::vector<Size> sizes = up_and_down(setup);
  if (!is_simulated() || sizes.empty()) return true;
  const Size& largest = sizes[(sizes.size() - 1) / 2];
  std::map<VariantName, LeakWatch> memory;
  // Results that two machines compare were recorded of the second launch.
  const int launches = setup.request.digest_results ? 2 : launches_in_a_row;
  SizeCheck check(setup, largest, refused, memory, launches);
  check.launch_each(Turn::in_a_row);
  for (const VariantName& wrong : check.wrong())
    setup.out.write(record::Finding{
        wrong,
        FindingKind::not_in_a_row,
        "Of " + std::to_string(launches_in_a_row) +
            " launches in a row, all asked for before the "
            "first one has run, not all are right. Each is right alone: what the host keeps for a "
            "launch, such as page-locked memory, is written again while the device has still to "
            "read "
            "it. Give it along with the launch, or wait for an event before it is written.",
        {},
        {},
        {}});
  return check.tell();
}

/// One buffer after the other in other memory, with the same inputs and scalars, all other buffers
/// where they were: a plan that is kept by some of the addresses leads back to the former memory.
bool verify_moved(PhaseSetup& setup, std::set<VariantName>& refused) {
  const std::vector<Size> sizes = up_and_down(setup);
  if (sizes.empty()) return true;
  const Size& largest = sizes[(sizes.size() - 1) / 2];
  // Watched apart: whoever keeps a plan for each set of addresses makes a new one here each time.
  std::map<VariantName, LeakWatch> memory;
  SizeCheck check(setup, largest, refused, memory);
  check.launch_each(Turn::moved);
  bool right = check.tell();
  const std::size_t buffers = setup.workload->buffers(largest).size();
  for (std::size_t buffer = 0; buffer < buffers && right; ++buffer) {
    check.move(buffer);
    check.launch_each(Turn::moved);
    right = check.tell();
  }
  return right;
}

/// A size at which more is tried than elsewhere, once, by what is fast enough for it.
void verify_beyond(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
                   std::map<VariantName, LeakWatch>& memory, const Affordable& affordable) {
  SizeCheck check(setup, size, refused, memory);
  for (const Plugin& plugin : setup.plugins)
    if (!affordable(plugin.variant(), size)) check.leave_out(plugin.variant());
  check.launch_each(Turn::usual);
  check.tell();
}

}  // namespace

void verify(PhaseSetup& setup) {
  // A GPU takes the time that it takes.
  const Patience patience(is_simulated() ? setup.request.patience_s : std::nullopt);
  std::set<VariantName> refused;
  std::map<VariantName, LeakWatch> memory;
  Affordable affordable;
  const Request& request = setup.request;
  const auto total = static_cast<int>(request.sizes.size() + request.beyond.size());
  int done = 0;
  bool right = true;
  for (const Size& size : request.sizes) {
    if (patience.is_over()) throw too_slow(done, total);
    setup.out.progress("verify " + to_string(size), ++done, total);
    SizeCheck check(setup, size, refused, memory);
    check.launch_each(Turn::usual);
    check.launch_each(Turn::unusual);
    // Small enough to cost nothing.
    if (elements_of(*setup.workload, size) <= host_limit_elements)
      check.launch_each(Turn::elsewhere);
    right &= check.tell();
    check.tell_cost(affordable);
  }
  // What is wrong at small sizes says it sooner, and more plainly.
  if (!right || !verify_moved(setup, refused) || !verify_in_same_place(setup, refused) ||
      !verify_in_a_row(setup, refused))
    return;
  // The short ones come last, and have some of the time kept for them.
  constexpr double share_of_long_ones = 0.6;
  for (const Size& size : request.beyond) {
    if (patience.is_over(share_of_long_ones)) break;
    setup.out.progress("verify " + to_string(size), ++done, total);
    verify_beyond(setup, size, refused, memory, affordable);
  }
  for (const Size& size : request.huge)
    if (!patience.is_over()) verify_huge(setup, size, refused, affordable);
}

}  // namespace klab::runner
