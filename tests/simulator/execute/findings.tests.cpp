// How often an error that a kernel repeats is put into words, and where it is told.
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace findings_tests {

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

TEST_CASE("What a function of the toolkit's does wrong is told where the program calls it",
          "[simulator][checker]") {
  // As nvcc -G has it, which inlines nothing: one header's function calls another's.
  const auto place = [](const char* header) {
    Loaded device(fmt::format(
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".func inner(.param .b64 p) {{ .reg .b64 a; .reg .b32 v; .loc 2 107 3\n"
        "ld.param.u64 a, [p]; atom.global.add.u32 v, [a], 1; ret; }}\n"
        ".func outer(.param .b64 p) {{ .reg .b64 a; .loc 2 20 3\n"
        "ld.param.u64 a, [p]; {{ .param .b64 q; st.param.b64 [q], a; call inner, (q); }} ret; }}\n"
        ".visible .entry k(.param .u64 p) {{ .reg .b64 a; .loc 1 12 5\n"
        "ld.param.u64 a, [p]; {{ .param .b64 q; st.param.b64 [q], a; call outer, (q); }} ret; }}\n"
        ".file 1 \"/home/me/own.cu\"\n.file 2 \"{}\"\n",
        header));
    const auto findings = device.launch("k", {1}, {1}, arguments(std::uint64_t{16})).findings;
    REQUIRE(findings.size() == 1);
    return findings[0].where;
  };
  for (const char* header :
       {"/usr/local/cuda/bin/../targets/x86_64-linux/include/device_atomic_functions.hpp",
        "/usr/local/cuda-13.0/include/cccl/cuda/std/__atomic/functions.h",
        "/home/me/lib/python3/site-packages/nvidia/cuda_runtime/include/sm_30_intrinsics.hpp"}) {
    CAPTURE(header);
    CHECK(place(header).line == 12);
    CHECK(place(header).file == "/home/me/own.cu");
  }
  CHECK(place("/home/me/cuda/include/own.cuh").line == 107);
}

TEST_CASE("What is inlined from the toolkit without a word of it stays with the line before",
          "[simulator][checker]") {
  Loaded device(
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 p) { .reg .b64 a; .reg .b32 v; .loc 1 12 5\n"
      "ld.param.u64 a, [p]; .loc 2 315 17\nld.global.u32 v, [a]; .loc 1 13 5\nret; }\n"
      ".file 1 \"/home/me/own.cu\"\n"
      ".file 2 \"/usr/local/cuda/targets/x86_64-linux/include/cooperative_groups/helpers.h\"\n");
  const auto findings = device.launch("k", {1}, {1}, arguments(std::uint64_t{16})).findings;
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].where.line == 12);
}

TEST_CASE("Both places of a race are told in the kernel's lines, whatever function they lie in",
          "[simulator][checker]") {
  // As atomicAdd() has none of its own in builds for debugging.
  Loaded device(
      ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 4 .b32 top;\n"
      ".func add(.param .b64 p) { .reg .b64 a; .reg .b32 v;\n"
      "ld.param.u64 a, [p]; atom.add.u32 v, [a], 1; ret; }\n"
      ".visible .entry k() { .reg .b64 a; .reg .b32 v, t; .reg .pred q; .loc 1 11 5\n"
      "mov.u32 t, %tid.x; setp.ge.u32 q, t, 32; @q bra READ; mov.u64 a, top; .loc 1 12 5\n"
      "cvta.shared.u64 a, a; { .param .b64 q; st.param.b64 [q], a; call add, (q); } bra END;\n"
      "READ: .loc 1 13 5\nld.shared.u32 v, [top];\nEND: ret; }\n"
      ".file 1 \"/home/me/own.cu\"\n");
  const auto findings =
      device.launch("k", {1}, {64}, arguments(), {.checks = Checks::full}).findings;
  std::set<std::uint32_t> lines;
  for (const Finding& finding : findings)
    if (finding.kind == FindingKind::shared_race) {
      lines.insert(finding.where.line);
      if (finding.other_where) lines.insert(finding.other_where->line);
    }
  CHECK(lines == std::set<std::uint32_t>{12, 13});
}

}  // namespace findings_tests
