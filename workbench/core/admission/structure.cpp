// The faults of a lab's files.
#include "core/admission/structure.hpp"

#include <algorithm>
#include <set>

#include "core/admission/expectation.hpp"
#include "core/base/files.hpp"
#include "core/base/text/pattern.hpp"
#include "core/lesson/lesson.hpp"

namespace klab {
namespace {

constexpr std::size_t fewest_hints = 3, most_hints = 5;
constexpr int fewest_wrong = 2, fewest_slow = 1, fewest_fair = 2;

std::string shown(const Lab& lab, const std::filesystem::path& path) {
  return path.lexically_relative(lab.root).string();
}

/// Whether some checking size has only extents that fit.
template <class Fits>
bool some_size(const Lab& lab, Fits fits) {
  return std::any_of(lab.sizes.checking.begin(), lab.sizes.checking.end(),
                     [&](const Size& size) { return std::all_of(size.begin(), size.end(), fits); });
}

Faults promise_faults(const std::string& file, const VariantName& variant,
                      const Expectation& expected) {
  const bool has_to_pass = variant.starts_with("fair_") || variant.starts_with("stretch_");
  if (!expected.stated() || expected.reason.empty())
    return {file + (has_to_pass ? ": the first line must say how it ends, and in what way it is "
                                  "right: \"// Ends in: pass — ...\"."
                                : ": the first line must say which gate rejects it, and why: \"// "
                                  "Rejected by: correct — ...\".")};
  Faults faults;
  for (const std::string& gate : expected.no_gates)
    faults.push_back(file + ": there is no gate \"" + gate + "\".");
  if (variant.starts_with("slow_") &&
      (expected.gates.empty() || expected.gates.front() != GateName::time))
    faults.push_back(file + ": a slow_ file is rejected by the gate time first of all.");
  const bool only_passes = expected.passes && expected.gates.empty();
  if (only_passes != has_to_pass)
    faults.push_back(file + ": a fair_ file ends in pass, as a stretch_ file does, and no other.");
  return faults;
}

void append(Faults& all, Faults more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

Faults start_faults(const Lab& lab) {
  const auto text = read_file(lab.flawed());
  if (!text) return {text.error().what};
  const std::string file = shown(lab, lab.flawed());
  Faults faults;
  if (const auto lines = std::count(text->begin(), text->end(), '\n'); lines > longest_start_lines)
    faults.push_back(file + " has " + std::to_string(lines) + " lines; a start has at most " +
                     std::to_string(longest_start_lines) + ".");
  if (text->find("TODO") == std::string::npos)
    faults.push_back(file + " has no TODO where the work is due.");
  const std::string include = "#include \"", own = "#include \"contract.cuh\"";
  for (std::size_t at = 0; (at = text->find(include, at)) != std::string::npos; ++at)
    if (text->compare(at, own.size(), own) != 0)
      faults.push_back(file + " includes more of ours than contract.cuh.");
  return faults;
}

Faults gallery_faults(const Lab& lab) {
  Faults faults;
  int wrong = 0, slow = 0, fair = 0;
  for (const Variant& variant : variants(lab)) {
    if (variant.name == VariantName::flawed || variant.name == VariantName::optimized) continue;
    append(faults,
           promise_faults(shown(lab, variant.path), variant.name, expectation_of(variant.path)));
    wrong += variant.name.starts_with("wrong_");
    slow += variant.name.starts_with("slow_");
    fair += variant.name.starts_with("fair_");
  }
  const std::string folder = shown(lab, lab.solutions());
  const auto need = [&](int count, int fewest, const std::string& kind) {
    if (count < fewest)
      faults.push_back(folder + " has " + std::to_string(count) + " of at least " +
                       std::to_string(fewest) + " files " + kind + "_*.cu.");
  };
  need(wrong, fewest_wrong, "wrong");
  need(slow, fewest_slow, "slow");
  need(fair, fewest_fair, "fair");
  return faults;
}

/// A step is a kernel of the gallery that is right.
Faults step_faults(const Lab& lab) {
  const std::string file = shown(lab, lab.lab_folder() / "lab.toml");
  const std::vector<Variant> all = variants(lab);
  Faults faults;
  for (const Step& step : lab.steps) {
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const Variant& variant) { return variant.name == step.file; });
    const std::string said =
        file + ": the [[step]] \"" + step.name + "\" names " + step.file.name();
    if (found == all.end()) {
      faults.push_back(said + ", but " + shown(lab, lab.solutions()) + " holds no such file.");
      continue;
    }
    if (expectation_of(found->path).may_be_rejected_by(GateName::correct))
      faults.push_back(said + ", which is not right.");
  }
  return faults;
}

Faults prose_faults(const Lab& lab) {
  Faults faults;
  for (const auto& text : {read_lesson(lab), read_explanation(lab)})
    if (!text) faults.push_back(text.error().what);
  return faults;
}

Faults fact_faults(const Lab& lab) {
  const std::string file = shown(lab, lab.lab_folder() / "lab.toml");
  Faults faults;
  const auto want = [&](bool there, const std::string& what) {
    if (!there) faults.push_back(file + ": " + what);
  };
  const auto causes_have = [&](const std::string& metric) {
    return std::any_of(lab.pass().causes.begin(), lab.pass().causes.end(),
                       [&](const CauseTarget& cause) { return cause.metric == metric; });
  };
  want(lab.kind != LabKind::measurement || causes_have("reported_error_pct"),
       "kind = \"measurement\": no [[rung.cause]] of the pass holds reported_error_pct against "
       "the truth.");
  want(!lab.predictions.empty(), "no [[prediction]]: a lab asks before it measures.");
  for (const Prediction& prediction : lab.predictions) {
    const std::set<std::string> different(prediction.choices.begin(), prediction.choices.end());
    want(different.size() == prediction.choices.size(),
         "the question \"" + prediction.question + "\" offers one choice twice.");
  }
  want(lab.hints.size() >= fewest_hints && lab.hints.size() <= most_hints,
       "`hints` must be three to five.");
  want(some_size(lab, [](std::int64_t extent) { return extent == 1; }),
       "`sizes.checking` has no size of 1.");
  want(some_size(lab, [](std::int64_t extent) { return extent > 1 && extent % 2 == 1; }),
       "`sizes.checking` has no odd size.");
  want(std::any_of(lab.pass().causes.begin(), lab.pass().causes.end(),
                   [](const CauseTarget& cause) { return cause.flawed.has_value(); }),
       "no [[rung.cause]] of the pass says with `flawed` what the flawed kernel must show.");
  for (const Rung& rung : lab.rungs) {
    const TimeTarget& time = rung.time;
    if (lab.kind == LabKind::measurement)
      want(!time.speedup && !time.ceiling,
           "the rung \"" + rung.name + "\": what measures is no faster for being right, so its " +
               "time is bounded by `at_most_s` alone.");
    else
      want(!time.at_most_s, "the rung \"" + rung.name + "\": `at_most_s` is for measurements.");
  }
  for (const Parameter& parameter : lab.parameters)
    want(std::count(parameter.values.begin(), parameter.values.end(), parameter.fallback) == 1,
         "the default of the parameter " + parameter.name + " is none of its values.");
  return faults;
}

/// What the workbench builds beside the start, whatever else a lab has.
Faults missing_files(const Lab& lab) {
  Faults faults;
  for (const std::filesystem::path& path : {lab.contract(), lab.workload(), lab.optimized()}) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
      faults.push_back(shown(lab, path) + " is missing.");
  }
  return faults;
}

/// The names of the fields of `struct Args`, as a contract is written.
std::vector<std::string> fields_of(const std::string& contract) {
  const auto body =
      Pattern("struct Args \\{([^}]*)\\}").find(Pattern("//[^\n]*").removed_from(contract));
  if (!body) return {};
  // A pointer to a function has its name in brackets, others stand before `;` or `,`.
  const Pattern name(R"(\(\*(\w+)\)[^;]*;|(\w+)\s*(?:\[[^\]]*\]\s*)?[,;])");
  std::vector<std::string> names;
  for (const Pattern::Groups& found : name.find_all((*body)[1]))
    names.push_back(found[1].empty() ? found[2] : found[1]);
  return names;
}

/// A field that the task never fills is a null pointer to every kernel, or 0.
Faults binding_faults(const Lab& lab) {
  const auto contract = read_file(lab.contract()), workload = read_file(lab.workload());
  if (!contract || !workload) return {};  // missing_files() names it
  const std::string described = "(?:input|inout|output|scratch|value|drawn)<\\s*&Args::";
  Faults faults;
  for (const std::string& field : fields_of(*contract))
    if (!Pattern(described + field + "\\b").find(*workload))
      faults.push_back(shown(lab, lab.workload()) + " does not say what Args::" + field +
                       " holds.");
  return faults;
}

Faults structure_faults(const Lab& lab) {
  Faults all = fact_faults(lab);
  append(all, missing_files(lab));
  append(all, binding_faults(lab));
  append(all, start_faults(lab));
  append(all, gallery_faults(lab));
  append(all, step_faults(lab));
  append(all, prose_faults(lab));
  return all;
}

}  // namespace klab
