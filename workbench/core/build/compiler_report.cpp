// Reading nvcc's messages and the report of `ptxas -v`.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <regex>
#include <sstream>

#include "core/base/text.hpp"
#include "core/build/demangle.hpp"
#include "core/build/plugin_builder.hpp"

namespace klab {
namespace {

std::int64_t number_in(const std::smatch& match, std::size_t group) {
  return std::strtoll(match[group].str().c_str(), nullptr, 10);
}

Severity severity_in(const std::smatch& match, std::size_t group) {
  return match[group] == "warning" ? Severity::warning : Severity::error;
}

/// std::regex descends with every character that it matches.
constexpr std::size_t longest_matched = 4096;

/// What stands behind `before` and in front of the last `after`.
std::optional<std::string_view> between(std::string_view line, std::string_view before,
                                        std::string_view after) {
  const std::size_t at = line.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(at + before.size());
  const std::size_t end = rest.rfind(after);
  return end == std::string_view::npos ? std::nullopt : std::optional(rest.substr(0, end));
}

}  // namespace

const CompilerMessage* first_error(std::span<const CompilerMessage> messages) {
  const auto first = std::find_if(messages.begin(), messages.end(), [](const auto& message) {
    return message.severity == Severity::error;
  });
  return first == messages.end() ? nullptr : &*first;
}

std::string told(const CompilerMessage& message) {
  constexpr std::size_t longest_told = 600;
  return shortened(printable(message.text), longest_told);
}

std::string place_of(const CompilerMessage& message) {
  return message.line > 0 ? message.file + ":" + std::to_string(message.line) : message.file;
}

std::vector<CompilerMessage> parse_compiler_messages(std::string_view log) {
  static const std::regex nvcc(
      R"(^(.+)\((\d+)\): (?:fatal |catastrophic )?(error|warning)(?: #[\w-]+)?: (.*)$)");
  static const std::regex gcc(R"(^(.+?):(\d+):(?:\d+:)? (?:fatal )?(error|warning): (.*)$)");
  static const std::regex tool(
      R"(^(ptxas|nvlink|nvcc) (?:.*?, line (\d+); )?(error|warning|fatal)\s*: (.*)$)");
  static const std::regex placeless(R"(^(At end of source): (error|warning)(?: #[\w-]+)?: (.*)$)");
  std::vector<CompilerMessage> messages;
  std::istringstream lines{std::string(log)};
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.size(), longest_matched));
    std::smatch match;
    if (std::regex_match(line, match, nvcc) || std::regex_match(line, match, gcc) ||
        std::regex_match(line, match, tool))
      messages.push_back(
          {match[1], static_cast<int>(number_in(match, 2)), severity_in(match, 3), match[4]});
    else if (std::regex_match(line, match, placeless))
      messages.push_back({"", 0, severity_in(match, 2), match[1].str() + ": " + match[3].str()});
  }
  return messages;
}

std::vector<KernelReport> parse_ptxas_report(std::string_view log) {
  static const std::regex frame(
      R"((\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)");
  static const std::regex used(R"(Used (\d+) registers)");
  static const std::regex shared(R"((\d+) bytes smem)");
  std::vector<KernelReport> kernels;
  std::string_view current, described;
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    // A name may be of any length, so lines with a name in them are not matched.
    if (const auto name = between(line, "Compiling entry function '", "' for")) {
      current = described = *name;
      kernels.push_back({.kernel = demangled(std::string(current))});
      continue;
    }
    if (const auto name = between(line, "Function properties for ", "")) described = *name;
    if (kernels.empty() || line.size() > longest_matched) continue;
    KernelReport& kernel = kernels.back();
    const std::string text(line);
    std::smatch match;
    // A called function that was not inlined has a frame of its own: its spills are the kernel's
    // too.
    if (std::regex_search(text, match, frame)) {
      kernel.stack_bytes =
          described == current ? number_in(match, 1) : kernel.stack_bytes + number_in(match, 1);
      kernel.spill_store_bytes += number_in(match, 2);
      kernel.spill_load_bytes += number_in(match, 3);
    }
    if (std::regex_search(text, match, used))
      kernel.registers = static_cast<int>(number_in(match, 1));
    if (std::regex_search(text, match, shared)) kernel.static_shared_bytes = number_in(match, 1);
  }
  return kernels;
}

}  // namespace klab
