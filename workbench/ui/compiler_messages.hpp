// CompilerMessage: nvcc's raw output as places in a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace klab::ui {

struct CompilerMessage {
  enum class Severity { error, warning, note };
  std::string file;
  int line = 0;  ///< 1-based
  Severity severity = Severity::error;
  std::string text;
};

/// Finds "file(12): error: text" (nvcc, cudafe) and "file:12:5: error: text" (host compiler);
/// everything else is skipped. At most 200 messages are kept.
std::vector<CompilerMessage> parse_compiler_messages(std::string_view output);

}  // namespace klab::ui
