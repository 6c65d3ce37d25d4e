#include "core/base/text/json_text.hpp"

#include <nlohmann/json.hpp>

namespace klab {

nlohmann::json json_from(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, false);
}

std::string json_text(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace klab
