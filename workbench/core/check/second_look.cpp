// The phase verify once more, on the simulator, and the steps of the task counted there.
#include "core/check/second_look.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "core/check/small_device.hpp"
#include "core/course/sizes/drawn_sizes.hpp"
#include "core/judge/checker_findings.hpp"
#include "core/wire/runner_client.hpp"

namespace klab {
namespace {

/// Warp instructions that are executed at the size that is timed: a second's work of two cores.
constexpr double counted_in_part = 20e6;

/// Of the processors: so many processes of a look run at once. Each keeps one busy, at times more;
/// the rest is for what goes on beside.
constexpr double looking_share = 5.0 / 8;

/// What a look is given whose turn comes when the time is over, in seconds: it says so itself.
constexpr double least_s = 0.1;

constexpr const char* not_built = "it is not built here";

/// Why the simulator says nothing of a kernel that is right on a GPU.
std::string reason_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::hang:
    case ErrorCode::too_slow:
      return "it takes longer there than a check may wait";
    case ErrorCode::canceled:
      return "the check was stopped";
    default:
      return error.what;
  }
}

/// Runs a phase that counts, and gives its one set; without one, the reason.
std::optional<record::CounterSet> counted(const Tree& tree, const Request& request, double limit_s,
                                          SecondLook& look, const std::atomic<bool>& canceled) {
  const PhaseOutcome outcome = run_local_phase(tree.runner(true), request, limit_s, {}, &canceled);
  look.seconds += outcome.seconds;
  const auto sets = outcome.all<record::CounterSet>();
  if (!sets.empty()) return sets.front();
  look.not_counted = outcome.error ? reason_of(*outcome.error) : "it counted nothing";
  return std::nullopt;
}

/// The share of the blocks that can be run at the size that is timed, going by what the steps took
/// at the small one.
double affordable_share(const record::CounterSet& small, double timed_flops) {
  const auto executed = small.values.find("warp_instructions");
  if (executed == small.values.end() || !executed->second.value || small.least.flops() <= 0)
    return 1;
  const double expected = *executed->second.value * timed_flops / small.least.flops();
  return expected > counted_in_part ? counted_in_part / expected : 1;
}

/// Whether this piece is one of the sizes beyond the usual ones, and no more.
bool goes_beyond(const Request& piece) {
  return piece.sizes.empty() && piece.huge.empty() && !piece.beyond.empty();
}

/// A finding may end the phase as a fault does on a GPU; it says more than that end. Also what
/// findings_for() leaves to a cause is one here: that has passed, so a file which keeps memory all
/// the same does so in launches that were not counted. What a small device has no time for was
/// looked at on a large one, and sizes beyond the usual are for where there is time.
void take(SecondLook& look, const Tree& tree, const PhaseOutcome& outcome, const Request& asked) {
  const std::optional<int> few_multiprocessors = asked.multiprocessors;
  for (record::Finding& finding : named_from(tree.root, outcome.all<record::Finding>()))
    look.findings.push_back(few_multiprocessors
                                ? seen_on_small_device(std::move(finding), *few_multiprocessors)
                                : std::move(finding));
  for (record::FewerSteps& fewer : outcome.all<record::FewerSteps>())
    look.fewer_steps.push_back(std::move(fewer));
  for (const record::Verified& verified : outcome.all<record::Verified>()) {
    if (verified.correct) continue;
    auto& place = verified.problem == ResultProblem::unjoined_stream ? look.unjoined : look.wrong;
    if (!place) place = verified;
  }
  const bool for_leisure = few_multiprocessors || goes_beyond(asked);
  if (outcome.error && look.findings.empty() && !for_leisure)
    look.not_looked = reason_of(*outcome.error);
}

/// Of the pieces, the first has small sizes, and each other one a size that may be too large for
/// what is launched.
std::optional<Error> refused_launch(const std::vector<PhaseOutcome>& pieces) {
  if (pieces.front().error) return std::nullopt;
  for (const PhaseOutcome& piece : pieces)
    if (piece.error && piece.error->code == ErrorCode::launch_failed) return piece.error;
  return std::nullopt;
}

/// Sizes at which a launch tells what it takes of the host's memory, and so whether a huge one
/// leaves any. The least comes first: what the first launch takes once and for all is no part of
/// what grows. Of each extent one is as much longer as Affordable asks for before it takes a piece
/// to follow that extent alone: a table of rows is none of all elements.
std::vector<Size> telling_memory(const std::vector<Size>& ascending) {
  constexpr std::size_t parts = 4;
  constexpr std::int64_t long_extent = 64, quick = 50'000;
  std::vector<Size> some;
  const auto add = [&](const Size& size) {
    if (std::find(some.begin(), some.end(), size) == some.end()) some.push_back(size);
  };
  for (std::size_t part = 0; part <= parts && !ascending.empty(); ++part)
    add(ascending[ascending.size() / 2 * part / parts]);
  for (std::size_t extent = 0; !some.empty() && extent < some.front().size(); ++extent) {
    const auto longer = std::find_if(ascending.begin(), ascending.end(),
                                     [&](const Size& size) { return size[extent] >= long_extent; });
    if (longer != ascending.end() && element_count(*longer) <= quick) add(*longer);
  }
  return some;
}

/// The last of these, if it has more elements than all others together.
std::optional<Size> outweighing(const std::vector<Size>& ascending) {
  if (ascending.size() < 2) return std::nullopt;
  std::int64_t others = 0;
  for (const Size& size : ascending) others += element_count(size);
  const std::int64_t largest = element_count(ascending.back());
  return 2 * largest > others ? std::optional(ascending.back()) : std::nullopt;
}

/// What can be looked at side by side, what takes longest first: sizes of which one may spoil the
/// next together, small ones first, so that what time is left for is seen; one that outweighs them,
/// behind a few of them; larger ones and huge ones, of which only a part is run, each alone.
std::vector<Request> pieces(Request verify, bool side_by_side) {
  std::stable_sort(verify.sizes.begin(), verify.sizes.end(), [](const Size& a, const Size& b) {
    return element_count(a) < element_count(b);
  });
  verify.full_checks = true;
  if (!side_by_side) return {verify};
  const std::vector<Size> huge = std::exchange(verify.huge, {});
  std::vector<Size> beyond;
  // A small device is looked at for what a launch leaves to the next.
  if (!verify.multiprocessors) beyond.swap(verify.beyond);
  const std::vector<Size> some = telling_memory(verify.sizes);
  const std::optional<Size> heavy = outweighing(verify.sizes);
  if (heavy) verify.sizes.pop_back();
  std::vector<Request> pieces{verify};
  verify.alike.clear();
  verify.beyond.clear();
  verify.sizes = some;
  if (heavy) {
    pieces.push_back(verify);
    pieces.back().sizes.push_back(*heavy);
  }
  verify.beyond = std::exchange(verify.sizes, {});
  for (const Size& size : beyond) {
    pieces.push_back(verify);
    pieces.back().beyond.push_back(size);
  }
  // A lab names larger ones later.
  for (auto size = huge.rbegin(); size != huge.rend(); ++size) {
    pieces.push_back(verify);
    pieces.back().huge = {*size};
  }
  return pieces;
}

}  // namespace

SecondLook second_look(const Tree& tree, std::vector<Request> verify,
                       const std::atomic<bool>& canceled, const LookLimits& limits) {
  SecondLook look;
  std::error_code ignored;
  if (!std::filesystem::exists(tree.runner(true), ignored)) {
    look.not_looked = look.not_counted = not_built;
    return look;
  }
  const auto began = std::chrono::steady_clock::now();
  const auto elapsed_s = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  std::vector<Request> requests;
  for (Request& request : verify)
    for (Request& piece : pieces(std::move(request), limits.side_by_side))
      requests.push_back(std::move(piece));
  std::vector<PhaseOutcome> outcomes(requests.size());
  // As many as leave processors to whoever asks a GPU for its time meanwhile.
  const auto at_once =
      std::max<std::size_t>(static_cast<std::size_t>(looking_share * processors()), 1);
  side_by_side(requests.size(), at_once, [&](std::size_t i) {
    const double left_s = std::max(limits.looking - elapsed_s(), least_s);
    // What is under way when this is over counts for nothing.
    requests[i].patience_s = 0.9 * left_s;
    if (requests[i].multiprocessors)
      requests[i].patience_s = std::min(*requests[i].patience_s, limits.few);
    if (goes_beyond(requests[i]))
      requests[i].patience_s = std::min(*requests[i].patience_s, limits.beyond);
    outcomes[i] = run_local_phase(tree.runner(true), requests[i], left_s, {}, &canceled);
  });
  for (std::size_t i = 0; i < requests.size(); ++i) take(look, tree, outcomes[i], requests[i]);
  look.refused = refused_launch(outcomes);
  look.seconds = elapsed_s();
  return look;
}

RunningLook::RunningLook(const Tree& tree, std::vector<Request> verify,
                         std::optional<Request> count)
    : look_(std::async(std::launch::async, [this, &tree, verify = std::move(verify),
                                            count = std::move(count)]() mutable {
        SecondLook counted;
        // Among others it may take as long as they do.
        const LookLimits limits{.counting = LookLimits().looking};
        std::thread counting([&] {
          if (count) count_work(tree, {std::move(*count)}, counted, given_up_, limits);
        });
        SecondLook look = second_look(tree, verify, given_up_);
        counting.join();
        look.counted = std::move(counted.counted);
        if (look.not_counted.empty()) look.not_counted = std::move(counted.not_counted);
        return look;
      })) {}

RunningLook::~RunningLook() { given_up_ = true; }

SecondLook RunningLook::wait(const std::atomic<bool>& canceled) {
  constexpr auto moment = std::chrono::milliseconds(20);
  while (look_.wait_for(moment) != std::future_status::ready)
    if (canceled) given_up_ = true;
  return look_.get();
}

void count_work(const Tree& tree, const WorkToCount& work, SecondLook& look,
                const std::atomic<bool>& canceled, const LookLimits& limits) {
  if (!look.counted && look.not_counted.empty())
    look.counted = counted(tree, work.request, limits.counting, look, canceled);
  if (!look.counted || !work.timed) return;
  Request timed = work.request;
  timed.sizes = {*work.timed};
  timed.share_of_blocks = look.share_of_blocks = affordable_share(*look.counted, work.timed_flops);
  look.counted_timed = counted(tree, timed, limits.counting_timed, look, canceled);
}

}  // namespace klab
