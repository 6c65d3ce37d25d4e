// Expectation: what the first line of a gallery's kernel file promises.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/verdict/verdict.hpp"

namespace klab {

struct Expectation {
  bool passes = false;                ///< it ends in a pass
  std::vector<GateName> gates;        ///< or any of these may reject it
  std::vector<std::string> no_gates;  ///< words in their place that name no gate
  std::string reason;                 ///< the text after the dash

  /// The line makes a promise.
  bool stated() const { return passes || !gates.empty() || !no_gates.empty(); }
  bool may_be_rejected_by(GateName gate) const;
};

/// Reads `// Rejected by: correct — why`, `// Right, but fails: time — why` or `// Ends in: pass —
/// why`. Gates are separated by "or" or commas; "hang", "fault" and "crash" are ways in which the
/// gate "correct" fails.
Expectation expectation_of(const std::filesystem::path& file);

}  // namespace klab
