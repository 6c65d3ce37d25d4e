// What the checker says of threads of one block that write what others read in global memory.
#include "simulator/execute/checks/recent_uses.hpp"
#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace global_order_tests {
namespace {

constexpr const char* source = R"(
#include <cooperative_groups.h>
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
#define T threadIdx.x
#define LAST (blockDim.x - 1)
// ---- wrong ----
__global__ void shift_left(int* g) { if (T < LAST) { int next = g[T + 1]; g[T] = next; } }
__global__ void stencil(int* g) { if (T > 0 && T < LAST) g[T] = g[T - 1] + g[T] + g[T + 1]; }
__global__ void reversed(int* g) { int mine = g[LAST - T]; g[T] = mine; }
__global__ void reversed_behind_syncwarp(int* g) { int mine = g[LAST - T]; __syncwarp(); g[T] = mine; }
__global__ void transposed(int* g) { int r = T / 8, c = T % 8; int mine = g[c * 8 + r]; g[r * 8 + c] = mine; }
__global__ void counted(int* g) { ++g[T % 4]; }
__global__ void quads_shifted(int4* g) { if (T < 15) { int4 next = g[T + 1]; g[T] = next; } }
__global__ void bytes_shifted(unsigned char* g) { if (T < LAST) { unsigned char next = g[T + 1]; g[T] = next; } }
__global__ void by_way_of_the_read_only_cache(int* g) { if (T < LAST) { int next = __ldg(g + T + 1); g[T] = next; } }
__global__ void next_turn(int* g) {
  for (int turn = 0; turn < 3; ++turn) {
    int sum = g[T] + g[(T + 1) % blockDim.x];
    __syncthreads();
    g[T] = sum;  // and nothing in front of the next read
  }
}
__global__ void one_writes_what_all_read(int* g, int* out) { out[T] = g[0]; if (T == LAST) g[0] = 7; }
__global__ void behind_an_mbarrier_not_waited_for(int* g) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  if (T == 0) init(&met, blockDim.x);
  __syncthreads();
  int mine = g[LAST - T];
  auto token = met.arrive();
  g[T] = mine;
  met.wait(std::move(token));
}
__global__ void zeroed_by_one_lane(int* g) { if (T % 2 == 0) g[T / 2] = 0; atomicAdd(&g[T / 2], T); }
__global__ void zeroed_by_one_warp(int* g) { if (T == 0) g[0] = 0; atomicAdd(&g[0], 1); }
__global__ void zeroed_and_fenced(int* g) { if (T == 0) g[0] = 0; __threadfence(); atomicAdd(&g[0], 1); }
__global__ void total_read_at_once(int* g, int* out) { atomicAdd(&g[0], 1); if (T == 0) out[0] = g[0]; }
__global__ void total_read_behind_a_fence(int* g, int* out) { atomicAdd(&g[0], 1); __threadfence(); if (T == LAST) out[0] = g[0]; }
__global__ void total_read_by_who_added_last(int* g, int* out) { if (T % 32 == 31) atomicAdd(&g[0], 1); if (T == LAST) out[0] = g[0]; }
__global__ void total_of_the_block_read_at_once(int* g, int* out) { atomicAdd_block(&g[0], 1); if (T == LAST) out[0] = g[0]; }
__global__ void zeroed_while_others_add(int* g) { atomicAdd(&g[0], 1); if (T == LAST) g[0] = 0; }
__global__ void read_before_others_add(int* g, int* out) { if (T < 32) out[T] = g[0]; if (T >= 32) atomicAdd(&g[0], 1); }
__global__ void quads_summed_early(int4* g, int4* out) { atomicAdd(&g[T / 2].y, 1); if (T % 2 == 0) out[T] = g[T / 2]; }

// ---- right ----
__global__ void zeroed_behind_syncwarp(int* g) { if (T % 2 == 0) g[T / 2] = 0; __syncwarp(); atomicAdd(&g[T / 2], T); }
__global__ void zeroed_behind_a_barrier(int* g) { if (T == 0) g[0] = 0; __syncthreads(); atomicAdd(&g[0], 1); }
__global__ void total_read_behind_a_barrier(int* g, int* out) { atomicAdd(&g[0], 1); __syncthreads(); out[T] = g[0]; }
__global__ void total_of_a_warp(int* g, int* out) { atomicAdd(&g[T / 32], 1); __syncwarp(); if (T % 32 == 0) out[T] = g[T / 32]; }
__global__ void total_of_a_tile(int* g, int* out) {
  const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  atomicAdd(&g[T / 8], 1);
  tile.sync();
  if (tile.thread_rank() == 0) out[T] = g[T / 8];
  tile.sync();
  if (tile.thread_rank() == 1) g[T / 8] = 0;
}
__global__ void total_by_mbarrier(int* g, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  if (T == 0) init(&met, blockDim.x);
  __syncthreads();
  atomicAdd(&g[0], 1);
  met.arrive_and_wait();
  out[T] = g[0];
  met.arrive_and_wait();
  if (T == 0) g[0] = 0;
}
__global__ void total_by_named_barrier(int* g, int* out) {
  atomicAdd(&g[T / 64], 1);
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[T] = g[T / 64];
}
__global__ void total_by_ticket(int* g, int* out) {
  atomicAdd(&g[0], 1);
  __threadfence();
  if (atomicAdd(&g[1], 1) == LAST) { __threadfence(); out[0] = g[0]; g[0] = 0; }
}
__global__ void total_by_ticket_alone(int* g, int* out) {  // no hardware is known where that goes wrong
  atomicAdd(&g[0], 1);
  if (atomicAdd(&g[1], 1) == LAST) out[0] = g[0];
}
__global__ void total_read_by_adding_nothing(int* g, int* out) { atomicAdd(&g[0], 1); out[T] = atomicAdd(&g[0], 0); }
__global__ void total_read_by_volatile(int* g, int* out) {
  atomicAdd(&g[0], 1);
  while (*(volatile int*)g < (int)blockDim.x) {}
  out[T] = g[0];
}
__global__ void own_bins(int* g, int* out) { int before = g[T]; atomicAdd(&g[T], 1); out[T] = g[T] - before; g[T] = 0; }
__global__ void greatest_so_far(int* g, int* out) { atomicMax(&g[0], (int)T); out[T] = g[0]; }
__global__ void own_sum_stored_first(int* g) { g[T] = 0; atomicAdd(&g[T], 1); atomicAdd(&g[T], 2); }
__global__ void lock_given_back(int* g) {
  if (T % 32 == 0) {
    while (atomicCAS(&g[0], 0, 1) != 0) {}
    __threadfence();
    ((volatile int*)g)[1] = ((volatile int*)g)[1] + 1;
    __threadfence();
    g[0] = 0;
  }
}
__global__ void scaled(int* g, int n) { for (int i = T; i < n; i += blockDim.x) g[i] = 3 * g[i] + 1; }
__global__ void quads_of_its_own(int4* g) { int4 q = g[T]; q.x = q.w; g[T] = q; ((int*)g)[4 * T + 1] += 2; }
__global__ void reversed_behind_a_barrier(int* g) { int mine = g[LAST - T]; __syncthreads(); g[T] = mine; }
__global__ void lanes_reversed_behind_syncwarp(int* g) { int mine = g[T ^ 31]; __syncwarp(); g[T] = mine; }
__global__ void lanes_reversed_behind_a_shuffle(int* g) { int mine = g[T ^ 31]; mine += __shfl_xor_sync(~0u, mine, 1); g[T] = mine; }
__global__ void lanes_reversed_behind_a_tile(int* g) {
  const auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
  int mine = g[T ^ 15];
  tile.sync();
  g[T] = mine;
}
__global__ void turns_behind_barriers(int* g) {
  for (int turn = 0; turn < 3; ++turn) {
    int sum = g[T] + g[(T + 1) % blockDim.x];
    __syncthreads();
    g[T] = sum;
    __syncthreads();
  }
}
__global__ void by_named_barriers(int* g) {
  int mine = g[T ^ 32];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  g[T] = mine;
}
__global__ void by_mbarrier(int* g) {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  if (T == 0) init(&met, blockDim.x);
  __syncthreads();
  int mine = g[LAST - T];
  met.arrive_and_wait();
  g[T] = mine;
}
__global__ void by_flag(int* g) {  // the readers fence and count; the writer waits for all of them
  __shared__ int done;
  if (T == 0) done = 0;
  __syncthreads();
  if (T < 32) {
    g[64 + T] = g[T];
    __threadfence_block();
    atomicAdd(&done, 1);
  } else {
    while (*(volatile int*)&done < 32) {}
    __threadfence_block();
    g[T - 32] = 5;
  }
}
__global__ void by_flag_in_global_memory(int* g) {
  if (T < 32) {
    g[64 + T] = g[T];
    __threadfence();
    atomicAdd(&g[100], 1);
  } else {
    while (*(volatile int*)&g[100] < 32) {}
    __threadfence();
    g[T - 32] = 5;
  }
}
__global__ void looks_first_and_adds(int* g) { if (g[0] < (int)T) atomicMax(&g[0], (int)T); }
__global__ void adds_doubles_by_hand(unsigned long long* g) {
  unsigned long long old = *g, assumed;
  do { assumed = old; old = atomicCAS(g, assumed, assumed + 1); } while (old != assumed);
}
__global__ void under_a_lock(int* g) {
  for (int turn = 0; turn < (int)blockDim.x; ++turn)
    if (turn == (int)T) {
      while (atomicCAS(&g[0], 0, 1) != 0) {}
      __threadfence();
      g[1] += 1;
      __threadfence();
      atomicExch(&g[0], 0);
    }
}
__global__ void volatile_on_both_sides(int* g) { volatile int* v = g; int mine = v[LAST - T]; v[T] = mine; }
)";

LaunchResult run(Loaded& device, const char* kernel) {
  const auto g = device.zeros<int>(512), out = device.zeros<int>(512);
  const std::string name = kernel;
  const auto given = name == "scaled" ? arguments(g, 500) : arguments(g, out);
  return device.launch(std::to_string(name.size()) + name + "P", {1}, {64}, given,
                       {.instruction_budget = 1'000'000, .checks = Checks::full});
}

}  // namespace

TEST_CASE("A thread that overwrites what others of its block may still be reading is found",
          "[simulator][checker][order]") {
  Loaded device(ptx_of(source));
  for (const char* kernel : {"shift_left",
                             "stencil",
                             "reversed",
                             "reversed_behind_syncwarp",
                             "transposed",
                             "counted",
                             "quads_shifted",
                             "bytes_shifted",
                             "by_way_of_the_read_only_cache",
                             "next_turn",
                             "one_writes_what_all_read",
                             "behind_an_mbarrier_not_waited_for",
                             "zeroed_by_one_lane",
                             "zeroed_by_one_warp",
                             "zeroed_and_fenced",
                             "total_read_at_once",
                             "total_read_behind_a_fence",
                             "total_read_by_who_added_last",
                             "total_of_the_block_read_at_once",
                             "zeroed_while_others_add",
                             "read_before_others_add",
                             "quads_summed_early"}) {
    INFO(kernel);
    const LaunchResult result = run(device, kernel);
    const Finding* race = find(result, FindingKind::shared_race);
    if (race == nullptr) race = find(result, FindingKind::warp_race);
    REQUIRE(race != nullptr);
    CHECK(race->where.line > 0);
    CHECK(race->message.find("global memory") != std::string::npos);
  }
}

TEST_CASE("Of lanes that came apart the later store is named, with the read of the other lane",
          "[simulator][checker][order]") {
  Loaded device(ptx_of(source));
  const auto g = device.zeros<int>(32);
  const LaunchResult result =
      device.launch("10shift_leftP", {1}, {32}, arguments(g), {.checks = Checks::full});
  const Finding* race = find(result, FindingKind::warp_race);
  REQUIRE(race != nullptr);
  CHECK(race->message.find("write to global memory") != std::string::npos);
  CHECK(race->message.find("__syncwarp()") != std::string::npos);
}

TEST_CASE("In a cooperative launch a barrier of the grid is what is missing",
          "[simulator][checker][order]") {
  Loaded device(ptx_of(source));
  const auto g = device.zeros<int>(64);
  const Parameters parameters = arguments(g);
  const LaunchResult result = device.device.launch(
      device.kernel("7stencilP"),
      {.grid = {1}, .block = {64}, .cooperative = true, .parameters = parameters.span()},
      {.checks = Checks::full});
  const Finding* race = find(result, FindingKind::shared_race);
  if (race == nullptr) race = find(result, FindingKind::warp_race);
  REQUIRE(race != nullptr);
  CHECK(race->message.find("with no grid.sync()") != std::string::npos);
}

TEST_CASE("Threads that write what others have read in order are accused of nothing",
          "[simulator][checker][order]") {
  Loaded device(ptx_of(source));
  for (const char* kernel : {"total_read_behind_a_barrier",
                             "total_of_a_warp",
                             "total_of_a_tile",
                             "total_by_mbarrier",
                             "total_by_named_barrier",
                             "total_by_ticket",
                             "total_by_ticket_alone",
                             "total_read_by_adding_nothing",
                             "total_read_by_volatile",
                             "own_bins",
                             "greatest_so_far",
                             "zeroed_behind_syncwarp",
                             "zeroed_behind_a_barrier",
                             "own_sum_stored_first",
                             "lock_given_back",
                             "scaled",
                             "quads_of_its_own",
                             "reversed_behind_a_barrier",
                             "lanes_reversed_behind_syncwarp",
                             "lanes_reversed_behind_a_shuffle",
                             "lanes_reversed_behind_a_tile",
                             "turns_behind_barriers",
                             "by_named_barriers",
                             "by_mbarrier",
                             "by_flag",
                             "by_flag_in_global_memory",
                             "looks_first_and_adds",
                             "adds_doubles_by_hand",
                             "under_a_lock",
                             "volatile_on_both_sides"}) {
    INFO(kernel);
    const LaunchResult result = run(device, kernel);
    if (result.fault) FAIL_CHECK(result.fault->message);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  }
}

TEST_CASE("Elements that lie many gigabytes apart are not taken for one",
          "[simulator][checker][order]") {
  RecentUses uses(1, 4);
  const std::uint64_t here = 0x200000000000, far = here + (std::uint64_t{3} << 34);
  uses.add({}, 1, &far, 4);
  REQUIRE(uses.may_hold(far, far + 4));
  CHECK_FALSE(uses.may_hold(here, here + 4));
  const auto all = [](const RecentUses::Found&) { return true; };
  CHECK(uses.any(0, 1, far, 4, all).use != nullptr);
  CHECK(uses.any(0, 1, here, 4, all).use == nullptr);
  CHECK(uses.last(0, 1, here, 4).use == nullptr);
}

#undef T
#undef LAST

}  // namespace global_order_tests
