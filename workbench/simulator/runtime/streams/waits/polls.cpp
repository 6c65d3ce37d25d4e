// Who sleeps between two questions asks seldom, and is not kept waiting for long.
#include "simulator/runtime/streams/waits/polls.hpp"

#include <iterator>

namespace klab::sim {

bool Polls::ends(std::uint64_t work) {
  constexpr int unready[] = {2, 3000, 40, 6000};  // answers, by turns
  constexpr std::chrono::milliseconds longest{2};
  constexpr std::size_t most = 64;  // some are given up, and their work is waited for otherwise
  const auto now = std::chrono::steady_clock::now();
  const auto [poll, first] = polls_.try_emplace(work);
  if (first) {
    if (polls_.size() > most) polls_.erase(polls_.begin());
    poll->second = {unready[begun_++ % std::size(unready)], now};
    return false;
  }
  if (--poll->second.left > 0 && now - poll->second.since < longest) return false;
  polls_.erase(poll);
  return true;
}

}  // namespace klab::sim
