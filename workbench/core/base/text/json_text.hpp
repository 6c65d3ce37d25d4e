// JSON and its text. In one place, because what reads and writes it is compiled anew wherever it
// is called.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace klab {

/// What the text says; a discarded value where it is no JSON.
nlohmann::json json_from(std::string_view text);

/// The value on one line, or on several, indented by so many spaces. Bytes that are not UTF-8 are
/// replaced: it may come from a learner's program or file.
std::string json_text(const nlohmann::json& value, int indent = -1);

}  // namespace klab
