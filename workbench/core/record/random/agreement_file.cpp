// Recordings of random kernels as JSON, read defensively, and as the tables of docs/agreement.md.
#include <algorithm>
#include <map>

#include "core/base/files.hpp"
#include "core/base/text/json_text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"
#include "core/record/random/agreement.hpp"
#include "core/verdict/json/check_result_json.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

/// Raised when a reader of the old format would misread the new one.
constexpr int random_recording_format = 2;

Error no_random_recording(const fs::path& path, const std::string& why) {
  return make_error(ErrorCode::io,
                    path.string() + " is no recorded agreement on random kernels: " + why + ".",
                    "Restore the file, or record anew on that GPU: " + Act{Verb::agree} +
                        " with `--random 2000`.");
}

std::string subject_text(const std::string& name) {
  const Metric* metric = find_metric(name);
  return metric ? std::string(metric->label) : name;
}

const char* promise_text(Promise promise) {
  switch (promise) {
    case Promise::equal:
      return "equal";
    case Promise::within_10_pct:
      return "within 10 %";
    case Promise::none:
      break;
  }
  return "none";
}

std::string metrics_table(const AgreementPlan& plan, const RandomAgreement& agreement) {
  std::string text =
      "| metric | promise | kernels that have any | kept | with a reason | without |\n"
      "|---|---|--:|--:|--:|--:|\n";
  for (const RandomTally& tally : agreement.metrics) {
    const auto promise =
        std::find_if(plan.metrics.begin(), plan.metrics.end(),
                     [&](const auto& metric) { return metric.first == tally.metric; });
    const Promise promised = promise == plan.metrics.end() ? Promise::none : promise->second;
    const RandomReasons reasons = reasons_of(agreement, tally.metric);
    text += "| " + subject_text(tally.metric) + " | " + promise_text(promised) + " | " +
            format_count(tally.counted) + " | " + format_count(tally.kept) + " | ";
    text += promised == Promise::none
                ? "– | – |\n"
                : format_count(reasons.known) + " | " + format_count(reasons.none) + " |\n";
  }
  return text;
}

/// How often each reason explains a difference.
std::string reasons_table(const RandomAgreement& agreement) {
  std::map<std::pair<std::string, RandomReason>, int> counts;
  for (const RandomDifference& difference : agreement.differences)
    if (difference.reason != RandomReason::none) ++counts[{difference.subject, difference.reason}];
  if (counts.empty()) return {};
  std::string text = "\n| what differs | kernels | why |\n|---|--:|---|\n";
  for (const auto& [what, count] : counts)
    text += "| " + subject_text(what.first) + " | " + format_count(count) + " | " +
            words_of(what.second) + " |\n";
  return text;
}

std::string open_table(const RandomAgreement& agreement) {
  std::string text;
  for (const RandomDifference& difference : agreement.differences)
    if (difference.reason == RandomReason::none)
      text += "| " + std::to_string(difference.seed) + " | " + subject_text(difference.subject) +
              " | " + difference.simulator.text() + " | " + difference.gpu.text() + " |\n";
  if (text.empty()) return "\nNo difference is without a reason.\n";
  return "\nWithout a reason:\n\n| seed | what differs | simulator | GPU |\n|--:|---|--:|--:|\n" +
         text;
}

constexpr std::pair<RandomReason, std::string_view> reason_names[] = {
    {RandomReason::unseen_spills, "unseen_spills"},
    {RandomReason::optimizer, "optimizer"},
    {RandomReason::division, "division"},
    {RandomReason::division_behind_optimizer, "division_behind_optimizer"},
    {RandomReason::grouping, "grouping"},
    {RandomReason::grouping_behind_optimizer, "grouping_behind_optimizer"},
    {RandomReason::grouping_behind_division, "grouping_behind_division"},
    {RandomReason::grouping_behind_both, "grouping_behind_both"},
    {RandomReason::translation, "translation"}};

}  // namespace

/// As "optimizer"; none is null.
Json to_json(RandomReason reason) {
  for (const auto& [value, name] : reason_names)
    if (value == reason) return name;
  return nullptr;
}
bool read_json(const Json& json, RandomReason& reason) {
  if (json.is_null()) return true;
  for (const auto& [value, name] : reason_names)
    if (json.is_string() && json.get_ref<const std::string&>() == name) {
      reason = value;
      return true;
    }
  return false;
}
/// As "memory".
Json to_json(RandomKind kind) { return name_of(kind); }
bool read_json(const Json& json, RandomKind& kind) {
  const auto read =
      json.is_string() ? random_kind_from(json.get_ref<const std::string&>()) : std::nullopt;
  if (read) kind = *read;
  return read.has_value();
}

template <class Visit>
void fields(Visit& visit, RandomFigure& figure) {
  visit.if_there("count", figure.count);
  visit.if_there("missing", figure.missing);
  visit.if_there("result", figure.result);
}

template <class Visit>
void fields(Visit& visit, RandomTally& tally) {
  visit("metric", tally.metric);
  visit("compared", tally.compared);
  visit("counted", tally.counted);
  visit("kept", tally.kept);
}

template <class Visit>
void fields(Visit& visit, RandomDifference& difference) {
  visit("seed", difference.seed);
  visit("subject", difference.subject);
  visit("simulator", difference.simulator);
  visit("gpu", difference.gpu);
  visit("reason", difference.reason);
}

template <class Visit>
void fields(Visit& visit, RandomLook& look) {
  visit("seed", look.seed);
  visit.if_there("form", look.form);
  visit("metric", look.metric);
  visit("simulator", look.simulator);
  visit("gpu", look.gpu);
}

template <class Visit>
void fields(Visit& visit, RandomAgreement& agreement) {
  visit.version("format", random_recording_format, "another format");
  visit("device", agreement.device);
  visit("date", agreement.date);
  visit("kind", agreement.kind);
  visit("first_seed", agreement.first_seed);
  visit("last_seed", agreement.last_seed);
  visit("kernels", agreement.kernels);
  visit("same_results", agreement.same_results);
  visit("generator", agreement.generator);
  visit.if_there("simulator", agreement.simulator);
  visit("metrics", agreement.metrics);
  visit("differences", agreement.differences);
  visit.if_there("looks", agreement.looks);
}

fs::path random_agreement_file(const fs::path& root, const DeviceFacts& device, RandomKind kind) {
  const fs::path file = agreement_file(root, device);
  const std::string of_kind =
      kind == RandomKind::usual ? std::string() : std::string(name_of(kind)) + "-";
  return file.parent_path() / (random_recording + of_kind + file.filename().string());
}

Result<RandomAgreement> read_random_agreement(const fs::path& path) {
  const auto text = read_file(path, 8u << 20);
  if (!text) return text.error();
  if (json_reading::nests_deeper(*text, 16)) return no_random_recording(path, "it nests too deep");
  const Json json = json_from(*text);
  if (!json.is_object()) return no_random_recording(path, "it is not a JSON object");
  auto agreement = json_reading::decode_object<RandomAgreement>(
      json, json_fields::whole<RandomAgreement>,
      [&](const char* why) { return no_random_recording(path, why); });
  if (agreement && (agreement->first_seed < 1 || agreement->last_seed < agreement->first_seed ||
                    agreement->last_seed - agreement->first_seed >= most_random_kernels))
    return no_random_recording(path, "its seeds are impossible");
  if (agreement && agreement->device.name.empty())
    return no_random_recording(path, "the device has no name");
  return agreement;
}

Result<> write_random_agreement(const fs::path& path, const RandomAgreement& agreement) {
  const Json json = json_fields::of_fields(agreement);
  return write_file(path, json_text(json, 1) + "\n");
}

std::optional<RandomAgreement> begun_random_agreement(const fs::path& root,
                                                      const AgreementPlan& plan,
                                                      const fs::path& path,
                                                      const RandomAgreement& fresh,
                                                      std::uint64_t last_seed) {
  auto begun = read_random_agreement(path);
  if (!begun || begun->kind != fresh.kind || begun->first_seed != fresh.first_seed ||
      begun->last_seed >= last_seed)
    return {};
  const DeviceFacts& device = begun->device;
  if (device.name != fresh.device.name || device.driver != fresh.device.driver ||
      device.toolkit != fresh.device.toolkit || begun->simulator != fresh.simulator)
    return {};
  std::vector<std::string> metrics;
  for (const RandomTally& tally : begun->metrics) metrics.push_back(tally.metric);
  if (metrics != random_metrics(plan)) return {};
  const auto generator = generator_digest(root, begun->seeds(), begun->kind);
  if (!generator || *generator != begun->generator) return {};
  return std::move(*begun);
}

Result<std::vector<RandomAgreement>> load_random_agreements(const fs::path& root) {
  std::vector<RandomAgreement> all;
  for (const fs::path& path : recordings_in(root, Recorded::random_kernels)) {
    auto agreement = read_random_agreement(path);
    if (!agreement) return agreement.error();
    all.push_back(std::move(*agreement));
  }
  return all;
}

std::string random_agreement_markdown(const AgreementPlan& plan,
                                      const std::vector<RandomAgreement>& recordings) {
  std::string text;
  for (const RandomAgreement& agreement : recordings)
    text +=
        (agreement.kind == RandomKind::usual
             ? "## Random kernels on "
             : "## Random kernels of the kind " + std::string(name_of(agreement.kind)) + " on ") +
        agreement.device.name + ", driver " + agreement.device.driver + ", CUDA " +
        agreement.device.toolkit + ", " + agreement.date.substr(0, 10) + "\n\n" +
        format_count(agreement.kernels) + " kernels, of the seeds " +
        std::to_string(agreement.first_seed) + " to " + std::to_string(agreement.last_seed) + ": " +
        format_count(agreement.same_results) +
        " give the same bits on host, simulator and GPU.\n\n" +
        metrics_table(random_plan(plan, agreement.kind), agreement) + reasons_table(agreement) +
        open_table(agreement) + "\n";
  return text;
}

}  // namespace klab
