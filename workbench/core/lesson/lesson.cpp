// Filling a lab's facts into its prose.
#include "core/lesson/lesson.hpp"

#include <algorithm>
#include <map>

#include "core/base/files.hpp"
#include "core/base/names.hpp"
#include "core/lesson/figure.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/ceilings.hpp"
#include "core/measure/format.hpp"
#include "core/record/results.hpp"
#include "core/verdict/lookup.hpp"

namespace klab {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// A bound inside a sentence: "at most 16.5", "at least 1,000".
std::string words(const Bound& bound) {
  const std::string value = format_count(bound.value);
  switch (bound.relation) {
    case Bound::Relation::at_most:
      return bound.value == 0 ? "0" : "at most " + value;  // no count is below nothing
    case Bound::Relation::at_least:
      return "at least " + value;
    case Bound::Relation::equal:
      break;
  }
  return "exactly " + value;
}

/// The ladder as a numbered list: what each step changes, and what it gained where it was recorded.
std::string ladder(const Lab& lab, const std::vector<RecordedResults>& recordings) {
  std::string text;
  for (const Step& step : lab.steps) {
    text += std::to_string(1 + &step - lab.steps.data()) + ". **" + step.name + "** (`" +
            step.file.name() + ".cu`). " + step.why;
    for (const RecordedResults& recording : recordings)
      if (const CheckResult* run = find_run(recording, lab.id, step.file); run && run->timing.ratio)
        text += " " + recording.device.name + ": " + format_number(run->timing.ratio->median) +
                " times as fast as the flawed kernel.";
    text += "\n";
  }
  return text;
}

/// What prose may quote of the first recording that holds the lab: {{ratio.fair_graph}}, "12.4x",
/// and {{counted.dram_throughput_pct}}, "84.7 %", which is the solution's.
struct Recorded {
  std::string device;  ///< empty: never recorded
  std::map<std::string, std::string> facts;
};

Recorded recorded_of(const Lab& lab, const std::vector<RecordedResults>& recordings) {
  const std::string missing = "not recorded";
  const auto found = std::ranges::find_if(
      recordings, [&](const RecordedResults& each) { return is_recorded(each, lab); });
  const bool recorded = found != recordings.end();
  const auto run_of = [&](const VariantName& variant) {
    return recorded ? find_run(*found, lab.id, variant) : nullptr;
  };
  Recorded result{.device = recorded ? found->device.name : "", .facts = {}};
  for (const Variant& variant : variants(lab)) {
    const CheckResult* run = run_of(variant.name);
    const std::string ratio = run ? format_ratio(run->timing.ratio) : "";
    result.facts["ratio." + variant.name.name()] =
        run && run->timing.ratio ? ratio.substr(0, ratio.find(' ')) : missing;
  }
  // The run of the flawed kernel has every counter, of the solution too.
  const CheckResult* whole = run_of(VariantName::flawed);
  for (const Metric& metric : metric_catalogue()) {
    const std::string name(metric.name);
    const CounterValue* counter =
        whole ? find_counter(whole->counters, VariantName::optimized, name) : nullptr;
    result.facts["counted." + name] =
        counter && counter->value ? format_value(counter->value, metric.unit) : missing;
  }
  return result;
}

/// Every fact of the lab that prose may quote, by placeholder.
std::map<std::string, std::string> facts_of(const Lab& lab) {
  std::map<std::string, std::string> facts = {
      {"title", lab.title},
      {"summary", lab.summary},
      {"id", lab.id},
      {"slug", lab.slug},
      {"folder", lab.folder},
      {"category", lab.category},
      {"concepts", joined(lab.concepts)},
      {"dimensions", joined(lab.dimensions)},
      {"gpus", std::to_string(lab.gpus)},
      {"minimum_compute_capability", to_string(lab.minimum_compute_capability)},
      {"time_limit_s", format_number(lab.time_limit_s)},
      {"sizes.timing", to_string(lab.sizes.timing)},
      {"file", "workbook/" + lab.folder + ".cu"},
  };
  if (lab.sizes.simulator) facts["sizes.simulator"] = to_string(*lab.sizes.simulator);
  const TimeTarget& time = lab.pass().time;
  if (time.speedup) facts["time.speedup"] = format_number(*time.speedup);
  if (time.ceiling) {
    const CeilingInfo* ceiling = find_ceiling(time.ceiling->of);
    facts["time.ceiling.of"] = ceiling ? std::string(ceiling->label) : time.ceiling->of;
    facts["time.ceiling.at_least"] = format_percent(100 * time.ceiling->at_least);
  }
  if (time.at_most_s) facts["time.at_most_s"] = format_seconds(*time.at_most_s);
  for (const CauseTarget& cause : lab.pass().causes) {
    const std::string prefix = "cause." + cause.metric + ".";
    const Metric* metric = find_metric(cause.metric);
    facts[prefix + "target"] = words(cause.target);
    facts[prefix + "why"] = cause.why;
    facts[prefix + "label"] = metric ? std::string(metric->label) : cause.metric;
  }
  return facts;
}

std::string trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(' ');
  if (start == std::string_view::npos) return {};
  return std::string(text.substr(start, text.find_last_not_of(' ') - start + 1));
}

Result<std::string> read_prose(const Lab& lab, const std::filesystem::path& path) {
  const auto text = read_file(path, 1u << 20);
  if (!text) return text.error();
  const std::string name = path.lexically_relative(lab.root).string();
  if (const auto figures = figures_in(name, *text); !figures) return figures.error();
  return fill_in(lab, name, *text);
}

}  // namespace

Result<std::string> fill_in(const Lab& lab, std::string_view name, std::string_view text) {
  auto facts = facts_of(lab);
  std::string device;
  const auto quotes = [&](std::string_view what) { return text.find(what) != text.npos; };
  if (quotes("{{steps}}") || quotes("{{ratio.") || quotes("{{counted.")) {
    const std::vector<RecordedResults> recordings = load_results(lab.root).good;
    if (!lab.steps.empty()) facts["steps"] = ladder(lab, recordings);
    Recorded recorded = recorded_of(lab, recordings);
    facts.merge(recorded.facts);
    device = recorded.device;
  }
  std::string filled;
  bool quotes_ratios = false, quotes_counts = false;
  std::size_t from = 0;
  for (std::size_t open; (open = text.find("{{", from)) != std::string_view::npos;) {
    const std::size_t close = text.find("}}", open);
    const auto fail = [&](const std::string& what, std::string remedy) {
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(open), '\n');
      return make_error(ErrorCode::bad_lab,
                        std::string(name) + ":" + std::to_string(line) + ": " + what,
                        std::move(remedy));
    };
    if (close == std::string_view::npos || close - open > 120)
      return fail("a placeholder begins with {{ but does not end.", "Close it with }}.");
    const std::string key = trimmed(text.substr(open + 2, close - open - 2));
    const auto fact = facts.find(key);
    if (fact == facts.end()) {
      std::vector<std::string> known;
      for (const auto& [known_key, value] : facts) known.push_back(known_key);
      const auto near = near_names(key, known, 1);
      return fail("the placeholder {{" + key + "}} names no fact of this lab.",
                  near.empty() ? "See docs/adding-a-lab.md for the placeholders."
                               : "Did you mean {{" + near.front() + "}}?");
    }
    filled += text.substr(from, open - from);
    filled += fact->second;
    quotes_ratios |= key.starts_with("ratio.");
    quotes_counts |= key.starts_with("counted.");
    from = close + 2;
  }
  filled += text.substr(from);
  if (quotes_ratios && !device.empty())
    filled +=
        "\nA ratio such as 2.5x compares with the flawed kernel, as recorded on " + device + ".\n";
  if (quotes_counts && !device.empty())
    filled += "\nCounters of the solution are those recorded on " + device + ".\n";
  return filled;
}

Result<std::string> read_lesson(const Lab& lab) { return read_prose(lab, lab.lesson()); }
Result<std::string> read_explanation(const Lab& lab) { return read_prose(lab, lab.explanation()); }

}  // namespace klab
