// Code lines: a source text as the lines that are drawn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace klab::ui {

/// Lines without their ends, tabs as spaces.
std::vector<std::string> lines_of(std::string_view code);

}  // namespace klab::ui
