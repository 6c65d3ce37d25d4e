// Who copies to where, and until when.
#include "simulator/execute/async_copies.hpp"

#include <algorithm>
#include <limits>

namespace klab::sim {

void AsyncCopies::forget_all() {
  for (Thread& thread : threads_) {
    for (const Copy& copy : thread.under_way)
      std::fill_n(owners_.begin() + copy.first, copy.units, 0);
    thread = {};
  }
  under_way_ = 0;
}

void AsyncCopies::begin(Copy copy) {
  Thread& thread = threads_[copy.thread];
  copy.group = thread.committed;
  std::fill_n(owners_.begin() + copy.first, copy.units, copy.thread + 1);
  thread.under_way.push_back(copy);
  ++under_way_;
}

std::vector<AsyncCopies::Copy> AsyncCopies::wait(std::uint32_t thread, std::uint64_t left) {
  const std::uint64_t committed = threads_[thread].committed;
  return end_before(thread, committed - std::min(committed, left));
}

std::vector<AsyncCopies::Copy> AsyncCopies::wait_for_all(std::uint32_t thread) {
  return end_before(thread, std::numeric_limits<std::uint64_t>::max());
}

std::vector<AsyncCopies::Copy> AsyncCopies::end_before(std::uint32_t thread, std::uint64_t group) {
  std::vector<Copy>& copies = threads_[thread].under_way;
  const auto first_left = std::find_if(copies.begin(), copies.end(),
                                       [&](const Copy& copy) { return copy.group >= group; });
  const std::vector<Copy> ended(copies.begin(), first_left);
  copies.erase(copies.begin(), first_left);
  under_way_ -= ended.size();
  for (const Copy& copy : ended)
    std::replace(owners_.begin() + copy.first, owners_.begin() + copy.first + copy.units,
                 thread + 1, std::uint32_t{0});
  // A later one to the same place is still under way.
  for (const Copy& copy : copies) std::fill_n(owners_.begin() + copy.first, copy.units, thread + 1);
  return ended;
}

std::optional<AsyncCopies::Copy> AsyncCopies::copy_to(std::size_t unit) const {
  if (owners_[unit] == 0) return std::nullopt;
  const std::vector<Copy>& copies = threads_[owners_[unit] - 1].under_way;
  const auto found = std::find_if(copies.rbegin(), copies.rend(), [&](const Copy& copy) {
    return copy.first <= unit && unit - copy.first < copy.units;
  });
  return found == copies.rend() ? std::nullopt : std::optional(*found);
}

}  // namespace klab::sim
