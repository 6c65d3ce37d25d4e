// Timeline analysis: idle time, gaps with their likely reasons, and the table by name.
#include "core/timeline/analysis.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "core/base/text.hpp"
#include "core/measure/statistics.hpp"

namespace klab {
namespace {

struct Reason {
  GapReason value;
  std::string_view name;
  std::string_view sentence;
};
constexpr Reason reasons[] = {
    {GapReason::host_wait, "host wait",
     "The host waited for the GPU to finish, and asked for the next work only afterwards."},
    {GapReason::synchronous_copy, "synchronous copy",
     "The host was inside a copy that returns only when it is done, so the next work came late."},
    {GapReason::allocation, "allocation",
     "The host allocated or released memory before it asked for the next work."},
    {GapReason::launch_latency, "launch latency",
     "The work was being asked for: launching and starting it takes longer than the GPU had to "
     "do."},
    {GapReason::host_busy, "host busy",
     "The host did something else than calling CUDA before it asked for the next work."},
    {GapReason::between_runs, "between runs",
     "The harness prepared the next run. This is not part of the kernel file's time."},
    {GapReason::unknown, "unknown",
     "The call that asked for the next work is not in the recording."}};

/// A kernel, copy or fill with where it came from.
struct Work {
  const TimelineSpan* span = nullptr;
  TrackKind kind = TrackKind::kernel;
};

bool earlier(const TimelineSpan& a, const TimelineSpan& b) {
  return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
}

std::vector<Work> work_of(const VariantTimeline& timeline) {
  std::vector<Work> work;
  for (const TimelineTrack& track : timeline.tracks)
    if (is_gpu_work(track.kind))
      for (const TimelineSpan& span : track.spans) work.push_back({&span, track.kind});
  std::sort(work.begin(), work.end(),
            [](const Work& a, const Work& b) { return earlier(*a.span, *b.span); });
  return work;
}

/// The host's calls, and which of them asked for a piece of work.
class Calls {
 public:
  explicit Calls(const VariantTimeline& timeline) : names_(timeline.names) {
    for (const TimelineTrack& track : timeline.tracks)
      if (track.kind == TrackKind::call) add(track);
    std::sort(all_.begin(), all_.end(), [](auto* a, auto* b) { return earlier(*a, *b); });
  }

  const TimelineSpan* that_asked_for(const TimelineSpan& work) const {
    const auto found = by_correlation_.find(work.correlation);
    return work.correlation && found != by_correlation_.end() ? found->second : nullptr;
  }

  /// What kept the host in [from, to), by the outermost call that covers most of it.
  GapReason reason(std::int64_t from_ns, std::int64_t to_ns) const {
    const TimelineSpan* longest = nullptr;
    std::int64_t longest_ns = 0, covered_ns = 0;
    // Outermost calls of a thread do not overlap, so only the one before `from` can reach into it.
    auto at = std::partition_point(all_.begin(), all_.end(),
                                   [=](const auto* call) { return call->start_ns < from_ns; });
    for (int back = 0; back < most_threads && at != all_.begin(); ++back) --at;
    for (; at != all_.end() && (*at)->start_ns < to_ns; ++at) {
      const std::int64_t shared_ns =
          std::min((*at)->end_ns, to_ns) - std::max((*at)->start_ns, from_ns);
      if (shared_ns <= 0) continue;
      covered_ns += shared_ns;
      if (shared_ns > longest_ns) longest = *at, longest_ns = shared_ns;
    }
    if (!longest || covered_ns * 2 < to_ns - from_ns) return GapReason::host_busy;
    const std::string_view name = names_[longest->name];
    if (is_waiting_call(name)) return GapReason::host_wait;
    if (is_blocking_copy(name)) return GapReason::synchronous_copy;
    if (is_allocation(name)) return GapReason::allocation;
    return GapReason::launch_latency;
  }

 private:
  /// As many outermost calls may be open at once, one a thread.
  static constexpr int most_threads = 8;

  void add(const TimelineTrack& track) {
    std::int64_t reached_ns = INT64_MIN;
    for (const TimelineSpan& span : track.spans) {
      if (span.correlation) by_correlation_.try_emplace(span.correlation, &span);
      if (span.end_ns <= reached_ns) continue;  // nested in the one before
      reached_ns = span.end_ns;
      all_.push_back(&span);
    }
  }

  const std::vector<std::string>& names_;
  std::unordered_map<std::uint32_t, const TimelineSpan*> by_correlation_;
  std::vector<const TimelineSpan*> all_;  ///< outermost, by start
};

GapReason reason_of(const Calls& calls, std::int64_t from_ns, const TimelineSpan& next) {
  const TimelineSpan* call = calls.that_asked_for(next);
  if (!call) return GapReason::unknown;
  // Asked for before the GPU fell idle: what remains is the start itself.
  if (call->start_ns <= from_ns) return GapReason::launch_latency;
  return calls.reason(from_ns, call->start_ns);
}

/// Work of one run, with its gaps.
void read_run(RunReading& reading, std::vector<TimelineGap>& gaps, const std::vector<Work>& work,
              const Calls& calls, std::int64_t threshold_ns) {
  auto at = std::partition_point(work.begin(), work.end(), [&](const Work& w) {
    return w.span->start_ns < reading.run.begin_ns;
  });
  std::int64_t reached_ns = 0;
  for (; at != work.end() && at->span->start_ns < reading.run.end_ns; ++at) {
    const TimelineSpan& span = *at->span;
    ++(at->kind == TrackKind::kernel ? reading.kernels : reading.copies);
    if (!reading.first_work_ns) {
      reading.first_work_ns = reached_ns = span.start_ns;
    } else if (span.start_ns - reached_ns >= threshold_ns) {
      gaps.push_back({reached_ns, span.start_ns, reason_of(calls, reached_ns, span)});
    }
    if (span.end_ns <= reached_ns) continue;
    reading.busy_ns += span.end_ns - std::max(span.start_ns, reached_ns);
    reached_ns = span.end_ns;
    reading.last_work_ns = reached_ns;
  }
  if (reading.first_work_ns && !reading.last_work_ns) reading.last_work_ns = reading.first_work_ns;
}

void count_calls(TimelineAnalysis& analysis, const VariantTimeline& timeline) {
  std::unordered_map<std::uint32_t, bool> on_device;
  for (const TimelineTrack& track : timeline.tracks)
    if (track.kind == TrackKind::copy && track.label == device_copies_label)
      for (const TimelineSpan& span : track.spans) on_device[span.correlation] = true;
  for (const TimelineTrack& track : timeline.tracks) {
    if (track.kind != TrackKind::call) continue;
    for (const TimelineSpan& span : track.spans) {
      const std::string_view name = timeline.names[span.name];
      const bool waits = is_waiting_call(name) ||
                         (is_blocking_copy(name) && !on_device.contains(span.correlation));
      const bool allocates = is_allocation(name);
      // The driver's own calls are nested in the runtime's, which are counted.
      if (!(waits || allocates) || !name.starts_with("cuda")) continue;
      for (RunReading& reading : analysis.runs) {
        if (span.start_ns < reading.run.begin_ns || span.start_ns >= reading.run.launched_ns)
          continue;
        ++(waits ? reading.waits : reading.allocations);
      }
    }
  }
}

std::vector<GapSum> sums_of(const std::vector<TimelineGap>& gaps) {
  std::map<GapReason, GapSum> sums;
  for (const TimelineGap& gap : gaps) {
    GapSum& sum = sums[gap.reason];
    sum.reason = gap.reason;
    ++sum.count;
    sum.total_ns += gap.duration_ns();
    sum.longest_ns = std::max(sum.longest_ns, gap.duration_ns());
  }
  std::vector<GapSum> list;
  for (const auto& [reason, sum] : sums) list.push_back(sum);
  return list;
}

/// A recording from elsewhere may claim any number of bytes.
std::int64_t bounded_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::vector<NameRow> table(const VariantTimeline& timeline) {
  std::map<std::pair<TrackKind, std::uint32_t>, NameRow> rows;
  std::int64_t whole_ns = 0;
  for (const TimelineRun& run : timeline.runs) whole_ns += run.end_ns - run.begin_ns;
  for (const TimelineTrack& track : timeline.tracks) {
    const bool nests = track.kind == TrackKind::call || track.kind == TrackKind::range;
    std::vector<std::pair<std::int64_t, NameRow*>> open;  // end and row of what encloses
    for (const TimelineSpan& span : track.spans) {
      NameRow& row = rows[{track.kind, span.name}];
      ++row.count;
      if (span.bytes) row.bytes = bounded_sum(row.bytes.value_or(0), *span.bytes);
      row.total_ns += span.duration_ns();
      row.self_ns += span.duration_ns();
      if (!nests) continue;
      while (!open.empty() && open.back().first <= span.start_ns) open.pop_back();
      if (!open.empty() && span.end_ns <= open.back().first)
        open.back().second->self_ns -= span.duration_ns();
      open.emplace_back(span.end_ns, &row);
    }
  }
  std::vector<NameRow> sorted;
  for (auto& [key, row] : rows) {
    row.kind = key.first;
    row.name = timeline.names[key.second];
    row.mean_ns = static_cast<double>(row.total_ns) / static_cast<double>(row.count);
    if (whole_ns > 0)
      row.share_pct = 100.0 * static_cast<double>(row.total_ns) / static_cast<double>(whole_ns);
    sorted.push_back(std::move(row));
  }
  const auto weight = [&](const NameRow& row) {
    return timeline.order_only ? row.count : row.total_ns;
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const NameRow& a, const NameRow& b) { return weight(a) > weight(b); });
  return sorted;
}

}  // namespace

std::string_view to_string(GapReason reason) {
  for (const Reason& one : reasons)
    if (one.value == reason) return one.name;
  return "";
}

std::string_view explanation(GapReason reason) {
  for (const Reason& one : reasons)
    if (one.value == reason) return one.sentence;
  return "";
}

bool is_waiting_call(std::string_view name) {
  return starts_with_any(name,
                         {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize",
                          "cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize"});
}

bool is_blocking_copy(std::string_view name) {
  return starts_with_any(name, {"cudaMemcpy", "cuMemcpy"}) &&
         name.find("Async") == std::string_view::npos;
}

bool is_allocation(std::string_view name) {
  return starts_with_any(name, {"cudaMalloc", "cudaFree", "cudaHostAlloc", "cuMemAlloc",
                                "cuMemFree", "cuMemHostAlloc"});
}

std::optional<std::int64_t> RunReading::work_ns() const {
  if (!first_work_ns || !last_work_ns) return std::nullopt;
  return *last_work_ns - *first_work_ns;
}

std::optional<double> RunReading::idle_pct() const {
  const auto whole = work_ns();
  if (!whole || *whole <= 0) return std::nullopt;
  return 100.0 * static_cast<double>(*whole - busy_ns) / static_cast<double>(*whole);
}

std::optional<double> TimelineAnalysis::median_of(std::int64_t RunReading::*member) const {
  std::vector<double> values;
  for (const RunReading& reading : runs) values.push_back(static_cast<double>(reading.*member));
  return median(values);
}

std::optional<double> TimelineAnalysis::median_work_ns() const {
  std::vector<double> values;
  for (const RunReading& reading : runs)
    if (const auto work = reading.work_ns()) values.push_back(static_cast<double>(*work));
  return median(values);
}

void put_in_order(VariantTimeline& timeline) {
  std::stable_sort(timeline.tracks.begin(), timeline.tracks.end(),
                   [](const TimelineTrack& a, const TimelineTrack& b) {
                     return a.kind != b.kind ? a.kind < b.kind : a.label < b.label;
                   });
  for (TimelineTrack& track : timeline.tracks)
    std::stable_sort(track.spans.begin(), track.spans.end(), earlier);
}

TimelineAnalysis analyse(const VariantTimeline& timeline, std::int64_t threshold_ns) {
  TimelineAnalysis analysis;
  const std::vector<Work> work = work_of(timeline);
  const Calls calls(timeline);
  std::int64_t whole_ns = 0, busy_ns = 0;
  std::optional<std::int64_t> last_ns;
  for (const TimelineRun& run : timeline.runs) {
    RunReading reading{.run = run};
    std::vector<TimelineGap> gaps;
    read_run(reading, gaps, work, calls, threshold_ns);
    if (timeline.order_only) {
      gaps.clear();
      reading.first_work_ns = reading.last_work_ns = std::nullopt;
      reading.busy_ns = 0;
    }
    if (last_ns && reading.first_work_ns && *reading.first_work_ns > *last_ns)
      analysis.gaps.push_back({*last_ns, *reading.first_work_ns, GapReason::between_runs});
    analysis.gaps.insert(analysis.gaps.end(), gaps.begin(), gaps.end());
    if (reading.last_work_ns) last_ns = reading.last_work_ns;
    whole_ns += reading.work_ns().value_or(0);
    busy_ns += reading.busy_ns;
    analysis.runs.push_back(reading);
  }
  if (whole_ns > 0)
    analysis.idle_pct =
        100.0 * static_cast<double>(whole_ns - busy_ns) / static_cast<double>(whole_ns);
  count_calls(analysis, timeline);
  analysis.gap_sums = sums_of(analysis.gaps);
  analysis.names = table(timeline);
  return analysis;
}

std::vector<OrderedRow> order_of_run(const VariantTimeline& timeline, std::size_t run) {
  if (run >= timeline.runs.size()) return {};
  const TimelineRun& within = timeline.runs[run];
  std::vector<std::pair<const TimelineSpan*, TrackKind>> spans;
  for (const TimelineTrack& track : timeline.tracks) {
    if (track.kind != TrackKind::call && !is_gpu_work(track.kind)) continue;
    for (const TimelineSpan& span : track.spans)
      if (span.start_ns >= within.begin_ns && span.start_ns < within.end_ns &&
          !timeline.names[span.name].ends_with(harness_suffix))
        spans.emplace_back(&span, track.kind);
  }
  std::sort(spans.begin(), spans.end(),
            [](const auto& a, const auto& b) { return earlier(*a.first, *b.first); });
  std::vector<OrderedRow> rows;
  std::int64_t call_end = INT64_MIN;
  for (const auto& [span, kind] : spans) {
    const bool inside = span->start_ns < call_end;
    if (kind == TrackKind::call) call_end = std::max(call_end, span->end_ns);
    const std::string& name = timeline.names[span->name];
    if (!rows.empty() && rows.back().name == name && rows.back().bytes == span->bytes &&
        rows.back().inside == inside)
      ++rows.back().times;
    else
      rows.push_back({span->start_ns, name, 1, inside, span->bytes});
  }
  return rows;
}

}  // namespace klab
