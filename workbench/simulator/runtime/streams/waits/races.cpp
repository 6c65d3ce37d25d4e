// Stretches of memory with those who used them, cut where uses begin and end.
#include "simulator/runtime/streams/waits/races.hpp"

#include <algorithm>

namespace klab::sim {
namespace {

/// `earlier` has run already; whether it had to.
bool is_before(const WorkOrder& earlier, const WorkOrder& now) {
  if (earlier.done_at <= now.sequence) return true;
  const auto last = now.after.find(earlier.stream);
  return last != now.after.end() && last->second >= earlier.sequence;
}

}  // namespace

std::optional<StreamRace> StreamRaces::add(const WorkOrderPointer& now, TouchedMemory touched) {
  std::optional<StreamRace> race;
  for (const ByteRange& range : touched.written.in_order()) use(range, {now, How::writes}, race);
  for (const ByteRange& range : touched.atomic.in_order()) use(range, {now, How::adds}, race);
  for (const ByteRange& range : touched.read.in_order()) use(range, {now, How::reads}, race);
  return race;
}

void StreamRaces::split(std::uint64_t at) {
  auto stretch = uses_.upper_bound(at);
  if (stretch == uses_.begin()) return;
  --stretch;
  if (stretch->first == at || stretch->second.end <= at) return;
  Stretch rear = stretch->second;
  stretch->second.end = at;
  uses_.emplace(at, std::move(rear));
}

void StreamRaces::use(ByteRange range, const Use& now, std::optional<StreamRace>& race) {
  split(range.begin);
  split(range.end);
  std::uint64_t at = range.begin;
  for (auto next = uses_.lower_bound(at); at < range.end;) {
    if (next == uses_.end() || next->first > at) {  // nobody used it yet
      const std::uint64_t end = next == uses_.end() ? range.end : std::min(range.end, next->first);
      next = uses_.emplace_hint(next, at, Stretch{end, {}});
    }
    std::vector<Use>& uses = next->second.uses;
    std::erase_if(uses, [&](const Use& earlier) {
      if (earlier.who == now.who) return earlier.how == now.how;
      if (is_before(*earlier.who, *now.who))
        return now.how == How::writes || earlier.how == now.how;
      if (earlier.how != now.how || now.how == How::writes)
        if (!race)
          race = {now.who, earlier.who, now.how != How::reads, earlier.how != How::reads, at};
      return false;
    });
    uses.push_back(now);
    at = next->second.end;
    ++next;
  }
}

}  // namespace klab::sim
