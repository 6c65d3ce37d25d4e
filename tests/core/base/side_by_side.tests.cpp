// Doing many things side by side.
#include "core/base/side_by_side.hpp"

#include <catch2/catch_test_macros.hpp>

#include <mutex>

using namespace klab;

TEST_CASE("what is done side by side is done once each, and no more at a time than allowed",
          "[core][base]") {
  std::mutex mutex;
  std::vector<int> calls(50, 0);
  int running = 0, most = 0;
  side_by_side(calls.size(), 3, [&](std::size_t i) {
    {
      const std::scoped_lock lock(mutex);
      ++calls[i];
      most = std::max(most, ++running);
    }
    std::this_thread::yield();
    const std::scoped_lock lock(mutex);
    --running;
  });
  CHECK(calls == std::vector<int>(50, 1));
  CHECK(most <= 3);
  side_by_side(0, 3, [&](std::size_t) { FAIL_CHECK("there is nothing to do"); });
}
