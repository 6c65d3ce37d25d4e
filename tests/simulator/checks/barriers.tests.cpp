// Barriers that not all threads come to by one way. PTX ISA: a barrier waits for the threads that
// have not exited, and is the same wherever it stands, by its number; one that is .aligned, as
// __syncthreads() is, all lanes of a warp have to execute together.
#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace barriers_tests {
namespace {

constexpr const char* source = R"(
#define T threadIdx.x
#define KERNEL(name) __global__ void name(int* out)
#define SWAP_BY(barrier) __shared__ int s[64]; s[T] = T; barrier; out[T] = s[63 - T];
// ---- wrong ----
KERNEL(lanes_at_two_barriers) { SWAP_BY(if (T % 32 < 16) __syncthreads(); else { out[T] = 1; __syncthreads(); }) }
KERNEL(one_warp_at_a_barrier) { SWAP_BY(if (T < 32) __syncthreads()) }
KERNEL(writer_left_without_one) {
  __shared__ int s[64];
  if (T < 32) { s[T] = T; return; }
  out[T] = s[T - 32];
}
KERNEL(reader_left_without_one) {
  __shared__ int s[64];
  s[T] = 1;
  __syncthreads();
  if (T < 32) { out[T] = s[T + 32]; return; }
  s[T] = 2;
}
KERNEL(too_few_barriers) {  // the second one is for the others' first
  __shared__ int s[64];
  s[T] = T;
  __syncthreads();
  if (T < 32) { out[T] = s[63 - T]; __syncthreads(); }
  else { s[T] = 7; __syncthreads(); }
}

// ---- right ----
KERNEL(warps_at_two_barriers) { SWAP_BY(if (T < 32) __syncthreads(); else { out[T] = 1; __syncthreads(); }) }
KERNEL(lanes_at_barriers_that_are_not_aligned) {
  SWAP_BY(if (T % 32 < 16) asm volatile("barrier.sync 0;" ::: "memory"); else { out[T] = 1; asm volatile("barrier.sync 0;" ::: "memory"); })
}
KERNEL(writer_left) {
  __shared__ int s[64];
  if (T < 32) { s[T] = T; return; }
  __syncthreads();
  out[T] = s[T - 32];
}
KERNEL(reader_left) {
  __shared__ int s[64];
  s[T] = 1;
  __syncthreads();
  if (T < 32) { out[T] = s[T + 32]; return; }
  __syncthreads();
  s[T] = 2;
}
KERNEL(lanes_beyond_the_end_left) {
  __shared__ int s[64];
  s[T] = T;
  if (T >= 50) return;
  __syncthreads();
  out[T] = s[63 - T];
}
)";

}  // namespace

TEST_CASE("Lanes of a warp at two barriers, and threads that come to none, are found",
          "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  CHECK(find(run_block(loaded, "lanes_at_two_barriers"), FindingKind::barrier_divergence) !=
        nullptr);
  for (const char* kernel : {"one_warp_at_a_barrier", "writer_left_without_one",
                             "reader_left_without_one", "too_few_barriers"}) {
    INFO(kernel);
    CHECK(find(run_block(loaded, kernel), FindingKind::shared_race) != nullptr);
  }
}

TEST_CASE("Warps at barriers in two branches, and threads that returned, are accused of nothing",
          "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  for (const char* kernel : {"warps_at_two_barriers", "lanes_at_barriers_that_are_not_aligned",
                             "writer_left", "reader_left", "lanes_beyond_the_end_left"}) {
    INFO(kernel);
    const LaunchResult result = run_block(loaded, kernel);
    if (result.fault) FAIL_CHECK(result.fault->message);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  }
}

#undef T
#undef KERNEL
#undef SWAP_BY

}  // namespace barriers_tests
