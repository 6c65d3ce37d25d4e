// TimelineBuilder: spans as they come, on their tracks and with their names, within bounds.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/timeline/model.hpp"

namespace klab::runner {

class TimelineBuilder {
 public:
  /// The moment of a span as the runs count moments.
  using Moment = std::function<std::int64_t(std::int64_t)>;

  /// Spans beyond most_recorded_spans are counted only.
  void add(TrackKind kind, const std::string& label, const std::string& name, TimelineSpan span);

  /// Tracks, names and runs of what began within `runs`, or `tolerance` before one; everything
  /// counts from the first run's begin. Calls and waits after `launched` are the harness's.
  VariantTimeline finish(VariantName variant, std::vector<TimelineRun> runs, const Moment& moment,
                         std::int64_t tolerance);

 private:
  struct TrackId {
    TrackKind kind;
    std::string label;
    bool operator<(const TrackId& other) const {
      return std::tie(kind, label) < std::tie(other.kind, other.label);
    }
  };

  std::uint32_t name_id(std::string name);

  std::map<TrackId, std::vector<TimelineSpan>> tracks_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> name_ids_;
  std::size_t spans_ = 0;
  std::int64_t over_limit_ = 0;
};

/// "CUDA calls", and for further threads their number; `number` counts from 0.
std::string calls_label(std::size_t number);
/// "Copies to the device" and so on.
std::string copies_label(bool from_host, bool to_host);
/// "copy pageable to device"
std::string copy_name(const std::string& from, const std::string& to);

}  // namespace klab::runner
