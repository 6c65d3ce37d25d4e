// TimelineRecorder: everything CUPTI's activity records say of a stretch of time, on the host's
// clock.
#pragma once

#include <cupti.h>

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/clock_map.hpp"
#include "core/timeline_model.hpp"
#include "runner/activity_buffers.hpp"
#include "runner/cupti_subscriber.hpp"

namespace klab::runner {

/// Lets CUPTI hear this process's NVTX ranges, unless a tool from outside hears them already. Call
/// it before the first range: NVTX looks for its listener once.
void let_cupti_hear_ranges();

/// Now, in nanoseconds of the host's steady clock.
std::int64_t steady_now_ns();

/// Records kernels, copies, fills, allocations, calls, synchronizations, NVTX ranges and overheads.
/// Its memory is bounded: most_recorded_spans, and what ActivityBuffers holds.
class TimelineRecorder {
 public:
  /// Watching begins here, so that what follows pays for its preparation before begin(). Errors:
  /// RunnerError with profiler_attached.
  TimelineRecorder();

  /// Throws away what was seen so far, and reads both clocks. Errors: RunnerError.
  void begin();
  /// What began within `runs`, which are in nanoseconds of the steady clock; the result's times
  /// count from the first run's begin. Calls between `launched` and `end` of a run are marked as
  /// the harness's. Errors: RunnerError.
  VariantTimeline end(std::string variant, std::vector<TimelineRun> runs);

 private:
  struct TrackId {
    TrackKind kind;
    std::string label;
    bool operator<(const TrackId& other) const {
      return std::tie(kind, label) < std::tie(other.kind, other.label);
    }
  };
  struct OpenRange {
    std::string name, track;
    std::int64_t start_ns = 0;
  };

  void note(const CUpti_Activity& activity);
  void note_kernel(const CUpti_ActivityKernel10& kernel);
  void note_call(const CUpti_ActivityAPI& call, CUpti_CallbackDomain domain);
  void note_memory(const CUpti_ActivityMemory4& memory);
  void note_wait(const CUpti_ActivitySynchronization2& wait);
  void note_marker(const CUpti_ActivityMarker2& marker);
  void note_overhead(const CUpti_ActivityOverhead3& overhead);
  /// `span` holds CUPTI's times. One without times was not timed by CUPTI, and is dropped.
  void add(TrackKind kind, const std::string& label, const std::string& name, TimelineSpan span);
  std::uint32_t name_id(std::string name);
  std::string thread_label(std::uint32_t thread);
  ClockReading read_clocks() const;

  std::map<TrackId, std::vector<TimelineSpan>> tracks_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> name_ids_;
  std::unordered_map<std::uint32_t, OpenRange> open_ranges_;
  std::vector<std::uint32_t> threads_;  ///< in the order in which they called
  std::size_t spans_ = 0;
  std::int64_t over_limit_ = 0;
  std::int64_t without_time_ = 0;
  ClockReading began_;
  CuptiSubscriber subscriber_;
  ActivityBuffers buffers_;  ///< last, because its records go to what stands above
};

}  // namespace klab::runner
