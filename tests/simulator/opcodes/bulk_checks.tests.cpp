// What the checker says of bulk copies that are not waited for, or not fenced from what threads
// wrote.
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "simulator/kernel_harness.hpp"
#include "simulator/mbarrier_source.hpp"

using namespace klab::sim;
using namespace klab::sim::test;
using Catch::Matchers::ContainsSubstring;

namespace bulk_checks_tests {
namespace {

const std::string source = mbarrier_source + std::string(R"(
__device__ void init(void* b, unsigned n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(b)), "r"(n) : "memory"); }
__device__ void fetch(void* to, const void* from, unsigned bytes, void* b) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(b)), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(at(to)), "l"(from), "r"(bytes), "r"(at(b)) : "memory");
}
__device__ void store(void* to, const void* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(bytes) : "memory");
}
__device__ void add(void* to, const void* from, unsigned bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(bytes) : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int Left> __device__ void wait_read() { asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(Left) : "memory"); }
template <int Left> __device__ void wait_written() { asm volatile("cp.async.bulk.wait_group %0;" :: "n"(Left) : "memory"); }
__device__ void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
#define TILE __shared__ alignas(128) int tile[64]
#define FIRST if (threadIdx.x == 0)

// ---- out of shared memory ----
template <class Before, class After> __device__ void put(int* out, Before before, After after) {
  TILE;
  tile[threadIdx.x] = threadIdx.x;
  before();
  FIRST { store(out, tile, 256); commit(); after(); }
}
__global__ void stores(int*, int* out) { put(out, [] { fence(); __syncthreads(); }, [] { wait_read<0>(); }); }
__global__ void fenced_by_the_copying_thread(int*, int* out) { put(out, [] { __syncthreads(); if (threadIdx.x == 0) fence(); }, [] { wait_read<0>(); }); }
__global__ void fenced_by_one_of_each_warp(int*, int* out) { put(out, [] { __syncwarp(); if (threadIdx.x % 32 == 0) fence(); __syncthreads(); }, [] { wait_read<0>(); }); }
__global__ void never_fenced(int*, int* out) { put(out, [] { __syncthreads(); }, [] { wait_read<0>(); }); }
__global__ void fenced_of_another_kind(int*, int* out) { put(out, [] { __threadfence(); __syncthreads(); }, [] { wait_read<0>(); }); }
__global__ void fenced_by_one_thread(int*, int* out) { put(out, [] { if (threadIdx.x == 0) fence(); __syncthreads(); }, [] { wait_read<0>(); }); }
__global__ void fenced_too_late(int*, int* out) { put(out, [] { __syncthreads(); }, [] { fence(); wait_read<0>(); }); }
__global__ void fenced_too_early(int*, int* out) {
  TILE;
  fence();
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  FIRST { store(out, tile, 256); commit(); wait_read<0>(); }
}
template <class After> __device__ void add_in_two(int* out, After after) {
  TILE;
  tile[threadIdx.x] = threadIdx.x;
  fence();
  __syncthreads();
  if (threadIdx.x < 2) { add(out, tile + 32 * threadIdx.x, 128); commit(); after(); wait_written<0>(); }
}
__global__ void two_reductions_on_one_place(int*, int* out) { add_in_two(out, [] {}); }
__global__ void atomics_beside_reductions(int*, int* out) { add_in_two(out, [=] { atomicAdd(out + threadIdx.x, 1); }); }
__global__ void reads_beside_reductions(int* in, int* out) { add_in_two(out, [=] { in[threadIdx.x] = out[threadIdx.x]; }); }
__global__ void ends_before_it_is_read(int*, int* out) { put(out, [] { fence(); __syncthreads(); }, [] {}); }
__global__ void waits_without_a_group(int*, int* out) {
  TILE;
  tile[threadIdx.x] = threadIdx.x;
  fence();
  __syncthreads();
  FIRST { store(out, tile, 256); wait_read<0>(); }
}
__global__ void waits_in_another_thread(int*, int* out) {
  TILE;
  tile[threadIdx.x] = threadIdx.x;
  fence();
  __syncthreads();
  FIRST { store(out, tile, 256); commit(); }
  if (threadIdx.x == 32) wait_read<0>();
}
__global__ void reads_what_it_stored(int*, int* out) {
  put(out, [] { fence(); __syncthreads(); }, [&] { wait_read<0>(); out[64] = out[3]; });
}
__global__ void waits_until_it_is_written(int*, int* out) {
  put(out, [] { fence(); __syncthreads(); }, [&] { wait_written<0>(); out[64] = out[3]; });
}
// A tile after another, in so many buffers, of which so many copies may be under way.
template <int Buffers, int Left> __device__ void rounds(int* out, bool meets) {
  __shared__ alignas(128) int tile[Buffers][64];
  for (int round = 0; round < 4; ++round) {
    FIRST wait_read<Left>();
    if (meets) __syncthreads();
    tile[round % Buffers][threadIdx.x] = round;
    fence();
    __syncthreads();
    FIRST { store(out + 64 * round, tile[round % Buffers], 256); commit(); }
  }
  FIRST wait_read<0>();
}
__global__ void two_buffers(int*, int* out) { rounds<2, 1>(out, true); }
__global__ void one_buffer(int*, int* out) { rounds<1, 0>(out, true); }
__global__ void one_buffer_too_few(int*, int* out) { rounds<2, 2>(out, true); }
__global__ void nobody_meets_the_wait(int*, int* out) { rounds<1, 0>(out, false); }

// ---- into shared memory ----
template <class Waits> __device__ void bring(int* in, int* out, Waits waits) {
  TILE; __shared__ unsigned long long full;
  FIRST { init(&full, 1); fetch(tile, in, 256, &full); }
  __syncthreads();
  waits(&full, tile);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void brings(int* in, int* out) { bring(in, out, [](void* full, int*) { wait_for(at(full), 0); }); }
__global__ void nobody_waits(int* in, int* out) { bring(in, out, [](void*, int*) {}); }
__global__ void one_warp_waits(int* in, int* out) { bring(in, out, [](void* full, int*) { if (threadIdx.x < 32) wait_for(at(full), 0); }); }
__global__ void one_waits_and_all_meet(int* in, int* out) {
  bring(in, out, [](void* full, int*) { if (threadIdx.x == 0) wait_for(at(full), 0); __syncthreads(); });
}
// ---- by one lane, for others ----
#define LANE (threadIdx.x % 32)
#define BY_ONE(who, then) [](void* full, int*) { if (who) wait_for(at(full), 0); then; }
__global__ void one_lane_waits(int* in, int* out) { bring(in, out, BY_ONE(LANE == 0, )); }
__global__ void half_a_warp_waits(int* in, int* out) { bring(in, out, BY_ONE(LANE < 16, )); }
__global__ void one_lane_waits_behind_syncwarp(int* in, int* out) { bring(in, out, [](void* full, int*) { __syncwarp(); if (LANE == 0) wait_for(at(full), 0); }); }
__global__ void one_lane_waits_and_arrives_elsewhere(int* in, int* out) {
  __shared__ unsigned long long other;
  FIRST init(&other, 1);
  bring(in, out, [](void* full, int*) {
    if (LANE == 0) wait_for(at(full), 0);
    if (threadIdx.x == 0) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" :: "r"(at(&other)) : "memory");
  });
}
__global__ void one_waits_and_its_warp_meets(int* in, int* out) { bring(in, out, BY_ONE(LANE == 0, __syncwarp())); }
__global__ void one_waits_and_shuffles(int* in, int* out) { bring(in, out, BY_ONE(LANE == 5, __shfl_sync(~0u, 1, 5))); }
__global__ void one_waits_for_a_named_barrier(int* in, int* out) { bring(in, out, BY_ONE(threadIdx.x == 0, asm volatile("bar.sync 1, 64;" ::: "memory"))); }
__global__ void halves_wait_in_turn(int* in, int* out) { bring(in, out, [](void* full, int*) { if (LANE < 16) wait_for(at(full), 0); else wait_for(at(full), 0); }); }
__global__ void one_waits_and_arrives_for_all(int* in, int* out) {
  __shared__ unsigned long long other;
  FIRST init(&other, 1);
  bring(in, out, [](void* full, int*) {
    if (threadIdx.x == 0) {
      wait_for(at(full), 0);
      asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" :: "r"(at(&other)) : "memory");
    }
    wait_for(at(&other), 0);
  });
}
template <class Flag> __device__ void waits_and_tells(int* in, int* out, Flag* flag) {
  FIRST *flag = 0;
  bring(in, out, [=](void* full, int*) {
    if (threadIdx.x == 0) { wait_for(at(full), 0); __threadfence(); *flag = 1; }
    while (*flag == 0) {}
    __threadfence();
  });
}
__global__ void one_waits_and_tells_by_a_flag(int* in, int* out) { __shared__ volatile int flag; waits_and_tells(in, out, &flag); }
__global__ void one_waits_and_tells_by_a_global_flag(int* in, int* out) { waits_and_tells(in, out, (volatile int*)(out + 100)); }
__global__ void one_waits_and_tells_by_a_counter(int* in, int* out) {
  FIRST out[100] = 0;
  bring(in, out, [=](void* full, int*) {
    if (threadIdx.x == 0) { wait_for(at(full), 0); asm volatile("red.release.gpu.global.add.s32 [%0], 1;" :: "l"(out + 100) : "memory"); }
    int seen = 0;
    while (seen == 0) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(out + 100) : "memory");
  });
}
__global__ void writes_meanwhile(int* in, int* out) {
  bring(in, out, [](void* full, int* tile) { tile[threadIdx.x] = 1; wait_for(at(full), 0); __syncthreads(); });
}
__global__ void waits_for_another(int* in, int* out) {
  TILE; __shared__ alignas(128) int more[64]; __shared__ unsigned long long full[2];
  FIRST {
    init(&full[0], 1); init(&full[1], 1);
    fetch(tile, in, 256, &full[0]); fetch(more, in + 64, 256, &full[1]);
  }
  __syncthreads();
  wait_for(at(&full[0]), 0);
  out[threadIdx.x] = more[63 - threadIdx.x];
}
__global__ void waits_for_the_phase_before(int* in, int* out) {
  TILE; __shared__ unsigned long long full;
  FIRST { init(&full, 2); fetch(tile, in, 256, &full); }
  __syncthreads();
  wait_for(at(&full), 1);  // the one before the first is over
  if (threadIdx.x >= 32) out[threadIdx.x] = tile[63 - threadIdx.x];
}
// One warp fetches, the other uses and gives the buffer back; what it made goes out as it came in.
__global__ void pipeline(int* in, int* out) {
  __shared__ alignas(128) int tiles[2][64];
  __shared__ unsigned long long full[2], empty[2];
  FIRST for (int i = 0; i < 2; ++i) init(&full[i], 1), init(&empty[i], 32);
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 0; k < 6; ++k) {
      wait_for(at(&empty[k % 2]), (k / 2 & 1) ^ 1);
      fetch(tiles[k % 2], in + (k % 4) * 64, 256, &full[k % 2]);
    }
  if (threadIdx.x < 32) return;
  int sum = 0;
  for (int k = 0; k < 6; ++k) {
    wait_for(at(&full[k % 2]), k / 2 & 1);
    sum += tiles[k % 2][threadIdx.x] + tiles[k % 2][threadIdx.x - 32];
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" :: "r"(at(&empty[k % 2])) : "memory");
  }
  out[threadIdx.x - 32] = sum;
}
// In and out again by way of one buffer.
__device__ void through(int* in, int* out, bool waits) {
  TILE; __shared__ unsigned long long full;
  FIRST {
    init(&full, 1);
    for (int round = 0; round < 3; ++round) {
      fetch(tile, in + 64 * round, 256, &full);
      wait_for(at(&full), round & 1);
      store(out + 64 * round, tile, 256);
      commit();
      if (waits) wait_read<0>();
    }
    wait_read<0>();
  }
}
__global__ void in_and_out_again(int* in, int* out) { through(in, out, true); }
__global__ void fetches_over_what_is_read(int* in, int* out) { through(in, out, false); }
)");

// The same by the classes of the library.
constexpr const char* by_library = R"(
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
template <bool Waits> __device__ void bring(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ Barrier full;
  if (threadIdx.x == 0) init(&full, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 0)
    cuda::memcpy_async(tile, in, cuda::aligned_size_t<16>(256), full);
  Barrier::arrival_token token = full.arrive();
  if (Waits) full.wait(std::move(token));
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void by_barrier(const int* in, int* out) { bring<true>(in, out); }
__global__ void barrier_without_wait(const int* in, int* out) { bring<false>(in, out); }
__global__ void by_group(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  const auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(256));
  cooperative_groups::wait(block);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
)";

LaunchResult run(const std::string& text, const char* kernel) {
  const auto ptx = compile_to_ptx(text);
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx);
  const auto in = device.zeros<int>(256), out = device.zeros<int>(256);
  return device.launch(kernel, {1}, {64}, arguments(in, out),
                       {.instruction_budget = 1'000'000, .checks = Checks::full});
}

const Finding* found(const LaunchResult& result, FindingKind kind) {
  for (const Finding& finding : result.findings)
    if (finding.kind == kind) return &finding;
  return nullptr;
}

void expect(const std::string& text, const char* kernel, FindingKind kind, const char* says) {
  INFO(kernel);
  const LaunchResult result = run(text, kernel);
  const Finding* finding = found(result, kind);
  REQUIRE(finding != nullptr);
  CHECK_THAT(finding->message, ContainsSubstring(says));
  CHECK(finding->where.line > 0);
}

}  // namespace

TEST_CASE("A bulk copy of what threads wrote needs a proxy fence between the two",
          "[simulator][bulk][checker]") {
  const char* kernel = GENERATE("never_fenced", "fenced_of_another_kind", "fenced_by_one_thread",
                                "fenced_too_late", "fenced_too_early");
  expect(source, kernel, FindingKind::unfenced_copy, "no fence.proxy.async lies between the two");
}

TEST_CASE("Shared memory stays as it is until bulk copies have read it, also behind the block",
          "[simulator][bulk][checker]") {
  const char* early =
      GENERATE("ends_before_it_is_read", "waits_without_a_group", "waits_in_another_thread");
  expect(source, early, FindingKind::unfinished_copy, "before the block ends");
  const char* over = GENERATE("one_buffer_too_few", "fetches_over_what_is_read");
  expect(source, over, FindingKind::unfinished_copy, "may still be reading");
}

TEST_CASE("A wait for a bulk copy is its thread's own: others write behind a barrier",
          "[simulator][bulk][checker]") {
  expect(source, "nobody_meets_the_wait", FindingKind::shared_race, "no __syncthreads()");
}

TEST_CASE("What a bulk copy writes to global memory is not read before it is written",
          "[simulator][bulk][checker]") {
  expect(source, "reads_what_it_stored", FindingKind::unfinished_copy, "without .read");
  expect(source, "reads_beside_reductions", FindingKind::unfinished_copy, "without .read");
}

TEST_CASE("What a bulk copy brings belongs to those who waited for its phase of its barrier",
          "[simulator][bulk][checker]") {
  const char* kernel = GENERATE("nobody_waits", "one_warp_waits", "waits_for_another",
                                "waits_for_the_phase_before", "writes_meanwhile");
  expect(source, kernel, FindingKind::unfinished_copy, "may still be on its way");
  expect(by_library, "barrier_without_wait", FindingKind::unfinished_copy,
         "may still be on its way");
}

TEST_CASE("A lane waits for a bulk copy for itself, until its warp meets",
          "[simulator][bulk][checker]") {
  const char* kernel =
      GENERATE("one_lane_waits", "half_a_warp_waits", "one_lane_waits_behind_syncwarp",
               "one_lane_waits_and_arrives_elsewhere");
  expect(source, kernel, FindingKind::unfinished_copy, "another lane of the warp waited for it");
}

TEST_CASE("Bulk copies that are fenced and waited for draw no finding",
          "[simulator][bulk][checker]") {
  const auto fine = [](const std::string& text, const char* kernel) {
    INFO(kernel);
    const LaunchResult result = run(text, kernel);
    if (result.fault) FAIL_CHECK(result.fault->message);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  };
  for (const char* kernel : {"stores",
                             "fenced_by_the_copying_thread",
                             "fenced_by_one_of_each_warp",
                             "waits_until_it_is_written",
                             "two_buffers",
                             "one_buffer",
                             "brings",
                             "one_waits_and_all_meet",
                             "one_waits_and_its_warp_meets",
                             "one_waits_and_shuffles",
                             "one_waits_for_a_named_barrier",
                             "halves_wait_in_turn",
                             "one_waits_and_arrives_for_all",
                             "one_waits_and_tells_by_a_flag",
                             "one_waits_and_tells_by_a_global_flag",
                             "one_waits_and_tells_by_a_counter",
                             "pipeline",
                             "in_and_out_again",
                             "two_reductions_on_one_place",
                             "atomics_beside_reductions"})
    fine(source, kernel);
  for (const char* kernel : {"by_barrier", "by_group"}) fine(by_library, kernel);
}

#undef TILE
#undef FIRST
#undef LANE
#undef BY_ONE

}  // namespace bulk_checks_tests
