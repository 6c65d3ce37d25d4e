// Cutting a command into words.
#include "core/process/command_line.hpp"

namespace klab {
namespace {

Error broken(std::string_view text, const std::string& why) {
  return make_error(ErrorCode::usage,
                    "\"" + std::string(text.substr(0, 200)) + "\" is no command: " + why + ".",
                    "Write a program and its arguments, for example `ssh host klab-runner-gpu`.");
}

}  // namespace

Result<std::vector<std::string>> split_command(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < text.size();
    if (!in_word && (escapes || (c != ' ' && c != '\t' && c != '\n'))) {
      words.emplace_back();
      in_word = true;
    }
    if (escapes)
      words.back() += text[++i];
    else if (quote != 0 && c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n'))
      in_word = false;
    else if (in_word)
      words.back() += c;
  }
  if (quote != 0) return broken(text, "a quote does not end");
  if (words.empty()) return broken(text, "it names no program");
  return words;
}

}  // namespace klab
