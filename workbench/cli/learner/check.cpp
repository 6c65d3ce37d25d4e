// check and compare: one run, shown as gates or as variants side by side.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/check_session.hpp"
#include "cli/views/verdict_view.hpp"
#include "core/base/files.hpp"
#include "core/journal/calibration.hpp"
#include "core/record/results.hpp"
#include "core/verdict/json/check_result_json.hpp"

namespace klab::cli {
namespace {

/// What the options ask for.
Result<CheckRequest> request_for(const Context& context, const CheckOptions& options,
                                 bool with_optimized) {
  auto request = check_request(context, options);
  if (!request || !with_optimized) return request;
  request->with_optimized = true;
  if (const auto optimized = read_file(request->lab.optimized()); !optimized)
    return optimized.error();
  return request;
}

int exit_code(const CheckResult& result) {
  return canceled_by_user() ? exit_stopped : static_cast<int>(result.verdict);
}

/// All that a quick check asks for.
bool is_built_and_right(const CheckResult& result) {
  return std::all_of(result.gates.begin(), result.gates.end(), [](const Gate& gate) {
    const bool asked = gate.name == GateName::built || gate.name == GateName::correct;
    return !asked || gate.outcome == Outcome::pass;
  });
}

/// Where to go from a pass: why it works, and the next lab.
std::string passed_text(const Context& context, const Lab& lab) {
  std::string text = "`./klab solution " + lab.slug + "` explains why it works.";
  if (const auto next = lab_after(context, load_course(context.tree.root), lab.id))
    text += "\nNext: `./klab start " + next->slug + "`.";
  return "\n" + paragraph(context.out, text, 2);
}

/// Gates of a check that was stopped would read as if this machine could not check them.
int tell_stop(const Context& context, const CheckRequest& request, const std::string& verb) {
  print("\n" +
        paragraph(context.out,
                  "Stopped: nothing is proven, and nothing is kept. `./klab " + verb + " " +
                      request.lab.slug + "` checks again.",
                  2) +
        "\n");
  return exit_stopped;
}

void show_check(const Context& context, const CheckRequest& request, const CheckResult& result) {
  print(view_result(context.out, result));
  const bool mine = request.variant == VariantName::mine;
  if (mine && settles_predictions(result.gates))
    print(prediction_text(context, request.lab, result));
  const bool passed = result.verdict == Outcome::pass || passes_provisionally(result.gates);
  if (mine && passed && !request.quick) print(passed_text(context, request.lab));
  print("\n");
}

/// The runs of flawed beside optimized that docs/results holds.
int compare_recorded(const Context& context, const CompareOptions& options) {
  const auto lab = lab_named(context, options.lab);
  if (!lab) return fail(context, lab.error(), options.json);
  const AllResults all = load_results(context.tree.root);
  for (const Error& broken : all.broken) warn(context, broken);
  nlohmann::json array = nlohmann::json::array();
  for (const RecordedResults& results : all.good) {
    const CheckResult* run = find_run(results, lab->id, VariantName::flawed);
    if (run == nullptr) continue;
    array.push_back(to_json(*run));
    if (options.json) continue;
    show(context, view_comparison(context.out, *run, options.all) + "\n" +
                      paragraph(context.out,
                                "Recorded on " + results.device.name + ", " +
                                    recorded_day(results, *run) + "; nothing was run here.",
                                2, Tone::faint) +
                      "\n");
  }
  if (array.empty())
    return fail(context,
                make_error(ErrorCode::usage, "docs/results holds no run of " + lab->id + ".",
                           "Leave out --recorded to run it here."),
                options.json);
  if (options.json) print_json(array);
  return exit_ok;
}

}  // namespace

int check(const Context& context, const CheckOptions& options) {
  const auto request = request_for(context, options, false);
  if (!request) return fail(context, request.error(), options.json);
  const CheckResult result = run_check(context, *request, canceled_by_user());
  if (!options.json && canceled_by_user()) return tell_stop(context, *request, "check");
  if (options.json)
    print_json(to_json(result));
  else
    show_check(context, *request, result);
  return options.quick && !canceled_by_user() && is_built_and_right(result) ? exit_ok
                                                                            : exit_code(result);
}

int compare(const Context& context, const CompareOptions& options) {
  if (options.recorded) return compare_recorded(context, options);
  const auto request = request_for(context, options, true);
  if (!request) return fail(context, request.error(), options.json);
  const CheckResult result = run_check(context, *request, canceled_by_user());
  if (!options.json && canceled_by_user()) return tell_stop(context, *request, "compare");
  if (options.json) {
    print_json(to_json(result));
  } else {
    print(view_comparison(context.out, result, options.all) + "\n");
    if (result.verdict != Outcome::pass) print(view_gates(context.out, result) + "\n");
  }
  return exit_code(result);
}

}  // namespace klab::cli
