// CompilerMessage: the two formats that nvcc's output mixes.
#include "ui/compiler_messages.hpp"

#include <charconv>
#include <optional>

namespace klab::ui {
namespace {

constexpr std::size_t most_messages = 200;

std::optional<CompilerMessage::Severity> severity_of(std::string_view word) {
  using Severity = CompilerMessage::Severity;
  if (word.ends_with("error")) return Severity::error;  // also "fatal error", "catastrophic error"
  if (word.starts_with("error")) return Severity::error;  // "error #20": cudafe's numbered form
  if (word.starts_with("warning")) return Severity::warning;
  if (word == "note") return Severity::note;
  return std::nullopt;
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

/// Splits "severity: text" and completes the message.
std::optional<CompilerMessage> complete(std::string_view file, int line, std::string_view rest) {
  const auto colon = rest.find(": ");
  if (colon == std::string_view::npos || file.empty()) return std::nullopt;
  const auto severity = severity_of(rest.substr(0, colon));
  if (!severity) return std::nullopt;
  return CompilerMessage{std::string(file), line, *severity, std::string(rest.substr(colon + 2))};
}

std::optional<CompilerMessage> parse_line(std::string_view line) {
  if (const auto close = line.find("): "); close != std::string_view::npos) {
    const auto open = line.rfind('(', close);
    if (open != std::string_view::npos)
      if (const auto at = number(line.substr(open + 1, close - open - 1)))
        return complete(line.substr(0, open), *at, line.substr(close + 3));
  }
  const auto first = line.find(':');
  if (first == std::string_view::npos) return std::nullopt;
  const auto second = line.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto at = number(line.substr(first + 1, second - first - 1));
  if (!at) return std::nullopt;
  std::string_view rest = line.substr(second + 1);
  if (const auto third = rest.find(':'); third != std::string_view::npos)
    if (number(rest.substr(0, third))) rest = rest.substr(third + 1);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  return complete(line.substr(0, first), *at, rest);
}

}  // namespace

std::vector<CompilerMessage> parse_compiler_messages(std::string_view output) {
  std::vector<CompilerMessage> messages;
  while (!output.empty() && messages.size() < most_messages) {
    const auto end = output.find('\n');
    if (auto message = parse_line(output.substr(0, end))) messages.push_back(std::move(*message));
    if (end == std::string_view::npos) break;
    output.remove_prefix(end + 1);
  }
  return messages;
}

}  // namespace klab::ui
