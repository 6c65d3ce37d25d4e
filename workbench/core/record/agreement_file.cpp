// The plan and the recordings of the agreement as JSON, read defensively.
#include <algorithm>

#include "core/base/files.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/record/agreement.hpp"
#include "core/record/results.hpp"
#include "core/verdict/check_result_json.hpp"
#include "core/verdict/json_reading.hpp"

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
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json(Json::value_t::discarded);
}

std::optional<double> number_from(const Json& json) {
  return json.is_number() ? std::optional<double>(json.get<double>()) : std::nullopt;
}

Json to_json(const AgreementKernel& kernel) {
  Json rows = Json::array();
  for (const AgreementRow& row : kernel.rows) {
    Json item = {{"metric", row.metric},
                 {"label", to_string(row.label)},
                 {"simulator", json_reading::number(row.simulator)},
                 {"gpu", json_reading::number(row.gpu)},
                 {"difference", json_reading::number(row.difference())}};
    if (!row.reason.empty()) item["reason"] = row.reason;
    rows.push_back(std::move(item));
  }
  return {{"kernel", kernel.kernel},
          {"variant", kernel.variant},
          {"size", kernel.size},
          {"sources", kernel.sources},
          {"results",
           {{"simulator", kernel.simulator_digest},
            {"simulator_correct", kernel.simulator_correct},
            {"gpu", kernel.gpu_digest},
            {"gpu_correct", kernel.gpu_correct}}},
          {"metrics", std::move(rows)}};
}

/// Throws json::exception or invalid_argument on anything missing or of the wrong type.
AgreementKernel agreement_kernel_from(const Json& json) {
  AgreementKernel kernel;
  kernel.kernel = json.at("kernel");
  kernel.variant = json.at("variant");
  kernel.size = json.at("size").get<Size>();
  kernel.sources = json.at("sources").get<std::map<std::string, std::string>>();
  const Json& results = json.at("results");
  kernel.simulator_digest = results.at("simulator");
  kernel.simulator_correct = results.at("simulator_correct");
  kernel.gpu_digest = results.at("gpu");
  kernel.gpu_correct = results.at("gpu_correct");
  for (const Json& item : json.at("metrics")) {
    const auto label = source_from(item.at("label").get<std::string>());
    if (!label) throw std::invalid_argument("unknown label");
    kernel.rows.push_back({item.at("metric"), *label, number_from(item.at("simulator")),
                           number_from(item.at("gpu")), item.value("reason", "")});
  }
  return kernel;
}

Error not_a_recording(const fs::path& path, const std::string& why) {
  return make_error(ErrorCode::io, path.string() + " is no recorded agreement: " + why + ".",
                    "Restore the file, or record anew with `./klab course agree` on that GPU.");
}

}  // namespace

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
    for (const Json& known : json.at("known"))
      plan.known.push_back({known.value("kernel", "*"), known.value("variant", "*"),
                            known.at("metric"), known.at("reason")});
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
  Agreement agreement;
  try {
    if (json.at("format") != agreement_format) throw std::invalid_argument("another format");
    agreement.device = device_from(json.at("device"));
    agreement.date = json.at("date");
    for (const Json& kernel : json.at("kernels"))
      agreement.kernels.push_back(agreement_kernel_from(kernel));
  } catch (const Json::exception&) {
    return not_a_recording(path, "a field is missing or of another kind");
  } catch (const std::exception& failure) {
    return not_a_recording(path, failure.what());
  }
  if (agreement.device.name.empty()) return not_a_recording(path, "the device has no name");
  return agreement;
}

Result<> write_agreement(const fs::path& path, const Agreement& agreement) {
  Json kernels = Json::array();
  for (const AgreementKernel& kernel : agreement.kernels) kernels.push_back(to_json(kernel));
  const Json json = {{"format", agreement_format},
                     {"device", to_json(agreement.device)},
                     {"driver", agreement.device.driver},
                     {"toolkit", agreement.device.toolkit},
                     {"date", agreement.date},
                     {"kernels", std::move(kernels)}};
  return write_file(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<std::vector<Agreement>> load_agreements(const fs::path& root) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(root / "docs" / "results" / "agreement", error), end;
       !error && it != end; it.increment(error))
    if (it->path().extension() == ".json") paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  std::vector<Agreement> all;
  for (const fs::path& path : paths) {
    auto agreement = read_agreement(path);
    if (!agreement) return agreement.error();
    all.push_back(std::move(*agreement));
  }
  return all;
}

}  // namespace klab
