// Findings of many runs, each once.
#include "core/judge/checker_findings.hpp"

#include <algorithm>
#include <cctype>

namespace klab {
namespace {

constexpr std::size_t most_told = 5;

/// Where no line is known, sizes and addresses alone do not tell two findings apart.
std::string without_numbers(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
  return text;
}

bool is_same_place(const record::Finding& one, const record::Finding& other) {
  return one.kernel == other.kernel && one.file == other.file && one.line == other.line &&
         (one.line || without_numbers(one.message) == without_numbers(other.message));
}

bool is_within_warp(const SeenFinding& seen) { return seen.finding.kind == FindingKind::warp_race; }

std::string sentence(const SeenFinding& seen) {
  const record::Finding& finding = seen.finding;
  const std::string line = finding.line ? ":" + std::to_string(*finding.line) : "";
  const std::string place = finding.file.empty() ? "" : finding.file + line + ": ";
  const std::string often =
      seen.runs > 1 ? " (Seen in " + std::to_string(seen.runs) + " runs.)" : std::string();
  return place + finding.message + often;
}

}  // namespace

std::vector<SeenFinding> seen_once(const std::vector<record::Finding>& findings) {
  std::vector<SeenFinding> seen;
  for (const record::Finding& finding : findings) {
    const auto known = std::find_if(seen.begin(), seen.end(), [&](const SeenFinding& other) {
      return other.finding.kind == finding.kind && is_same_place(other.finding, finding);
    });
    if (known != seen.end())
      ++known->runs;
    else
      seen.push_back({finding, 1});
  }
  std::erase_if(seen, [races = seen](const SeenFinding& one) {
    return is_within_warp(one) &&
           std::any_of(races.begin(), races.end(), [&](const SeenFinding& other) {
             return other.finding.kind == FindingKind::shared_race &&
                    is_same_place(other.finding, one.finding);
           });
  });
  std::stable_partition(seen.begin(), seen.end(),
                        [](const SeenFinding& one) { return !is_within_warp(one); });
  // Where blocks hand over to each other, a barrier within one of them mends nothing.
  std::stable_partition(seen.begin(), seen.end(), [](const SeenFinding& one) {
    return one.finding.kind == FindingKind::block_race;
  });
  // It says why there are the others.
  std::stable_partition(seen.begin(), seen.end(), [](const SeenFinding& one) {
    return one.finding.kind == FindingKind::warp_order;
  });
  return seen;
}

std::string told(const std::vector<SeenFinding>& seen) {
  std::string text;
  for (std::size_t i = 0; i < std::min(seen.size(), most_told); ++i)
    text += (i == 0 ? "" : "\n") + sentence(seen[i]);
  if (seen.size() > most_told)
    text += "\nAnd " + std::to_string(seen.size() - most_told) + " more.";
  return text;
}

std::vector<record::Finding> named_from(const std::filesystem::path& root,
                                        std::vector<record::Finding> findings) {
  for (record::Finding& finding : findings) {
    if (finding.file.empty()) continue;
    std::error_code ignored;
    const auto within = std::filesystem::path(finding.file)
                            .lexically_relative(std::filesystem::weakly_canonical(root, ignored));
    if (!within.empty() && *within.begin() != "..") finding.file = within.string();
  }
  return findings;
}

std::vector<record::Finding> findings_for(const Lab& lab, std::vector<record::Finding> findings) {
  const bool taught = std::any_of(lab.rungs.begin(), lab.rungs.end(), [](const Rung& rung) {
    return std::any_of(rung.causes.begin(), rung.causes.end(),
                       [](const CauseTarget& cause) { return cause.metric == "kept_allocations"; });
  });
  if (taught)
    std::erase_if(findings, [](const record::Finding& finding) {
      return finding.kind == FindingKind::memory_leak;
    });
  return findings;
}

}  // namespace klab
