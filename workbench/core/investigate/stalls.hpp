// StallReport: what warps wait for, by reason and by line, with everything else that a diagnosis of
// the same kernels rests on.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/check/check.hpp"
#include "core/diagnosis/diagnosis.hpp"
#include "core/verdict/stall_samples.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

struct PreparedLab;

struct StallReport {
  std::vector<KernelFacts> facts;     ///< a kernel file each, in the order asked for
  std::vector<StallSamples> samples;  ///< of those that could be sampled
  std::vector<Error> errors;          ///< what could not be obtained, and why

  /// nullptr if that variant was not looked at, or not sampled.
  const KernelFacts* facts_of(const VariantName& variant) const;
  const StallSamples* samples_of(const VariantName& variant) const;
};

/// Counts, traces, times and samples each kernel file; each phase in a process of its own. On the
/// simulator it counts only, and says what needs a GPU. Errors: the first one, if nothing at all
/// could be obtained; others stand in StallReport::errors.
Result<StallReport> find_stalls(const PreparedLab& lab, const OnCheckEvent& on_event,
                                const std::atomic<bool>& canceled);

/// Keys: facts, samples, and for readers outside the diagnoses that follow from them.
nlohmann::json to_json(const StallReport& stalls);
Result<StallReport> stalls_from(const nlohmann::json& json);

}  // namespace klab
