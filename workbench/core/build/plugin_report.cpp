// The fields of reports, and reading make's notation of dependencies.
#include "core/build/plugin_report.hpp"

#include <nlohmann/json.hpp>

#include "core/base/text/json_text.hpp"
#include "core/verdict/json/check_result_fields.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {

template <class Visit>
void fields(Visit& visit, PluginReport& report) {
  visit("kernels", report.kernels);
  visit("library", report.library_digest);
  visit("inputs", report.inputs);
}

std::string encode(const PluginReport& report) { return json_text(json_fields::of_fields(report)); }

std::optional<PluginReport> decode_plugin_report(std::string_view text) {
  const auto json = json_from(text);
  auto report = json_fields::lenient<PluginReport>(json);
  // Whatever is missing, of another type or unknown would be written otherwise.
  if (report.library_digest.empty() || json_fields::of_fields(report) != json) return std::nullopt;
  return report;
}

std::vector<std::filesystem::path> parse_dependencies(std::string_view text) {
  std::vector<std::filesystem::path> files;
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos) return files;
  std::string file;
  for (std::size_t i = colon + 1; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const bool escapes = (c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$');
    if (escapes) {
      file += next;
      ++i;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || (c == '\\' && next == '\n')) {
      if (!file.empty()) files.emplace_back(std::exchange(file, {}));
    } else {
      file += c;
    }
  }
  return files;
}

}  // namespace klab
