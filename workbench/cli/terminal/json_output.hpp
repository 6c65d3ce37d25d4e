// JSON on standard output.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace klab::cli {

/// JSON text in which every character that a terminal could obey is escaped: the same value.
std::string terminal_safe(std::string json);

/// Prints it with indentation; text that is not UTF-8 becomes U+FFFD.
void print_json(const nlohmann::json& json);

}  // namespace klab::cli
