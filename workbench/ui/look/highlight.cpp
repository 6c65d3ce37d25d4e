// Highlight: a scanner for the words a learner meets, not a C++ parser.
#include "ui/look/highlight.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace klab::ui {
namespace {

constexpr std::array<std::string_view, 43> keywords = {
    "alignas",      "auto",   "break",  "case",      "const",       "constexpr", "continue",
    "default",      "delete", "do",     "else",      "enum",        "extern",    "false",
    "for",          "if",     "inline", "namespace", "new",         "nullptr",   "operator",
    "private",      "public", "return", "sizeof",    "static",      "struct",    "switch",
    "template",     "this",   "true",   "typename",  "union",       "using",     "virtual",
    "volatile",     "while",  "class",  "noexcept",  "static_cast", "restrict",  "typedef",
    "static_assert"};
constexpr std::array<std::string_view, 34> types = {
    "bool",    "char",     "double",   "float",        "int",         "long",    "short",
    "signed",  "unsigned", "void",     "size_t",       "int8_t",      "int16_t", "int32_t",
    "int64_t", "uint8_t",  "uint16_t", "uint32_t",     "uint64_t",    "float2",  "float3",
    "float4",  "int2",     "int4",     "uint2",        "uint4",       "double2", "dim3",
    "half",    "__half",   "__half2",  "cudaStream_t", "cudaError_t", "Args"};
constexpr std::array<std::string_view, 6> builtins = {"threadIdx", "blockIdx", "blockDim",
                                                      "gridDim",   "warpSize", "launch"};

template <class List>
bool has(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

TokenKind kind_of(std::string_view word) {
  if (has(keywords, word)) return TokenKind::keyword;
  if (has(types, word)) return TokenKind::type;
  if (has(builtins, word) || word.starts_with("__")) return TokenKind::builtin;
  return TokenKind::plain;
}

std::size_t string_end(std::string_view line, std::size_t at) {
  const char quote = line[at];
  for (std::size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == quote)
      return i + 1;
  }
  return line.size();
}

/// Where the token at `at` ends, and what it is. `line[at]` exists and no comment is open.
std::size_t scan(std::string_view line, std::size_t at, TokenKind& kind, bool& in_comment) {
  const std::string_view rest = line.substr(at);
  if (rest.starts_with("//")) return kind = TokenKind::comment, line.size();
  if (rest.starts_with("/*")) {
    kind = TokenKind::comment;
    const auto close = line.find("*/", at + 2);
    in_comment = close == std::string_view::npos;
    return in_comment ? line.size() : close + 2;
  }
  if (line[at] == '"' || line[at] == '\'') return kind = TokenKind::string, string_end(line, at);
  if (line[at] == '#' && line.find_first_not_of(" \t") == at) {
    kind = TokenKind::keyword;
    std::size_t end = at + 1;
    while (end < line.size() && word_char(line[end])) ++end;
    return end;
  }
  std::size_t end = at;
  if (digit(line[at])) {
    kind = TokenKind::number;
    while (end < line.size() && (word_char(line[end]) || line[end] == '.' || line[end] == '\''))
      ++end;
    return end;
  }
  if (word_char(line[at])) {
    while (end < line.size() && word_char(line[end])) ++end;
    kind = kind_of(line.substr(at, end - at));
    return end;
  }
  kind = TokenKind::plain;
  return at + 1;
}

}  // namespace

std::vector<Token> highlight(std::string_view line, bool& in_comment) {
  std::vector<Token> tokens;
  const auto add = [&](TokenKind kind, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    if (!tokens.empty() && tokens.back().kind == kind)
      tokens.back().end = static_cast<std::uint32_t>(end);
    else
      tokens.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  };
  std::size_t at = 0;
  if (in_comment) {
    const auto close = line.find("*/");
    const std::size_t end = close == std::string_view::npos ? line.size() : close + 2;
    in_comment = close == std::string_view::npos;
    add(TokenKind::comment, 0, end);
    at = end;
  }
  while (at < line.size()) {
    TokenKind kind = TokenKind::plain;
    const std::size_t end = scan(line, at, kind, in_comment);
    add(kind, at, end);
    at = end;
  }
  return tokens;
}

}  // namespace klab::ui
