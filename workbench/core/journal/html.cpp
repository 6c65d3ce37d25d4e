// The journal as one HTML page. Every text of a journal or a lab passes through escape_markup().

#include "core/base/diff/line_diff.hpp"
#include "core/journal/report.hpp"
#include "core/journal/search.hpp"
#include "core/journal/svg_plot.hpp"
#include "core/measure/format.hpp"

namespace klab {
namespace {

using Kind = JournalEntry::Kind;

constexpr std::string_view style = R"css(
:root { color-scheme: light dark;
  --canvas: #f5f6f8; --surface: #fff; --line: #dde1e7; --text: #1a1d21; --soft: #4f5863;
  --good: #0a7a55; --bad: #b01e3c; --unsure: #8a5a00; --off: #5f6874; --mine: #1769d4;
  --add: #e0f3ec; --remove: #fbe8ea; }
@media (prefers-color-scheme: dark) { :root {
  --canvas: #15171b; --surface: #1d2026; --line: #2e333c; --text: #e9ebee; --soft: #b0b8c3;
  --good: #41c99e; --bad: #fa7268; --unsure: #e5b64a; --off: #8e97a4; --mine: #6a9dff;
  --add: #14332a; --remove: #3b2024; } }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 52rem; background: var(--canvas);
  color: var(--text); font: 16px/1.5 Inter, system-ui, sans-serif; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 3rem; }
p.soft, figcaption, .when { color: var(--soft); font-size: .9rem; }
section.card, figure { background: var(--surface); border: 1px solid var(--line);
  border-radius: 10px; padding: 1rem 1.2rem; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { font: 13px/1.45 "JetBrains Mono", ui-monospace, monospace; overflow-x: auto; margin: .6rem 0;
  border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; }
pre span { display: block; white-space: pre; }
pre .added { background: var(--add); } pre .removed { background: var(--remove); }
pre .hunk { color: var(--soft); }
blockquote { margin: .6rem 0; padding-left: .9rem; border-left: 3px solid var(--mine);
  white-space: pre-wrap; }
.pass { color: var(--good); } .fail { color: var(--bad); } .inconclusive { color: var(--unsure); }
.unknown { color: var(--off); } b.pass, b.fail, b.inconclusive, b.unknown { white-space: nowrap; }
svg { width: 100%; height: auto; } svg text { fill: var(--soft); font-size: 12px; }
svg .grid { stroke: var(--line); } svg .target { stroke: var(--soft); stroke-dasharray: 5 4; }
svg .interval { stroke: var(--text); stroke-width: 1.5; }
svg circle.pass { fill: var(--good); } svg path.fail { stroke: var(--bad); stroke-width: 2.5;
  fill: none; } svg rect.inconclusive { fill: var(--unsure); }
svg .mine { fill: var(--mine); } svg .mine-line { stroke: var(--mine); stroke-width: 2;
  fill: none; }
@media print { body { max-width: none; } section.card, figure { break-inside: avoid; } }
)css";

/// An element with text, which is escaped. `attributes` are ours.
std::string element(std::string_view name, std::string_view text,
                    std::string_view attributes = {}) {
  std::string html = "<" + std::string(name);
  if (!attributes.empty()) html += " " + std::string(attributes);
  return html + ">" + escape_markup(text) + "</" + std::string(name) + ">";
}

const char* class_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::pass:
      return "class=\"pass\"";
    case Outcome::fail:
      return "class=\"fail\"";
    case Outcome::inconclusive:
      return "class=\"inconclusive\"";
    case Outcome::not_checkable:
      break;
  }
  return "class=\"unknown\"";
}

std::string verdict(Outcome outcome) { return element("b", to_string(outcome), class_of(outcome)); }

std::string figure(const std::string& svg, std::string_view caption) {
  if (svg.empty()) return {};
  return "<figure>" + svg + element("figcaption", caption) + "</figure>\n";
}

std::string change_block(const std::string& change) {
  std::string html = "<pre>";
  for (const std::string& line : split_lines(change)) {
    const char* kind = line.starts_with('+')   ? "class=\"added\""
                       : line.starts_with('-') ? "class=\"removed\""
                       : line.starts_with('@') ? "class=\"hunk\""
                                               : "class=\"same\"";
    html += element("span", line, kind);
  }
  return html + "</pre>\n";
}

std::string numbers_table(const JournalEntry& attempt) {
  const auto rows = gate_rows(attempt);
  if (rows.empty()) return {};
  std::string html =
      "<table><thead><tr><th>gate</th><th>value</th><th>bound</th><th>label</th><th>verdict</th>"
      "</tr></thead><tbody>\n";
  for (const GateRow& row : rows)
    html += "<tr>" + element("td", row.name) + element("td", row.value, "class=\"number\"") +
            element("td", row.target, "class=\"number\"") + element("td", row.label) + "<td>" +
            verdict(row.outcome) + "</td></tr>\n";
  return html + "</tbody></table>\n";
}

std::string prediction_item(const ScoredPrediction& scored) {
  const auto choice = [&](int index) -> const std::string& {
    return scored.question.choices[static_cast<std::size_t>(index)];
  };
  std::string html = "<li>" + element("span", scored.question.question) +
                     "<br/>Predicted: " + element("b", choice(scored.choice)) + ". ";
  if (!scored.right)
    html += element("span", "Not measured yet.", "class=\"unknown\"");
  else if (*scored.right)
    html += element("b", "Right.", "class=\"pass\"");
  else
    html += element("b", "Not so.", "class=\"fail\"") +
            (scored.truth() ? " It is: " + element("span", choice(*scored.truth())) + "." : "");
  if (const std::string ratio = ratio_words(scored); !ratio.empty())
    html += " " + escape_markup(ratio) + ".";
  return html + "</li>\n";
}

std::string attempt_card(const ReportedAct& act) {
  const JournalEntry& entry = *act.entry;
  std::string html = "<section class=\"card\">\n";
  html += element("h3", act.attempt > 0 ? "Attempt " + std::to_string(act.attempt)
                                        : "Check of " + entry.variant.shown());
  std::string where = "Entry " + std::to_string(entry.number) + ", " + short_date(entry.date);
  if (!entry.device.empty()) where += ", " + entry.device;
  if (entry.seed) where += ", seed " + std::to_string(*entry.seed);
  html += element("p", where, "class=\"when\"") + "<p>";
  if (entry.verdict) html += element("b", verdict_words(entry), class_of(*entry.verdict)) + " ";
  html += escape_markup(entry.conclusion) + "</p>\n";
  if (entry.ratio)
    html += element("p", "Flawed time over mine, measured: " + format_ratio(entry.ratio));
  if (const std::string ladder = ladder_words(entry); !ladder.empty()) html += element("p", ladder);
  html += numbers_table(entry);
  if (!act.change_from.empty())
    html += act.change.empty()
                ? element("p", "The source is that of " + act.change_from + ".", "class=\"soft\"")
                : element("p", "Change since " + act.change_from + ":") + change_block(act.change);
  return html + "</section>\n";
}

std::string act_html(const ReportedAct& act) {
  const JournalEntry& entry = *act.entry;
  if (entry.kind == Kind::attempt) return attempt_card(act);
  const std::string date = short_date(entry.date);
  if (entry.kind == Kind::note)
    return element("p", "Note, " + date, "class=\"when\"") + element("blockquote", entry.text) +
           "\n";
  return element("p", date + ": " + headline(entry), "class=\"soft\"") + "\n";
}

std::string lab_section(const LabReport& lab) {
  const std::string title = lab.title.empty() ? lab.id : lab.id + ": " + lab.title;
  std::string html = element("h2", title) + "\n";
  if (!lab.predictions.empty()) html += "<ul>\n";
  for (const ScoredPrediction* scored : lab.predictions) html += prediction_item(*scored);
  if (!lab.predictions.empty()) html += "</ul>\n";
  std::vector<RatioPoint> points;
  for (const ReportedAct& act : lab.acts)
    if (act.attempt > 0 && act.entry->ratio)
      points.push_back(
          {act.attempt, *act.entry->ratio, act.entry->verdict.value_or(Outcome::not_checkable)});
  html += figure(ratio_svg(points, lab.lab ? lab.lab->pass().time.speedup : std::nullopt,
                           "Ratio of the attempts at " + title),
                 "Flawed time over mine, measured in the same run, with 95 % intervals. Disc: "
                 "passed; cross: failed; square: anything else.");
  for (const ReportedAct& act : lab.acts) html += act_html(act);
  return html;
}

std::string calibration_figure(const Calibration& calibration) {
  std::vector<SharePoint> points;
  for (const CalibrationPoint& point : calibration.points)
    points.push_back({point.known, point.right});
  const auto by_guess = calibration.known > 0
                            ? std::optional(calibration.by_guess / calibration.known)
                            : std::nullopt;
  return figure(share_svg(points, by_guess, "Share of right predictions"),
                "Share of predictions that turned out right, after each one.");
}

}  // namespace

std::string journal_html(const JournalReport& report) {
  std::string html =
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>Kernel Lab journal</title>\n<style>" +
      std::string(style) + "</style>\n</head>\n<body>\n";
  html += element("h1", "Kernel Lab journal") + "\n" +
          element("p", report.date + ". " + summary(*report.calibration)) + "\n" +
          calibration_figure(*report.calibration);
  if (report.labs.empty()) html += element("p", "The journal is empty.") + "\n";
  for (const LabReport& lab : report.labs) html += lab_section(lab);
  return html + "</body>\n</html>\n";
}

}  // namespace klab
