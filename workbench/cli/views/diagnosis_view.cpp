// Diagnoses and stalls as tables and paragraphs.
#include "cli/views/diagnosis_view.hpp"

#include <algorithm>
#include <filesystem>

#include "core/base/text.hpp"
#include "core/measure/format.hpp"
#include "core/measure/stall_reasons.hpp"

namespace klab::cli {
namespace {

constexpr std::size_t most_lines = 10;
constexpr double least_share_pct = 0.5;

Tone tone_of(Confidence confidence) {
  return confidence == Confidence::high ? Tone::good : Tone::doubtful;
}

std::string heading(const Terminal& terminal, const Diagnosis& diagnosis,
                    const std::string& label) {
  std::string name(diagnosis.bottleneck ? to_string(*diagnosis.bottleneck) : "cannot be told");
  if (diagnosis.level) name += " (" + std::string(to_string(*diagnosis.level)) + ")";
  std::vector<Cell> cells = {{diagnosis.variant.shown(), Tone::strong}, {name, Tone::accent}};
  if (diagnosis.confidence)
    cells.push_back({std::string(to_string(*diagnosis.confidence)) + " confidence",
                     tone_of(*diagnosis.confidence)});
  if (!label.empty()) cells.push_back({label, Tone::faint});
  return "\n" + row_text(terminal, std::move(cells));
}

std::string rows(const Terminal& terminal, const std::vector<EvidenceRow>& evidence) {
  Table table("lrll", 4);
  for (const EvidenceRow& row : evidence)
    table.add({{row.label},
               {format_value(row.value, row.unit), Tone::strong},
               {std::string(to_string(row.source)), Tone::faint},
               {row.says, Tone::faint}});
  return table.empty() ? "" : table.text(terminal);
}

std::string lacks_text(const Terminal& terminal, const Diagnosis& diagnosis) {
  std::string text;
  for (const Lack& lack : diagnosis.lacks)
    text += (text.empty() ? "" : "; ") + lack.what + " (" + shell_words(lack.why) + ")";
  if (text.empty()) return "";
  return paragraph(terminal,
                   printable((diagnosis.bottleneck ? "Judged without: " : "Missing: ") + text), 2,
                   Tone::faint);
}

const StallReport* report_of(const Investigation& found) {
  return std::get_if<StallReport>(&found.found);
}

std::string label_of(const std::string& reason) {
  const StallReason* known = find_stall_reason(reason);
  return known ? std::string(known->label) : printable(reason);
}

/// The reasons with their shares, largest first.
std::vector<std::pair<std::string, double>> sorted(const std::map<std::string, double>& shares) {
  std::vector<std::pair<std::string, double>> all(shares.begin(), shares.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return all;
}

std::string reasons_table(const Terminal& terminal, const StallSamples& samples) {
  Table table("rll", 4);
  for (const auto& [reason, share] : sorted(stall_shares_pct(samples)))
    if (share >= least_share_pct)
      table.add({{format_percent(share), Tone::strong},
                 {label_of(reason)},
                 {stall_meaning(reason), Tone::faint}});
  return table.text(terminal);
}

std::string lines_table(const Terminal& terminal, const StallSamples& samples) {
  const std::vector<LineHeat> heat = line_heat(samples);
  if (heat.empty()) return paragraph(terminal, "No line information: build with -lineinfo.", 4);
  const auto all = static_cast<double>(samples.samples());
  Table table("rll", 4);
  for (std::size_t i = 0; i < std::min(heat.size(), most_lines); ++i) {
    if (100 * heat[i].value / all < least_share_pct) break;  // hottest first
    const auto reasons = sorted(heat[i].by_reason);
    const std::string place = std::filesystem::path(heat[i].file).filename().string() + ":" +
                              std::to_string(heat[i].line);
    table.add({{format_percent(100 * heat[i].value / all), Tone::strong},
               {printable(place)},
               {reasons.empty() ? "" : "mostly " + label_of(reasons.front().first), Tone::faint}});
  }
  return table.text(terminal);
}

std::string caveats(const Terminal& terminal, const StallSamples& samples) {
  std::string text = format_count(static_cast<double>(samples.samples())) + " samples of " +
                     std::to_string(samples.launches) + " launches";
  if (samples.period_cycles)
    text += ", one every " + format_count(samples.period_cycles) + " cycles";
  if (samples.dropped > 0)
    text += ", " + format_count(static_cast<double>(samples.dropped)) + " lost in the hardware";
  if (samples.buffer_full) text += ", ended early because the hardware's buffer was full";
  return paragraph(terminal, text, 4, Tone::faint);
}

}  // namespace

std::string view_diagnosis(const Terminal& terminal, const Diagnosis& diagnosis,
                           const std::string& label) {
  std::string text = heading(terminal, diagnosis, label);
  text += paragraph(terminal, printable(diagnosis.sentence), 2);
  text += rows(terminal, diagnosis.evidence);
  if (!diagnosis.distance.empty())
    text += paragraph(terminal, "Decided by: " + diagnosis.distance + ".", 2, Tone::faint);
  for (const Waste& waste : diagnosis.wastes)
    text += "\n" + paragraph(terminal, "Waste, " + waste.name + ": " + waste.sentence, 2) +
            rows(terminal, waste.evidence);
  if (!diagnosis.experiments.empty())
    text += "\n  " + terminal.paint(Tone::strong, "Try next") + "\n";
  int number = 0;
  for (const Experiment& experiment : diagnosis.experiments)
    text += "  " + std::to_string(++number) + ". " +
            wrapped(printable(shell_words(experiment.act)), terminal.columns - 5, 5) + "\n" +
            paragraph(terminal, experiment.expect, 5, Tone::faint);
  if (!diagnosis.withheld.empty())
    text += "\n" + paragraph(terminal, shell_words(diagnosis.withheld), 2, Tone::faint);
  return text + lacks_text(terminal, diagnosis);
}

std::string view_diagnoses(const Terminal& terminal, const Investigation& found,
                           const std::string& withheld_for) {
  std::string text;
  if (const StallReport* report = report_of(found))
    for (const KernelFacts& facts : report->facts) {
      Diagnosis diagnosis = diagnose(facts);
      if (!withheld_for.empty())
        diagnosis = without_experiments(std::move(diagnosis), withheld_for);
      text += view_diagnosis(terminal, diagnosis, facts.simulated ? "simulated counts" : "");
    }
  return text + "\n";
}

std::string view_stalls(const Terminal& terminal, const Investigation& found) {
  std::string text;
  const StallReport* report = report_of(found);
  if (!report) return text;
  for (const StallSamples& samples : report->samples)
    text += "\n  " + terminal.paint(Tone::strong, printable(samples.variant.shown())) + "\n" +
            caveats(terminal, samples) + reasons_table(terminal, samples) + "\n" +
            lines_table(terminal, samples);
  return text + "\n";
}

}  // namespace klab::cli
