// The last reads of each unit of shared memory by each warp of a block.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace klab::sim {

// Where warps wait for each other one by one, a write may have a place behind some readers and not
// behind others: two of them do not stand for all.
class ReadsByWarp {
 public:
  struct Read {
    std::uint32_t epoch = 0, time = 0;  // the checker's, and of the warp; see HandOver
    std::uint32_t lanes = 0;            // that read at that time
    std::uint32_t location : 31 = 0;
    std::uint32_t strong : 1 = false;
  };

  // None where that would take too much memory.
  ReadsByWarp(std::size_t units, std::uint32_t warps) {
    constexpr std::size_t most_bytes = std::size_t{32} << 20;
    if (units * warps * sizeof(Read) > most_bytes) return;
    warps_ = warps;
    reads_.resize(units * warps);
  }
  ReadsByWarp() = default;

  bool any() const { return warps_ != 0; }
  void note(std::size_t unit, std::uint32_t warp, const Read& now) {
    Read& last = reads_[unit * warps_ + warp];
    const bool same = last.epoch == now.epoch && last.time == now.time;
    const std::uint32_t lanes = now.lanes | (same ? last.lanes : 0);
    last = now;
    last.lanes = lanes;
  }
  std::span<const Read> of(std::size_t unit) const {
    return {reads_.data() + unit * warps_, warps_};
  }

 private:
  std::size_t warps_ = 0;
  std::vector<Read> reads_;
};

}  // namespace klab::sim
