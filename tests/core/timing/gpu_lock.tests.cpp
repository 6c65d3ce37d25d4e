// Waiting in line for the GPUs of a machine.
#include "core/timing/gpu_lock.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

#include "support/temporary_folder.hpp"

using namespace klab;
using namespace std::chrono_literals;

namespace {

/// A folder for temporary files of this test's own, so that no real check is in the line.
struct OwnLine {
  OwnLine() { ::setenv("TMPDIR", folder.path().c_str(), 1); }
  ~OwnLine() { ::unsetenv("TMPDIR"); }
  test::TemporaryFolder folder;
};

}  // namespace

TEST_CASE("a second check on one GPU waits in line, says so once, and then goes on",
          "[core][lock]") {
  const OwnLine line;
  const std::atomic<bool> canceled = false;
  std::optional<GpuLock> first(
      std::in_place, Tree{}, [] { FAIL("nobody was before it"); }, canceled);
  std::atomic<int> told = 0;
  std::atomic<bool> got = false;
  std::thread second([&] {
    const GpuLock lock(
        Tree{}, [&] { ++told; }, canceled);
    got = true;
  });
  while (told == 0) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(120ms);
  CHECK_FALSE(got);
  first.reset();
  second.join();
  CHECK(got);
  CHECK(told == 1);
}

TEST_CASE("a check that waits in line can be stopped", "[core][lock]") {
  const OwnLine line;
  std::atomic<bool> canceled = false;
  const GpuLock first(Tree{}, {}, canceled);
  std::thread second([&] { const GpuLock lock(Tree{}, {}, canceled); });
  std::this_thread::sleep_for(50ms);
  canceled = true;
  second.join();  // hangs here if waiting cannot be stopped
  SUCCEED();
}

TEST_CASE("who chose GPUs waits for those only, and who chose none for all", "[core][lock]") {
  const OwnLine line;
  const auto waits = [](const std::string& here, const std::string& there) {
    const GpuLock held(Tree{.visible_devices = here}, {}, false);
    std::atomic<bool> canceled = false;
    bool waited = false;
    const GpuLock lock(
        Tree{.visible_devices = there},
        [&] {
          waited = true;
          canceled = true;
        },
        canceled);
    CHECK(gpu_is_held(Tree{.visible_devices = there}));
    return waited;
  };
  CHECK_FALSE(waits("0", "1"));
  CHECK_FALSE(waits("GPU-3fa2", "GPU-77bd"));
  CHECK(waits("1", "1"));
  CHECK(waits("0,1", "1,2"));
  CHECK(waits("1", ""));
  CHECK(waits("", "1"));
  CHECK_FALSE(gpu_is_held(Tree{}));
}
