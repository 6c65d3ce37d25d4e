// JournalReport: gathering the acts of each lab and the change that each attempt made.
#include "core/journal/report.hpp"

#include <algorithm>

#include "core/base/diff/line_diff.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/ceilings.hpp"
#include "core/measure/format.hpp"

namespace klab {
namespace {

LabReport& lab_of(JournalReport& report, const std::string& id) {
  const auto found = std::find_if(report.labs.begin(), report.labs.end(),
                                  [&](const LabReport& lab) { return lab.id == id; });
  if (found != report.labs.end()) return *found;
  report.labs.push_back({.id = id});
  return report.labs.back();
}

/// A report is text: bytes of a source that are none are shown as what they are not.
std::string readable(std::string_view source) {
  return is_utf8(source) ? std::string(source) : printable(source);
}

/// Numbers the learner's attempts and compares each with the one before.
void compare_attempts(LabReport& lab, const FlawedSources& flawed) {
  std::string_view before;
  std::string before_name;
  if (const auto found = flawed.find(lab.id); found != flawed.end())
    before = found->second, before_name = "the flawed kernel";
  int count = 0;
  for (ReportedAct& act : lab.acts) {
    if (!is_learners_attempt(*act.entry)) continue;
    act.attempt = ++count;
    if (!act.entry->source) continue;
    if (!before_name.empty()) {
      act.change = unified_diff(readable(before), readable(*act.entry->source));
      act.change_from = before_name;
    }
    before = *act.entry->source;
    before_name = "attempt " + std::to_string(count);
  }
}

std::string subject_of(const Gate& gate) {
  if (const Metric* metric = find_metric(gate.subject)) return std::string(metric->label);
  if (const CeilingInfo* ceiling = find_ceiling(gate.subject)) return std::string(ceiling->label);
  return gate.subject;
}

}  // namespace

FlawedSources read_flawed_sources(const std::vector<Lab>& labs) {
  FlawedSources sources;
  for (const Lab& lab : labs)
    if (auto text = read_file(lab.flawed(), longest_kept_source_bytes))
      sources[lab.id] = std::move(*text);
  return sources;
}

JournalReport make_report(const std::vector<Lab>& labs, const std::vector<JournalEntry>& entries,
                          const Calibration& calibration, const FlawedSources& flawed,
                          const std::string& date) {
  JournalReport report{.entries = &entries, .calibration = &calibration, .date = date};
  for (const Lab& lab : labs)
    report.labs.push_back({.id = lab.id, .title = lab.title, .lab = &lab});
  for (const JournalEntry& entry : entries)
    lab_of(report, entry.lab).acts.push_back({.entry = &entry});
  for (const ScoredPrediction& prediction : calibration.predictions)
    lab_of(report, prediction.lab).predictions.push_back(&prediction);
  std::erase_if(report.labs, [](const LabReport& lab) { return lab.acts.empty(); });
  for (LabReport& lab : report.labs) compare_attempts(lab, flawed);
  return report;
}

std::vector<GateRow> gate_rows(const JournalEntry& attempt) {
  std::vector<GateRow> rows;
  for (const Gate& gate : attempt.gates) {
    const std::string subject = subject_of(gate);
    // "built: nvcc" and "correct: result" say no more than their names.
    const bool plain =
        gate.name == GateName::built || gate.name == GateName::correct || subject.empty();
    rows.push_back({.name = plain ? to_string(gate.name) : to_string(gate.name) + ": " + subject,
                    .value = gate.measured  ? format_value(gate.measured, gate.unit)
                             : !gate.target ? std::string()
                                            : std::string(missing_text),
                    .target = format_target(gate.target),
                    .label = gate.source ? std::string(to_string(*gate.source)) : std::string(),
                    .outcome = gate.outcome});
  }
  return rows;
}

std::string verdict_words(const JournalEntry& entry) {
  if (!entry.verdict) return {};
  return passes_provisionally(entry.gates) ? "passed provisionally"
                                           : std::string(to_string(*entry.verdict));
}

std::string ladder_words(const JournalEntry& attempt) {
  std::string words;
  if (attempt.score) words = "Score " + format_score(attempt.score) + ".";
  std::string beyond;
  for (std::size_t i = 1; i < attempt.reached.size(); ++i)
    beyond += (beyond.empty() ? "" : ", ") + attempt.reached[i];
  if (!beyond.empty()) words += (words.empty() ? "" : " ") + ("Beyond the pass: " + beyond + ".");
  return words;
}

std::string short_date(const std::string& date) {
  if (date.size() < 16) return date;
  return date.substr(0, 10) + " " + date.substr(11, 5);
}

}  // namespace klab
