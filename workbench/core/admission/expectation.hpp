// Expectation: what the first line of a gallery's kernel file promises.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace klab {

struct Expectation {
  std::vector<std::string> gates;  ///< any of these may reject it, or "pass"; empty if the line
                                   ///< makes no promise
  std::string reason;              ///< the text after the dash
};

/// Reads `// Rejected by: correct — why`, `// Right, but fails: time — why` or `// Ends in: pass —
/// why`. Gates are separated by "or" or commas; "hang", "fault" and "crash" are ways in which the
/// gate "correct" fails.
Expectation expectation_of(const std::filesystem::path& file);

}  // namespace klab
