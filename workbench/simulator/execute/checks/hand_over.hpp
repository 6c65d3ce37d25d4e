// What warps of one block tell each other without a barrier of the whole block: by words of shared
// memory, and by barriers of some of them.
#pragma once
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace klab::sim {

// A vector clock for each warp (Mattern, "Virtual Time and Global States", 1989). Lanes of a warp
// are taken for one: whether they met before one of them told is not followed.
class HandOver {
 public:
  explicit HandOver(std::uint32_t warps) : known_(warps), fenced_(warps), own_(warps) {
    forget_all();
  }

  void forget_all();
  // What a warp's accesses are marked with.
  std::uint32_t now(std::uint32_t warp) const { return known_[warp][warp]; }
  // Whether a warp may rely on an access of another one.
  bool knows(std::uint32_t warp, std::uint32_t other, std::uint32_t time) const {
    return time < known_[warp][other];
  }
  // The same of its own accesses, by another of its lanes: those that it told of, and heard itself.
  bool heard_itself(std::uint32_t warp, std::uint32_t time) const { return time < own_[warp]; }

  // What the warp did before is told by what it tells behind.
  void fence(std::uint32_t warp);
  // By a store, or an atomic operation (`adds`), which leaves what others told by that word.
  void tell(std::uint32_t warp, std::uint64_t word, bool adds);
  void hear(std::uint32_t warp, std::uint64_t word);

  // Barriers of a number of threads: who arrives tells, who passes has heard of all who arrived.
  void arrive(std::uint32_t warp, std::uint32_t barrier);
  void open(std::uint32_t barrier);
  void pass(std::uint32_t warp, std::uint32_t barrier);

 private:
  static constexpr std::size_t most_warps = 32, barriers = 16;
  using Clock = std::array<std::uint32_t, most_warps>;
  static void join(Clock& clock, const Clock& other);

  std::vector<Clock> known_, fenced_;
  std::vector<std::uint32_t> own_;
  std::unordered_map<std::uint64_t, Clock> told_;  // by word
  std::array<Clock, barriers> arrived_{}, opened_{};
};

}  // namespace klab::sim
