// Writing and defensively reading reports, and reading make's notation of dependencies.
#include "core/build/plugin_report.hpp"

#include <nlohmann/json.hpp>

#include "core/verdict/check_result_json.hpp"
#include "core/verdict/json_reading.hpp"

namespace klab {

std::string encode(const PluginReport& report) {
  auto kernels = nlohmann::json::array();
  for (const KernelReport& kernel : report.kernels) kernels.push_back(to_json(kernel));
  return json_reading::line_of(
      {{"kernels", kernels}, {"library", report.library_digest}, {"inputs", report.inputs}});
}

std::optional<PluginReport> decode_plugin_report(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto &kernels = json_reading::part(json, "kernels"),
             &inputs = json_reading::part(json, "inputs");
  PluginReport report{.library_digest = json_reading::get<std::string>(json, "library", {})};
  if (!kernels.is_array() || !inputs.is_object() || report.library_digest.empty())
    return std::nullopt;
  for (const auto& kernel : kernels) {
    // A field that is missing or of another type would come back as something else.
    report.kernels.push_back(kernel_report_from(kernel));
    if (to_json(report.kernels.back()) != kernel) return std::nullopt;
  }
  for (const auto& [path, digest] : inputs.items()) {
    if (!digest.is_string()) return std::nullopt;
    report.inputs[path] = digest.get<std::string>();
  }
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
