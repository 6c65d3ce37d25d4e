// Reading and writing recorded results, and finding those that no longer match the course.
#include "core/record/results.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text/json_text.hpp"
#include "core/check/withheld.hpp"
#include "core/measure/least_work.hpp"
#include "core/verdict/json/check_result_json.hpp"
#include "core/verdict/json/json_reading.hpp"

namespace klab {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// Raised when a reader of the old format would misread the new one.
constexpr int results_format = 1;

/// Every n-th value, so that at most most_recorded_samples are left.
std::vector<double> thinned(const std::vector<double>& values) {
  const std::size_t step = values.size() / most_recorded_samples + 1;
  std::vector<double> kept;
  for (std::size_t i = 0; i < values.size() && kept.size() < most_recorded_samples; i += step)
    kept.push_back(values[i]);
  return kept;
}

Error not_results(const fs::path& path, const std::string& why) {
  return make_error(ErrorCode::io, path.string() + " is not a record of results: " + why + ".",
                    "Restore the file, or record anew with " + Act{Verb::record} + " on that GPU.");
}

}  // namespace

fs::path results_file(const fs::path& root, const DeviceFacts& device) {
  std::string name;
  for (const unsigned char c : device.name) {
    if (std::isalnum(c))
      name += static_cast<char>(std::tolower(c));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return root / "docs" / "results" / ((name.empty() ? "unknown" : name) + ".json");
}

Result<RecordedResults> read_results(const fs::path& path) {
  const auto text = read_file(path, 32u << 20);
  if (!text) return text.error();
  if (json_reading::nests_deeper(*text, 16)) return not_results(path, "it nests too deep");
  const Json json = json_from(*text);
  if (!json.is_object()) return not_results(path, "it is not a JSON object");
  const auto format = json.find("format");
  if (format == json.end() || *format != results_format)
    return not_results(path, "its format is not " + std::to_string(results_format));
  const auto runs = json.find("runs");
  if (runs == json.end() || !runs->is_array()) return not_results(path, "`runs` is no array");
  if (runs->size() > most_recorded_runs)
    return not_results(path, "it holds " + std::to_string(runs->size()) + " runs, more than " +
                                 std::to_string(most_recorded_runs));
  RecordedResults results;
  if (const auto device = json.find("device"); device != json.end())
    results.device = device_from(*device);
  if (results.device.name.empty()) return not_results(path, "the device has no name");
  if (const auto date = json.find("date"); date != json.end() && date->is_string())
    results.date = date->get<std::string>();
  for (const Json& run : *runs) {
    auto result = check_result_from(run);
    if (!result)
      return not_results(path,
                         "run " + std::to_string(results.runs.size()) + ": " + result.error().what);
    results.runs.push_back(std::move(*result));
  }
  return results;
}

Result<> write_results(const fs::path& path, const RecordedResults& results) {
  Json runs = Json::array();
  for (CheckResult run : results.runs) {
    for (auto& [name, times] : run.timing.variants) {
      times.samples_s = thinned(times.samples_s);
      times.sm_clock_mhz = thinned(times.sm_clock_mhz);
    }
    runs.push_back(to_json(run));
  }
  const Json json = {{"format", results_format},
                     {"device", to_json(results.device)},
                     {"driver", results.device.driver},
                     {"toolkit", results.device.toolkit},
                     {"date", results.date},
                     {"runs", runs}};
  return write_file(path, json_text(json, 1) + "\n");
}

AllResults load_results(const fs::path& root) {
  AllResults all;
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(root / "docs" / "results", error), end; !error && it != end;
       it.increment(error))
    if (it->path().extension() == ".json") paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    auto results = read_results(path);
    if (results)
      all.good.push_back(std::move(*results));
    else
      all.broken.push_back(results.error());
  }
  const auto rank = [](const RecordedResults& results) {
    return std::pair(results.device.name == gpu_of_the_lessons, results.runs.size());
  };
  std::stable_sort(all.good.begin(), all.good.end(),
                   [&](const RecordedResults& one, const RecordedResults& other) {
                     return rank(one) > rank(other);
                   });
  return all;
}

const CheckResult* find_run(const RecordedResults& results, const std::string& lab,
                            const VariantName& variant) {
  for (const CheckResult& run : results.runs)
    if (run.lab == lab && run.variant == variant) return &run;
  return nullptr;
}

std::string recorded_day(const RecordedResults& results, const CheckResult& run) {
  constexpr std::size_t length = std::string_view("2026-11-21").size();
  return (run.date.empty() ? results.date : run.date).substr(0, length);
}

bool is_recorded(const RecordedResults& results, const Lab& lab) {
  return std::any_of(results.runs.begin(), results.runs.end(),
                     [&](const CheckResult& run) { return run.lab == lab.id; });
}

std::vector<std::string> stale_runs(const RecordedResults& results, const Course& course) {
  std::vector<std::string> stale;
  std::set<std::pair<std::string, VariantName>> present;
  for (const Lab& lab : course.labs) {
    if (!is_recorded(results, lab)) continue;
    for (const Variant& variant : variants(lab)) {
      present.emplace(lab.id, variant.name);
      const std::string which = lab.id + " " + variant.name.shown();
      const CheckResult* run = find_run(results, lab.id, variant.name);
      const auto source = read_file(variant.path);
      if (!source)
        stale.push_back(which + ": " + source.error().what);
      else if (run == nullptr) {
        // The gallery is tried by the course's tests on any GPU; the table needs these alone.
        if (variant.name == VariantName::flawed || variant.name == VariantName::optimized)
          stale.push_back(which + " was not recorded on " + results.device.name + ".");
      } else if (run->source_digest != sha256(*source))
        stale.push_back(which + " has changed since it was recorded on " + results.device.name +
                        ".");
    }
  }
  for (const CheckResult& run : results.runs)
    if (!present.count({run.lab, run.variant}))
      stale.push_back(run.lab + " " + run.variant.shown() +
                      " is recorded but no longer in the course.");
  return stale;
}

CheckResult judged_again(CheckResult run) {
  for (auto& [variant, counters] : run.counters) withdraw_unseen_in_graphs(counters);
  const auto counters = run.counters.find(VariantName::mine);
  const bool told = counters != run.counters.end() && tells_operations(counters->second);
  std::erase_if(run.gates, [&](const Gate& gate) {
    return gate.subject == operations_subject && gate.outcome == Outcome::fail &&
           gate.source == Source::measured && !told;
  });
  std::vector<Gate> asked;
  for (const Gate& gate : run.gates)
    if (gate.name != GateName::cause && gate.name != GateName::time) asked.push_back(gate);
  for (RungResult& rung : run.rungs) {
    asked.insert(asked.end(), rung.gates.begin(), rung.gates.end());
    rung.outcome = combine(asked);
  }
  run.verdict = combine(run.gates);
  run.conclusion = conclusion(run.gates);
  return run;
}

bool is_current(const RecordedResults& results, const Lab& lab, const Variant& variant) {
  const CheckResult* run = find_run(results, lab.id, variant.name);
  const auto source = read_file(variant.path);
  return run != nullptr && source && run->source_digest == sha256(*source);
}

Result<std::string> with_results(std::string_view document, std::string_view markdown) {
  const std::size_t begin = document.find(results_begin);
  const std::size_t end = document.find(results_end);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
    return make_error(ErrorCode::io, "The document has no markers for the table of results.",
                      "Add the lines `" + std::string(results_begin) + "` and `" +
                          std::string(results_end) + "` where the table belongs.");
  std::string text(document.substr(0, begin + results_begin.size()));
  text += "\n";
  text += markdown;
  text += document.substr(end);
  return text;
}

}  // namespace klab
