// What the checker says of blocks of a cluster that hand shared memory over by mbarriers and flags.
#include "simulator/kernel_harness.hpp"
#include "simulator/mbarrier_source.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace cluster_order_tests {
namespace {

const std::string source = mbarrier_source + std::string(R"(
#include <cooperative_groups.h>
using Word = unsigned long long;
#define T threadIdx.x
#define LANE (threadIdx.x % 32)
#define FIRST if (threadIdx.x == 0)
#define PAIR __global__ void __cluster_dims__(2)
__device__ unsigned rank() { unsigned r; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
__device__ unsigned of(const void* p, unsigned r) { unsigned a; asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a) : "r"(at(p)), "r"(r)); return a; }
__device__ void meet() { asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"); }
__device__ void init(Word* b, unsigned n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(b)), "r"(n) : "memory"); }
__device__ void expect(Word* b, unsigned bytes) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(b)), "r"(bytes) : "memory"); }
__device__ void arrive(Word* b, unsigned r) { asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(of(b, r)) : "memory"); }
__device__ void arrive_relaxed(Word* b, unsigned r) { asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" :: "r"(of(b, r)) : "memory"); }
__device__ void wait(Word* b, unsigned parity) { wait_for(at(b), parity); }
__device__ void put(int* p, unsigned r, int v) { asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(of(p, r)), "r"(v) : "memory"); }
__device__ int get(const int* p, unsigned r) { int v; asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(of(p, r)) : "memory"); return v; }
__device__ void fence() { asm volatile("fence.acq_rel.cluster;" ::: "memory"); }
__device__ void set(int* p, unsigned r) { asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" :: "r"(of(p, r)) : "memory"); }
__device__ int look(int* p) { int v; asm volatile("ld.relaxed.cluster.shared::cta.u32 %0, [%1];" : "=r"(v) : "r"(at(p)) : "memory"); return v; }

// ---- block 0 puts a tile into block 1, which waits for an mbarrier of its own ----
template <class Puts, class Waits> __device__ void push(int* out, unsigned count, Puts puts, Waits waits) {
  __shared__ int tile[64];
  __shared__ Word full;
  FIRST init(&full, count);
  meet();
  if (rank() == 0) puts(tile, &full);
  else { waits(&full); out[T] = tile[63 - T]; }
}
#define PUTS(then) [](int* tile, Word* full) { put(tile + T, 1, T); then; }
#define ALL_WAIT [](Word* b) { wait(b, 0); }
PAIR each_arrives(int* out) { push(out, 64, PUTS(arrive(full, 1)), ALL_WAIT); }
PAIR one_of_each_warp_arrives(int* out) { push(out, 2, PUTS(__syncwarp(); if (LANE == 0) arrive(full, 1)), ALL_WAIT); }
PAIR one_arrives_behind_a_barrier(int* out) { push(out, 1, PUTS(__syncthreads(); FIRST arrive(full, 1)), ALL_WAIT); }
PAIR relaxed_behind_a_fence(int* out) { push(out, 64, PUTS(fence(); arrive_relaxed(full, 1)), ALL_WAIT); }
PAIR one_waits_and_all_meet(int* out) { push(out, 64, PUTS(arrive(full, 1)), [](Word* b) { FIRST wait(b, 0); __syncthreads(); }); }
PAIR one_arrives_for_its_warp(int* out) { push(out, 2, PUTS(if (LANE == 0) arrive(full, 1)), ALL_WAIT); }
PAIR one_warp_arrives(int* out) { push(out, 32, PUTS(if (T >= 32) arrive(full, 1)), ALL_WAIT); }
PAIR relaxed(int* out) { push(out, 64, PUTS(arrive_relaxed(full, 1)), ALL_WAIT); }
PAIR arrives_too_early(int* out) { push(out, 64, [](int* tile, Word* full) { arrive(full, 1); put(tile + T, 1, T); }, ALL_WAIT); }
PAIR nobody_waits(int* out) { push(out, 64, PUTS(arrive(full, 1)), [](Word*) {}); }
PAIR one_lane_waits(int* out) { push(out, 64, PUTS(arrive(full, 1)), [](Word* b) { if (LANE == 0) wait(b, 0); }); }

// ---- each block reads the other's tile in turns, and tells by that one's mbarrier when it has ----
template <class Reads> __device__ void turns(int* out, Reads reads, bool waits = true) {
  __shared__ int tile[64];
  __shared__ Word full, empty;
  FIRST { init(&full, 64); init(&empty, 64); }
  meet();
  const unsigned other = rank() ^ 1;
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    tile[T] = k;
    arrive(&full, other);
    wait(&full, k & 1);
    reads([&] { sum += get(tile + 63 - T, other); }, &empty, other);
    if (!waits) tile[T] = k + 1;
    wait(&empty, k & 1);
  }
  out[blockIdx.x * 64 + T] = sum;
}
PAIR in_turns(int* out) { turns(out, [](auto read, Word* b, unsigned other) { read(); arrive(b, other); }); }
PAIR released_before_it_is_read(int* out) { turns(out, [](auto read, Word* b, unsigned other) { arrive(b, other); read(); }); }
PAIR written_before_it_is_released(int* out) { turns(out, [](auto read, Word* b, unsigned other) { read(); arrive(b, other); }, false); }
PAIR ends_too_early(int* out) {
  __shared__ int tile[64];
  __shared__ Word full;
  FIRST init(&full, 64);
  meet();
  tile[T] = T;
  arrive(&full, rank() ^ 1);
  wait(&full, 0);
  out[blockIdx.x * 64 + T] = get(tile + 63 - T, rank() ^ 1);
}

// ---- what counts bytes ----
PAIR sent_word_by_word(int* out) {
  __shared__ int tile[64];
  __shared__ Word full;
  FIRST { init(&full, 1); expect(&full, 256); }
  meet();
  const unsigned other = rank() ^ 1;
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" :: "r"(of(tile + T, other)), "r"(T), "r"(of(&full, other)) : "memory");
  wait(&full, 0);
  out[blockIdx.x * 64 + T] = tile[63 - T];
}
PAIR sent_as_a_whole(int* out) {
  __shared__ alignas(128) int own[64], theirs[64];
  __shared__ Word full;
  FIRST { init(&full, 1); expect(&full, 256); }
  own[T] = T;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  meet();
  const unsigned other = rank() ^ 1;
  FIRST asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" :: "r"(of(theirs, other)), "r"(at(own)), "r"(of(&full, other)) : "memory");
  wait(&full, 0);
  out[blockIdx.x * 64 + T] = theirs[63 - T];
  meet();
}

// ---- before anybody may rely on the other block ----
template <class First> __device__ void begin(int* out, First first) {
  __shared__ int tile[64];
  __shared__ Word full;
  FIRST { init(&full, 64); asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
  first(tile, &full);
  wait(&full, 0);
  out[blockIdx.x * 64 + T] = tile[63 - T];
  meet();
}
PAIR meets_first(int* out) { begin(out, [](int* tile, Word* full) { meet(); put(tile + T, rank() ^ 1, T); arrive(full, rank() ^ 1); }); }
PAIR meets_first_to_begin_alone(int* out) { begin(out, [](int* tile, Word* full) { asm volatile("barrier.cluster.arrive.relaxed; barrier.cluster.wait;" ::: "memory"); put(tile + T, rank() ^ 1, T); arrive(full, rank() ^ 1); }); }
PAIR told_by_a_word_that_it_runs(int* out) {
  begin(out, [=](int* tile, Word* full) {
    __syncthreads();
    FIRST { __threadfence(); atomicExch(out + 200 + rank(), 1); }
    while (*(volatile int*)(out + 200 + (rank() ^ 1)) == 0) {}
    __threadfence();
    put(tile + T, rank() ^ 1, T);
    arrive(full, rank() ^ 1);
  });
}
PAIR only_its_own_threads_meet_first(int* out) { begin(out, [](int* tile, Word* full) { __syncthreads(); put(tile + T, rank() ^ 1, T); meet(); arrive(full, rank() ^ 1); }); }
PAIR arrives_and_does_not_wait(int* out) { begin(out, [](int* tile, Word* full) { asm volatile("barrier.cluster.arrive;" ::: "memory"); put(tile + T, rank() ^ 1, T); asm volatile("barrier.cluster.wait;" ::: "memory"); arrive(full, rank() ^ 1); }); }

// ---- flags ----
template <class Tells, class Waits> __device__ void by_flag(int* out, Tells tells, Waits waits) {
  __shared__ int tile[64], flag;
  FIRST flag = 0;
  meet();
  if (rank() == 0) { put(tile + T, 1, T); tells(&flag); }
  else { waits(&flag); out[T] = tile[63 - T]; }
}
#define POLLS [](int* flag) { while (look(flag) == 0) {} fence(); }
PAIR flag_behind_a_fence(int* out) { by_flag(out, [](int* flag) { __syncthreads(); FIRST { fence(); set(flag, 1); } }, POLLS); }
PAIR flag_behind_fences_of_each(int* out) { by_flag(out, [](int* flag) { fence(); __syncthreads(); FIRST { fence(); set(flag, 1); } }, POLLS); }
PAIR flag_of_one_who_looks(int* out) { by_flag(out, [](int* flag) { __syncthreads(); FIRST { fence(); set(flag, 1); } }, [](int* flag) { FIRST { while (look(flag) == 0) {} fence(); } __syncthreads(); }); }
PAIR flag_with_release(int* out) {
  by_flag(out, [](int* flag) { __syncthreads(); FIRST asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" :: "r"(of(flag, 1)) : "memory"); },
          [](int* flag) { int v = 0; while (v == 0) asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];" : "=r"(v) : "r"(at(flag)) : "memory"); });
}
PAIR counted_by_each(int* out) {
  by_flag(out, [](int* flag) { asm volatile("red.release.cluster.shared::cluster.add.u32 [%0], 1;" :: "r"(of(flag, 1)) : "memory"); },
          [](int* flag) { while (look(flag) < 64) {} fence(); });
}
PAIR flag_of_its_own_that_others_look_at(int* out) {
  by_flag(out, [](int* flag) { __syncthreads(); FIRST { fence(); *(volatile int*)flag = 1; } meet(); },
          [](int* flag) { int v = 0; while (v == 0) asm volatile("ld.relaxed.cluster.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(of(flag, 0)) : "memory"); fence(); meet(); });
}
PAIR flag_in_global_memory(int* out) {
  by_flag(out, [=](int*) { __syncthreads(); FIRST { __threadfence(); atomicExch(out + 100, 1); } },
          [=](int*) { while (*(volatile int*)(out + 100) == 0) {} __threadfence(); });
}
PAIR flag_set_in_all_blocks(int* out) {
  __shared__ int tile[64], flags[2];
  if (T < 2) flags[T] = 0;
  meet();
  for (unsigned r = 0; r < 2; ++r) put(tile + 32 * rank() + LANE, r, T);
  if (T >= 32) for (unsigned r = 0; r < 2; ++r) put(tile + 32 * rank() + LANE, r, T);
  __syncthreads();
  FIRST { fence(); for (unsigned r = 0; r < 2; ++r) set(flags + rank(), r); }
  while (look(flags) == 0 || look(flags + 1) == 0) {}
  fence();
  out[blockIdx.x * 64 + T] = tile[63 - T];
}
PAIR flag_without_fence(int* out) { by_flag(out, [](int* flag) { __syncthreads(); FIRST set(flag, 1); }, POLLS); }
PAIR flag_in_front_of_the_fence(int* out) { by_flag(out, [](int* flag) { __syncthreads(); FIRST { set(flag, 1); fence(); } }, POLLS); }
PAIR fence_of_one_warp(int* out) { by_flag(out, [](int* flag) { FIRST { fence(); set(flag, 1); } }, POLLS); }
PAIR nobody_looks(int* out) { by_flag(out, [](int* flag) { __syncthreads(); FIRST { fence(); set(flag, 1); } }, [](int*) { fence(); __syncthreads(); }); }

// ---- several blocks use the memory of one, which may be their own ----
template <class Adds> __device__ void count(int* out, Adds adds) {
  __shared__ int n[64];
  n[T] = 0;
  meet();
  adds(n);
  meet();
  if (rank() == 0) out[T] = n[T];
}
__device__ void increase(int* n, unsigned r) { put(n, r, get(n, r) + 1); }
__device__ void add(int* n, unsigned r) { asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" :: "r"(of(n, r)) : "memory"); }
PAIR counted_plainly(int* out) { count(out, [](int* n) { FIRST increase(n, 0); }); }
PAIR counted_plainly_by_threads_of_one(int* out) { count(out, [](int* n) { if (rank() == 1) increase(n + T % 8, 0); }); }
PAIR counted_plainly_by_threads_of_the_owner(int* out) { count(out, [](int* n) { if (rank() == 0) increase(n + T % 8, 0); }); }
__global__ void __cluster_dims__(4) counted_plainly_by_the_others(int* out) { count(out, [](int* n) { if (rank() > 1) FIRST increase(n, 0); }); }
PAIR added(int* out) { count(out, [](int* n) { add(n + T % 8, 0); }); }
PAIR counted_by_one(int* out) { count(out, [](int* n) { if (rank() == 1) for (int k = 0; k < 3; ++k) { increase(n + (T + k) % 64, 0); __syncthreads(); } }); }
PAIR counted_by_the_owner(int* out) { count(out, [](int* n) { if (rank() == 0) for (int k = 0; k < 3; ++k) { increase(n + (T + k) % 64, 0); __syncthreads(); } }); }
PAIR counted_by_turns(int* out) { count(out, [](int* n) { for (unsigned r = 0; r < 2; ++r) { if (rank() == r) increase(n + T, 0); meet(); } }); }
PAIR counted_by_lanes(int* out) { count(out, [](int* n) { if (rank() == 1 && T < 32) for (int k = 0; k < 3; ++k) { increase(n + (T ^ k), 0); __syncwarp(); } }); }

// ---- from block to block, and the whole of it at once ----
__global__ void __cluster_dims__(4) passed_on(int* out) {
  __shared__ int tile[64];
  __shared__ Word full;
  FIRST init(&full, 64);
  meet();
  if (rank() > 0) wait(&full, 0);
  else for (unsigned r = 1; r < 4; ++r) put(tile + T, r, T);
  if (rank() < 3) arrive(&full, rank() + 1);
  if (rank() == 3) out[T] = tile[63 - T];
}
PAIR fences_and_meets(int* out) {
  __shared__ int tile[64];
  for (int k = 0; k < 3; ++k) {
    tile[T] = k;
    __threadfence_block();
    meet();
    out[blockIdx.x * 64 + T] = get(tile + 63 - T, rank() ^ 1);
    meet();
  }
}
PAIR fences_and_meets_once_a_turn(int* out) {
  __shared__ int tile[64];
  for (int k = 0; k < 3; ++k) {
    tile[T] = k;
    __threadfence();
    meet();
    out[blockIdx.x * 64 + T] = get(tile + 63 - T, rank() ^ 1);
    __syncthreads();
  }
  meet();
}
)");

LaunchResult run(Loaded& device, const std::string& kernel) {
  const auto out = device.zeros<int>(256);
  const bool of_four = kernel == "passed_on" || kernel == "counted_plainly_by_the_others";
  return device.launch(std::to_string(kernel.size()) + kernel + "P", {of_four ? 4u : 2u}, {64},
                       arguments(out), {.instruction_budget = 1'000'000, .checks = Checks::full});
}

}  // namespace

TEST_CASE("Shared memory of a cluster that is handed over by mbarrier or flag too early is found",
          "[simulator][checker][order]") {
  Loaded device(ptx_of(source));
  for (const char* kernel :
       {"one_arrives_for_its_warp", "one_warp_arrives", "relaxed", "arrives_too_early",
        "nobody_waits", "one_lane_waits", "released_before_it_is_read",
        "written_before_it_is_released", "ends_too_early", "only_its_own_threads_meet_first",
        "arrives_and_does_not_wait", "flag_without_fence", "flag_in_front_of_the_fence",
        "fence_of_one_warp", "nobody_looks", "fences_and_meets_once_a_turn", "counted_plainly",
        "counted_plainly_by_threads_of_one", "counted_plainly_by_the_others"}) {
    INFO(kernel);
    const LaunchResult result = run(device, kernel);
    if (result.fault) FAIL_CHECK(result.fault->message);
    const Finding* race = find(result, FindingKind::block_race);
    CHECK(race != nullptr);
    if (race != nullptr) CHECK(race->where.line > 0);
  }
}

TEST_CASE("Shared memory that a block reaches by addresses of its cluster is its own",
          "[simulator][checker][order]") {
  Loaded device(ptx_of(source));
  const LaunchResult result = run(device, "counted_plainly_by_threads_of_the_owner");
  CHECK(find(result, FindingKind::warp_race) != nullptr);
}

TEST_CASE("Blocks of a cluster that hand over in order are accused of nothing",
          "[simulator][checker][order]") {
  Loaded device(ptx_of(source));
  for (const char* kernel : {"each_arrives",
                             "one_of_each_warp_arrives",
                             "one_arrives_behind_a_barrier",
                             "relaxed_behind_a_fence",
                             "one_waits_and_all_meet",
                             "in_turns",
                             "sent_word_by_word",
                             "sent_as_a_whole",
                             "meets_first",
                             "meets_first_to_begin_alone",
                             "told_by_a_word_that_it_runs",
                             "flag_behind_a_fence",
                             "flag_behind_fences_of_each",
                             "flag_of_one_who_looks",
                             "flag_with_release",
                             "counted_by_each",
                             "flag_of_its_own_that_others_look_at",
                             "flag_in_global_memory",
                             "flag_set_in_all_blocks",
                             "passed_on",
                             "fences_and_meets",
                             "added",
                             "counted_by_one",
                             "counted_by_the_owner",
                             "counted_by_turns",
                             "counted_by_lanes"}) {
    INFO(kernel);
    const LaunchResult result = run(device, kernel);
    if (result.fault) FAIL_CHECK(result.fault->message);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  }
}

#undef T
#undef LANE
#undef FIRST
#undef PAIR
#undef PUTS
#undef ALL_WAIT
#undef POLLS

}  // namespace cluster_order_tests
