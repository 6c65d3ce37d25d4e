// A scanner for C++ without a preprocessor.
#include "core/build/draft/cuda_tokens.hpp"

#include <cctype>
#include <string>

namespace klab {
namespace {

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Past the line at `at` with the lines that a backslash joins to it.
std::size_t directive_end(std::string_view file, std::size_t at) {
  while (true) {
    const std::size_t end = file.find('\n', at);
    if (end == std::string_view::npos) return file.size();
    std::size_t last = end;
    if (last > at && file[last - 1] == '\r') --last;
    if (last == at || file[last - 1] != '\\') return end;
    at = end + 1;
  }
}

std::size_t quoted_end(std::string_view file, std::size_t at) {
  const char quote = file[at];
  for (std::size_t i = at + 1; i < file.size() && file[i] != '\n'; ++i) {
    if (file[i] == '\\')
      ++i;
    else if (file[i] == quote)
      return i + 1;
  }
  const std::size_t end = file.find('\n', at);
  return end == std::string_view::npos ? file.size() : end;
}

/// Past a raw string whose opening quote is at `at`.
std::size_t raw_end(std::string_view file, std::size_t at) {
  const std::size_t open = file.find('(', at);
  if (open == std::string_view::npos || open - at > 17) return quoted_end(file, at);
  const std::string close = ")" + std::string(file.substr(at + 1, open - at - 1)) + "\"";
  const std::size_t end = file.find(close, open);
  return end == std::string_view::npos ? file.size() : end + close.size();
}

/// Past the comment at `at`, or `at` if none begins there.
std::size_t comment_end(std::string_view file, std::size_t at) {
  const std::string_view two = file.substr(at, 2);
  if (two == "//") return directive_end(file, at);
  if (two != "/*") return at;
  const std::size_t end = file.find("*/", at + 2);
  return end == std::string_view::npos ? file.size() : end + 2;
}

bool raw_prefix(std::string_view word) {
  return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
}

}  // namespace

std::vector<CudaToken> cuda_tokens(std::string_view file) {
  using Kind = CudaToken::Kind;
  std::vector<CudaToken> tokens;
  bool line_start = true;
  for (std::size_t at = 0; at < file.size();) {
    const char c = file[at];
    if (c == '\n') line_start = true;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
      continue;
    }
    if (const std::size_t end = comment_end(file, at); end != at) {
      at = end;
      continue;
    }
    if (c == '#' && line_start) {
      at = directive_end(file, at);
      continue;
    }
    line_start = false;
    std::size_t end = at + 1;
    Kind kind = Kind::sign;
    if (c == '"' || c == '\'') {
      kind = Kind::literal;
      const bool raw =
          c == '"' && !tokens.empty() && tokens.back().end == at && raw_prefix(tokens.back().text);
      end = raw ? raw_end(file, at) : quoted_end(file, at);
    } else if (digit(c)) {
      kind = Kind::literal;
      while (end < file.size() &&
             (word_char(file[end]) || file[end] == '.' ||
              (file[end] == '\'' && end + 1 < file.size() && word_char(file[end + 1]))))
        ++end;
    } else if (word_char(c)) {
      kind = Kind::word;
      while (end < file.size() && word_char(file[end])) ++end;
    }
    tokens.push_back({kind, at, end, file.substr(at, end - at)});
    at = end;
  }
  return tokens;
}

std::size_t closing(const std::vector<CudaToken>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "(" || text == "[" || text == "{") ++depth;
    if ((text == ")" || text == "]" || text == "}") && --depth == 0) return i;
  }
  return tokens.size();
}

std::size_t closing_angle(const std::vector<CudaToken>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == ";" || text == "{" || text == "}") break;
    if (text == "(" || text == "[") i = closing(tokens, i);
    if (text == "<") ++depth;
    if (text == ">" && --depth == 0) return i;
  }
  return tokens.size();
}

bool is_triple(const std::vector<CudaToken>& tokens, std::size_t at, std::string_view sign) {
  if (at + 2 >= tokens.size()) return false;
  for (std::size_t i = at; i < at + 3; ++i)
    if (tokens[i].text != sign || tokens[i].begin != tokens[at].begin + (i - at)) return false;
  return true;
}

}  // namespace klab
