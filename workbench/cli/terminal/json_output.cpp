// Escaping what JSON itself lets stand: DEL, and the control characters from U+0080 to U+009F.
#include "cli/terminal/json_output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/terminal/context.hpp"
#include "core/base/text/json_text.hpp"

namespace klab::cli {

std::string terminal_safe(std::string json) {
  std::string safe;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    const auto next = static_cast<unsigned char>(i + 1 < json.size() ? json[i + 1] : 0);
    if (byte == 0x7F) {
      safe += "\\u007f";
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      safe += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      safe += json[i];
    }
  }
  return safe;
}

void print_json(const nlohmann::json& json) { print(terminal_safe(json_text(json, 2)) + "\n"); }

}  // namespace klab::cli
