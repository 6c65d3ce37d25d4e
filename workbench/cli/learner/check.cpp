// check and compare: one run, shown as gates or as variants side by side.
#include "core/check/check.hpp"

#include <nlohmann/json.hpp>

#include "cli/verbs/check_session.hpp"
#include "cli/views/verdict_view.hpp"
#include "core/journal/calibration.hpp"
#include "core/verdict/check_result_json.hpp"

namespace klab::cli {
namespace {

int run_and_show(const Context& context, const CheckOptions& options, bool comparing) {
  auto request = check_request(context, options);
  if (!request)
    return options.json ? fail_json(context, request.error()) : fail(context, request.error());
  request->with_optimized = comparing;
  const CheckResult result = run_check(context, *request, canceled_by_user());
  if (options.json) {
    print(to_json(result).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } else if (comparing) {
    print(view_comparison(context.out, result) + "\n");
    if (result.verdict != Outcome::pass) print(view_gates(context.out, result) + "\n");
  } else {
    print(view_result(context.out, result));
    if (request->variant == "mine" && settles_predictions(result.gates))
      print(prediction_text(context, request->lab, result));
    const bool passed = result.verdict == Outcome::pass || passes_provisionally(result.gates);
    if (request->variant == "mine" && passed && !request->quick)
      print("\n  `./klab solution " + request->lab.slug + "` explains why it works.\n");
    print("\n");
  }
  return canceled_by_user() ? exit_stopped : static_cast<int>(result.verdict);
}

}  // namespace

int check(const Context& context, const CheckOptions& options) {
  return run_and_show(context, options, false);
}

int compare(const Context& context, const CheckOptions& options) {
  return run_and_show(context, options, true);
}

}  // namespace klab::cli
