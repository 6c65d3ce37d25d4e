#include "simulator/execute/checks/hand_over.hpp"

#include <algorithm>

namespace klab::sim {

void HandOver::join(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

void HandOver::forget_all() {
  for (std::size_t warp = 0; warp < known_.size(); ++warp) {
    known_[warp].fill(0);
    fenced_[warp].fill(0);
    known_[warp][warp] = 1;
    own_[warp] = 0;
  }
  told_.clear();
  arrived_ = opened_ = {};
}

void HandOver::fence(std::uint32_t warp) {
  ++known_[warp][warp];
  fenced_[warp] = known_[warp];
}

void HandOver::tell(std::uint32_t warp, std::uint64_t word, bool adds) {
  const Clock& tells = fenced_[warp];
  if (tells[warp] == 0) return;  // no fence yet
  Clock& told = told_[word];
  if (adds)
    join(told, tells);
  else
    told = tells;
}

void HandOver::hear(std::uint32_t warp, std::uint64_t word) {
  if (told_.empty()) return;
  const auto told = told_.find(word);
  if (told == told_.end()) return;
  join(known_[warp], told->second);
  own_[warp] = std::max(own_[warp], told->second[warp]);
}

void HandOver::arrive(std::uint32_t warp, std::uint32_t barrier) {
  join(arrived_[barrier], known_[warp]);
  ++known_[warp][warp];
  arrived_[barrier][warp] = known_[warp][warp];
}

void HandOver::open(std::uint32_t barrier) {
  opened_[barrier] = arrived_[barrier];
  arrived_[barrier].fill(0);
}

void HandOver::pass(std::uint32_t warp, std::uint32_t barrier) {
  join(known_[warp], opened_[barrier]);
}

}  // namespace klab::sim
