// Doing many things of one kind side by side, so many at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace klab {

/// As many as there are processors; 1 where that is not known.
inline std::size_t processors() { return std::max(1u, std::thread::hardware_concurrency()); }

/// Calls `act` with 0 to `count` - 1, at most `at_once` of them at a time, and waits for all. What
/// it does must not throw.
inline void side_by_side(std::size_t count, std::size_t at_once,
                         const std::function<void(std::size_t)>& act) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) act(i);
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min(count, at_once); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace klab
