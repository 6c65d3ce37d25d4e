// Ranges of addresses and what was said of them.
#include "simulator/runtime/state/managed_advice.hpp"

#include <iterator>

namespace klab::sim {
namespace {

bool same(const AdvisedRanges::Value& a, const AdvisedRanges::Value& b) {
  return a.has_value() == b.has_value() && (!a || (a->type == b->type && a->id == b->id));
}

}  // namespace

AdvisedRanges::Value AdvisedRanges::at(std::uint64_t address) const {
  const auto behind = from_.upper_bound(address);
  return behind == from_.begin() ? std::nullopt : std::prev(behind)->second;
}

void AdvisedRanges::set(std::uint64_t begin, std::uint64_t end, Value value) {
  const Value behind = at(end);
  from_.erase(from_.lower_bound(begin), from_.upper_bound(end));
  from_[begin] = value;
  from_[end] = behind;
}

AdvisedRanges::Value AdvisedRanges::all_of(std::uint64_t begin, std::uint64_t end) const {
  const Value first = at(begin);
  for (auto next = from_.upper_bound(begin); next != from_.end() && next->first < end; ++next)
    if (!same(first, next->second)) return std::nullopt;
  return first;
}

}  // namespace klab::sim
