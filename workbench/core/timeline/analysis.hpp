// Timeline analysis: how idle the GPU was, why, and what the time went to. Pure functions of what
// was recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/timeline/model.hpp"

namespace klab {

/// Why the GPU had nothing to do, as far as calls and their work tell. A likely reason, not a
/// proof.
enum class GapReason {
  host_wait,         ///< the host waited for the GPU and asked for the next work only afterwards
  synchronous_copy,  ///< the host was inside a copy that returns when it is done
  allocation,        ///< the host allocated or released memory
  launch_latency,  ///< the work was asked for, or calls were under way: the start itself takes time
  host_busy,       ///< the host did something else than calling CUDA
  between_runs,    ///< the harness prepared the next run; not counted as idle
  unknown          ///< the call that asked for the next work is not in the recording
};
std::string_view to_string(GapReason reason);    ///< "host wait", ...
std::string_view explanation(GapReason reason);  ///< a sentence

struct TimelineGap {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  GapReason reason = GapReason::unknown;

  std::int64_t duration_ns() const { return to_ns - from_ns; }
};

/// Gaps shorter than this are the ordinary distance of two kernels in a stream, about a
/// microsecond.
inline constexpr std::int64_t gap_threshold_ns = 2000;

/// One run: what the GPU did between its first and its last work.
struct RunReading {
  TimelineRun run;
  std::optional<std::int64_t> first_work_ns;
  std::optional<std::int64_t> last_work_ns;
  std::int64_t busy_ns = 0;  ///< at least one kernel, copy or fill ran
  std::int64_t kernels = 0;
  std::int64_t copies = 0;  ///< and fills
  std::int64_t waits = 0;   ///< calls that wait for the GPU, blocking copies among them
  std::int64_t allocations = 0;

  /// From the first to the last work; absent if there was none.
  std::optional<std::int64_t> work_ns() const;
  /// The share of that time in which nothing ran, in percent.
  std::optional<double> idle_pct() const;
};

/// All gaps of one reason.
struct GapSum {
  GapReason reason = GapReason::unknown;
  std::int64_t count = 0;
  std::int64_t total_ns = 0;
  std::int64_t longest_ns = 0;
};

/// Everything of one name and kind.
struct NameRow {
  std::string name;
  TrackKind kind = TrackKind::call;
  std::int64_t count = 0;
  std::optional<std::int64_t> bytes;  ///< of all together, where they move any
  std::int64_t total_ns = 0;
  std::int64_t self_ns = 0;  ///< without what is nested in it on the same track
  double mean_ns = 0;
  double share_pct = 0;  ///< total_ns of the runs' whole time; more than 100 if several overlap
};

struct TimelineAnalysis {
  std::vector<RunReading> runs;
  std::optional<double> idle_pct;  ///< of all runs together
  std::vector<TimelineGap> gaps;   ///< by time; from `threshold_ns` on, and those between runs
  std::vector<GapSum> gap_sums;    ///< those that occur, in the order of GapReason
  std::vector<NameRow> names;      ///< by total time, longest first; without a clock by count

  /// The median over the runs of `member`, so that a first run that differs does not decide.
  std::optional<double> median_of(std::int64_t RunReading::*member) const;
  std::optional<double> median_work_ns() const;
};

/// Of a timeline of order only, neither gaps nor the time of work and idleness are said.
TimelineAnalysis analyse(const VariantTimeline& timeline,
                         std::int64_t threshold_ns = gap_threshold_ns);

/// What happened in a run, by step; the same one after the other is one row.
struct OrderedRow {
  std::int64_t step = 0;
  std::string name;
  std::int64_t times = 1;
  bool inside = false;                ///< inside a call
  std::optional<std::int64_t> bytes;  ///< of one
};
/// Calls and GPU work of the run with that index, without what the harness called; empty if there
/// is none. For timelines of order only.
std::vector<OrderedRow> order_of_run(const VariantTimeline& timeline, std::size_t run);

/// A sentence that stands below what has no clock.
inline constexpr std::string_view order_only_words =
    "From the simulator: the order of calls and work, one step for each. It has no clock, so "
    "nothing "
    "here says how long anything takes or how idle a GPU would be; that needs a GPU.";

/// Sorts tracks by kind and label, and spans as TimelineTrack promises.
void put_in_order(VariantTimeline& timeline);

/// Calls that return only when work of the GPU is done.
bool is_waiting_call(std::string_view name);
bool is_blocking_copy(std::string_view name);
bool is_allocation(std::string_view name);

}  // namespace klab
