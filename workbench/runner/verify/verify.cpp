// Checked launches at every size.
#include "runner/verify/verify.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runner/device/runner_error.hpp"
#include "runner/phases/platform.hpp"
#include "runner/phases/trial.hpp"
#include "runner/problem/affordable.hpp"
#include "runner/problem/leak_watch.hpp"
#include "runner/problem/patience.hpp"
#include "runner/problem/where_to_check.hpp"
#include "runner/verify/chosen_sizes.hpp"
#include "runner/verify/huge_sizes.hpp"
#include "runner/verify/size_check.hpp"
#include "runner/verify/warps_in_reverse.hpp"

namespace klab::runner {
namespace {

/// Of the time that there is; sizes beyond 2^31 come last, and have the rest kept for them.
constexpr double share_of_long_ones = 0.6;

RunnerError too_slow(int done, int total, const std::string& why) {
  return RunnerError(
      make_error(ErrorCode::too_slow, "Right as far as it was tried, at " + std::to_string(done) +
                                          " of " + std::to_string(total) + " sizes; then " + why));
}

constexpr const char* time_is_over = "the simulator had taken as long as a check may.";
constexpr const char* too_many_instructions =
    "a launch took more instructions than the simulator gives one.";

/// Of the time that there is: what a launch has that began in it. Later its process is killed.
constexpr double share_of_the_last = 1.2;

/// Why a launch was stopped that may well take more than it had done by then: it is slow, and may
/// be nothing else. Null where it has no business to take so long. `done`: of the instructions that
/// a launch may execute.
const char* why_slow(const RunnerError& failure, const Affordable& affordable, const Size& size,
                     const Patience& patience, std::optional<double> done) {
  if (!is_simulated() || failure.error().code != ErrorCode::hang) return nullptr;
  // What is worked out from smaller sizes may be half of what it takes.
  constexpr double certain = 0.5;
  if (!affordable.may_take(failure.variant(), size, certain * done.value_or(1))) return nullptr;
  return patience.is_over(share_of_the_last) ? time_is_over : too_many_instructions;
}

/// A small launch that began before so much was over has had most of a check's time for itself.
constexpr double share_of_late_ones = 0.5;

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

record::Finding not_in_a_row(const VariantName& variant, int launches) {
  return {variant,
          FindingKind::not_in_a_row,
          "Of " + std::to_string(launches) +
              " launches in a row, all asked for before the first one has run, not all are right. "
              "Each is right alone: what the host keeps for a launch, such as page-locked memory, "
              "is written again while the device has still to read it, or what counts the launches "
              "begins anew. Give along what belongs to a launch, or wait for an event before it is "
              "written again.",
          {},
          {},
          {}};
}

/// Launches that are all asked for before the first one has run: what the host writes for a launch,
/// and writes again for a later one, may not have been read yet. True if all are right.
bool are_right_in_a_row(PhaseSetup& setup, SizeCheck check, const Plugin& plugin, int launches) {
  for (const Plugin& other : setup.plugins)
    if (!(other.variant() == plugin.variant())) check.leave_out(other.variant());
  check.launch_each(Turn::in_a_row);
  for (const VariantName& wrong : check.wrong()) setup.out.write(not_in_a_row(wrong, launches));
  return check.tell();
}

bool are_right_in_a_row(PhaseSetup& setup, const Plugin& plugin, const Size& size, int launches,
                        std::set<VariantName>& refused) {
  std::map<VariantName, LeakWatch> memory;
  return are_right_in_a_row(setup, SizeCheck(setup, size, refused, memory, launches), plugin,
                            launches);
}

/// The same of sizes up and down: what follows from the size alone does not change in the others.
/// What a file measures it waits for.
bool are_right_up_and_down(PhaseSetup& setup, const Plugin& plugin,
                           std::set<VariantName>& refused) {
  const std::vector<Size> row = up_and_down(setup);
  if (setup.workload->jobs() != nullptr) return true;
  std::map<VariantName, LeakWatch> memory;
  return are_right_in_a_row(setup, SizeCheck(setup, row, refused, memory), plugin,
                            static_cast<int>(row.size()));
}

/// More than the places that a kernel file uses by turns; and, of a size whose launches are short,
/// so many that a number of 9 bits begins anew.
bool verify_in_a_row(PhaseSetup& setup, std::set<VariantName>& refused,
                     const Affordable& affordable) {
  constexpr int some = 10, many = 550;
  constexpr double share_of_many = 0.02, at_most = 0.2;  // of what one launch may execute
  const std::vector<Size> sizes = small_sizes(setup);
  if (!is_simulated() || sizes.empty()) return true;
  // Results that two machines compare were recorded of the second launch.
  const bool digests = setup.request.digest_results;
  bool right = true;
  for (const Plugin& plugin : setup.plugins) {
    if (refused.contains(plugin.variant())) continue;
    right &= are_right_in_a_row(setup, plugin, sizes.back(), digests ? 2 : some, refused);
    right &= digests || are_right_up_and_down(setup, plugin, refused);
    auto tiny = affordable.last_within(plugin.variant(), sizes, share_of_many / many);
    if (!tiny) tiny = affordable.last_within(plugin.variant(), {sizes.front()}, at_most / many);
    if (tiny && !digests) right &= are_right_in_a_row(setup, plugin, *tiny, many, refused);
  }
  return right;
}

bool is_filled(const BufferSpec& spec) {
  return spec.role == Role::input || spec.role == Role::inout;
}

/// Launches that differ little from the one before. One buffer after the other in other memory,
/// with the same inputs and scalars, all other buffers where they were: a plan that is kept by some
/// of the addresses leads back to the former memory. Then one element of each input in turn, and
/// the scalars: a result that is kept by a look at some of them is not right any more.
bool verify_changed(PhaseSetup& setup, std::set<VariantName>& refused) {
  std::vector<Size> sizes = small_sizes(setup);
  std::erase_if(sizes, [&](const Size& size) { return !is_quick(*setup.workload, size); });
  if (sizes.empty()) return true;
  const Size& largest = sizes.back();
  // Watched apart: whoever keeps a plan for each set of addresses makes a new one here each time.
  std::map<VariantName, LeakWatch> memory;
  SizeCheck check(setup, largest, refused, memory);
  check.launch_each(Turn::changed);
  bool right = check.tell();
  const std::vector<BufferSpec> specs = setup.workload->buffers(largest);
  for (std::size_t buffer = 0; buffer < specs.size() && right; ++buffer) {
    check.move(buffer);
    check.launch_each(Turn::changed);
    right = check.tell();
  }
  constexpr std::size_t elements = 3;  // one may be just what is looked at
  for (std::size_t i = 0; i < elements * (specs.size() + 1) && right; ++i) {
    const std::size_t input = i % (specs.size() + 1);
    if (input < specs.size() && !is_filled(specs[input])) continue;
    check.change(i);
    check.launch_each(Turn::changed);
    right = check.tell();
  }
  return right;
}

/// The same at one larger size, with one element of one input, whichever that is.
bool verify_one_changed_at(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
                           const Affordable& affordable) {
  constexpr double short_launch = 0.02;  // of what one may execute
  const std::vector<BufferSpec> specs = setup.workload->buffers(size);
  std::vector<std::size_t> filled;
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (is_filled(specs[i])) filled.push_back(i);
  if (filled.empty()) return true;
  std::map<VariantName, LeakWatch> memory;
  SizeCheck check(setup, size, refused, memory);
  for (const Plugin& plugin : setup.plugins)
    if (is_simulated() && !affordable.last_within(plugin.variant(), {size}, short_launch))
      check.leave_out(plugin.variant());
  check.launch_each(Turn::changed);
  if (!check.tell()) return false;
  check.change(filled[setup.request.seed % filled.size()]);
  check.launch_each(Turn::changed);
  return check.tell();
}

/// Results may be kept for large problems alone.
bool verify_one_changed(PhaseSetup& setup, std::set<VariantName>& refused,
                        const Affordable& affordable, const Patience& patience) {
  // Results that two machines compare are those of the launches before.
  if (setup.request.digest_results) return true;
  const std::vector<Size> sizes = large_and_quick(setup);
  return std::all_of(sizes.begin(), sizes.end(), [&](const Size& size) {
    if (&size != &sizes.front() && patience.is_over(share_of_long_ones)) return true;
    return verify_one_changed_at(setup, size, refused, affordable);
  });
}

int total_of(const Request& request) {
  return static_cast<int>(request.sizes.size() + request.beyond.size());
}

/// After that share, what takes longer than this at a size, in seconds, is not tried with unusual
/// inputs there.
constexpr double share_of_slow_ones = 0.4, long_for_simulator = 0.5;

/// A size at which more is tried than elsewhere, once, by what is fast enough for it.
void verify_beyond(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
                   std::map<VariantName, LeakWatch>& memory, Affordable& affordable,
                   const Patience& patience) {
  SizeCheck check(setup, size, refused, memory);
  for (const Plugin& plugin : setup.plugins)
    if (!affordable(plugin.variant(), size)) check.leave_out(plugin.variant());
  check.launch_each(Turn::usual);
  if (!patience.is_over(share_of_long_ones)) check.launch_each(Turn::unusual);
  check.tell();
  check.tell_cost(affordable);
}

/// How far verify_sizes() came.
struct Tried {
  int sizes = 0;
  bool right = true;
  bool has_to_end = false;  ///< the launch at hand, as long as there is time
};

/// What was stopped then had not taken all the instructions that it is given: it may be slow alone.
bool is_out_of_time(const RunnerError& failure, const Tried& tried, const Patience& patience) {
  return failure.error().code == ErrorCode::hang && tried.right && !tried.has_to_end &&
         patience.is_over(share_of_the_last);
}

/// Usual inputs; where there is time for it, unusual ones, and in other memory.
void launch_all(const PhaseSetup& setup, const Size& size, SizeCheck& check, Affordable& affordable,
                const Patience& patience) {
  const double before_s = patience.taken_s();
  check.launch_each(Turn::usual);
  check.tell_cost(affordable);
  const bool took_long = patience.taken_s() - before_s > long_for_simulator;
  if (!took_long || !patience.is_over(share_of_slow_ones)) check.launch_each(Turn::unusual);
  // Small enough to cost nothing.
  if (elements_of(*setup.workload, size) <= most_small_elements) check.launch_each(Turn::elsewhere);
}

/// The sizes that the request names, small ones first. True if all are right.
bool verify_sizes(PhaseSetup& setup, std::set<VariantName>& refused,
                  std::map<VariantName, LeakWatch>& memory, Affordable& affordable,
                  const Patience& patience, Tried& tried) {
  const Request& request = setup.request;
  const int total = total_of(request);
  auto& [done, right, has_to_end] = tried;
  for (const Size& size : request.sizes) {
    if (patience.is_over()) {
      if (!right || !verify_huge_sizes(setup, refused, affordable, patience)) return false;
      throw too_slow(done, total, time_is_over);
    }
    setup.out.progress("verify " + to_string(size), done + 1, total);
    has_to_end = elements_of(*setup.workload, size) <= small_elements &&
                 !patience.is_over(share_of_late_ones);
    if (!right && elements_of(*setup.workload, size) > small_elements) {
      ++done;
      continue;
    }
    SizeCheck check(setup, size, refused, memory);
    try {
      launch_all(setup, size, check, affordable, patience);
    } catch (const RunnerError& failure) {
      const char* why = check.deadlocked()
                            ? nullptr
                            : why_slow(failure, affordable, size, patience, check.stopped_at());
      if (!right || why == nullptr) throw;
      throw too_slow(done, total, why);
    }
    right &= check.tell();
    ++done;
  }
  has_to_end = false;
  return right;
}

void verify_all(PhaseSetup& setup, const Patience& patience, Tried& tried) {
  setup.another = make_given_stream();
  std::set<VariantName> refused;
  std::map<VariantName, LeakWatch> memory;
  Affordable affordable;
  // What is wrong at small sizes says it sooner, and more plainly. What the file keeps for itself
  // is of no use any more behind sizes beyond 2^31: launches in part don't set it back.
  if (!verify_sizes(setup, refused, memory, affordable, patience, tried) ||
      !verify_warps_in_reverse(setup, refused, affordable) || !verify_changed(setup, refused) ||
      !verify_in_same_place(setup, refused) || !verify_in_a_row(setup, refused, affordable))
    return;
  int done = static_cast<int>(setup.request.sizes.size());
  for (const Size& size : setup.request.beyond) {
    if (patience.is_over(share_of_long_ones)) break;
    setup.out.progress("verify " + to_string(size), ++done, total_of(setup.request));
    verify_beyond(setup, size, refused, memory, affordable, patience);
  }
  if (!verify_one_changed(setup, refused, affordable, patience)) return;
  verify_huge_sizes(setup, refused, affordable, patience);
}

}  // namespace

void verify(PhaseSetup& setup) {
  // A GPU takes the time that it takes.
  const Patience patience(is_simulated() ? setup.request.patience_s : std::nullopt);
  end_launch_when([patience] { return patience.is_over(share_of_the_last); });
  Tried tried;
  try {
    verify_all(setup, patience, tried);
  } catch (const RunnerError& failure) {
    if (!is_out_of_time(failure, tried, patience)) throw;
    throw too_slow(tried.sizes, total_of(setup.request), time_is_over);
  }
}

}  // namespace klab::runner
