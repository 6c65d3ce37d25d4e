// App: the loop that connects window, session and panels.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/tree.hpp"
#include "ui/window/window.hpp"

namespace klab::ui {

struct AppOptions {
  Tree tree;
  WindowOptions window;
  bool passing = false;  ///< the workbook goes with the window
  bool sized = false;    ///< the window's size was asked for
  std::optional<bool> dark;
  std::string lab;       ///< opened at the start; empty: the first one not yet passed
  std::string page;      ///< "lesson", "code", ...; empty: the lesson
  bool present = false;  ///< begin in present mode
  std::optional<std::filesystem::path> script;
  std::optional<std::filesystem::path> replay;
  std::optional<std::filesystem::path> record;
  bool statistics = false;  ///< print frame times at the end
};

/// Runs until the window closes or the script ends. The answer is the program's exit code: 0, 1 for
/// a script that failed, 2 for a wrong option or script, 4 where no window can open.
int run_app(const AppOptions& options);

}  // namespace klab::ui
