// FrameStatistics: how long frames took in one run of the program, told at its end or in between.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace klab::ui {

/// Times one frame from its beginning to FrameStatistics::end().
struct FrameBegin {
  double wall_s = 0;
  double processor_s = 0;  ///< of all threads of the process
};

class FrameStatistics {
 public:
  static FrameBegin begin();
  /// `moved`: something moved ever since the last frame, so the time between the two counts.
  void end(const FrameBegin& frame, bool moved);
  /// Forgets all frames but how many there were.
  void begin_anew();
  /// Since the beginning or begin_anew(): `frames`, `wall_s` and `processor_s` of the program, and
  /// the distributions `drawing`, `processor` (of a frame, which other programs do not lengthen)
  /// and `interval` (from one frame to the next while something moved). `first_frame_ms` counts
  /// from the program's start.
  nlohmann::json to_json() const;

 private:
  int count_ = 0;
  FrameBegin since_;
  std::vector<double> frames_s_;     ///< without the first, which makes fonts and shaders
  std::vector<double> processor_s_;  ///< of each frame
  std::vector<double> intervals_s_;  ///< from one frame's begin to the next one's, while it moves
  double last_begin_s_ = 0;
  double first_frame_s_ = 0;  ///< since the program's code began to run
};

/// {"count", "median_ms", "p99_ms", "longest_ms"}; without values only the count.
nlohmann::json distribution(const std::vector<double>& seconds);

}  // namespace klab::ui
