// The tables of README.md: the labs by their symptoms, and recorded results.
#include <set>
#include <utility>
#include <vector>

#include "core/base/text.hpp"
#include "core/measure/format.hpp"
#include "core/record/results.hpp"
#include "core/verdict/lookup.hpp"

namespace klab {
namespace {

/// Text fit for a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '|' || c == '<') safe += '\\';
    safe += c == '\n' || c == '\t' ? ' ' : c;
  }
  return safe;
}

/// The share of the ceiling that the highest rung asks for, as "96.1 % of dram_copy".
std::string ceiling_text(const CheckResult& run) {
  std::string text(missing_text);
  const auto look_at = [&](const std::vector<Gate>& gates) {
    for (const Gate& gate : gates)
      if (gate.name == GateName::time && !is_of_speedup(gate) && gate.measured)
        text = format_value(gate.measured, gate.unit) + " of " + gate.subject;
  };
  look_at(run.gates);
  for (const RungResult& rung : run.rungs) look_at(rung.gates);
  return text;
}

/// How far the report of a measurement is from the truth.
std::string error_text(const CheckResult* run) {
  if (run != nullptr)
    for (const Gate& gate : run->gates)
      if (gate.subject == "reported_error_pct" && gate.measured)
        return format_value(gate.measured, gate.unit) + " off";
  return std::string(missing_text);
}

std::string row(const Lab& lab, const CheckResult& run, const RecordedResults& results) {
  const std::string name =
      run.variant == VariantName::optimized ? lab.id : lab.id + ", " + run.variant.shown();
  if (lab.kind == LabKind::measurement)
    return "| " + cell(name) + " | " + error_text(find_run(results, lab.id, VariantName::flawed)) +
           " | " + error_text(&run) + " | " + std::string(missing_text) + " | " +
           std::string(missing_text) + " |\n";
  return "| " + cell(name) + " | " + format_seconds(seconds_of(run, VariantName::flawed)) + " | " +
         format_seconds(seconds_of(run, VariantName::mine)) + " | " +
         format_ratio(run.timing.ratio) + " | " + cell(ceiling_text(run)) + " |\n";
}

/// Every lab by its symptom: what a reader may know before it.
std::string labs_table(const Course& course) {
  std::string text = "| lab | what one sees | builds on |\n|---|---|---|\n";
  for (const std::string& category : categories(course)) {
    text += "| **" + capitalized(category) + "** | | |\n";
    for (const Lab& lab : course.labs)
      if (lab.category == category)
        text += "| " + cell(lab.id) + " | *" + cell(lab.title) + "*: " + cell(lab.summary) + " | " +
                foundations(lab) + " |\n";
  }
  return text + "\n";
}

/// What the table has a row for.
std::vector<std::pair<const Lab*, const CheckResult*>> shown_runs(const RecordedResults& results,
                                                                  const Course& course) {
  std::vector<std::pair<const Lab*, const CheckResult*>> runs;
  for (const Lab& lab : course.labs)
    for (const Variant& variant : variants(lab))
      if (variant.name == VariantName::optimized || variant.name.starts_with("stretch_"))
        if (const CheckResult* run = find_run(results, lab.id, variant.name))
          runs.emplace_back(&lab, run);
  return runs;
}

/// "2026-11-21", or "2026-11-21 to 2026-11-26".
std::string days_of(const RecordedResults& results,
                    const std::vector<std::pair<const Lab*, const CheckResult*>>& runs) {
  std::set<std::string> days;
  for (const auto& [lab, run] : runs) days.insert(recorded_day(results, *run));
  if (days.empty()) return results.date.substr(0, 10);
  return days.size() == 1 ? *days.begin() : *days.begin() + " to " + *days.rbegin();
}

/// Folded, as a ratio answers one of its lab's questions.
std::string recording_table(const RecordedResults& results, const Course& course) {
  const auto runs = shown_runs(results, course);
  std::string text =
      "<details>\n<summary>What each solution gains, recorded on " + cell(results.device.name) +
      " (predict first: most labs ask for it)</summary>\n\nDriver " + cell(results.device.driver) +
      ", CUDA " + cell(results.device.toolkit) + ", " + cell(days_of(results, runs)) +
      "\n\n| lab | flawed | optimized | ratio (95 % interval) | of the measured "
      "ceiling |\n|---|---|---|---|---|\n";
  for (const auto& [lab, run] : runs) text += row(*lab, *run, results);
  return text + "\n</details>\n\n";
}

}  // namespace

std::string results_markdown(const std::vector<RecordedResults>& recordings, const Course& course) {
  std::string text = labs_table(course);
  for (const RecordedResults& results : recordings) text += recording_table(results, course);
  return recordings.empty() ? text + "No run is recorded yet.\n" : text;
}

}  // namespace klab
