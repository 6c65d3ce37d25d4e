// Timelines as JSON: columns instead of objects, because a timeline may hold a million spans.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.hpp"
#include "core/timeline/model.hpp"

namespace klab {

/// Keys: variant, kind, label, new_names, start_ns, duration_ns (of order only: order_only,
/// start_step, steps), name, and where any span has one
/// correlation, bytes, stream (null for those that have none).
nlohmann::json to_json(const SpanBatch& batch);
/// Throws std::exception on anything else, as the protocol's decoder expects.
SpanBatch span_batch_from(const nlohmann::json& json);

nlohmann::json to_json(const TimelineEnd& end);
/// Throws std::exception on anything else.
TimelineEnd timeline_end_from(const nlohmann::json& json);

/// Keys: variant, names, runs, dropped_over_limit, dropped_by_profiler, clock (of order only:
/// order_only), tracks.
nlohmann::json to_json(const VariantTimeline& timeline);
/// Errors: ErrorCode::io for anything that is no timeline, or has more than a window can hold.
Result<VariantTimeline> variant_timeline_from(const nlohmann::json& json);

}  // namespace klab
