// stalls and diagnose: what warps wait for, what limits a kernel, and what to try next.
#include <nlohmann/json.hpp>

#include "cli/investigate/investigate.hpp"
#include "cli/terminal/json_output.hpp"
#include "cli/verbs/check_session.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/views/diagnosis_view.hpp"
#include "core/record/results.hpp"

namespace klab::cli {
namespace {

/// A recorded kernel with where it was recorded.
struct RecordedFacts {
  KernelFacts facts;
  std::string label;
};

/// What the recordings hold of the lab's variants; only runs that compared with the optimized
/// kernel counted everything. What was checked in the learner's place is the flawed kernel there.
std::vector<RecordedFacts> recorded_facts(const AllResults& all, const Lab& lab,
                                          const std::vector<VariantName>& variants) {
  std::vector<RecordedFacts> found;
  for (const RecordedResults& results : all.good) {
    const CheckResult* run = find_run(results, lab.id, VariantName::flawed);
    if (!run) continue;
    for (const VariantName& variant : variants)
      if (variant != VariantName::mine && run->counters.contains(variant))
        found.push_back({facts_from(*run, variant), "recorded on " + results.device.name + ", " +
                                                        recorded_day(results, *run)});
  }
  return found;
}

int diagnose_recorded(const Context& context, const InvestigateOptions& options) {
  const auto lab = lab_named(context, options.lab);
  if (!lab) return fail(context, lab.error(), options.json);
  const AllResults all = load_results(context.tree.root);
  for (const Error& broken : all.broken) warn(context, broken);
  std::vector<VariantName> variants(options.variants.begin(), options.variants.end());
  if (variants.empty()) variants = {VariantName::flawed, VariantName::optimized};
  const auto found = recorded_facts(all, *lab, variants);
  if (found.empty())
    return fail(
        context,
        make_error(ErrorCode::usage, "docs/results holds no such counters of " + lab->id + ".",
                   "`./klab diagnose " + lab->slug + "` runs it here."),
        options.json);
  const bool advise = progress_of(context, *lab).advice_open();
  nlohmann::json array = nlohmann::json::array();
  for (const auto& [facts, label] : found) {
    Diagnosis diagnosis = klab::diagnose(facts);
    if (!advise) diagnosis = without_experiments(std::move(diagnosis), lab->slug);
    if (!options.json) {
      print(view_diagnosis(context.out, diagnosis, label));
      continue;
    }
    nlohmann::json json = to_json(diagnosis);
    json["label"] = label;
    array.push_back(std::move(json));
  }
  if (options.json)
    print_json(array);
  else
    print("\n");
  return exit_ok;
}

}  // namespace

int stalls(const Context& context, const InvestigateOptions& options) {
  const auto found = find_investigation(context, options, InvestigationKind::stalls);
  const int code = show_investigation(context, found, options, view_stalls);
  if (!found || code != exit_ok) return code;
  const auto* report = std::get_if<StallReport>(&found->found);
  return report && !report->samples.empty() ? exit_ok : exit_not_checkable;
}

int diagnose(const Context& context, const InvestigateOptions& options) {
  if (options.recorded) return diagnose_recorded(context, options);
  const auto lab = lab_named(context, options.lab);
  const bool withhold = lab && !progress_of(context, *lab).advice_open();
  return show_investigation(
      context, find_investigation(context, options, InvestigationKind::stalls), options,
      [withheld_for = withhold ? lab->slug : std::string()](const Terminal& terminal,
                                                            const Investigation& found) {
        return view_diagnoses(terminal, found, withheld_for);
      });
}

}  // namespace klab::cli
