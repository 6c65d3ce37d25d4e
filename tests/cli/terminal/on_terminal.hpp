// Runs klab on a terminal of its own, as `script` makes one.
#pragma once

#include <string>
#include <vector>

#include "cli/program.hpp"

namespace klab::test {

inline bool has_terminals(const Program& klab) {
  return klab.run_command({"sh", "-c", "command -v script"}).exit_code == 0;
}

/// The words as a shell reads them.
inline std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += "'" + word + "' ";
  return text;
}

/// What the command writes to a terminal of so many columns, with these variables set.
inline std::string on_terminal(const Program& klab, const std::string& variables,
                               const std::vector<std::string>& command, int columns = 80) {
  return klab
      .run_command({"script", "-qec",
                    "stty rows 10 columns " + std::to_string(columns) + "; " + variables + " " +
                        quoted(command),
                    "/dev/null"})
      .out;
}

}  // namespace klab::test
