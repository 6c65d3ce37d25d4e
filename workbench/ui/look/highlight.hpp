// Highlight: splits a line of CUDA C++ into coloured pieces. No ImGui.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace klab::ui {

enum class TokenKind : std::uint8_t { plain, keyword, type, builtin, number, string, comment };

struct Token {
  TokenKind kind = TokenKind::plain;
  std::uint32_t begin = 0, end = 0;  ///< bytes within the line
};

/// Pieces that cover `line` without gaps. `in_comment` carries a block comment from line to line.
std::vector<Token> highlight(std::string_view line, bool& in_comment);

}  // namespace klab::ui
