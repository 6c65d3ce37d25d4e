// Investigation: a question about a lab's kernels beyond the verdict: where time goes (timeline),
// what warps wait for (stalls), how far from the ceilings (roofline), how it scales (sweep).
#pragma once

#include <atomic>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "core/base/tree.hpp"
#include "core/check/check.hpp"
#include "core/investigate/roofline.hpp"
#include "core/investigate/stalls.hpp"
#include "core/investigate/sweep.hpp"
#include "core/investigate/timeline.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

enum class InvestigationKind { timeline, stalls, roofline, sweep };
std::string_view to_string(InvestigationKind kind);
std::optional<InvestigationKind> investigation_kind_from(std::string_view name);

struct InvestigationRequest {
  InvestigationKind kind = InvestigationKind::timeline;
  GivenTree tree;
  Lab lab;
  std::vector<Variant> variants;  ///< flawed first, then mine where it is started, then optimized
  Backend backend = Backend::automatic;
  SweepPlan sweep;  ///< for InvestigationKind::sweep
};

/// What an investigation found. Several errors may stand beside a result that is only partly there.
struct Investigation {
  InvestigationKind kind = InvestigationKind::timeline;
  std::string lab;                 ///< id
  std::optional<Backend> backend;  ///< absent if none could be chosen
  DeviceFacts device;
  std::string date;                                   ///< ISO 8601, UTC
  std::map<VariantName, std::string> source_digests;  ///< SHA-256 of each kernel file, by variant
  std::vector<Error> errors;
  /// Absent (monostate) if nothing was found; then `errors` says why.
  std::variant<std::monostate, Timeline, StallReport, Roofline, Sweep> found;
};

/// Builds what is needed, runs the phases and concludes; never throws, never hangs. The GPU is held
/// as a check holds it. `canceled` may be set from another thread.
Investigation investigate(const InvestigationRequest& request, const OnCheckEvent& on_event,
                          const std::atomic<bool>& canceled);

/// One object: kind, lab, backend, device, date, source_digests, errors, found.
nlohmann::json to_json(const Investigation& investigation);
/// The inverse; ErrorCode::io if `json` is no such record.
Result<Investigation> investigation_from(const nlohmann::json& json);

}  // namespace klab
