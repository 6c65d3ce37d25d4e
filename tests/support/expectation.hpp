// What the first line of a gallery's kernel file promises: which gate rejects it, or that it
// passes.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace klab::test {

struct Expectation {
  std::vector<std::string>
      gates;           ///< any of these may reject it; empty if the line makes no promise
  std::string reason;  ///< the text after the dash
};

/// Reads `// Rejected by: correct — why`, `// Right, but fails: time — why` or `// Ends in: pass —
/// why`. Gates are separated by "or" or commas; "hang", "fault" and "crash" are ways in which the
/// gate "correct" fails.
inline Expectation expectation_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  Expectation expectation;
  const std::size_t colon = line.find(": "), dash = line.find(" — ");
  if (!line.starts_with("//") || colon == std::string::npos || dash == std::string::npos ||
      dash < colon)
    return expectation;
  expectation.reason = line.substr(dash + std::string(" — ").size());
  std::string list = line.substr(colon + 2, dash - colon - 2) + ",";
  for (std::size_t at; (at = list.find(" or ")) != std::string::npos;) list.replace(at, 4, ",");
  for (std::size_t start = 0, end; (end = list.find(',', start)) != std::string::npos;
       start = end + 1) {
    std::string gate = list.substr(start, end - start);
    gate.erase(0, gate.find_first_not_of(' '));
    gate.erase(gate.find_last_not_of(' ') + 1);
    if (gate == "hang" || gate == "fault" || gate == "crash") gate = "correct";
    if (!gate.empty()) expectation.gates.push_back(gate);
  }
  return expectation;
}

}  // namespace klab::test
