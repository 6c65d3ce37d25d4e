// Gates and times as text for a terminal. The comparison of variants is in comparison_view.cpp.
#include "cli/views/verdict_view.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "core/base/text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/ceilings.hpp"
#include "core/measure/format.hpp"

namespace klab::cli {
namespace {

/// Lines of what a kernel printed after each of many checks.
constexpr std::size_t few_printed_lines = 8;

/// What a gate measured, for a person.
std::string subject_of(const Gate& gate) {
  if (gate.name == GateName::built || gate.name == GateName::correct) return "";
  if (const Metric* metric = find_metric(gate.subject)) return std::string(metric->label);
  if (const CeilingInfo* ceiling = find_ceiling(gate.subject))
    return "of " + std::string(ceiling->label);
  return gate.subject;
}

std::string measured_of(const Gate& gate) {
  if (!gate.measured) return !gate.target ? "" : std::string(missing_text);
  if (gate.name == GateName::correct) return format_count(gate.measured);
  return format_value(gate.measured, gate.unit);
}

/// What an earlier gate kept from running is not for want of another machine.
Cell gate_cell(const Gate& gate) {
  return gate.basis == Basis::not_run ? Cell{"· not run", Tone::faint} : outcome_cell(gate.outcome);
}

/// The tone of the conclusion.
Tone tone_of(Outcome outcome) { return outcome_cell(outcome).tone; }

std::string gates_table(const Terminal& terminal, const std::vector<Gate>& gates,
                        std::size_t indent) {
  Table table("lllrll", indent);
  for (const Gate& gate : gates)
    table.add({gate_cell(gate),
               {to_string(gate.name)},
               {subject_of(gate)},
               {measured_of(gate), tone_of(gate.outcome)},
               {format_target(gate.target), Tone::faint},
               {gate.source ? std::string(to_string(*gate.source)) : "", Tone::faint}});
  return table.text(terminal);
}

}  // namespace

std::string view_heading(const Terminal& terminal, const CheckResult& result) {
  std::string where = result.device.name;
  if (!result.device.driver.empty()) where += ", driver " + result.device.driver;
  if (!result.device.toolkit.empty()) where += ", CUDA " + result.device.toolkit;
  if (where.empty()) where = "no device";
  where += "  seed " + format_count(static_cast<double>(result.seed));
  return "\n" +
         row_text(terminal,
                  {{result.lab, Tone::strong},
                   {result.variant.shown(), Tone::strong},
                   {where, Tone::faint}},
                  0) +
         "\n";
}

std::string view_gates(const Terminal& terminal, const CheckResult& result) {
  const std::string text = gates_table(terminal, result.gates, 2);
  // What was seen, and what to do about it, only where there is something to do.
  std::string notes;
  std::vector<std::string> reasons;
  bool said_why_not_run = false;
  std::set<std::string> advised;
  for (const Gate& gate : result.gates) {
    if (gate.outcome == Outcome::pass || (gate.detail.empty() && gate.advice.empty())) continue;
    // A reason that several gates share is said once; why nothing was run, by the first of them.
    if (gate.outcome == Outcome::not_checkable) {
      if (gate.basis == Basis::not_run && said_why_not_run) continue;
      said_why_not_run |= gate.basis != Basis::seen;
      if (std::find(reasons.begin(), reasons.end(), gate.detail) != reasons.end()) continue;
      if (!gate.detail.empty()) reasons.push_back(gate.detail);
    }
    const std::string subject = subject_of(gate);
    notes +=
        "\n" + paragraph(terminal,
                         to_string(gate.name) + (subject.empty() ? "" : ", " + printable(subject)),
                         2, tone_of(gate.outcome));
    if (!gate.detail.empty()) notes += paragraph(terminal, printable(gate.detail), 4);
    // Several counters of one cause send to the same hint.
    if (gate.advice.empty()) continue;
    if (std::string advice = printable(shell_words(gate.advice)); advised.insert(advice).second)
      notes += "    " + terminal.paint(Tone::accent, "→ ") +
               wrapped(advice, terminal.columns - 6, 6) + "\n";
  }
  return text + notes;
}

std::string view_times(const Terminal& terminal, const CheckResult& result) {
  Table table("lrl");
  for (const VariantName& name : {VariantName::flawed, VariantName::mine, VariantName::optimized}) {
    const auto found = result.timing.variants.find(name);
    if (found == result.timing.variants.end() || !found->second.seconds) continue;
    const bool mine = name == VariantName::mine;
    std::string note = std::to_string(found->second.samples_s.size()) + " samples";
    if (mine && result.timing.ratio) note = format_ratio(result.timing.ratio) + " of flawed";
    table.add({{mine ? printable(result.variant.shown()) : name.shown(),
                mine ? Tone::strong : Tone::plain},
               {format_seconds(found->second.seconds)},
               {note, Tone::faint}});
  }
  std::string text = table.text(terminal);
  if (text.empty()) return text;
  std::string how = result.timing.cold_l2 ? "cold L2" : "warm L2";
  if (!result.timing.stopped_because.empty()) how += "; " + result.timing.stopped_because;
  for (const std::string& reason : result.timing.throttle_reasons) how += "; throttled: " + reason;
  return "\n" + text + paragraph(terminal, printable(how), 2, Tone::faint);
}

std::string view_ladder(const Terminal& terminal, const CheckResult& result) {
  if (result.verdict != Outcome::pass) return {};
  std::string text;
  if (result.score)
    text += paragraph(terminal,
                      "Score " + format_score(result.score) +
                          ": 0 is the flawed kernel's time, 100 the least that this device needs.",
                      2, Tone::faint);
  for (std::size_t i = 1; i < result.rungs.size(); ++i)
    if (result.rungs[i].outcome == Outcome::pass)
      text += paragraph(terminal, "✔ Beyond the pass: " + printable(result.rungs[i].name), 2,
                        Tone::good);
  if (const RungResult* next = next_rung(result.rungs)) {
    text += paragraph(terminal, "Next goal: " + printable(next->name), 2, Tone::accent);
    text += gates_table(terminal, next->gates, 4);
  }
  return text.empty() ? text : "\n" + text;
}

std::string view_printed(const Terminal& terminal, const CheckResult& result, std::size_t lines) {
  const std::string all = escaped(result.printed.text);
  if (all.empty()) return all;
  return "\n  " + terminal.paint(Tone::strong, "It printed") + "\n" +
         beginning_of(terminal, all, lines, 4, result.printed.left_out_bytes);
}

std::string view_result(const Terminal& terminal, const CheckResult& result) {
  std::string text = view_heading(terminal, result) + view_gates(terminal, result) +
                     view_times(terminal, result) + "\n";
  const Cell outcome = verdict_cell(result.verdict, result.gates);
  const std::size_t indent = display_width(outcome.text) + 4;
  // Beside the outcome, in a column of its own.
  std::string conclusion = paragraph(terminal, result.conclusion, indent);
  conclusion.erase(0, conclusion.find_first_not_of(' '));
  text += "  " + terminal.paint(outcome.tone, outcome.text) + "  " + conclusion;
  text += view_ladder(terminal, result);
  for (const Error& error : result.errors)
    if (error.code == ErrorCode::build_failed && !error.detail.empty())
      text += "\n" + beginning_of(terminal, printable(error.detail), most_printed_lines);
  return text + view_printed(terminal, result, most_printed_lines);
}

std::string view_compact(const Terminal& terminal, const CheckResult& result) {
  std::string line;
  for (const Gate& gate : result.gates) {
    const Cell cell = outcome_cell(gate.outcome);
    const std::string symbol = cell.text.substr(0, cell.text.find(' '));
    line +=
        (line.empty() ? "" : "  ") + terminal.paint(cell.tone, symbol) + " " + to_string(gate.name);
    if (gate.measured && gate.name != GateName::correct && gate.name != GateName::same_work)
      line += " " + terminal.paint(Tone::faint, format_value(gate.measured, gate.unit));
  }
  std::string text = "  " + line + "\n";
  const auto worst = std::find_if(result.gates.begin(), result.gates.end(),
                                  [](const Gate& gate) { return gate.outcome == Outcome::fail; });
  if (worst != result.gates.end()) {
    text += paragraph(terminal, printable(worst->detail), 4);
    if (!worst->advice.empty())
      text += "    " + terminal.paint(Tone::accent, "→ ") +
              wrapped(printable(shell_words(worst->advice)), terminal.columns - 6, 6) + "\n";
  }
  return text +
         paragraph(terminal, printable(result.conclusion), 2, outcome_cell(result.verdict).tone) +
         view_printed(terminal, result, few_printed_lines);
}

}  // namespace klab::cli
