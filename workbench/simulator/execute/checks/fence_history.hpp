// The fences of one block that reach other blocks (__threadfence()), and what they cover.
#pragma once
#include <cstdint>
#include <vector>

namespace klab::sim {

// Fences are numbered warp by warp. Epochs are the checker's: one ends at each barrier.
class FenceHistory {
 public:
  // An access of a thread. `fences`: of its warp, before.
  struct Access {
    std::uint32_t epoch = 0, warp_epoch = 0, fences = 0;
    std::uint16_t thread = 0;
  };
  // Where a thread told others how far it has got, by an atomic operation or a flag.
  struct Telling {
    std::uint32_t epoch = 0;  // 0: never
    std::uint32_t fences = 0;
    std::uint16_t warp = 0;
    bool of_several = false;  // warps, in that epoch
    bool operator==(const Telling&) const = default;
  };

  explicit FenceHistory(std::uint32_t warps) : of_warp_(warps) {}

  void fence(std::uint32_t warp, std::uint32_t lanes, std::uint32_t epoch,
             std::uint32_t warp_epoch);
  std::uint32_t count(std::uint32_t warp) const {
    return static_cast<std::uint32_t>(of_warp_[warp].size());
  }
  // Whether who hears of the telling may rely on the access: a fence lies between the two, of the
  // thread itself or of one that a barrier puts behind the access.
  bool covers(const Access& access, const Telling& telling) const;

 private:
  struct Fence {
    std::uint32_t lanes = 0, epoch = 0, warp_epoch = 0;
  };
  bool by_its_warp(const Access& access, const Telling& telling) const;
  bool behind_a_barrier(const Access& access, const Telling& telling) const;

  std::vector<std::vector<Fence>> of_warp_;
  std::vector<std::uint32_t> epochs_;  // in which anybody fenced, ascending
};

// The later of two by the same block.
inline FenceHistory::Telling later(const FenceHistory::Telling& one,
                                   const FenceHistory::Telling& other) {
  if (one.epoch != other.epoch) return one.epoch > other.epoch ? one : other;
  FenceHistory::Telling both = one.fences > other.fences ? one : other;
  both.of_several = one.of_several || other.of_several || one.warp != other.warp;
  return both;
}

}  // namespace klab::sim
