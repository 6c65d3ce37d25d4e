// Timeline: what the CPU asked for and what the GPU did, over time.
#pragma once

#include <atomic>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/check/check.hpp"
#include "core/timeline/analysis.hpp"
#include "core/timeline/lanes.hpp"
#include "core/timeline/model.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

struct PreparedLab;

/// A recording with what follows from it, made once, away from the window's thread.
struct TracedVariant {
  VariantTimeline recorded;
  TimelineAnalysis analysis;
  std::vector<TrackLanes> lanes;  ///< one for each of recorded.tracks
  TimelineLane gaps;              ///< analysis.gaps as a row; `span` is the index there
};

/// Shared, because a recording may be large and is never changed.
struct Timeline {
  std::vector<std::shared_ptr<const TracedVariant>> variants;

  /// nullptr if it was not recorded.
  const TracedVariant* variant(const VariantName& name) const;
  /// It comes from the simulator: steps instead of time.
  bool order_only() const;
};

/// Puts the recording in order, analyses it and lays it out.
std::shared_ptr<const TracedVariant> trace_of(VariantTimeline recorded);

/// A recording as a runner sends it: names first, then spans, each record within the wire's bound.
std::vector<Record> timeline_records(const VariantTimeline& recorded);

/// The recordings in a phase's records, as far as they are complete. Errors: protocol_mismatch if a
/// span refers to a name that was never sent.
Result<Timeline> assemble_timeline(const std::vector<Record>& records);

/// Records every kernel file of `lab`. Errors: those of the phase, unless at least one kernel file
/// was recorded. The simulator records order only.
Result<Timeline> find_timeline(const PreparedLab& lab, const OnCheckEvent& on_event,
                               const std::atomic<bool>& canceled);

/// One key, variants: a list of VariantTimeline (core/timeline/json.hpp), and of each an analysis
/// for programs that only read: idle_pct, runs, gaps, names.
nlohmann::json to_json(const Timeline& timeline);
/// The inverse; the analysis is made anew. Errors: ErrorCode::io.
Result<Timeline> timeline_from(const nlohmann::json& json);

}  // namespace klab
