// sweep: time and counters over a range of one parameter, as a table, with the crossover in words.
#include "cli/investigate/investigate.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/base/find.hpp"
#include "core/investigate/sweep_rules.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"

namespace klab::cli {
namespace {

std::string interval_text(const Interval* interval) {
  return interval ? format_seconds(*interval) : std::string(missing_text);
}

std::string times_table(const Terminal& out, const Sweep& sweep) {
  Table table("r" + std::string(2 * sweep.variants.size(), 'r'));
  std::vector<Cell> head{{sweep.label, Tone::faint}};
  for (const VariantName& variant : sweep.variants) {
    head.push_back({variant.shown(), Tone::faint});
    if (variant != sweep.variants.front()) head.push_back({"ratio", Tone::faint});
  }
  table.add(head);
  for (const SweepPoint& point : sweep.points) {
    std::vector<Cell> row{{format_count(static_cast<double>(point.value)), Tone::strong}};
    for (const VariantName& variant : sweep.variants) {
      row.push_back({interval_text(find_in(point.seconds, variant))});
      if (variant == sweep.variants.front()) continue;
      const Interval* ratio = find_in(point.ratio, variant);
      const Tone tone = !ratio            ? Tone::faint
                        : ratio->low > 1  ? Tone::good
                        : ratio->high < 1 ? Tone::bad
                                          : Tone::doubtful;
      row.push_back({ratio ? format_ratio(ratio->median) : std::string(missing_text), tone});
    }
    table.add(row);
  }
  return table.text(out);
}

std::string counters_table(const Terminal& out, const Sweep& sweep, const std::string& name) {
  const Metric* metric = find_metric(name);
  if (!metric) return {};
  Table table("r" + std::string(sweep.variants.size(), 'r'));
  std::vector<Cell> head{{sweep.label, Tone::faint}};
  for (const VariantName& variant : sweep.variants) head.push_back({variant.shown(), Tone::faint});
  table.add(head);
  for (const SweepPoint& point : sweep.points) {
    std::vector<Cell> row{{format_count(static_cast<double>(point.value)), Tone::strong}};
    for (const VariantName& variant : sweep.variants) {
      const Counters* counters = find_in(point.counters, variant);
      const CounterValue* counter = counters ? find_in(*counters, name) : nullptr;
      row.push_back({format_value(counter ? counter->value : std::nullopt, metric->unit)});
    }
    table.add(row);
  }
  return "\n  " + out.paint(Tone::strong, metric->label) + "\n\n" + table.text(out);
}

std::string sweep_text(const Terminal& out, const Investigation& investigation) {
  const Sweep& sweep = std::get<Sweep>(investigation.found);
  std::string text = "\n" +
                     row_text(out, {{investigation.lab + " by " + sweep.label, Tone::strong},
                                    {investigation.device.name, Tone::faint}}) +
                     "\n";
  if (investigation.backend != Backend::simulator) {
    text += times_table(out, sweep) + "\n";
    for (const VariantName& variant : sweep.variants)
      if (const std::string words = crossover_text(sweep, variant); !words.empty())
        text += paragraph(out, words, 2);
  }
  for (const std::string& metric : sweep.metrics) text += counters_table(out, sweep, metric);
  for (const SweepPoint& point : sweep.points)
    if (point.error)
      text +=
          "\n" + paragraph(out,
                           sweep.label + " " + format_count(static_cast<double>(point.value)) +
                               ": " + point.error->what + " " + shell_words(point.error->remedy),
                           2, Tone::doubtful);
  for (const std::string& note : sweep.notes) text += "\n" + paragraph(out, note, 2, Tone::faint);
  return text + "\n";
}

}  // namespace

int sweep(const Context& context, const SweepOptions& options) {
  return show_investigation(
      context, find_investigation(context, options, InvestigationKind::sweep, options.plan),
      options, sweep_text);
}

}  // namespace klab::cli
