// Which bulk copies may still be under way.
#include "simulator/execute/checks/bulk/bulk_copies.hpp"

#include <algorithm>
#include <utility>

#include "simulator/program/program.hpp"

namespace klab::sim {

namespace {

template <class Copy>
bool covers(const Copy& copy, std::uint32_t unit) {
  return copy.first <= unit && unit - copy.first < copy.units;
}

template <class Copy, class Is>
std::optional<Copy> youngest(const std::vector<Copy>& copies, Is is) {
  const auto found = std::find_if(copies.rbegin(), copies.rend(), is);
  return found == copies.rend() ? std::nullopt : std::optional(*found);
}

}  // namespace

void BulkCopies::forget_all() {
  incoming_.clear();
  outgoing_.clear();
  std::fill(committed_.begin(), committed_.end(), 0);
}

void BulkCopies::bring(Incoming copy) {
  const auto is_beside = [&](const Incoming& other) {
    return other.by_lanes != 0 && other.first + other.units == copy.first &&
           other.location == copy.location && other.barrier == copy.barrier &&
           other.by_warp == copy.by_warp && !other.landed && other.waits.empty();
  };
  if (copy.by_lanes != 0)
    if (const auto beside = std::find_if(incoming_.begin(), incoming_.end(), is_beside);
        beside != incoming_.end()) {
      copy.first = beside->first;
      copy.units += beside->units;
      copy.by_lanes |= beside->by_lanes;
    }
  std::erase_if(incoming_, [&](const Incoming& other) {
    return other.first >= copy.first && other.first + other.units <= copy.first + copy.units;
  });
  incoming_.push_back(std::move(copy));
}

void BulkCopies::wait_for_own(std::uint32_t warp, std::uint32_t lanes) {
  std::erase_if(incoming_, [&](const Incoming& copy) {
    return copy.by_lanes != 0 && copy.by_warp == warp && (copy.by_lanes & ~lanes) == 0;
  });
}

void BulkCopies::end_phase(const void* barrier) {
  for (Incoming& copy : incoming_) copy.landed = copy.landed || copy.barrier == barrier;
}

// Lanes that come later than others of their warp, with no meeting in between, count as those: too
// early, if anything.
void BulkCopies::wait(const void* barrier, const Wait& wait) {
  for (Incoming& copy : incoming_) {
    if (!copy.landed || copy.barrier != barrier) continue;
    const auto before = std::find_if(copy.waits.begin(), copy.waits.end(),
                                     [&](const Wait& other) { return other.warp == wait.warp; });
    if (before == copy.waits.end())
      copy.waits.push_back(wait);
    else if (before->warp_epoch == wait.warp_epoch)
      before->lanes |= wait.lanes;
    if (wait.lanes == all_lanes) copy.seen_by |= 1u << wait.warp;
  }
}

void BulkCopies::forget_awaited() {
  std::erase_if(incoming_, [](const Incoming& copy) { return !copy.waits.empty(); });
}

bool BulkCopies::may_write(std::uint32_t first, std::uint32_t last, std::uint32_t warp) const {
  return std::any_of(incoming_.begin(), incoming_.end(), [&](const Incoming& copy) {
    return copy.first <= last && first < copy.first + copy.units && (copy.seen_by >> warp & 1) == 0;
  });
}

void BulkCopies::take(Outgoing copy) {
  copy.group = committed_[copy.thread];
  outgoing_.push_back(copy);
}

std::vector<BulkCopies::Outgoing> BulkCopies::wait_for_groups(std::uint32_t thread,
                                                              std::uint64_t left, bool only_read) {
  const std::uint64_t ended = committed_[thread] - std::min(committed_[thread], left);
  std::vector<Outgoing> now_read;
  for (Outgoing& copy : outgoing_) {
    if (copy.thread != thread || copy.group >= ended || copy.was_read) continue;
    copy.was_read = true;
    now_read.push_back(copy);
  }
  if (!only_read)
    std::erase_if(outgoing_, [&](const Outgoing& copy) {
      return copy.thread == thread && copy.group < ended;
    });
  return now_read;
}

std::optional<BulkCopies::Outgoing> BulkCopies::copy_from(std::uint32_t unit) const {
  return youngest(outgoing_,
                  [&](const Outgoing& copy) { return !copy.was_read && covers(copy, unit); });
}

std::optional<BulkCopies::Outgoing> BulkCopies::copy_onto(std::uint64_t begin,
                                                          std::uint64_t end) const {
  return youngest(outgoing_,
                  [&](const Outgoing& copy) { return copy.begin < end && begin < copy.end; });
}

std::optional<BulkCopies::Outgoing> BulkCopies::unread() const {
  return youngest(outgoing_, [](const Outgoing& copy) { return !copy.was_read; });
}

}  // namespace klab::sim
