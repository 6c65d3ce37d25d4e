// bench --guards: what each guard of the verdict costs, as the same phase with it and without.
#include <functional>

#include "cli/course/bench_guards.hpp"
#include "core/build/calls/forbidden_calls.hpp"
#include "core/check/prepared_lab.hpp"
#include "core/check/second_look.hpp"
#include "core/course/sizes/first_sizes.hpp"
#include "core/wire/runner_client.hpp"

namespace klab::cli {
namespace {

/// A guard, and how a check of correctness looks without it.
struct Guard {
  std::string name;
  std::function<void(Request&)> leave_out;  ///< empty: the room stays open instead
};

class GuardBench {
 public:
  GuardBench(const Context& context, const Lab& lab, const DeviceFacts& device, int repeats)
      : lab_{.lab = lab,
             .tree = context.tree,
             .chosen = {.simulator = device.simulated, .device = device},
             .seed = 1},
        repeats_(repeats) {}

  std::vector<Figure> run() {
    if (auto prepared = prepare(); !prepared)
      return {figure("verify, all guards", "s", prepared.error().what)};
    std::vector<Figure> figures{figure("verify, all guards", "s")};
    for (const Guard& guard : guards()) {
      Figure ratio = figure(guard.name + ", with / without", "x");
      for (int i = 0; i < repeats_ && !canceled_by_user(); ++i) add(ratio, figures.front(), guard);
      figures.push_back(std::move(ratio));
    }
    Figure looking = figure("the library is looked at", "s");
    for (int i = 0; i < repeats_; ++i)
      looking.values.push_back(
          seconds_of([&] { (void)misuse_in(lab_.plugins.front().second.library); }));
    figures.push_back(std::move(looking));
    Figure second = figure("the simulator's second look", "s");
    if (simulated())
      second.why_missing = "It follows a pass on a GPU.";
    else
      for (int i = 0; i < repeats_ && !canceled_by_user(); ++i)
        second.values.push_back(second_look_seconds());
    figures.push_back(std::move(second));
    return figures;
  }

 private:
  Figure figure(std::string name, std::string unit, std::string why_missing = "canceled") const {
    return {lab_.lab.id, std::move(name), std::move(unit), {}, std::move(why_missing)};
  }

  Result<> prepare() {
    if (auto equipped = lab_.equip(); !equipped) return equipped;
    const Variant optimized{VariantName::mine, lab_.lab.optimized()};
    if (auto added = lab_.add(optimized, &canceled_by_user(), VariantName::optimized); !added)
      return added;
    if (auto added = lab_.add_workload(&canceled_by_user()); !added) return added;
    const LabSizes& sizes = lab_.lab.sizes;
    request_ = lab_.request(Phase::verify);
    request_.sizes = checked_sizes(lab_.lab, lab_.seed, simulated());
    request_.beyond = sizes.beyond;
    request_.huge = sizes.huge;
    return Ok{};
  }

  std::vector<Guard> guards() const {
    std::vector<Guard> known = {
        {"the closed room", {}},
        {"sizes drawn for each check",
         [this](Request& request) { request.sizes = lab_.lab.sizes.checking; }},
    };
    if (!lab_.lab.sizes.beyond.empty())
      known.push_back({"sizes beyond short numbers and fixed rooms",
                       [](Request& request) { request.beyond.clear(); }});
    if (!lab_.lab.sizes.huge.empty())
      known.push_back(
          {"sizes beyond 32-bit indices", [](Request& request) { request.huge.clear(); }});
    if (simulated())
      known.push_back({"the simulator's checks of races and unset memory",
                       [](Request& request) { request.full_checks = false; }});
    return known;
  }

  /// The seconds of one phase; nullopt if it did not come to its end.
  std::optional<double> verify_seconds(const Request& request, bool open, std::string& why) const {
    Tree tree = lab_.tree;
    tree.open_room |= open;
    const PhaseOutcome outcome =
        run_phase(tree, simulated(), request, lab_.lab.time_limit_s, {}, &canceled_by_user());
    if (outcome.error) why = outcome.error->what;
    return outcome.error ? std::nullopt : std::optional(outcome.seconds);
  }

  /// In turns, so that both meet the same machine.
  void add(Figure& ratio, Figure& all, const Guard& guard) const {
    Request less = request_;
    if (guard.leave_out) guard.leave_out(less);
    const auto with = verify_seconds(request_, false, ratio.why_missing);
    const auto without = verify_seconds(less, !guard.leave_out, ratio.why_missing);
    if (with) all.values.push_back(*with);
    if (with && without && *without > 0) ratio.values.push_back(*with / *without);
  }

  double second_look_seconds() const {
    Request request = request_;
    request.sizes = lab_.lab.sizes.checking;
    return second_look(lab_.tree, {request}, canceled_by_user()).seconds;
  }

  bool simulated() const { return lab_.chosen.simulator; }

  PreparedLab lab_;
  int repeats_;
  Request request_;
};

}  // namespace

std::vector<Figure> cost_of_guards(const Context& context, const Lab& lab,
                                   const DeviceFacts& device, int repeats) {
  return GuardBench(context, lab, device, repeats).run();
}

}  // namespace klab::cli
