// Lanes of one instruction that store to one word of shared memory.
#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace contests_tests {
namespace {

constexpr const char* source = R"(
#define T threadIdx.x
#define KERNEL(name) __global__ void name(const int* x, int* out)
__device__ int sum_down(int v) { for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(~0u, v, k); return v; }
__device__ int sum_of_all(int v) { for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(~0u, v, k); return v; }
// ---- wrong ----
KERNEL(all_lanes_store_what_one_has) {
  __shared__ int parts[2];
  parts[T / 32] = sum_down(x[T]);
  __syncthreads();
  if (T == 0) out[0] = parts[0] + parts[1];
}
KERNEL(added_to_behind) {
  __shared__ int parts[2];
  parts[T / 32] = sum_down(x[T]);
  __syncthreads();
  if (T % 32 == 0) atomicAdd(&parts[T / 32], 1);
}
KERNEL(bins_hit_twice) {
  __shared__ int bins[64];
  bins[T] = 0;
  __syncthreads();
  bins[T / 32 * 32 + x[T] % 4] = x[T];
  __syncthreads();
  out[T] = bins[T];
}
KERNEL(quads_of_two) {
  __shared__ int4 quads[32];
  quads[T / 2] = make_int4(x[T], x[T], 0, x[T]);
  __syncthreads();
  out[T] = quads[T / 2].x;
}
// ---- right ----
KERNEL(one_lane_stores) {
  __shared__ int parts[2];
  const int sum = sum_down(x[T]);
  if (T % 32 == 0) parts[T / 32] = sum;
  __syncthreads();
  if (T == 0) out[0] = parts[0] + parts[1];
}
KERNEL(all_have_the_sum) {
  __shared__ int parts[2];
  parts[T / 32] = sum_of_all(x[T]);
  __syncthreads();
  if (T == 0) out[0] = parts[0] + parts[1];
}
KERNEL(any_may_win) {  // of those with equal keys one goes on
  __shared__ int winner[64];
  const int place = T / 32 * 32 + x[T] % 4;
  winner[place] = T;
  __syncwarp();
  if (winner[place] == T) out[T] = x[T];
}
KERNEL(nobody_looks) {  // a place for what is not wanted
  __shared__ int kept[66];
  const bool wanted = T % 2 == 0;
  kept[wanted ? T : 64 + T / 32] = x[T];
  __syncthreads();
  if (wanted) out[T] = kept[T];
}
KERNEL(stored_anew) {
  __shared__ int parts[2];
  parts[T / 32] = sum_down(x[T]);
  __syncwarp();
  if (T % 32 == 0) parts[T / 32] = 5;
  __syncthreads();
  out[T] = parts[T / 32];
}
KERNEL(told_apart_by_a_loop) {
  __shared__ volatile int tags[2];
  for (bool mine = false; !mine;) {
    tags[T / 32] = x[T];
    mine = tags[T / 32] == x[T];
  }
}
)";

LaunchResult run(Loaded& loaded, const char* kernel) {
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[static_cast<std::size_t>(i)] = i * i + 3;
  const auto x = loaded.upload(values), out = loaded.zeros<int>(64);
  return loaded.launch(kernel, {1}, {64}, arguments(x, out),
                       {.instruction_budget = 1'000'000, .checks = Checks::full});
}

}  // namespace

TEST_CASE("Who reads where lanes stored different values at once is told",
          "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  for (const char* kernel :
       {"all_lanes_store_what_one_has", "added_to_behind", "bins_hit_twice", "quads_of_two"}) {
    INFO(kernel);
    const LaunchResult result = run(loaded, kernel);
    const Finding* race = find(result, FindingKind::warp_race);
    REQUIRE(race != nullptr);
    CHECK(race->message.find("different values at once at line") != std::string::npos);
    CHECK(race->message.find("Let one lane store") != std::string::npos);
  }
}

TEST_CASE("Lanes that store one value, or of which any may win, are accused of nothing",
          "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  for (const char* kernel :
       {"one_lane_stores", "all_have_the_sum", "any_may_win", "nobody_looks", "stored_anew"}) {
    INFO(kernel);
    const LaunchResult result = run(loaded, kernel);
    if (result.fault) FAIL_CHECK(result.fault->message);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  }
  const LaunchResult tags = run(loaded, "told_apart_by_a_loop");
  for (const Finding& finding : tags.findings)
    CHECK(finding.message.find("different values at once") == std::string::npos);
}

#undef T
#undef KERNEL

}  // namespace contests_tests
