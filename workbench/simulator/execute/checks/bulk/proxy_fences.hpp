// fence.proxy.async in one block: what threads wrote before it, bulk copies behind it see.
#pragma once
#include <cstdint>
#include <vector>

namespace klab::sim {

// When a thread did something: the epoch of its block, of its warp, and the warp's clock. That one
// stands still within a basic block, so the fences that the warp has executed are added to it.
struct Moment {
  std::uint32_t thread = 0;
  std::uint32_t epoch = 0;  // 0: never
  std::uint32_t warp_epoch = 0;
  std::uint32_t instant = 0;
};

// A few fences stand for all: of each thread and of each warp the last one, and the last one before
// the epoch of that.
class ProxyFences {
 public:
  explicit ProxyFences(std::uint32_t threads);
  void forget_all();

  // The warp's lanes execute one: what they did before lies before it in time.
  void begin(std::uint32_t warp) { ++of_warp_[warp].count; }
  std::uint32_t count(std::uint32_t warp) const { return of_warp_[warp].count; }
  void note(const Moment& fence);
  // Whether a fence lies between a write and a bulk copy of what it wrote. The write comes before
  // the fence, and that before the copy, by program order or by a barrier of the block or warp.
  bool any_between(const Moment& write, const Moment& copy) const;

 private:
  struct Recent {
    Moment last, earlier;
    std::uint32_t count = 0;
  };
  static void remember(Recent& recent, const Moment& fence);

  std::vector<Recent> of_thread_, of_warp_;
  Recent of_block_;
  bool any_ = false;
};

}  // namespace klab::sim
