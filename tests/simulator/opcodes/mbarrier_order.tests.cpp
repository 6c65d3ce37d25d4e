// What the checker says of threads that hand shared memory over by mbarriers.
#include <catch2/matchers/catch_matchers_string.hpp>

#include "simulator/kernel_harness.hpp"
#include "simulator/mbarrier_source.hpp"

using namespace klab::sim;
using namespace klab::sim::test;
using Catch::Matchers::ContainsSubstring;

namespace mbarrier_order_tests {
namespace {

const std::string source = mbarrier_source + std::string(R"(
#include <cooperative_groups.h>
using Word = unsigned long long;
__device__ void init(Word* b, unsigned n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(b)), "r"(n) : "memory"); }
__device__ void arrive(Word* b) { asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" :: "r"(at(b)) : "memory"); }
__device__ void arrive_relaxed(Word* b) { asm volatile("{ .reg .b64 s; mbarrier.arrive.relaxed.cta.shared::cta.b64 s, [%0]; }" :: "r"(at(b)) : "memory"); }
__device__ void drop(Word* b) { asm volatile("{ .reg .b64 s; mbarrier.arrive_drop.shared::cta.b64 s, [%0]; }" :: "r"(at(b)) : "memory"); }
__device__ void wait(Word* b, unsigned parity) { wait_for(at(b), parity); }
__device__ void fetch(void* to, const void* from, unsigned bytes, Word* b) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(b)), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(at(to)), "l"(from), "r"(bytes), "r"(at(b)) : "memory");
}
__device__ bool elected() {
  unsigned chosen;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(chosen) :: "memory");
  return chosen != 0;
}
#define LANE (threadIdx.x % 32)
#define WARP (threadIdx.x / 32)

// ---- one warp writes, another one reads behind a phase ----
template <class Arrive, class Wait>
__device__ void hand_over(int* out, unsigned count, Arrive arrives, Wait waits) {
  __shared__ int tile[32];
  __shared__ Word full;
  if (threadIdx.x == 0) init(&full, count);
  __syncthreads();
  if (WARP == 0) {
    tile[LANE] = threadIdx.x;
    arrives(&full);
  } else if (WARP == 1) {
    waits(&full);
    out[LANE] = tile[31 - LANE];
  }
}
__global__ void met_before_it_is_made(const int*, int* out) {
  __shared__ Word met;
  if (threadIdx.x == 0) init(&met, 96);
  arrive(&met);
  wait(&met, 0);
  out[threadIdx.x] = 1;
}
__global__ void made_for_one_warp(const int*, int* out) {
  __shared__ Word met[3];
  if (LANE == 0) init(met + WARP, 32);
  __syncwarp();
  arrive(met + WARP);
  wait(met + WARP, 0);
  out[threadIdx.x] = 1;
}
#define ALL_WAIT [](Word* b) { wait(b, 0); }
#define EACH_ARRIVES [](Word* b) { arrive(b); }
__global__ void one_arrives_for_its_warp(const int*, int* out) { hand_over(out, 1, [](Word* b) { if (LANE == 0) arrive(b); }, ALL_WAIT); }
__global__ void arrives_without_release(const int*, int* out) { hand_over(out, 32, [](Word* b) { arrive_relaxed(b); }, ALL_WAIT); }
__global__ void one_waits_for_its_warp(const int*, int* out) { hand_over(out, 32, EACH_ARRIVES, [](Word* b) { if (LANE == 0) wait(b, 0); }); }
__global__ void each_arrives(const int*, int* out) { hand_over(out, 32, EACH_ARRIVES, ALL_WAIT); }
__global__ void each_drops(const int*, int* out) { hand_over(out, 32, [](Word* b) { drop(b); }, ALL_WAIT); }
__global__ void one_arrives_behind_syncwarp(const int*, int* out) { hand_over(out, 1, [](Word* b) { __syncwarp(); if (LANE == 0) arrive(b); }, ALL_WAIT); }
__global__ void one_arrives_behind_a_tile(const int*, int* out) {
  hand_over(out, 1, [](Word* b) {
    const auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    tile.sync();
    if (tile.thread_rank() == 0) arrive(b);
  }, ALL_WAIT);
}
__global__ void one_arrives_behind_coalesced_threads(const int*, int* out) {
  hand_over(out, 1, [](Word* b) { auto all = cooperative_groups::coalesced_threads(); all.sync(); if (all.thread_rank() == 0) arrive(b); }, ALL_WAIT);
}
__global__ void the_elected_arrives(const int*, int* out) { hand_over(out, 1, [](Word* b) { __syncwarp(); if (elected()) arrive(b); }, ALL_WAIT); }
__global__ void one_arrives_behind_a_vote(const int*, int* out) { hand_over(out, 1, [](Word* b) { if (__any_sync(~0u, LANE == 3) && LANE == 3) arrive(b); }, ALL_WAIT); }
__global__ void arrives_relaxed_behind_a_fence(const int*, int* out) { hand_over(out, 32, [](Word* b) { __threadfence_block(); arrive_relaxed(b); }, ALL_WAIT); }
__global__ void one_waits_in_front_of_syncwarp(const int*, int* out) { hand_over(out, 32, EACH_ARRIVES, [](Word* b) { if (LANE == 0) wait(b, 0); __syncwarp(); }); }
__global__ void one_waits_and_tells_by_shuffle(const int*, int* out) { hand_over(out, 32, EACH_ARRIVES, [](Word* b) { if (LANE == 0) wait(b, 0); __shfl_sync(~0u, 1, 0); }); }
__global__ void by_way_of_a_third_warp(const int*, int* out) {
  __shared__ int tile[32];
  __shared__ Word first, second;
  if (threadIdx.x == 0) { init(&first, 32); init(&second, 32); }
  __syncthreads();
  if (WARP == 0) { tile[LANE] = threadIdx.x; arrive(&first); }
  if (WARP == 1) { wait(&first, 0); arrive(&second); }
  if (WARP == 2) { wait(&second, 0); out[LANE] = tile[31 - LANE]; }
}
__global__ void within_the_warp(const int*, int* out) {
  __shared__ int tile[32];
  __shared__ Word full;
  if (threadIdx.x == 0) init(&full, 32);
  __syncthreads();
  if (WARP == 0) { tile[LANE] = LANE; arrive(&full); wait(&full, 0); out[LANE] = tile[31 - LANE]; }
}
__global__ void one_arrives_within_the_warp(const int*, int* out) {
  __shared__ int tile[32];
  __shared__ Word full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  if (WARP == 0) { tile[LANE] = LANE; if (LANE == 0) arrive(&full); wait(&full, 0); out[LANE] = tile[31 - LANE]; }
}
// A consumer waits alone, and the others meet it at a barrier of theirs.
__global__ void one_waits_for_a_named_barrier(const int*, int* out) {
  __shared__ int tile[32];
  __shared__ Word full;
  if (threadIdx.x == 0) init(&full, 32);
  __syncthreads();
  if (WARP == 0) { tile[LANE] = LANE; arrive(&full); return; }
  if (threadIdx.x == 32) wait(&full, 0);
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x - 32] = tile[31 - LANE];
}

// ---- all lanes of a warp read the same 16 bytes, and the first warp writes there again ----
template <class Wait, class Arrive>
__device__ void read_as_one(int* out, unsigned readers, Wait waits, Arrive arrives) {
  __shared__ int4 one;
  __shared__ Word full, empty;
  if (threadIdx.x == 0) { init(&full, 1); init(&empty, readers); }
  __syncthreads();
  if (threadIdx.x == 0) {
    one = {1, 2, 3, 4};
    arrive(&full);
    wait(&empty, 0);
    one.w = 5;
  } else if (WARP == 1) {
    waits(&full);
    const int4 seen = one;
    arrives(&empty);
    out[LANE] = seen.w + seen.x;
  }
}
#define LAST_ALONE(ACT) [](Word* b) { if (LANE == 31) ACT; }
__global__ void all_wait_and_read_one(const int*, int* out) { read_as_one(out, 32, ALL_WAIT, EACH_ARRIVES); }
__global__ void last_waits_and_all_read_one(const int*, int* out) { read_as_one(out, 32, LAST_ALONE(wait(b, 0)), EACH_ARRIVES); }
__global__ void all_read_one_and_last_arrives(const int*, int* out) { read_as_one(out, 1, ALL_WAIT, LAST_ALONE(arrive(b))); }

// ---- a ring of tiles: one warp fills by bulk copies, two take ----
template <int Stages, class Release>
__device__ void ring(const int* in, int* out, unsigned count, Release release) {
  __shared__ alignas(128) int tiles[Stages][64];
  __shared__ Word full[Stages], empty[Stages];
  if (threadIdx.x == 0)
    for (int i = 0; i < Stages; ++i) { init(&full[i], 1); init(&empty[i], count); }
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 0; k < 8; ++k) {
      const int s = k % Stages;
      wait(&empty[s], (k / Stages & 1) ^ 1);
      fetch(tiles[s], in + k % 4 * 64, 256, &full[s]);
    }
  if (WARP == 0) return;
  int sum = 0;
  for (int k = 0; k < 8; ++k) {
    const int s = k % Stages;
    wait(&full[s], k / Stages & 1);
    release(&empty[s], [&] { for (int i = 0; i < 2; ++i) sum += tiles[s][i * 32 + LANE]; });
  }
  out[threadIdx.x] = sum;
}
__global__ void ring_of_each(const int* in, int* out) { ring<2>(in, out, 64, [](Word* b, auto take) { take(); arrive(b); }); }
__global__ void ring_of_each_warp(const int* in, int* out) { ring<3>(in, out, 2, [](Word* b, auto take) { take(); __syncwarp(); if (LANE == 0) arrive(b); }); }
__global__ void ring_of_the_elected(const int* in, int* out) { ring<2>(in, out, 2, [](Word* b, auto take) { take(); __syncwarp(); if (elected()) arrive(b); }); }
__global__ void ring_of_one_lane(const int* in, int* out) { ring<2>(in, out, 2, [](Word* b, auto take) { take(); if (LANE == 0) arrive(b); }); }
__global__ void ring_of_the_first_warp(const int* in, int* out) { ring<2>(in, out, 32, [](Word* b, auto take) { take(); if (WARP == 1) arrive(b); }); }
__global__ void ring_of_the_last_warp(const int* in, int* out) { ring<2>(in, out, 32, [](Word* b, auto take) { take(); if (WARP == 2) arrive(b); }); }
__global__ void ring_of_half(const int* in, int* out) { ring<2>(in, out, 32, [](Word* b, auto take) { take(); if (LANE < 16) arrive(b); }); }
__global__ void ring_released_before_it_is_read(const int* in, int* out) { ring<2>(in, out, 64, [](Word* b, auto take) { arrive(b); take(); }); }

// ---- the same by ordinary writes and asynchronous copies of threads ----
template <bool Copies, class Release>
__device__ void filled_by_threads(const int* in, int* out, Release release) {
  __shared__ alignas(16) int tiles[2][32];
  __shared__ Word full[2], empty[2];
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; ++i) { init(&full[i], 32); init(&empty[i], 32); }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 8; ++k) {
    const int s = k % 2;
    if (WARP == 0) {
      wait(&empty[s], (k / 2 & 1) ^ 1);
      if (Copies) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(at(&tiles[s][LANE])), "l"(in + k * 32 + LANE) : "memory");
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(at(&full[s])) : "memory");
      } else {
        tiles[s][LANE] = in[k * 32 + LANE];
        arrive(&full[s]);
      }
    } else if (WARP == 1) {
      wait(&full[s], k / 2 & 1);
      release(&empty[s], [&] { sum += tiles[s][31 - LANE]; });
    }
  }
  if (WARP == 1) out[LANE] = sum;
}
#define TAKES_AND_ARRIVES [](Word* b, auto take) { take(); arrive(b); }
__global__ void filled_by_stores(const int* in, int* out) { filled_by_threads<false>(in, out, TAKES_AND_ARRIVES); }
__global__ void filled_by_copies(const int* in, int* out) { filled_by_threads<true>(in, out, TAKES_AND_ARRIVES); }
__global__ void stores_over_what_is_read(const int* in, int* out) { filled_by_threads<false>(in, out, [](Word* b, auto take) { arrive(b); take(); }); }
__global__ void copies_over_what_is_read(const int* in, int* out) { filled_by_threads<true>(in, out, [](Word* b, auto take) { arrive(b); take(); }); }
)");

// By the classes of the library.
constexpr const char* by_library = R"(
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#pragma nv_diag_suppress static_var_with_dynamic_init
using Barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void all_arrive_and_wait(const int* in, int* out) {
  __shared__ int tile[96];
  __shared__ Barrier met;
  if (threadIdx.x == 0) init(&met, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 2; ++k) {
    tile[threadIdx.x] = in[k * 96 + threadIdx.x];
    met.arrive_and_wait();
    sum += tile[95 - threadIdx.x];
    met.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}
__global__ void meets_once_a_turn(const int* in, int* out) {
  __shared__ int tile[96];
  __shared__ Barrier met;
  if (threadIdx.x == 0) init(&met, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 2; ++k) {
    tile[threadIdx.x] = in[k * 96 + threadIdx.x];
    met.arrive_and_wait();
    sum += tile[95 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}
__global__ void producers_and_consumers(const int* in, int* out) {
  __shared__ int tiles[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cooperative_groups::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int sum = 0;
  for (int k = 0; k < 6; ++k) {
    if (produces) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tiles[k % 2][threadIdx.x], in + k * 32 + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += tiles[k % 2][31 - threadIdx.x % 32];
      pipe.consumer_release();
    }
  }
  out[threadIdx.x] = sum;
}
)";

LaunchResult run(const std::string& text, const char* kernel) {
  Loaded device(ptx_of(text));
  const auto in = device.zeros<int>(256), out = device.zeros<int>(256);
  return device.launch(kernel, {1}, {96}, arguments(in, out),
                       {.instruction_budget = 1'000'000, .checks = Checks::full});
}

void expect(const std::string& text, const char* kernel, FindingKind kind) {
  INFO(kernel);
  const LaunchResult result = run(text, kernel);
  const Finding* finding = find(result, kind);
  REQUIRE(finding != nullptr);
  CHECK_THAT(finding->message, ContainsSubstring("mbarrier"));
  CHECK(finding->where.line > 0);
  CHECK(finding->other_where->line > 0);
}

void fine(const std::string& text, const char* kernel) {
  INFO(kernel);
  const LaunchResult result = run(text, kernel);
  if (result.fault) FAIL_CHECK(result.fault->message);
  for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
}

}  // namespace

TEST_CASE("An arrival tells of its own thread, and of its warp up to where that came together",
          "[simulator][mbarrier][checker]") {
  for (const char* kernel :
       {"one_arrives_for_its_warp", "arrives_without_release", "one_waits_for_its_warp"})
    expect(source, kernel, FindingKind::shared_race);
  expect(source, "one_arrives_within_the_warp", FindingKind::warp_race);
}

TEST_CASE("Lanes that read the same are looked at each, also where most of them have waited",
          "[simulator][mbarrier][checker]") {
  fine(source, "all_wait_and_read_one");
  for (const char* kernel : {"last_waits_and_all_read_one", "all_read_one_and_last_arrives"})
    expect(source, kernel, FindingKind::shared_race);
}

TEST_CASE("A tile is filled anew behind all who read it, whoever fills it",
          "[simulator][mbarrier][checker]") {
  for (const char* kernel :
       {"ring_of_one_lane", "ring_of_the_first_warp", "ring_of_the_last_warp", "ring_of_half",
        "ring_released_before_it_is_read", "stores_over_what_is_read", "copies_over_what_is_read"})
    expect(source, kernel, FindingKind::shared_race);
  expect(by_library, "meets_once_a_turn", FindingKind::shared_race);
}

TEST_CASE("An mbarrier that others use before they can know that it is made is found",
          "[simulator][mbarrier][checker]") {
  expect(source, "met_before_it_is_made", FindingKind::shared_race);
}

TEST_CASE("Threads that hand over by mbarriers in order are accused of nothing",
          "[simulator][mbarrier][checker]") {
  for (const char* kernel :
       {"each_arrives", "each_drops", "one_arrives_behind_syncwarp", "one_arrives_behind_a_tile",
        "one_arrives_behind_coalesced_threads", "the_elected_arrives", "one_arrives_behind_a_vote",
        "arrives_relaxed_behind_a_fence", "one_waits_in_front_of_syncwarp",
        "one_waits_and_tells_by_shuffle", "by_way_of_a_third_warp", "within_the_warp",
        "one_waits_for_a_named_barrier", "ring_of_each", "ring_of_each_warp", "ring_of_the_elected",
        "filled_by_stores", "filled_by_copies", "made_for_one_warp"})
    fine(source, kernel);
  for (const char* kernel : {"all_arrive_and_wait", "producers_and_consumers"})
    fine(by_library, kernel);
}

#undef LANE
#undef WARP
#undef ALL_WAIT
#undef EACH_ARRIVES
#undef LAST_ALONE
#undef TAKES_AND_ARRIVES

}  // namespace mbarrier_order_tests
