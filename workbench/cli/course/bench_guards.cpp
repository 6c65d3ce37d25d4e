// bench --guards: what each guard of the verdict costs, as the same phase with it and without.
#include <cstdlib>
#include <functional>

#include "cli/course/bench_guards.hpp"
#include "core/build/calls/forbidden_calls.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/check/second_look.hpp"
#include "core/course/drawn_sizes.hpp"
#include "core/wire/runner_client.hpp"

namespace klab::cli {
namespace {

/// Leaves the room of the runners open as long as it lives.
class OpenRoom {
 public:
  explicit OpenRoom(bool open) : open_(open) {
    if (open_) ::setenv("KLAB_ROOM", "open", 1);
  }
  ~OpenRoom() {
    if (open_) ::unsetenv("KLAB_ROOM");
  }
  OpenRoom(const OpenRoom&) = delete;
  OpenRoom& operator=(const OpenRoom&) = delete;

 private:
  bool open_;
};

/// A guard, and how a check of correctness looks without it.
struct Guard {
  std::string name;
  std::function<void(Request&)> leave_out;  ///< empty: the room stays open instead
};

class GuardBench {
 public:
  GuardBench(const Context& context, const Lab& lab, bool simulated, int repeats)
      : context_(context), lab_(lab), simulated_(simulated), repeats_(repeats) {}

  std::vector<Figure> run(ComputeCapability capability) {
    if (auto problem = prepare(capability))
      return {figure("verify, all guards", "s", problem->what)};
    std::vector<Figure> figures{figure("verify, all guards", "s")};
    for (const Guard& guard : guards()) {
      Figure ratio = figure(guard.name + ", with / without", "x");
      for (int i = 0; i < repeats_ && !canceled_by_user(); ++i) add(ratio, figures.front(), guard);
      figures.push_back(std::move(ratio));
    }
    Figure looking = figure("the library is looked at", "s");
    for (int i = 0; i < repeats_; ++i)
      looking.values.push_back(seconds_of([&] { (void)misuse_in(library_); }));
    figures.push_back(std::move(looking));
    Figure second = figure("the simulator's second look", "s");
    if (simulated_)
      second.why_missing = "It follows a pass on a GPU.";
    else
      for (int i = 0; i < repeats_ && !canceled_by_user(); ++i)
        second.values.push_back(second_look_seconds());
    figures.push_back(std::move(second));
    return figures;
  }

 private:
  Figure figure(std::string name, std::string unit, std::string why_missing = "canceled") const {
    return {lab_.id, std::move(name), std::move(unit), {}, std::move(why_missing)};
  }

  std::optional<Error> prepare(ComputeCapability capability) {
    const auto toolchain = find_toolchain(context_.tree);
    if (!toolchain) return toolchain.error();
    const auto workload =
        build_workload(context_.tree, *toolchain, lab_, capability, &canceled_by_user());
    if (!workload) return workload.error();
    const auto kernel = build_plugin(context_.tree, *toolchain, lab_, VariantName::optimized,
                                     lab_.optimized(), capability, &canceled_by_user());
    if (!kernel) return kernel.error();
    library_ = kernel->library;
    request_ = {.phase = Phase::verify,
                .lab = lab_.id,
                .workload = workload->library.string(),
                .plugins = {{VariantName::mine, kernel->library.string()}},
                .sizes = lab_.sizes.checking,
                .beyond = lab_.sizes.beyond,
                .huge = lab_.sizes.huge,
                .seed = seed,
                .timing = lab_.timing};
    const auto drawn = drawn_sizes(lab_, seed, simulated_);
    request_.sizes.insert(request_.sizes.end(), drawn.begin(), drawn.end());
    return std::nullopt;
  }

  std::vector<Guard> guards() const {
    std::vector<Guard> known = {
        {"the closed room", {}},
        {"sizes drawn for each check",
         [this](Request& request) { request.sizes = lab_.sizes.checking; }},
    };
    if (!lab_.sizes.beyond.empty())
      known.push_back({"sizes beyond short numbers and fixed rooms",
                       [](Request& request) { request.beyond.clear(); }});
    if (!lab_.sizes.huge.empty())
      known.push_back(
          {"sizes beyond 32-bit indices", [](Request& request) { request.huge.clear(); }});
    if (simulated_)
      known.push_back({"the simulator's checks of races and unset memory",
                       [](Request& request) { request.full_checks = false; }});
    return known;
  }

  /// The seconds of one phase; nullopt if it did not come to its end.
  std::optional<double> verify_seconds(const Request& request, bool open, std::string& why) const {
    const OpenRoom room(open);
    const PhaseOutcome outcome =
        run_phase(context_.tree, simulated_, request, lab_.time_limit_s, {}, &canceled_by_user());
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
    request.sizes = lab_.sizes.checking;
    return second_look(context_.tree, request, {}, {}, canceled_by_user()).seconds;
  }

  static constexpr std::uint64_t seed = 1;

  const Context& context_;
  const Lab& lab_;
  bool simulated_;
  int repeats_;
  std::filesystem::path library_;
  Request request_;
};

}  // namespace

std::vector<Figure> cost_of_guards(const Context& context, const Lab& lab,
                                   const DeviceFacts& device, int repeats) {
  return GuardBench(context, lab, device.simulated, repeats)
      .run(device.compute_capability.value_or(default_compute_capability));
}

}  // namespace klab::cli
