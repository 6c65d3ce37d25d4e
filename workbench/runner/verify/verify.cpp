// Checked launches at every size.
#include "runner/verify/verify.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "runner/device/runner_error.hpp"
#include "runner/phases/platform.hpp"
#include "runner/problem/affordable.hpp"
#include "runner/problem/leak_watch.hpp"
#include "runner/problem/where_to_check.hpp"
#include "runner/verify/again.hpp"
#include "runner/verify/chosen_sizes.hpp"
#include "runner/verify/huge_sizes.hpp"
#include "runner/verify/patience.hpp"
#include "runner/verify/size_check.hpp"

namespace klab::runner {
namespace {

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

int total_of(const Request& request) {
  return static_cast<int>(request.sizes.size() + request.beyond.size());
}

/// After that share, what takes longer than this at a size, in seconds, is not tried with unusual
/// inputs there.
constexpr double share_of_slow_ones = 0.15, long_for_simulator = 0.15;

/// On a GPU what takes longer is not tried in other memory: a thousand steps that are each waited
/// for, and where arrays lie is nothing to their number.
constexpr double long_for_gpu = 0.01;

/// A small device tells what blocks do in turn; what else there is to see is seen on a large one.
bool is_small_device(const PhaseSetup& setup) { return setup.request.multiprocessors.has_value(); }

/// Launches with usual inputs. How long that took, in seconds.
double launch_usual(SizeCheck& check, const Patience& patience) {
  const double before_s = patience.taken_s();
  check.launch_each(Turn::usual);
  return patience.taken_s() - before_s;
}

bool is_long_for_simulator(double seconds) {
  return is_simulated() && seconds > long_for_simulator;
}

/// A size at which more is tried than elsewhere, once, by what is fast enough for it.
void verify_beyond(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
                   std::map<VariantName, LeakWatch>& memory, Affordable& affordable,
                   const Patience& patience) {
  SizeCheck check(setup, size, refused, memory);
  for (const Plugin& plugin : setup.plugins)
    if (!affordable(plugin.variant(), size)) check.leave_out(plugin.variant());
  bool took_long = false;
  try {
    took_long = is_long_for_simulator(launch_usual(check, patience));
  } catch (const RunnerError& failure) {
    // It was not as fast as it seemed to be.
    if (check.deadlocked() || !why_slow(failure, affordable, size, patience, check.stopped_at()))
      throw;
    return;
  }
  // What is special about a value shows at smaller sizes as well.
  if (!took_long && !patience.is_over(share_of_long_ones) && !is_small_device(setup))
    check.launch_each(Turn::unusual);
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
  const double usual_s = launch_usual(check, patience);
  const bool took_long = is_long_for_simulator(usual_s);
  check.tell_cost(affordable);
  if (is_small_device(setup)) return;
  if (!took_long || !patience.is_over(share_of_slow_ones)) check.launch_each(Turn::unusual);
  const bool may_move = is_simulated() ? !took_long : usual_s <= long_for_gpu;
  if (may_move && elements_of(*setup.workload, size) <= most_small_elements)
    check.launch_each(Turn::elsewhere);
}

/// A check begins with sizes each of which is longer somewhere than all before. They keep their
/// memory, and are launched there once more when the last of them has been: what is kept for all
/// arguments of one may hold room that was made anew for another.
class FirstSizes {
 public:
  explicit FirstSizes(const PhaseSetup& setup) {
    // Measurements tell the same of a size each time; results that two machines compare come once.
    if (setup.workload->jobs() == nullptr && !setup.request.digest_results)
      left_ = setup.request.sizes.empty() ? 0 : setup.request.sizes.front().size() + 1;
  }
  SizeCheck& next(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
                  std::map<VariantName, LeakWatch>& memory) {
    if (left_ == 0) checks_.clear();
    return checks_.emplace_back(setup, size, refused, memory);
  }
  /// After each size.
  bool are_right_again() {
    if (left_ == 0 || --left_ > 0) return true;
    return std::all_of(checks_.rbegin(), checks_.rend(), [](SizeCheck& check) {
      check.launch_each(Turn::usual);
      return check.tell();
    });
  }

 private:
  std::list<SizeCheck> checks_;
  std::size_t left_ = 0;
};

/// The sizes that the request names. True if all are right.
bool verify_sizes(PhaseSetup& setup, std::set<VariantName>& refused,
                  std::map<VariantName, LeakWatch>& memory, Affordable& affordable,
                  const Patience& patience, Tried& tried) {
  const int total = total_of(setup.request);
  auto& [done, right, has_to_end] = tried;
  FirstSizes first(setup);
  for (const Size& size : small_ones_first(setup)) {
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
    SizeCheck& check = first.next(setup, size, refused, memory);
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
    if (right) right = first.are_right_again();
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
      (!is_small_device(setup) && !verify_small_sizes_again(setup, refused, affordable, patience)))
    return;
  int done = static_cast<int>(setup.request.sizes.size());
  for (const Size& size : setup.request.beyond) {
    if (patience.is_over(share_of_long_ones)) break;
    setup.out.progress("verify " + to_string(size), ++done, total_of(setup.request));
    verify_beyond(setup, size, refused, memory, affordable, patience);
  }
  if (is_small_device(setup) || !verify_one_changed(setup, refused, affordable, patience)) return;
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
