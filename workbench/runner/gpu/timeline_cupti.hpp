// TimelineRecorder: everything CUPTI's activity records say of a stretch of time, on the host's
// clock.
#pragma once

#include <cupti.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "core/timeline/clock_map.hpp"
#include "core/timeline/model.hpp"
#include "runner/cupti/activity_buffers.hpp"
#include "runner/cupti/subscriber.hpp"
#include "runner/phases/timeline_builder.hpp"
#include "runner/phases/timeline_source.hpp"

namespace klab::runner {

/// Lets CUPTI hear this process's NVTX ranges, unless a tool from outside hears them already. Call
/// it before the first range: NVTX looks for its listener once.
void let_cupti_hear_ranges();

/// Records kernels, copies, fills, allocations, calls, synchronizations, NVTX ranges and overheads.
/// Its memory is bounded: most_recorded_spans, and what ActivityBuffers holds. Runs are in
/// nanoseconds of the host's steady clock.
class TimelineRecorder : public TimelineSource {
 public:
  /// Watching begins here, so that what follows pays for its preparation before begin(). Errors:
  /// RunnerError with profiler_attached.
  TimelineRecorder();

  void begin() override;
  std::int64_t now() const override;
  VariantTimeline end(VariantName variant, std::vector<TimelineRun> runs) override;

 private:
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
  std::string thread_label(std::uint32_t thread);
  ClockReading read_clocks() const;

  TimelineBuilder builder_;
  std::unordered_map<std::uint32_t, OpenRange> open_ranges_;
  std::vector<std::uint32_t> threads_;  ///< in the order in which they called
  std::int64_t without_time_ = 0;
  ClockReading began_;
  CuptiSubscriber subscriber_;
  ActivityBuffers buffers_;  ///< last, because its records go to what stands above
};

}  // namespace klab::runner
