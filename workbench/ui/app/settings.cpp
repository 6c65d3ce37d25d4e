// Settings as JSON.
#include "ui/app/settings.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/files.hpp"
#include "core/base/text/json_text.hpp"
#include "core/course/workbook.hpp"

namespace klab::ui {
namespace {

using nlohmann::json;

constexpr std::size_t longest_file_bytes = 64u << 10;

std::filesystem::path file_of(const std::filesystem::path& root) {
  return workbook_folder(root) / "window.json";
}

std::optional<double> number(const json& object, const char* key, double low, double high) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_number()) return std::nullopt;
  const double value = at->get<double>();
  return value >= low && value <= high ? std::optional(value) : std::nullopt;
}

}  // namespace

Settings read_settings(const std::filesystem::path& root) {
  Settings settings;
  const auto text = read_file(file_of(root), longest_file_bytes);
  if (!text) return settings;
  const json object = json_from(*text);
  if (!object.is_object()) return settings;
  if (const auto dark = object.find("dark"); dark != object.end() && dark->is_boolean())
    settings.dark = dark->get<bool>();
  if (const auto zoom = number(object, "zoom", 0.5, 4)) settings.zoom = static_cast<float>(*zoom);
  if (const auto split = number(object, "split", 0.2, 0.8))
    settings.split = static_cast<float>(*split);
  if (const auto lab = object.find("lab"); lab != object.end() && lab->is_string())
    settings.lab = lab->get<std::string>().substr(0, 100);
  const auto width = number(object, "width", 640, 7680),
             height = number(object, "height", 480, 4320);
  if (width && height) {
    settings.width = static_cast<int>(*width);
    settings.height = static_cast<int>(*height);
  }
  return settings;
}

Result<> write_settings(const std::filesystem::path& root, const Settings& settings) {
  json object = json::object();
  if (settings.dark) object["dark"] = *settings.dark;
  if (settings.zoom) object["zoom"] = std::round(static_cast<double>(*settings.zoom) * 100) / 100;
  if (settings.split)
    object["split"] = std::round(static_cast<double>(*settings.split) * 1000) / 1000;
  if (!settings.lab.empty()) object["lab"] = settings.lab;
  if (settings.width) object["width"] = *settings.width;
  if (settings.height) object["height"] = *settings.height;
  return write_file(file_of(root), json_text(object, 2) + "\n");
}

}  // namespace klab::ui
