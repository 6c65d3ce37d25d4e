// Timelines made by hand, whose numbers are known.
#pragma once

#include <string>
#include <utility>

#include "core/investigate/timeline.hpp"

namespace klab::test {

/// Builds a recording span by span, in microseconds.
class TimelineMaker {
 public:
  explicit TimelineMaker(VariantName variant) { made.variant = std::move(variant); }

  TimelineSpan& add(TrackKind kind, const std::string& label, const std::string& name,
                    double start_us, double duration_us, std::uint32_t correlation = 0) {
    TimelineSpan span;
    span.start_ns = static_cast<std::int64_t>(start_us * 1000);
    span.end_ns = span.start_ns + static_cast<std::int64_t>(duration_us * 1000);
    span.name = name_id(name);
    span.correlation = correlation;
    auto& spans = track(kind, label).spans;
    spans.push_back(span);
    return spans.back();
  }
  TimelineSpan& call(const std::string& name, double start_us, double duration_us,
                     std::uint32_t correlation = 0) {
    return add(TrackKind::call, "CUDA calls", name, start_us, duration_us, correlation);
  }
  TimelineSpan& kernel(const std::string& name, double start_us, double duration_us,
                       std::uint32_t correlation = 0) {
    return add(TrackKind::kernel, "Stream 7", name, start_us, duration_us, correlation);
  }
  void run(double begin_us, double launched_us, double end_us) {
    made.runs.push_back({static_cast<std::int64_t>(begin_us * 1000),
                         static_cast<std::int64_t>(launched_us * 1000),
                         static_cast<std::int64_t>(end_us * 1000)});
  }

  VariantTimeline made;

 private:
  std::uint32_t name_id(const std::string& name) {
    for (std::size_t i = 0; i < made.names.size(); ++i)
      if (made.names[i] == name) return static_cast<std::uint32_t>(i);
    made.names.push_back(name);
    return static_cast<std::uint32_t>(made.names.size() - 1);
  }
  TimelineTrack& track(TrackKind kind, const std::string& label) {
    for (TimelineTrack& one : made.tracks)
      if (one.kind == kind && one.label == label) return one;
    return made.tracks.emplace_back(TimelineTrack{kind, label, {}});
  }
};

/// One run of 100 us with three kernels of 10 us each between 8 and 88 us: before the second the
/// host waited for the first, before the third it did nothing for a while.
inline VariantTimeline waiting_timeline() {
  TimelineMaker maker(VariantName::flawed);
  maker.run(0, 90, 100);
  maker.call("cudaLaunchKernel", 2, 4, 1);
  maker.kernel("(anonymous namespace)::step(float*, long)", 8, 10, 1);  // 8 to 18
  maker.call("cudaDeviceSynchronize", 7, 15);                           // 7 to 22
  maker.call("cudaLaunchKernel", 23, 4, 2);
  maker.kernel("(anonymous namespace)::step(float*, long)", 28, 10, 2);  // 28 to 38
  maker.call("cudaLaunchKernel", 70, 4, 3);
  maker.kernel("(anonymous namespace)::step(float*, long)", 78, 10, 3);  // 78 to 88
  maker.call("cudaDeviceSynchronize (harness)", 91, 2);
  return maker.made;
}

/// One run of five seconds with a million kernels in four streams.
inline VariantTimeline million_spans() {
  TimelineMaker maker(VariantName::flawed);
  maker.run(0, 1, 5e6);
  maker.made.names = {"a", "b", "c"};
  for (int stream = 0; stream < 4; ++stream) {
    TimelineTrack track{TrackKind::kernel, "Stream " + std::to_string(stream), {}};
    for (int i = 0; i < 250'000; ++i)
      track.spans.push_back({i * 20'000L, i * 20'000L + 5'000 + (i * 7919L) % 12'000,
                             static_cast<std::uint32_t>(i % 3)});
    maker.made.tracks.push_back(std::move(track));
  }
  return maker.made;
}

}  // namespace klab::test
