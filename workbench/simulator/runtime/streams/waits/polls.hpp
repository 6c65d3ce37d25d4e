// Polls: a host that asks whether work is done instead of waiting for it. A real device says "not
// ready" as often as it takes; only the other answer is a wait.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>

namespace klab::sim {

class Polls {
 public:
  /// The host asks for what is pending and ends with the work of this number: true if it is done
  /// now. The first answer is always no; then some stand for an idle device, some for one that is
  /// busy for longer than who asks a fixed number of times expects.
  bool ends(std::uint64_t work);

 private:
  struct Poll {
    int left = 0;
    std::chrono::steady_clock::time_point since;
  };
  std::map<std::uint64_t, Poll> polls_;
  std::size_t begun_ = 0;
};

}  // namespace klab::sim
