// journal export, calibration: the journal as a document, and how well the learner predicts.
#include <nlohmann/json.hpp>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/journal/report.hpp"
#include "core/measure/format.hpp"

namespace klab::cli {
namespace {

using nlohmann::json;

const std::string& choice_of(const ScoredPrediction& scored, int index) {
  return scored.question.choices[static_cast<std::size_t>(index)];
}

json to_json(const ScoredPrediction& scored) {
  json object = {{"number", scored.number},
                 {"date", scored.date},
                 {"lab", scored.lab},
                 {"question", scored.question.question},
                 {"predicted", choice_of(scored, scored.choice)},
                 {"right", nullptr},
                 {"truth", nullptr}};
  if (scored.right) object["right"] = *scored.right;
  if (const auto truth = scored.truth()) object["truth"] = choice_of(scored, *truth);
  if (scored.asks_ratio()) {
    const RatioBand& band = scored.question.bands[static_cast<std::size_t>(scored.choice)];
    object["band"] = {{"low", band.low}, {"high", band.high}};
    object["measured"] = nullptr;
    if (const auto& ratio = scored.measured)
      object["measured"] = {{"median", ratio->median}, {"low", ratio->low}, {"high", ratio->high}};
  }
  return object;
}

json to_json(const Calibration& calibration) {
  json object = {{"known", calibration.known},       {"right", calibration.right},
                 {"waiting", calibration.waiting},   {"skipped", calibration.skipped},
                 {"by_guess", calibration.by_guess}, {"too_low", calibration.too_low},
                 {"too_high", calibration.too_high}, {"predictions", json::array()},
                 {"over_time", json::array()}};
  for (const ScoredPrediction& scored : calibration.predictions)
    object["predictions"].push_back(to_json(scored));
  for (const CalibrationPoint& point : calibration.points)
    object["over_time"].push_back({{"number", point.number},
                                   {"date", point.date},
                                   {"known", point.known},
                                   {"right", point.right}});
  return object;
}

std::string prediction_text(const Context& context, const ScoredPrediction& scored) {
  const std::size_t columns = context.out.columns - 6;
  const auto line = [&](const std::string& words) {
    return "      " + wrapped(printable(words), columns, 6) + "\n";
  };
  std::string mark = context.out.paint(Tone::faint, "·");
  if (scored.right)
    mark =
        *scored.right ? context.out.paint(Tone::good, "✔") : context.out.paint(Tone::doubtful, "✘");
  std::string text = "    " + mark + " " +
                     wrapped(printable(scored.question.question), columns, 6) + "\n" +
                     line("You predicted: " + choice_of(scored, scored.choice));
  if (!scored.right) return text + line("Not measured yet.");
  if (!*scored.right && scored.truth())
    text += line("It is: " + choice_of(scored, *scored.truth()));
  const std::string ratio = ratio_words(scored);
  return ratio.empty() ? text : text + line(ratio);
}

}  // namespace

int journal_calibration(const Context& context, const ShownOptions& options) {
  const Course course = load_course(context.tree.root);
  const auto entries = journal_entries(context);
  const Calibration calibration = calibrate(course.labs, entries);
  if (options.json) {
    print_json(to_json(calibration));
    return exit_ok;
  }
  std::string text = "\n" + paragraph(context.out, summary(calibration), 2, Tone::strong);
  std::string lab;
  for (const ScoredPrediction& scored : calibration.predictions) {
    if (scored.lab != lab) text += "\n  " + context.out.paint(Tone::accent, scored.lab) + "\n";
    lab = scored.lab;
    text += prediction_text(context, scored);
  }
  print(text + "\n");
  return exit_ok;
}

int journal_export(const Context& context, const JournalExportOptions& options) {
  const auto& [output, html] = options;
  const Course course = load_course(context.tree.root);
  const auto entries = journal_entries(context);
  const Calibration calibration = calibrate(course.labs, entries);
  const JournalReport report =
      make_report(course.labs, entries, calibration, read_flawed_sources(course.labs), now_utc());
  const std::string text = html.empty() ? journal_markdown(report) : journal_html(report);
  const std::string& file = html.empty() ? output : html;
  if (file.empty() || file == "-") {
    print(text);
    return exit_ok;
  }
  std::error_code failure;
  if (auto written = write_file(std::filesystem::absolute(file, failure), text); !written)
    return fail(context, written.error());
  print("  Written to " + printable(file) + ".\n");
  return exit_ok;
}

}  // namespace klab::cli
