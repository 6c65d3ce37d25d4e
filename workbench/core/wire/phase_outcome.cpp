// Telling what a kernel file printed from what the simulator added.
#include "core/wire/phase_outcome.hpp"

#include <algorithm>
#include <string_view>

namespace klab {

std::string PhaseOutcome::printed() const {
  constexpr std::string_view mark = "simulator: ";
  if (!error) return output;
  std::string own;
  for (std::string_view rest = output; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end);
    if (line.starts_with(mark)) {
      std::string_view sentence = line.substr(mark.size());
      if (sentence.ends_with('\n')) sentence.remove_suffix(1);
      if (error->what.find(sentence) != std::string::npos) continue;
    }
    own += line;
  }
  return own;
}

std::optional<Error> PhaseOutcome::reported_failure() const {
  const auto failures = all<record::Failure>();
  if (failures.empty()) return std::nullopt;
  return failures.front().error;
}

}  // namespace klab
