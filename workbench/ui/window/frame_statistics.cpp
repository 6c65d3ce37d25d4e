// FrameStatistics: clocks and quantiles.
#include "ui/window/frame_statistics.hpp"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
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

double quantile_ms(const std::vector<double>& seconds, double share) {
  return quantile(seconds, share).value_or(0) * 1e3;
}

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
}

void FrameStatistics::print() const {
  if (count_ == 0) return;
  fmt::print(
      "first frame after {:.0f} ms; {} more, median {:.1f} ms, 99 % {:.1f} ms, longest {:.1f} "
      "ms (of the processor {:.1f}, {:.1f}, {:.1f} ms); {:.2f} s of processor time in {:.2f} s\n",
      first_frame_s_ * 1e3, frames_s_.size(), quantile_ms(frames_s_, 0.5),
      quantile_ms(frames_s_, 0.99), quantile_ms(frames_s_, 1), quantile_ms(processor_s_, 0.5),
      quantile_ms(processor_s_, 0.99), quantile_ms(processor_s_, 1), processor_s(),
      seconds_since(program_began));
  if (intervals_s_.empty()) return;
  fmt::print("while something moved a frame every {:.1f} ms, 99 % {:.1f} ms, longest {:.1f} ms\n",
             quantile_ms(intervals_s_, 0.5), quantile_ms(intervals_s_, 0.99),
             quantile_ms(intervals_s_, 1));
}

}  // namespace klab::ui
