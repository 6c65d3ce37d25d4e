// What orders the lanes of a warp: a barrier does, for the lanes it names; shuffles, votes and
// matches do not.
#include <catch2/catch_test_macros.hpp>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace lane_barriers_tests {
namespace {

constexpr const char* source = R"(
#include <cooperative_groups.h>
#define T threadIdx.x
// ---- wrong ----
__global__ void behind_a_shuffle(int* g) {
  __shared__ int s[32];
  s[T] = g[T];
  const int one = __shfl_xor_sync(~0u, 1, 1);
  g[T] = s[T ^ 31] + one;
}
__global__ void behind_a_vote(int* g) {
  __shared__ int s[32];
  s[T] = g[T];
  if (__any_sync(~0u, T == 3)) g[T] = s[T ^ 31];
}
__global__ void leaders_of_a_match(int* g) {
  __shared__ int counts[4];
  if (T < 4) counts[T] = 0;
  __syncthreads();
  for (int turn = 0; turn < 3; ++turn) {
    const unsigned same = __match_any_sync(~0u, (g[T] + turn * T) & 3);
    if (T == __ffs(same) - 1) counts[(g[T] + turn * T) & 3] += __popc(same);
  }
  __syncwarp();
  if (T < 4) g[T] = counts[T];
}
__global__ void halves_meet_apart(int* g) {
  __shared__ int s[32];
  s[T] = g[T];
  __syncwarp(T < 16 ? 0xffff : 0xffff0000);
  g[T] = s[T ^ 31];
}
__global__ void through_global_memory(int* g) {
  g[T] = T;
  const int one = __shfl_xor_sync(~0u, 1, 1);
  const int other = g[T ^ 1];
  __syncwarp();
  g[T] = other + one;
}
// ---- right ----
__global__ void behind_syncwarp(int* g) {
  __shared__ int s[32];
  s[T] = g[T];
  __syncwarp();
  g[T] = s[T ^ 31];
}
__global__ void read_ahead_of_a_shuffle(int* g) {
  __shared__ int s[32];
  s[T] = g[T];
  __syncwarp();
  int mine = s[T ^ 31];
  mine += __shfl_xor_sync(~0u, mine, 1);
  s[T] = mine;
  g[T] = s[T];
}
__global__ void tiles_of_their_own(int* g) {
  __shared__ int s[32];
  const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  s[T] = g[T];
  tile.sync();
  g[T] = s[T ^ 7];
}
__global__ void whole_and_half(int* g) {
  __shared__ int s[32];
  s[T] = g[T];
  __syncwarp(T < 16 ? 0xffff : 0xffff0000);
  __syncwarp();
  g[T] = s[T ^ 31];
}
__global__ void some_lanes(int* g) {
  __shared__ int s[32];
  if (T >= 8) return;
  s[T] = g[T];
  __syncwarp(0xff);
  g[T] = s[T ^ 7];
}
)";

LaunchResult run(Loaded& device, const char* kernel) {
  const auto g = device.zeros<int>(32);
  return device.launch(kernel, {1}, {32}, arguments(g), {.checks = Checks::full});
}

}  // namespace

TEST_CASE("What a lane stored is read by another behind a barrier that names both, and no sooner",
          "[simulator][checker][order]") {
  Loaded device(ptx_of(source));
  for (const char* kernel : {"behind_a_shuffle", "behind_a_vote", "leaders_of_a_match",
                             "halves_meet_apart", "through_global_memory"}) {
    INFO(kernel);
    const LaunchResult result = run(device, kernel);
    CHECK(find(result, FindingKind::warp_race) != nullptr);
  }
  for (const char* kernel : {"behind_syncwarp", "read_ahead_of_a_shuffle", "tiles_of_their_own",
                             "whole_and_half", "some_lanes"}) {
    INFO(kernel);
    const LaunchResult result = run(device, kernel);
    if (result.fault) FAIL_CHECK(result.fault->message);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  }
}

TEST_CASE("A race behind a shuffle says that a shuffle orders no memory",
          "[simulator][checker][order]") {
  Loaded device(ptx_of(source));
  for (const char* kernel : {"behind_a_shuffle", "through_global_memory"}) {
    const LaunchResult result = run(device, kernel);
    const Finding* race = find(result, FindingKind::warp_race);
    REQUIRE(race != nullptr);
    CHECK(race->message.find("shuffles, votes and matches order no memory") != std::string::npos);
  }
}

#undef T

}  // namespace lane_barriers_tests
