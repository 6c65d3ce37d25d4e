// The plan and the recordings of the agreement as JSON, read defensively.
#include <algorithm>

#include "core/base/files.hpp"
#include "core/base/text/json_text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/record/agreement.hpp"
#include "core/record/results.hpp"
#include "core/verdict/json/check_result_json.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

/// Raised when a reader of the old format would misread the new one.
constexpr int agreement_format = 1;
constexpr const char* course_folder = "tests/simulator/agreement";
constexpr std::pair<Promise, const char*> promises[] = {
    {Promise::equal, "equal"}, {Promise::within_10_pct, "within_10_pct"}, {Promise::none, "shown"}};

/// A JSON object of bounded depth; discarded if the text is anything else.
Json parse_object(const std::string& text) {
  if (json_reading::nests_deeper(text, 16)) return Json(Json::value_t::discarded);
  Json json = json_from(text);
  return json.is_object() ? json : Json(Json::value_t::discarded);
}

/// What both sides made of one kernel, an object of its own in the file.
struct BothResults {
  AgreementKernel& kernel;
};

template <class Visit>
void fields(Visit& visit, BothResults& both) {
  visit("simulator", both.kernel.simulator_digest);
  visit("simulator_correct", both.kernel.simulator_correct);
  visit("gpu", both.kernel.gpu_digest);
  visit("gpu_correct", both.kernel.gpu_correct);
}

Error not_a_recording(const fs::path& path, const std::string& why) {
  return make_error(ErrorCode::io, path.string() + " is no recorded agreement: " + why + ".",
                    "Restore the file, or record anew with " + Act{Verb::agree} + " on that GPU.");
}

}  // namespace

template <class Visit>
void fields(Visit& visit, AgreementRow& row) {
  visit("metric", row.metric);
  visit("label", json_fields::word(row.label, source_from, "unknown label"));
  visit("simulator", row.simulator);
  visit("gpu", row.gpu);
  if constexpr (!Visit::reads) visit("difference", row.difference());
  visit.if_there("reason", row.reason);
}

template <class Visit>
void fields(Visit& visit, AgreementKernel& kernel) {
  BothResults results{kernel};
  visit("kernel", kernel.kernel);
  visit("variant", kernel.variant);
  visit("size", kernel.size);
  visit("sources", kernel.sources);
  visit("results", results);
  visit("metrics", kernel.rows);
}

template <class Visit>
void fields(Visit& visit, Agreement& agreement) {
  visit.version("format", agreement_format, "another format");
  visit("device", agreement.device);
  visit("date", agreement.date);
  visit("kernels", agreement.kernels);
  if constexpr (Visit::reads) return;
  visit("driver", agreement.device.driver);
  visit("toolkit", agreement.device.toolkit);
}

Result<AgreementPlan> load_agreement_plan(const fs::path& root) {
  const fs::path folder = root / course_folder;
  const auto bad = [&](const std::string& why) {
    return make_error(ErrorCode::bad_lab, (folder / "plan.json").string() + ": " + why + ".",
                      "Restore the file.");
  };
  const auto text = read_file(folder / "plan.json", 1u << 20);
  if (!text) return text.error();
  const Json json = parse_object(*text);
  if (json.is_discarded()) return bad("it is not a JSON object");
  AgreementPlan plan;
  try {
    auto lab = load_lab(folder, json.at("lab").get<std::string>());
    if (!lab) return lab.error();
    plan.patterns = std::move(*lab);
    plan.names = json.at("patterns").get<std::vector<std::string>>();
    for (const auto& [promise, key] : promises)
      for (const std::string name : json.at("metrics").at(key)) {
        if (find_metric(name) == nullptr) return bad("there is no metric \"" + name + "\"");
        plan.metrics.emplace_back(name, promise);
      }
    for (const Json& known : json.at("known")) {
      KnownDifference difference{.metric = known.at("metric"), .reason = known.at("reason")};
      if (known.contains("kernel")) difference.kernel = known["kernel"].get<std::string>();
      if (known.contains("variant")) difference.variant = known["variant"].get<VariantName>();
      plan.known.push_back(std::move(difference));
    }
  } catch (const std::exception& failure) {
    return bad(failure.what());
  }
  return plan;
}

fs::path agreement_file(const fs::path& root, const DeviceFacts& device) {
  const fs::path file = results_file(root, device);
  return file.parent_path() / "agreement" / file.filename();
}

Result<Agreement> read_agreement(const fs::path& path) {
  const auto text = read_file(path, 8u << 20);
  if (!text) return text.error();
  const Json json = parse_object(*text);
  if (json.is_discarded()) return not_a_recording(path, "it is not a JSON object");
  auto agreement = json_reading::decode_object<Agreement>(
      json, json_fields::whole<Agreement>,
      [&](const char* why) { return not_a_recording(path, why); });
  if (!agreement) return agreement;
  if (agreement->device.name.empty()) return not_a_recording(path, "the device has no name");
  return agreement;
}

Result<> write_agreement(const fs::path& path, const Agreement& agreement) {
  const Json json = json_fields::of_fields(agreement);
  return write_file(path, json_text(json, 1) + "\n");
}

std::vector<fs::path> recordings_in(const fs::path& root, Recorded kind) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(root / "docs" / "results" / "agreement", error), end;
       !error && it != end; it.increment(error)) {
    const bool random = it->path().filename().string().starts_with(random_recording);
    if (it->path().extension() == ".json" && random == (kind == Recorded::random_kernels))
      paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<std::vector<Agreement>> load_agreements(const fs::path& root) {
  std::vector<Agreement> all;
  for (const fs::path& path : recordings_in(root, Recorded::kernels)) {
    auto agreement = read_agreement(path);
    if (!agreement) return agreement.error();
    all.push_back(std::move(*agreement));
  }
  return all;
}

}  // namespace klab
