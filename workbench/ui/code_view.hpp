// CodeView: a kernel file with line numbers, highlighting and the compiler's messages at their
// lines.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/plugin_builder.hpp"

namespace klab::ui {

struct CodeViewLook {
  std::span<const CompilerMessage> messages;  ///< of this file
  std::optional<int> goto_line;               ///< scroll to this line in this frame
  bool line_numbers = true;
};

/// Draws `code` into the rest of the current region, scrolling both ways.
void code_view(const char* id, std::string_view code, const CodeViewLook& look);
/// Draws all of `code` at its own height, for code blocks in prose. Returns that height.
float code_block(std::string_view code, bool highlighted);

}  // namespace klab::ui
