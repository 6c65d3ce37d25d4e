// How often an error that a kernel repeats is put into words.
#include <catch2/catch_test_macros.hpp>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"

using namespace klab::sim;

TEST_CASE("An error that a kernel makes again and again is put into words once a launch",
          "[simulator][checker]") {
  Program program;
  program.locations = {{"kernel.cu", 7}, {"kernel.cu", 9}};
  BlockState block;
  Checker checker(0, 32, 1, program);
  Warp warp{};
  warp.block = &block;
  warp.checker = &checker;
  int asked = 0;
  const auto note = [&](std::uint32_t place, FindingKind kind) {
    note_finding_at(warp, place, kind, 0, [&] {
      ++asked;
      return std::string("wrong");
    });
  };
  for (int launches = 1; launches <= 2; ++launches) {
    LaunchState launch;
    launch.program = &program;
    launch.config.block = {32};
    warp.launch = &launch;
    for (int blocks = 0; blocks < 2; ++blocks) {
      checker.begin_block(nullptr, nullptr, 0, nullptr, false);
      for (int i = 0; i < 3; ++i) {
        note(0, FindingKind::stale_read);
        note(1, FindingKind::stale_read);
        note(1, FindingKind::block_race);
      }
    }
    CHECK(asked == 3 * launches);
    CHECK(launch.findings.size() == 3);
  }
}
