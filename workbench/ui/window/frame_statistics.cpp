// FrameStatistics: clocks and quantiles.
#include "ui/window/frame_statistics.hpp"

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/measure/statistics.hpp"

namespace klab::ui {
namespace {

using Clock = std::chrono::steady_clock;

/// Loading the program's libraries comes before.
const auto program_began = Clock::now();

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double processor_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

FrameBegin FrameStatistics::begin() { return {seconds_since(program_began), processor_s()}; }

void FrameStatistics::end(const FrameBegin& frame, bool moved) {
  const FrameBegin now = begin();
  const double since_last_s = frame.wall_s - std::exchange(last_begin_s_, frame.wall_s);
  if (++count_ == 1) {
    first_frame_s_ = now.wall_s;
    return;
  }
  frames_s_.push_back(now.wall_s - frame.wall_s);
  processor_s_.push_back(now.processor_s - frame.processor_s);
  if (moved && count_ > 2) intervals_s_.push_back(since_last_s);
}

void FrameStatistics::begin_anew() {
  for (auto* times : {&frames_s_, &processor_s_, &intervals_s_}) times->clear();
  since_ = begin();
}

nlohmann::json FrameStatistics::to_json() const {
  const FrameBegin now = begin();
  return {{"first_frame_ms", first_frame_s_ * 1e3},
          {"frames", frames_s_.size()},
          {"wall_s", now.wall_s - since_.wall_s},
          {"processor_s", now.processor_s - since_.processor_s},
          {"drawing", distribution(frames_s_)},
          {"processor", distribution(processor_s_)},
          {"interval", distribution(intervals_s_)}};
}

nlohmann::json distribution(const std::vector<double>& seconds) {
  nlohmann::json json = {{"count", seconds.size()}};
  for (const auto& [name, share] :
       {std::pair{"median_ms", 0.5}, std::pair{"p99_ms", 0.99}, std::pair{"longest_ms", 1.0}})
    if (const auto value = quantile(seconds, share)) json[name] = *value * 1e3;
  return json;
}

}  // namespace klab::ui
