// Which bulk copies may still be under way.
#include "simulator/execute/checks/bulk_copies.hpp"

#include <algorithm>

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

void BulkCopies::bring(const Incoming& copy) {
  std::erase_if(incoming_, [&](const Incoming& other) {
    return other.first == copy.first && other.units == copy.units;
  });
  incoming_.push_back(copy);
}

void BulkCopies::end_phase(const void* barrier) {
  for (Incoming& copy : incoming_) copy.landed = copy.landed || copy.barrier == barrier;
}

void BulkCopies::wait(const void* barrier, std::uint32_t warp, std::uint32_t epoch) {
  for (Incoming& copy : incoming_) {
    if (!copy.landed || copy.barrier != barrier) continue;
    copy.seen_by |= 1u << warp;
    if (copy.seen_in == 0) copy.seen_in = epoch;
  }
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

std::optional<BulkCopies::Incoming> BulkCopies::copy_to(std::uint32_t unit, std::uint32_t warp,
                                                        std::uint32_t epoch) {
  std::erase_if(incoming_,
                [&](const Incoming& copy) { return copy.seen_in != 0 && copy.seen_in < epoch; });
  return youngest(incoming_, [&](const Incoming& copy) {
    return covers(copy, unit) && (copy.seen_by >> warp & 1) == 0;
  });
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
