// Recording: reading and writing. A recording is data: everything in it is checked.
#include "ui/replay/recording.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/files.hpp"
#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/base/text/json_text.hpp"
#include "core/verdict/json/check_result_json.hpp"
#include "core/verdict/json/json_reading.hpp"

namespace klab::ui {
namespace {

using Json = nlohmann::json;
constexpr std::size_t longest_recording_bytes = 64u << 20;
constexpr double longest_time_s = 24 * 3600;

constexpr std::pair<CheckEvent::Kind, std::string_view> kinds[] = {
    {CheckEvent::Kind::phase_started, "phase_started"},
    {CheckEvent::Kind::phase_ended, "phase_ended"},
    {CheckEvent::Kind::record, "record"},
    {CheckEvent::Kind::queued, "queued"},
    {CheckEvent::Kind::building, "building"}};

std::string text_in(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

/// A sentence to go on with.
std::string unstopped(const Error& error) {
  std::string what = error.what;
  while (!what.empty() && what.back() == '.') what.pop_back();
  return what;
}

/// A line of a recording, as it is told of: a session may play several.
struct Place {
  const std::filesystem::path& file;
  std::size_t line;
};

Error bad_line(const Place& place, const std::string& why) {
  return make_error(ErrorCode::io,
                    "Line " + std::to_string(place.line) + " of the recording " +
                        place.file.string() + " " + why + ".",
                    "Record the check again with `./klab ui --record FILE`.");
}

Result<RunEvent> decode_event(const Json& json, const Place& place) {
  if (const auto result = json.find("result"); result != json.end()) {
    auto decoded = check_result_from(*result);
    if (!decoded) return bad_line(place, "holds no result: " + unstopped(decoded.error()));
    return RunEvent(std::move(*decoded));
  }
  if (const auto found = json.find("investigation"); found != json.end()) {
    auto decoded = investigation_from(*found);
    if (!decoded) return bad_line(place, "holds no finding: " + unstopped(decoded.error()));
    return RunEvent(std::move(*decoded));
  }
  CheckEvent event;
  const std::string kind = text_in(json, "kind");
  const auto known = value_in(kinds, kind);
  if (!known) return bad_line(place, "has the unknown kind " + in_quotes(kind));
  event.kind = *known;
  event.phase = check_phase_from(text_in(json, "phase"));
  event.text = text_in(json, "text");
  if (const auto record = json.find("record"); record != json.end()) {
    auto decoded = record_from(*record);
    if (!decoded) return bad_line(place, "holds no record: " + unstopped(decoded.error()));
    event.record = std::move(*decoded);
  }
  return RunEvent(std::move(event));
}

/// Cuts `folder` out of every text.
void cut_folder(Json& json, const std::string& folder) {
  if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
      text.erase(at, folder.size());
  } else if (json.is_structured()) {
    for (Json& part : json) cut_folder(part, folder);
  }
}

/// Where a course lies, by each of its names: a linked folder's files are told of by where the link
/// leads. Longest first, so that none is cut within another.
std::vector<std::string> homes_of(const std::filesystem::path& root) {
  std::vector<std::string> homes;
  if (!root.has_relative_path()) return homes;
  const auto add = [&](const std::filesystem::path& folder) {
    if (folder.has_relative_path()) homes.push_back(folder.string() + "/");
  };
  std::error_code unknown;
  add(root);
  for (const char* part : {"", "labs", "kernels", "solutions", "workbook", "build"})
    add(std::filesystem::weakly_canonical(root / part, unknown).parent_path());
  std::sort(homes.begin(), homes.end(),
            [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return homes;
}

}  // namespace

Result<Recording> read_recording(const std::filesystem::path& path) {
  const auto text = read_file(path, longest_recording_bytes);
  if (!text) return text.error();
  Recording recording;
  std::string_view rest = *text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const auto end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.empty()) continue;
    const Place place{path, number};
    // What nests deeper is none of ours, and cannot be written again without recursion.
    if (json_reading::nests_deeper(line, json_reading::most_record_depth))
      return bad_line(place, "nests too deep");
    const Json json = json_from(line);
    if (!json.is_object()) return bad_line(place, "is no JSON object");
    if (number == 1) {
      if (json.value("recording", Json()) != 1)
        return bad_line(place, "does not say \"recording\": 1");
      recording.lab = text_in(json, "lab");
      recording.note = text_in(json, "note");
      continue;
    }
    const auto at = json.find("at_s");
    if (at == json.end() || !at->is_number()) return bad_line(place, "has no time \"at_s\"");
    const double at_s = at->get<double>();
    if (!(at_s >= 0 && at_s <= longest_time_s)) return bad_line(place, "has an impossible time");
    auto event = decode_event(json, place);
    if (!event) return event.error();
    recording.events.push_back({at_s, std::move(*event)});
  }
  if (recording.events.empty()) return bad_line({path, 1}, "is followed by no events");
  return recording;
}

std::string recording_head(std::string_view lab, std::string_view note) {
  return json_text(Json{{"recording", 1}, {"lab", lab}, {"note", note}});
}

std::string encode_line(const RecordedEvent& event, const std::filesystem::path& root) {
  Json json{{"at_s", std::round(event.at_s * 1e4) / 1e4}};
  if (const auto* result = std::get_if<CheckResult>(&event.event)) {
    json["result"] = to_json(*result);
  } else if (const auto* found = std::get_if<Investigation>(&event.event)) {
    json["investigation"] = to_json(*found);
  } else {
    const auto& told = std::get<CheckEvent>(event.event);
    json["kind"] = name_in(kinds, told.kind);
    json["phase"] = told.phase ? to_string(*told.phase) : "";
    if (!told.text.empty()) json["text"] = told.text;
    if (told.record) json["record"] = record_json(*told.record);
  }
  for (const std::string& home : homes_of(root)) cut_folder(json, home);
  return json_text(json);
}

}  // namespace klab::ui
