// bench: figures about klab itself on this machine: noise floor, time to a verdict, counters,
// ratios.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/course/bench_figure.hpp"
#include "cli/course/bench_guards.hpp"
#include "cli/course/ncu_comparison.hpp"
#include "cli/terminal/json_output.hpp"
#include "cli/verbs/check_session.hpp"
#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "core/check/checkable.hpp"
#include "core/check/machine.hpp"
#include "core/measure/format.hpp"
#include "core/measure/statistics.hpp"
#include "core/process/process.hpp"
#include "core/record/bench_record.hpp"
#include "core/verdict/json/check_result_json.hpp"

namespace klab::cli {
namespace {

/// The reason why a check gave no figure.
std::string reason_of(const CheckResult& result) {
  return result.errors.empty() ? result.conclusion : result.errors.front().what;
}

/// Whether the time that it took is that of a whole check.
bool came_to_verdict(const CheckResult& result) {
  return result.timing.ratio || result.verdict == Outcome::pass;
}

/// All figures of one lab; each repeat is a check of its own.
class LabBench {
 public:
  LabBench(const Context& context, const Lab& lab, int repeats)
      : context_(context), lab_(lab), repeats_(repeats) {}

  std::vector<Figure> run() {
    Figure noise = figure("flawed against flawed, half-width", "%");
    Figure drift = figure("flawed against flawed, distance from 1", "%");
    Figure verdict = figure("check, built to verdict", "s");
    Figure counters = figure("counters phase", "s");
    Figure ratio = figure("optimized against flawed, lower end", "x");
    Figure saved = figure("save to verdict, nvcc included", "s");
    for (int i = 0; i < repeats_ && !canceled_by_user(); ++i) {
      const CheckResult null_run = check_of(VariantName::flawed, lab_.flawed());
      if (const auto& interval = null_run.timing.ratio) {
        if (const auto half = relative_half_width(*interval)) noise.values.push_back(100 * *half);
        drift.values.push_back(100 * std::abs(interval->median - 1));
      } else {
        noise.why_missing = drift.why_missing = reason_without_ratio(null_run);
      }
      // The first check may have built and measured ceilings; this one finds everything built.
      CheckResult result;
      const double wall =
          seconds_of([&] { result = check_of(VariantName::optimized, lab_.optimized()); });
      if (!came_to_verdict(result))
        verdict.why_missing = reason_of(result);
      else if (i > 0 || repeats_ == 1)
        verdict.values.push_back(wall);
      if (result.timing.ratio)
        ratio.values.push_back(result.timing.ratio->low);
      else
        ratio.why_missing = reason_without_ratio(result);
      if (const auto found = result.phase_seconds.find("counters");
          found != result.phase_seconds.end())
        counters.values.push_back(found->second);
      else
        counters.why_missing = "This lab's cause needs no counters phase.";
      add_save(saved, i);
    }
    return {noise, drift, verdict, saved, counters, ratio};
  }

 private:
  Figure figure(std::string name, std::string unit) const {
    return {lab_.id, std::move(name), std::move(unit), {}, "canceled"};
  }

  std::string reason_without_ratio(const CheckResult& result) const {
    return lab_.kind == LabKind::measurement
               ? "What this lab's file measures is compared with the truth, not with another file."
               : reason_of(result);
  }

  CheckResult check_of(const VariantName& variant, const std::filesystem::path& source) {
    return klab::check({.tree = context_.tree,
                        .lab = lab_,
                        .variant = variant,
                        .source = source,
                        .backend = Backend::gpu},
                       {}, canceled_by_user());
  }

  /// Writes a source nobody built before and checks it, as saving in an editor would.
  void add_save(Figure& saved, int i) {
    const auto source = read_file(lab_.optimized());
    if (!source) {
      saved.why_missing = source.error().what;
      return;
    }
    const auto path = context_.tree.build / "bench" / (lab_.folder + ".cu");
    const std::string stamp =
        now_utc() + " " + std::to_string(i) + " " + std::to_string(fresh_seed());
    CheckResult result;
    const double wall = seconds_of([&] {
      if (write_file(path, *source + "// " + stamp + "\n"))
        result = check_of(VariantName("bench"), path);
    });
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    if (came_to_verdict(result))
      saved.values.push_back(wall);
    else
      saved.why_missing = reason_of(result);
  }

  const Context& context_;
  const Lab& lab_;
  int repeats_;
};

/// SHA-256 of the kernels that the figures are about, by lab: evidence about others is stale. With
/// the day of measuring, since a file of records may hold labs of several days.
nlohmann::json digests_of(const std::vector<Lab>& labs) {
  nlohmann::json digests = nlohmann::json::object();
  for (const Lab& lab : labs) {
    digests[lab.id]["date"] = now_utc();
    for (const auto& [name, path] : {Variant{VariantName::flawed, lab.flawed()},
                                     Variant{VariantName::optimized, lab.optimized()}})
      if (const auto source = read_file(path)) digests[lab.id][name.name()] = sha256(*source);
  }
  return digests;
}

nlohmann::json to_json(const DeviceFacts& device, const std::vector<Lab>& labs,
                       const std::vector<Figure>& figures) {
  nlohmann::json array = nlohmann::json::array();
  for (const Figure& figure : figures) {
    const auto middle = median(figure.values);
    nlohmann::json item = {{"lab", figure.lab},
                           {"name", figure.name},
                           {"unit", figure.unit},
                           {"median", middle ? nlohmann::json(*middle) : nullptr},
                           {"values", figure.values}};
    if (!middle) item["reason"] = figure.why_missing;
    array.push_back(item);
  }
  return {{"device", klab::to_json(device)}, {"digests", digests_of(labs)}, {"figures", array}};
}

nlohmann::json of_lab(const DeviceFacts& device, const Lab& lab,
                      const std::vector<Figure>& figures) {
  std::vector<Figure> own;
  for (const Figure& figure : figures)
    if (figure.lab == lab.id) own.push_back(figure);
  return to_json(device, {lab}, own);
}

/// The least of ratios; else what lies farthest from 0, since distances have a sign.
std::optional<double> worst_of(const Figure& figure) {
  if (figure.values.empty()) return std::nullopt;
  if (figure.unit == "x") return *std::min_element(figure.values.begin(), figure.values.end());
  return *std::max_element(figure.values.begin(), figure.values.end(),
                           [](double a, double b) { return std::abs(a) < std::abs(b); });
}

std::string table_text(const Context& context, const std::vector<Figure>& figures) {
  Table table("lrrl");
  std::string lab;
  for (const Figure& figure : figures) {
    if (lab != figure.lab) table.add_line({figure.lab, Tone::accent});
    lab = figure.lab;
    const auto middle = median(figure.values);
    const auto worst = worst_of(figure);
    table.add({{figure.name},
               {format_value(middle, figure.unit), Tone::strong},
               {middle ? "worst " + format_value(worst, figure.unit) : "", Tone::faint},
               {middle ? counted(figure.values.size(), "run") : printable(figure.why_missing),
                Tone::faint}});
  }
  return table.text(context.out);
}

/// The GPU; guards cost something on the simulator, too.
Result<DeviceFacts> device_for(const Context& context, bool guards) {
  if (!guards) return gpu_facts(context.tree, true);
  const auto chosen = choose_backend(context.tree, Backend::automatic, &canceled_by_user());
  if (!chosen) return chosen.error();
  return chosen->device;
}

}  // namespace

int bench(const Context& context, const BenchOptions& options) {
  if (options.simulator) return bench_simulator(context, options);
  if (options.window) return bench_window(context, options);
  const auto& [names, repeats, against_ncu, simulator, window, peers, guards, output, json] =
      options;
  if (against_ncu && programs_called("ncu").empty()) {
    const Error error =
        make_error(ErrorCode::unsupported, "ncu is not installed here.",
                   "Install Nsight Compute, which comes with the CUDA toolkit, or leave out "
                   "--against-ncu.");
    return fail(context, error, json);
  }
  const auto facts = device_for(context, guards);
  if (!facts) return fail(context, without_simulator(facts.error()), json);
  const auto labs = labs_named(load_course(context.tree.root), names);
  if (!labs) return fail(context, labs.error(), json);
  if (peers) return bench_peers(context, options, *facts, *labs);
  std::vector<Figure> figures;
  for (const Lab& lab : *labs) {
    if (const auto obstacle = obstacle_of(lab, *facts)) {
      warn(context, obstacle->error);
      continue;
    }
    say(context, lab.id + " …");
    for (Figure& figure : guards        ? cost_of_guards(context, lab, *facts, repeats)
                          : against_ncu ? compare_with_ncu(context, lab, repeats)
                                        : LabBench(context, lab, repeats).run())
      figures.push_back(std::move(figure));
    if (canceled_by_user()) break;
    if (output.empty()) continue;
    // After every lab: a crash later loses nothing.
    if (auto added = add_figures(std::filesystem::absolute(output), of_lab(*facts, lab, figures));
        !added)
      return fail(context, added.error(), json);
  }
  if (json)
    print_json(to_json(*facts, *labs, figures));
  else
    print("\n  " + context.out.paint(Tone::strong, printable(facts->name)) + "\n\n" +
          table_text(context, figures) + "\n");
  return canceled_by_user() ? exit_stopped : exit_ok;
}

}  // namespace klab::cli
