// One JSON object a file: labs are told apart by the figures' "lab" and by the keys of "digests".
#include "core/record/bench_record.hpp"

#include <nlohmann/json.hpp>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text/json_text.hpp"

namespace klab {
namespace {

using Json = nlohmann::json;

bool is_record(const Json& json) {
  return json.is_object() && json.contains("digests") && json["digests"].is_object() &&
         json.contains("figures") && json["figures"].is_array() && json.contains("device") &&
         json["device"].is_object();
}

bool is_of_same_gpu(const Json& one, const Json& other) {
  const auto same = [&](const char* field) {
    return one["device"].value(field, Json()) == other["device"].value(field, Json());
  };
  return same("name") && same("driver");
}

void forget(Json& record, const std::string& lab) {
  record["digests"].erase(lab);
  Json kept = Json::array();
  for (Json& figure : record["figures"])
    if (!figure.is_object() || figure.value("lab", "") != lab) kept.push_back(std::move(figure));
  record["figures"] = std::move(kept);
}

/// Null where there is no file.
Result<Json> recorded_in(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) return Json();
  const auto text = read_file(path);
  if (!text) return text.error();
  Json json = json_from(*text);
  if (is_record(json)) return json;
  return make_error(ErrorCode::io, path.string() + " is no record of `klab bench`.",
                    "Restore that file, move it away, or name another one with --output.");
}

}  // namespace

Result<> add_figures(const std::filesystem::path& path, const Json& record) {
  auto earlier = recorded_in(path);
  if (!earlier) return earlier.error();
  Json all = record;
  if (!earlier->is_null() && is_of_same_gpu(*earlier, record)) {
    for (const auto& [lab, digests] : record["digests"].items()) forget(*earlier, lab);
    Json figures = std::move((*earlier)["figures"]);
    for (const Json& figure : record["figures"]) figures.push_back(figure);
    all["figures"] = std::move(figures);
    all["digests"].update((*earlier)["digests"]);
  }
  return write_file(path, json_text(all, 2) + "\n");
}

Result<> prune_figures(const std::filesystem::path& folder, const Course& course) {
  std::error_code failure;
  for (std::filesystem::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    const auto text = read_file(it->path());
    auto json = text ? json_from(*text) : Json();
    if (!is_record(json)) continue;
    const std::size_t before = json["digests"].size();
    for (const Lab& lab : course.labs) {
      const auto its = json["digests"].find(lab.id);
      if (its == json["digests"].end()) continue;
      const auto flawed = read_file(lab.flawed()), optimized = read_file(lab.optimized());
      if (flawed && optimized && its->value("flawed", "") == sha256(*flawed) &&
          its->value("optimized", "") == sha256(*optimized))
        continue;
      forget(json, lab.id);
    }
    if (json["digests"].size() == before) continue;
    if (auto written = write_file(it->path(), json_text(json, 2) + "\n"); !written) return written;
  }
  return Ok{};
}

}  // namespace klab
