// The table of recorded results for README.md.
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"
#include "core/record/results.hpp"
#include "core/verdict/lookup.hpp"

namespace klab {
namespace {

/// Text fit for a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|' || c == '<') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

/// What the run counted of its candidate; the flawed kernel has a run of its own.
std::string counter_text(const CheckResult* run, const Metric* metric, const std::string& name) {
  if (run == nullptr) return std::string(missing_text);
  const auto counters = run->counters.find(VariantName::mine);
  if (counters == run->counters.end()) return std::string(missing_text);
  const auto value = counters->second.find(name);
  if (value == counters->second.end()) return std::string(missing_text);
  return format_value(value->second.value, metric ? metric->unit : "");
}

/// "Sectors per global load request: 32 -> 4", one for each cause in which the lab's flaw shows.
std::string causes_text(const Lab& lab, const CheckResult* flawed, const CheckResult* optimized) {
  std::string text;
  for (const CauseTarget& cause : lab.pass().causes) {
    if (!cause.flawed) continue;
    const Metric* metric = find_metric(cause.metric);
    if (!text.empty()) text += "; ";
    text += (metric ? std::string(metric->label) : cause.metric) + ": " +
            counter_text(flawed, metric, cause.metric) + " → " +
            counter_text(optimized, metric, cause.metric);
  }
  return text;
}

/// The share of the ceiling that the highest rung asks for, as "96.1 % of dram_copy".
std::string ceiling_text(const CheckResult& run) {
  std::string text(missing_text);
  const auto look_at = [&](const std::vector<Gate>& gates) {
    for (const Gate& gate : gates)
      if (gate.name == GateName::time && gate.subject != "speedup" && gate.measured)
        text = format_value(gate.measured, gate.unit) + " of " + gate.subject;
  };
  look_at(run.gates);
  for (const RungResult& rung : run.rungs) look_at(rung.gates);
  return text;
}

std::string row(const RecordedResults& results, const Lab& lab, const CheckResult& run) {
  const std::string name =
      run.variant == VariantName::optimized ? lab.id : lab.id + ", " + run.variant.shown();
  return "| " + cell(name) + " | " + format_seconds(seconds_of(run, VariantName::flawed)) + " | " +
         format_seconds(seconds_of(run, VariantName::mine)) + " | " +
         format_ratio(run.timing.ratio) + " | " +
         cell(causes_text(lab, find_run(results, lab.id, VariantName::flawed), &run)) + " | " +
         cell(ceiling_text(run)) + " |\n";
}

}  // namespace

std::string results_markdown(const std::vector<RecordedResults>& recordings, const Course& course) {
  std::string text;
  for (const RecordedResults& results : recordings) {
    text +=
        "**" + cell(results.device.name) + "**, driver " + cell(results.device.driver) + ", CUDA " +
        cell(results.device.toolkit) + ", " + cell(results.date.substr(0, 10)) +
        "\n\n| lab | flawed | optimized | ratio (95 % interval) | cause, flawed → optimized | of "
        "the measured ceiling |\n|---|---|---|---|---|---|\n";
    for (const Lab& lab : course.labs) {
      for (const Variant& variant : variants(lab))
        if (variant.name == VariantName::optimized || variant.name.starts_with("stretch_"))
          if (const CheckResult* run = find_run(results, lab.id, variant.name))
            text += row(results, lab, *run);
    }
    text += "\n";
  }
  return text.empty() ? "No run is recorded yet.\n" : text;
}

}  // namespace klab
