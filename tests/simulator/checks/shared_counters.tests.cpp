// Words of shared memory that threads of a block change by atomic operations and use otherwise,
// too: what no barrier keeps apart is found, whatever the same threads did there besides.
#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace shared_counters_tests {
namespace {

// Each is launched with a block of 64 threads.
constexpr const char* source = R"(
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
#define T threadIdx.x
#define KERNEL(name) __global__ void name(int* out)
// ---- wrong ----
KERNEL(cleared_by_one) {
  __shared__ int n;
  if (T == 0) n = 0;
  atomicAdd(&n, 1);
  __syncthreads();
  out[T] = n;
}
KERNEL(cleared_by_one_lane) {
  __shared__ int n[2];
  if (T % 32 == 0) n[T / 32] = 0;
  atomicAdd(&n[T / 32], 1);
  __syncthreads();
  out[T] = n[T / 32];
}
KERNEL(cleared_in_turns) {
  __shared__ int n;
  for (int turn = 0; turn < 3; ++turn) {
    if (T == 0) n = 0;
    atomicAdd(&n, 1);
    __syncthreads();
    out[T] += n;
    __syncthreads();
  }
}
KERNEL(read_by_one_who_added_last) {
  __shared__ int n;
  if (T == 0) n = 0;
  __syncthreads();
  if (T % 32 == 31) atomicAdd(&n, 1);
  if (T == 63) out[0] = n;
}
KERNEL(cleared_by_one_who_added_last) {
  __shared__ int n;
  if (T == 0) n = 0;
  __syncthreads();
  if (T % 32 == 31) atomicAdd(&n, 1);
  if (T == 63) n = 0;
}
KERNEL(each_reads_its_own_bin) {
  __shared__ int bins[64];
  bins[T] = 0;
  __syncthreads();
  atomicAdd(&bins[(T + 32) % 64], 1);
  atomicAdd(&bins[T], 1);
  out[T] = bins[T];
}
KERNEL(behind_a_shuffle_alone) {
  __shared__ int n[2];
  if (T % 32 == 0) n[T / 32] = 0;
  const int one = __shfl_sync(~0u, 1, 0);
  atomicAdd(&n[T / 32], one);
  __syncthreads();
  out[T] = n[T / 32];
}
KERNEL(fenced_and_not_told) {
  __shared__ int n;
  if (T == 0) n = 0;
  __threadfence_block();
  atomicAdd(&n, 1);
  __syncthreads();
  out[T] = n;
}

// ---- right ----
KERNEL(behind_barriers) {
  __shared__ int n;
  for (int turn = 0; turn < 3; ++turn) {
    if (T == 0) n = 0;
    __syncthreads();
    atomicAdd(&n, 1);
    __syncthreads();
    out[T] += n;
    __syncthreads();
  }
}
KERNEL(a_counter_a_warp) {
  __shared__ int n[2];
  if (T % 32 == 0) n[T / 32] = 0;
  __syncwarp();
  atomicAdd(&n[T / 32], 1);
  __syncwarp();
  if (T % 32 == 0) out[T] = n[T / 32];
}
KERNEL(own_counter) {
  __shared__ int n[64];
  n[T] = 0;
  atomicAdd(&n[T], 1);
  atomicAdd(&n[T], 2);
  n[T] += 1;
  out[T] = n[T];
}
KERNEL(all_atomic) {
  __shared__ int n;
  atomicExch(&n, 0);
  __syncthreads();
  atomicAdd(&n, 1);
  if (atomicMax(&n, 0) > 10) atomicSub(&n, 1);
  __syncthreads();
  if (T == 0) out[0] = atomicExch(&n, 0);
}
KERNEL(volatile_look) {
  __shared__ int n;
  if (T == 0) n = 0;
  __syncthreads();
  atomicAdd(&n, 1);
  while (*(volatile int*)&n < 64) {}
  out[T] = 1;
}
KERNEL(ticket) {
  __shared__ int sum, tickets;
  if (T == 0) sum = tickets = 0;
  __syncthreads();
  atomicAdd(&sum, (int)T);
  __threadfence_block();
  if (atomicAdd(&tickets, 1) == 63) {
    __threadfence_block();
    out[0] = sum;
    sum = 0;
  }
}
KERNEL(cleared_and_told) {
  __shared__ int n, ready;
  if (T == 0) atomicExch(&ready, 0);
  __syncthreads();
  if (T == 0) {
    n = 0;
    __threadfence_block();
    atomicExch(&ready, 1);
  }
  while (atomicAdd(&ready, 0) == 0) {}
  __threadfence_block();
  atomicAdd(&n, 1);
}
KERNEL(released) {
  __shared__ int n, ready;
  cuda::atomic_ref<int, cuda::thread_scope_block> flag(ready);
  if (T == 0) ready = 0;
  __syncthreads();
  if (T == 0) { n = 0; flag.store(1, cuda::memory_order_release); }
  while (flag.load(cuda::memory_order_acquire) == 0) {}
  atomicAdd(&n, 1);
}
KERNEL(by_tiles) {
  const auto block = cooperative_groups::this_thread_block();
  const auto tile = cooperative_groups::tiled_partition<16>(block);
  __shared__ int n[4];
  if (tile.thread_rank() == 0) n[T / 16] = 0;
  tile.sync();
  atomicAdd(&n[T / 16], 1);
  block.sync();
  out[T] = n[T / 16];
}
KERNEL(by_coalesced_group) {
  __shared__ int n[2];
  if (T % 2 == 0) {
    const auto some = cooperative_groups::coalesced_threads();
    if (some.thread_rank() == 0) n[T / 32] = 0;
    some.sync();
    atomicAdd(&n[T / 32], 1);
    some.sync();
    if (some.thread_rank() == 0) out[T] = n[T / 32];
  }
}
KERNEL(by_named_barrier) {
  __shared__ int n;
  if (T == 0) n = 0;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  atomicAdd(&n, 1);
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[T] = n;
}
KERNEL(by_mbarrier) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  __shared__ int n;
  if (T == 0) init(&met, blockDim.x);
  __syncthreads();
  if (T == 0) n = 0;
  met.arrive_and_wait();
  atomicAdd(&n, 1);
  met.arrive_and_wait();
  out[T] = n;
}
KERNEL(under_a_lock) {
  __shared__ int lock, n;
  if (T == 0) lock = n = 0;
  __syncthreads();
  if (T % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {}
    __threadfence_block();
    n += 1;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
}
KERNEL(arrived_and_left) {  // who has returned is not waited for
  __shared__ int n;
  if (T == 0) n = 0;
  __syncthreads();
  atomicAdd(&n, 1);
  if (T >= 32) return;
  __syncthreads();
  out[T] = n;
}
)";

}  // namespace

TEST_CASE("A shared counter that is cleared or read with no barrier to those who add is found",
          "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  for (const char* kernel :
       {"cleared_by_one", "cleared_by_one_lane", "cleared_in_turns", "read_by_one_who_added_last",
        "cleared_by_one_who_added_last", "each_reads_its_own_bin", "behind_a_shuffle_alone",
        "fenced_and_not_told"}) {
    INFO(kernel);
    const LaunchResult result = run_block(loaded, kernel);
    const Finding* race = find(result, FindingKind::shared_race);
    if (race == nullptr) race = find(result, FindingKind::warp_race);
    REQUIRE(race != nullptr);
    CHECK(race->message.find("atomic operation at line") != std::string::npos);
    CHECK(race->message.find("use an atomic operation") == std::string::npos);
  }
}

TEST_CASE("A shared counter that is cleared and read in order is accused of nothing",
          "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  for (const char* kernel :
       {"behind_barriers", "a_counter_a_warp", "own_counter", "all_atomic", "volatile_look",
        "ticket", "cleared_and_told", "released", "by_tiles", "by_coalesced_group",
        "by_named_barrier", "by_mbarrier", "under_a_lock", "arrived_and_left"}) {
    INFO(kernel);
    const LaunchResult result = run_block(loaded, kernel);
    if (result.fault) FAIL_CHECK(result.fault->message);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  }
}

#undef T
#undef KERNEL

}  // namespace shared_counters_tests
