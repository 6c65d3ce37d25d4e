// What __activemask() names: under full checks only lanes that are sure to be together. Who takes
// any such answer is right, who takes it for the whole warp behind a branch is not.
#include <catch2/catch_test_macros.hpp>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace active_lanes_tests {
namespace {

constexpr const char* source = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
#define T threadIdx.x
// The lanes leave the loop at different times.
#define PART for (int i = 0; i < x[T]; ++i) atomicAdd(&y[1], i)
__device__ int count(int* counter) {
  const unsigned active = __activemask();
  const int rank = __popc(active & ((1u << T) - 1));
  int base = 0;
  if (rank == 0) base = atomicAdd(counter, __popc(active));
  return __shfl_sync(active, base, __ffs(active) - 1) + rank;
}
__device__ int summed(unsigned mask, int value) {
  for (int by = 16; by > 0; by /= 2) value += __shfl_down_sync(mask, value, by);
  return value;
}
// ---- right: the sum is that of all lanes ----
__global__ void aggregated(const int* x, int* y) { PART; y[2 + count(y)] = 1; }
__global__ void aggregated_in_a_loop(const int* x, int* y) {
  for (int i = 0; i <= x[T]; ++i) if (i == x[T]) y[2 + count(y)] = 1; else atomicAdd(&y[1], i);
}
__global__ void coalesced(const int* x, int* y) {
  PART;
  const auto group = cg::coalesced_threads();
  const int sum = cg::reduce(group, 1, cg::plus<int>());
  if (group.thread_rank() == 0) atomicAdd(y, sum);
}
__global__ void coalesced_shuffle(const int* x, int* y) {
  PART;
  const auto group = cg::coalesced_threads();
  const int last = group.shfl(group.thread_rank() + 1, group.size() - 1);
  const int next = group.shfl_down(1, 1);
  if (group.thread_rank() == 0) atomicAdd(y, last - 1);
  if (group.thread_rank() + 1 == group.size()) atomicAdd(y, 1); else atomicAdd(&y[1], next);
}
__global__ void labeled(const int* x, int* y) {
  PART;
  const auto group = cg::labeled_partition(cg::coalesced_threads(), x[T] & 1);
  const int sum = cg::reduce(group, 1, cg::plus<int>());
  if (group.thread_rank() == 0) atomicAdd(y, sum);
}
__global__ void in_two(const int* x, int* y) {
  PART;
  const auto group = cg::binary_partition(cg::coalesced_threads(), x[T] > 2);
  if (group.thread_rank() == 0) atomicAdd(y, group.size());
}
__global__ void one_for_all(const int* x, int* y) {
  PART;
  const auto group = cg::coalesced_threads();
  cg::invoke_one(group, [&] { atomicAdd(y, group.size()); });
}
__global__ void matched(const int* x, int* y) {
  PART;
  const unsigned same = __match_any_sync(__activemask(), x[T]);
  if (__ffs(same) - 1 == T) atomicAdd(y, __popc(same));
}
__global__ void at_a_barrier(const int* x, int* y) {
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  if (T == 0) init(&all, blockDim.x);
  __syncthreads();
  PART;
  all.arrive_and_wait();
  atomicAdd(y, 1);
}
__global__ void through_memory(const int* x, int* y) {
  __shared__ int s[32];
  PART;
  const unsigned active = __activemask();
  s[T] = T + 1;
  __syncwarp(active);
  atomicAdd(y, s[__ffs(active) - 1] == __ffs(active));
}
__global__ void together_again(const int* x, int* y) {
  PART;
  __syncwarp();
  const int sum = summed(__activemask(), 1);
  if (T == 0) y[0] = sum;
}
__global__ void within_a_branch(const int* x, int* y) {
  if (x[T] >= 0) { PART; __syncwarp(); const int sum = summed(__activemask(), 1); if (T == 0) y[0] = sum; }
}
// ---- wrong ----
__global__ void taken_for_all(const int* x, int* y) {
  PART;
  const int sum = summed(__activemask(), 1);
  if (T == 0) y[0] = sum;
}
__global__ void waits_for_the_active(const int* x, int* y) {
  PART;
  __syncwarp(__activemask());
  const int sum = summed(__activemask(), 1);
  if (T == 0) y[0] = sum;
}
__global__ void from_lane_zero(const int* x, int* y) {
  int value = 0;
  if (T == 0) { PART; value = 1; }
  atomicAdd(y, __shfl_sync(__activemask(), value, 0));
}
__global__ void leader_of_all(const int* x, int* y) {
  PART;
  const unsigned active = __activemask();
  if (T == 0) y[0] = __popc(active);
}
)";

struct Counted {
  int made = 0;
  bool noted = false;  ///< that the lanes named are not sure
};

/// What a kernel makes of 32 lanes; nothing else may be found.
Counted count(Loaded& device, const char* kernel, Checks checks) {
  std::vector<int> lengths(32);
  for (int i = 0; i < 32; ++i) lengths[i] = i * 5 % 7;
  const auto x = device.upload(lengths), y = device.zeros<int>(40);
  const LaunchResult result = device.launch(kernel, {1}, {32}, arguments(x, y), {.checks = checks});
  if (result.fault) FAIL_CHECK(result.fault->message);
  Counted counted;
  for (const Finding& finding : result.findings) {
    counted.noted |= finding.kind == FindingKind::unsure_lanes;
    if (finding.kind != FindingKind::unsure_lanes) FAIL_CHECK(finding.message);
  }
  counted.made = device.download<int>(y, 40)[0];
  return counted;
}

}  // namespace

TEST_CASE("Who takes any lanes that are active is right", "[simulator][checker][warp]") {
  Loaded device(ptx_of(source));
  for (const char* kernel : {"aggregated", "aggregated_in_a_loop", "coalesced", "coalesced_shuffle",
                             "labeled", "in_two", "one_for_all", "matched", "at_a_barrier",
                             "through_memory", "together_again", "within_a_branch"}) {
    INFO(kernel);
    const Counted fast = count(device, kernel, Checks::fast);
    CHECK(fast.made == 32);
    CHECK_FALSE(fast.noted);
    CHECK(count(device, kernel, Checks::full).made == 32);
  }
}

TEST_CASE("Who takes the active lanes behind a branch for the whole warp is caught",
          "[simulator][checker][warp]") {
  Loaded device(ptx_of(source));
  for (const char* kernel :
       {"taken_for_all", "waits_for_the_active", "from_lane_zero", "leader_of_all"}) {
    INFO(kernel);
    CHECK(count(device, kernel, Checks::fast).made == 32);
    // What an unnamed lane brings takes turns: where all lanes have the same, one of them shows
    // nothing.
    bool wrong = false;
    for (int launch = 0; launch < 3; ++launch) {
      const Counted full = count(device, kernel, Checks::full);
      wrong = wrong || full.made != 32;
      CHECK(full.noted);
    }
    CHECK(wrong);
  }
}

#undef T
#undef PART

}  // namespace active_lanes_tests
