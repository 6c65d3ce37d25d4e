// The flag of the host's arithmetic that tells of a time which is none.
#include "simulator/runtime/streams/waits/unready_times.hpp"

#include <algorithm>
#include <cfenv>
#include <cstring>

namespace klab::sim {
namespace {

constexpr std::uint32_t no_time = 0x7fa00000;  // a signaling NaN

/// Not as a number: that alone may set the flag.
std::uint32_t bits_of(const float* milliseconds) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, milliseconds, sizeof bits);
  return bits;
}

/// What is no time in any case is a mark of the program's own, by which it sees that none came.
bool may_be_taken_for_a_time(std::uint32_t bits) {
  constexpr std::uint32_t sign = 0x80000000, infinity = 0x7f800000;
  return bits == no_time || ((bits & sign) == 0 && (bits & infinity) != infinity);
}

}  // namespace

bool UnreadyTimes::ask(const Pair& pair, float* milliseconds) {
  const auto [entry, is_first] = asked_.try_emplace(pair);
  if (milliseconds == nullptr) return is_first;
  entry->second.taken = may_be_taken_for_a_time(bits_of(milliseconds));
  entry->second.marked = !entry->second.taken;
  if (entry->second.taken) std::memcpy(milliseconds, &no_time, sizeof no_time);
  return is_first;
}

bool UnreadyTimes::keeps_back(const Pair& pair, const float* milliseconds) {
  constexpr unsigned told = 3;  // one in so many, so that marks are the middle ones of any few
  if (!leaves_marks_ || may_be_taken_for_a_time(bits_of(milliseconds)) || asked_.contains(pair) ||
      there_++ % told == 0)
    return false;
  asked_[pair].marked = true;
  return true;
}

void UnreadyTimes::forget() {
  leaves_marks_ |= std::any_of(asked_.begin(), asked_.end(),
                               [](const auto& entry) { return entry.second.marked; });
  asked_.clear();
}

bool UnreadyTimes::any_used() const {
  return std::any_of(asked_.begin(), asked_.end(),
                     [](const auto& entry) { return entry.second.used; });
}

UnreadyTimes::Call::Call(UnreadyTimes& times) : times_(times) {
  if (times.asked_.empty() || std::fetestexcept(FE_INVALID) == 0) return;
  for (auto& [pair, asked] : times.asked_) asked.used |= asked.taken;
}

UnreadyTimes::Call::~Call() {
  if (!times_.asked_.empty()) std::feclearexcept(FE_INVALID);
}

}  // namespace klab::sim
