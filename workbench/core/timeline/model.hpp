// What a timeline is made of: spans of time on tracks, in nanoseconds of the host's steady clock
// since the first run began. Where there is no clock, on the simulator, it shows order only: every
// member that ends in _ns then counts steps, one for each thing that happened, and is never shown
// as time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/variant_name.hpp"

namespace klab {

/// What a track shows. The order is the order in which tracks stand below each other.
enum class TrackKind {
  range,    ///< NVTX ranges, nested
  call,     ///< calls of the CUDA runtime and driver on one thread, nested
  wait,     ///< synchronizations
  memory,   ///< allocations and releases, without duration
  kernel,   ///< kernels of one stream
  copy,     ///< copies and memory fills
  overhead  ///< what the profiler or the driver itself took
};
std::string_view to_string(TrackKind kind);
std::optional<TrackKind> track_kind_from(std::string_view name);
/// Work of the GPU. Where there is none, it idles.
inline bool is_gpu_work(TrackKind kind) {
  return kind == TrackKind::kernel || kind == TrackKind::copy;
}

struct TimelineSpan {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;  ///< equal to start_ns for what happens at an instant
  std::uint32_t name = 0;   ///< index in VariantTimeline::names
  std::uint32_t correlation =
      0;  ///< shared by a call and the work it asked for; 0 if there is none
  std::optional<std::int64_t> bytes;
  std::optional<std::uint32_t> stream;

  std::int64_t duration_ns() const { return end_ns - start_ns; }
};

struct TimelineTrack {
  TrackKind kind = TrackKind::call;
  std::string label;                ///< "Stream 13", "Copies to the host"
  std::vector<TimelineSpan> spans;  ///< by start; of two that start together the longer one first
};

/// One launch of the kernel file, watched from its beginning until the GPU was done.
struct TimelineRun {
  std::int64_t begin_ns = 0;
  std::int64_t launched_ns = 0;  ///< `launch` returned; the harness then waits for the device
  std::int64_t end_ns = 0;
};

/// How well the profiler's clock was brought to the host's.
struct ClockQuality {
  std::int64_t drift_ns = 0;        ///< how far the clocks moved apart while recording; corrected
  std::int64_t uncertainty_ns = 0;  ///< of one reading of both clocks
};

/// What was recorded of one kernel file.
struct VariantTimeline {
  VariantName variant;
  std::vector<std::string> names;
  std::vector<TimelineTrack> tracks;  ///< by kind
  std::vector<TimelineRun> runs;
  std::int64_t dropped_over_limit = 0;   ///< spans beyond the harness's limit
  std::int64_t dropped_by_profiler = 0;  ///< activity records that CUPTI had no room for
  ClockQuality clock;
  bool order_only = false;  ///< steps instead of nanoseconds, and no clock
};

/// Spans of one track on their way from the runner, with the names that they use first.
struct SpanBatch {
  VariantName variant;
  TrackKind kind = TrackKind::call;
  std::string label;
  std::vector<std::string> new_names;  ///< appended to VariantTimeline::names
  std::vector<TimelineSpan> spans;
  bool order_only = false;
};

/// What a runner says of a variant after its last batch.
struct TimelineEnd {
  VariantName variant;
  std::vector<TimelineRun> runs;
  std::int64_t dropped_over_limit = 0;
  std::int64_t dropped_by_profiler = 0;
  ClockQuality clock;
  bool order_only = false;
};

/// The track of copies that do not keep the host, because they never leave the device.
inline constexpr std::string_view device_copies_label = "Copies on the device";
/// Follows the name of a call that the harness made, not the kernel file.
inline constexpr std::string_view harness_suffix = " (harness)";

/// The harness's limit on spans of one variant, far beyond any lab.
inline constexpr std::size_t most_recorded_spans = 200'000;
/// Spans of one batch: well below the longest record, whatever their numbers are.
inline constexpr std::size_t most_batch_spans = 10'000;
/// Bytes of new names in one batch.
inline constexpr std::size_t most_batch_name_bytes = 512 * 1024;
inline constexpr std::size_t longest_span_name = 400;

}  // namespace klab
