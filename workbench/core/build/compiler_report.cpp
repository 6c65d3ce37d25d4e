// Reading nvcc's messages and the report of `ptxas -v`.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "core/base/text.hpp"
#include "core/base/text/pattern.hpp"
#include "core/build/demangle.hpp"
#include "core/build/plugin_builder.hpp"

namespace klab {
namespace {

std::int64_t number_in(const std::string& digits) {
  return std::strtoll(digits.c_str(), nullptr, 10);
}

Severity severity_of(const std::string& word) {
  return word == "warning" ? Severity::warning : Severity::error;
}

/// A pattern descends with every character that it matches.
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
  static const Pattern nvcc(
      R"(^(.+)\((\d+)\): (?:fatal |catastrophic )?(error|warning)(?: #[\w-]+)?: (.*)$)");
  static const Pattern gcc(R"(^(.+?):(\d+):(?:\d+:)? (?:fatal )?(error|warning): (.*)$)");
  static const Pattern tool(
      R"(^(ptxas|nvlink|nvcc) (?:.*?, line (\d+); )?(error|warning|fatal)\s*: (.*)$)");
  static const Pattern placeless(R"(^(At end of source): (error|warning)(?: #[\w-]+)?: (.*)$)");
  std::vector<CompilerMessage> messages;
  std::istringstream lines{std::string(log)};
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.size(), longest_matched));
    auto match = nvcc.match(line);
    if (!match) match = gcc.match(line);
    if (!match) match = tool.match(line);
    if (match) {
      const Pattern::Groups& part = *match;
      messages.push_back(
          {part[1], static_cast<int>(number_in(part[2])), severity_of(part[3]), part[4]});
    } else if (match = placeless.match(line); match) {
      const Pattern::Groups& part = *match;
      messages.push_back({"", 0, severity_of(part[2]), part[1] + ": " + part[3]});
    }
  }
  return messages;
}

std::vector<KernelReport> parse_ptxas_report(std::string_view log) {
  static const Pattern frame(
      R"((\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)");
  static const Pattern used(R"(Used (\d+) registers)");
  static const Pattern shared(R"((\d+) bytes smem)");
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
    // A called function that was not inlined has a frame of its own: its spills are the kernel's
    // too.
    if (const auto match = frame.find(text)) {
      const std::int64_t bytes = number_in((*match)[1]);
      kernel.stack_bytes = described == current ? bytes : kernel.stack_bytes + bytes;
      kernel.spill_store_bytes += number_in((*match)[2]);
      kernel.spill_load_bytes += number_in((*match)[3]);
    }
    if (const auto match = used.find(text))
      kernel.registers = static_cast<int>(number_in((*match)[1]));
    if (const auto match = shared.find(text)) kernel.static_shared_bytes = number_in((*match)[1]);
  }
  return kernels;
}

}  // namespace klab
