// metrics: the catalogue of counters, as a learner and an author of a lab look them up.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"

namespace klab::cli {
namespace {

/// Who can count a metric.
std::vector<std::string> sources_of(const Metric& metric) {
  std::vector<std::string> sources;
  const auto add = [&](std::string_view formula, const char* who) {
    if (!formula.empty()) sources.emplace_back(who);
  };
  add(metric.cupti, "GPU");
  add(metric.simulator, "simulator");
  add(metric.compiler, "compiler");
  add(metric.trace, "trace");
  if (metric.agreement) sources.emplace_back("agreement");
  return sources;
}

nlohmann::json to_json(const Metric& metric) {
  return {{"name", metric.name},
          {"label", metric.label},
          {"unit", metric.unit},
          {"group", metric.group},
          {"meaning", metric.meaning},
          {"try_next", metric.try_next},
          {"counted_by", sources_of(metric)}};
}

std::string metric_text(const Terminal& out, const Metric& metric) {
  const std::string unit = metric.unit.empty() ? "" : std::string(metric.unit) + "; ";
  const std::string sources = fmt::format("{}{}", unit, fmt::join(sources_of(metric), ", "));
  return "\n" + row_text(out, {{std::string(metric.name), Tone::strong}, {sources, Tone::faint}}) +
         paragraph(out, std::string(metric.label) + ". " + std::string(metric.meaning), 4);
}

}  // namespace

int metrics(const Context& context, const ShownOptions& options) {
  nlohmann::json array = nlohmann::json::array();
  std::string text, group;
  for (const Metric& metric : metric_catalogue()) {
    array.push_back(to_json(metric));
    if (group != metric.group)
      text += "\n  " + context.out.paint(Tone::accent, metric.group) + "\n";
    group = metric.group;
    text += metric_text(context.out, metric);
  }
  if (options.json)
    print_json(array);
  else
    show(context, text + "\n");
  return exit_ok;
}

}  // namespace klab::cli
