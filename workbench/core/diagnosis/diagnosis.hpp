// diagnose(): what limits a kernel, with its evidence, what it wastes beside that, and what to try
// next. Pure: the same facts give the same diagnosis.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/advice.hpp"
#include "core/diagnosis/facts.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

enum class Bottleneck { overhead, compute, memory, latency, balanced };
std::string_view to_string(Bottleneck bottleneck);

enum class MemoryUnit { device_memory, l2, l1_and_shared };
std::string_view to_string(MemoryUnit unit);

/// How far the deciding number is from its threshold.
enum class Confidence { low, medium, high };
std::string_view to_string(Confidence confidence);

/// A change to make and what to learn from it, whichever way it goes.
struct Experiment {
  Advice act;          ///< a sentence
  std::string expect;  ///< a sentence
  /// What only a clock shows of it, a sentence. diagnose() adds it to `expect` where there is one.
  std::string timed = {};

  bool operator==(const Experiment&) const = default;
};

/// Work that the task does not need. A kernel can be at the limit of a unit and waste most of it.
struct Waste {
  std::string name;      ///< "excess sectors"
  std::string sentence;  ///< "87 % of the sectors that loads move were not asked for."
  std::vector<EvidenceRow> evidence;
  Experiment experiment;
};

struct Diagnosis {
  VariantName variant;
  std::optional<Bottleneck> bottleneck;  ///< absent: cannot be told; `lacks` says what it needs
  std::optional<MemoryUnit> level;       ///< the busiest, where memory has a part in it
  std::string sentence;                  ///< for a newcomer
  std::vector<EvidenceRow> evidence;
  std::optional<Confidence> confidence;
  std::string distance;  ///< the reason of the confidence: "26 points above the 60 % line"
  std::vector<Waste> wastes;
  std::vector<Experiment> experiments;  ///< two at most, the more telling first
  Advice withheld;                      ///< stands in the place of experiments left out
  std::vector<Lack> lacks;              ///< what the class would need, or did without
  std::vector<std::string> unchecked;   ///< kinds of waste for which the counters are missing
};

Diagnosis diagnose(const KernelFacts& facts);

/// The same for a learner who has not asked for a hint yet: what there is, not what to try.
Diagnosis without_experiments(Diagnosis diagnosis, const std::string& lab_slug);

/// One line for where there is no room: the class or the first waste; empty if neither is known.
std::string summary(const Diagnosis& diagnosis);

nlohmann::json to_json(const Diagnosis& diagnosis);

}  // namespace klab
