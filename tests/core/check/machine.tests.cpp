// What this machine can check with, and waiting in line for its GPU.
#include "core/check/machine.hpp"

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
          "[core][machine]") {
  const OwnLine line;
  const std::atomic<bool> canceled = false;
  std::optional<GpuLock> first(
      std::in_place, [] { FAIL("nobody was before it"); }, canceled);
  std::atomic<int> told = 0;
  std::atomic<bool> got = false;
  std::thread second([&] {
    const GpuLock lock([&] { ++told; }, canceled);
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

TEST_CASE("a check that waits in line can be stopped", "[core][machine]") {
  const OwnLine line;
  std::atomic<bool> canceled = false;
  const GpuLock first({}, canceled);
  std::thread second([&] { const GpuLock lock({}, canceled); });
  std::this_thread::sleep_for(50ms);
  canceled = true;
  second.join();  // hangs here if waiting cannot be stopped
  SUCCEED();
}

TEST_CASE("without a runner there is no device, and the error says what to build",
          "[core][machine]") {
  const test::TemporaryFolder folder;
  const Tree tree{folder.path(), folder.path()};
  const auto facts = gpu_facts(tree);
  REQUIRE_FALSE(facts);
  CHECK(facts.error().what.find("not built") != std::string::npos);
  CHECK_FALSE(choose_backend(tree, Backend::gpu));
  CHECK(choose_backend(tree, Backend::simulator)->simulator);
}

TEST_CASE("a device that only a closed room hides is said to be there", "[core][machine]") {
  const Error hidden = seen_from_room(make_error(ErrorCode::no_device, "No device."));
  CHECK(hidden.code == ErrorCode::no_device);
  CHECK(hidden.what.find("closed room") != std::string::npos);
  CHECK(shell_words(hidden.remedy).find("KLAB_ROOM=open") != std::string::npos);
  CHECK(seen_from_room(make_error(ErrorCode::hang, "Endless.")).what == "Endless.");
}
