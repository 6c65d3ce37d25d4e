// Reading ncu's CSV.
#include "core/record/ncu_report.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace klab {
namespace {

/// The fields of one CSV line; a quote inside a quoted field is doubled.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

/// A number with or without separators of thousands.
std::optional<double> number_in(std::string field) {
  field.erase(std::remove(field.begin(), field.end(), ','), field.end());
  double value = 0;
  const char* end = field.data() + field.size();
  const auto [rest, error] = std::from_chars(field.data(), end, value);
  if (error != std::errc() || rest != end || field.empty()) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::string> ncu_only_launches(const VariantName& variant) {
  return {"--nvtx", "--nvtx-include", "klab@launch: " + variant.name() + "/"};
}

Result<std::vector<NcuKernel>> parse_ncu_csv(std::string_view text) {
  std::vector<std::string> header;
  std::vector<NcuKernel> kernels;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with("\"ID\",")) {
      header = fields_of(line);
      continue;
    }
    // The line of units has no kernel number.
    if (header.empty() || !line.starts_with('"') || line.starts_with("\"\"")) continue;
    const auto fields = fields_of(line);
    if (fields.size() != header.size()) continue;
    NcuKernel kernel;
    for (std::size_t i = 0; i < header.size(); ++i)
      if (header[i] == "Kernel Name")
        kernel.name = fields[i];
      else if (const auto value = number_in(fields[i]))
        kernel.values[header[i]] = *value;
    kernels.push_back(std::move(kernel));
  }
  if (header.empty())
    return make_error(ErrorCode::io, "ncu printed no table of kernels.", "Look at its messages.");
  return kernels;
}

}  // namespace klab
