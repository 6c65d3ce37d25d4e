// The journal as Markdown.
#include <algorithm>

#include "core/base/diff/line_diff.hpp"
#include "core/base/text.hpp"
#include "core/journal/report.hpp"
#include "core/journal/search.hpp"
#include "core/measure/format.hpp"

namespace klab {
namespace {

using Kind = JournalEntry::Kind;

/// Text in which nothing is markup: HTML, links, emphasis, code and table cells are escaped
/// (CommonMark 0.31, section 2.4: a backslash before ASCII punctuation).
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_[]<>|&#~!").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string cell(std::string_view text) { return one_line(plain(text)); }

std::string block_quote(std::string_view text) {
  std::string block;
  for (const std::string& line : split_lines(plain(text))) block += "> " + line + "  \n";
  return block;
}

/// A code block whose fence is longer than any run of backticks within.
std::string fenced(std::string_view language, std::string_view code) {
  std::size_t longest = 2, run = 0;
  for (const char c : code) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  return fence + std::string(language) + "\n" + printable(code) + fence + "\n";
}

std::string overview(const JournalReport& report) {
  std::string text =
      "| # | date | lab | what | verdict | ratio | conclusion |\n|---|---|---|---|---|---|---|\n";
  for (const JournalEntry& entry : *report.entries)
    text += "| " + std::to_string(entry.number) + " | " + cell(entry.date) + " | " +
            cell(entry.lab) + " | " + std::string(to_string(entry.kind)) + " | " +
            verdict_words(entry) + " | " + (entry.ratio ? format_ratio(entry.ratio->median) : "") +
            " | " + cell(headline(entry)) + " |\n";
  return text;
}

std::string prediction_text(const ScoredPrediction& scored) {
  const auto choice = [&](int index) {
    return cell(scored.question.choices[static_cast<std::size_t>(index)]);
  };
  std::string text =
      "- " + cell(scored.question.question) + "  \n  Predicted: " + choice(scored.choice) + ". ";
  if (!scored.right)
    text += "Not measured yet.";
  else if (*scored.right)
    text += "**Right.**";
  else
    text += "**Not so.**" + (scored.truth() ? " It is: " + choice(*scored.truth()) + "." : "");
  if (const std::string ratio = ratio_words(scored); !ratio.empty()) text += " " + ratio + ".";
  return text + "\n";
}

std::string numbers_text(const JournalEntry& attempt) {
  const auto rows = gate_rows(attempt);
  if (rows.empty()) return {};
  std::string text = "\n| gate | value | bound | label | verdict |\n|---|---|---|---|---|\n";
  for (const GateRow& row : rows)
    text += "| " + cell(row.name) + " | " + cell(row.value) + " | " + cell(row.target) + " | " +
            row.label + " | " + std::string(to_string(row.outcome)) + " |\n";
  return text;
}

std::string attempt_text(const ReportedAct& act) {
  const JournalEntry& entry = *act.entry;
  std::string text = act.attempt > 0 ? "\n### Attempt " + std::to_string(act.attempt)
                                     : "\n### Check of " + cell(entry.variant.shown());
  text += " (entry " + std::to_string(entry.number) + ", " + cell(short_date(entry.date)) + ")\n\n";
  if (entry.verdict) text += "**" + verdict_words(entry) + "** ";
  text += cell(entry.conclusion) + "\n";
  if (entry.ratio) text += "\nFlawed time over mine, measured: " + format_ratio(entry.ratio) + "\n";
  if (const std::string ladder = ladder_words(entry); !ladder.empty())
    text += "\n" + cell(ladder) + "\n";
  text += numbers_text(entry);
  if (!act.change_from.empty())
    text += act.change.empty()
                ? "\nThe source is that of " + act.change_from + ".\n"
                : "\nChange since " + act.change_from + ":\n\n" + fenced("diff", act.change);
  std::string where = entry.device.empty() ? std::string(to_string(entry.backend)) : entry.device;
  if (entry.seed) where += ", seed " + std::to_string(*entry.seed);
  return text + (where.empty() ? "" : "\n" + cell(where) + "\n");
}

std::string act_text(const ReportedAct& act) {
  if (act.entry->kind == Kind::attempt) return attempt_text(act);
  const std::string date = cell(short_date(act.entry->date));
  if (act.entry->kind == Kind::note)
    return "\nNote, " + date + ":\n\n" + block_quote(act.entry->text);
  return "\n" + date + ": " + cell(headline(*act.entry)) + "\n";
}

}  // namespace

std::string journal_markdown(const JournalReport& report) {
  std::string text = "# Journal\n\n" + report.date + ". " + summary(*report.calibration) + "\n\n" +
                     overview(report);
  for (const LabReport& lab : report.labs) {
    text += "\n## " + cell(lab.id) + (lab.title.empty() ? "" : ": " + cell(lab.title)) + "\n";
    if (!lab.predictions.empty()) text += "\n";
    for (const ScoredPrediction* scored : lab.predictions) text += prediction_text(*scored);
    for (const ReportedAct& act : lab.acts) text += act_text(act);
  }
  return text;
}

}  // namespace klab
