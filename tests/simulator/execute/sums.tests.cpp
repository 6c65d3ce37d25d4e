// Sums that blocks of one launch add to, and who may read them there.
#include <algorithm>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace sums_tests {
namespace {

constexpr const char* source = R"(
__global__ void read_at_once(int* sums, int* out) {
  atomicAdd(&sums[threadIdx.x], 1);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[threadIdx.x];
}
// ---- the reader may come before all others ----
__global__ void mean_of_the_first(int* sums, int* out) {
  if (blockIdx.x == 0) out[threadIdx.x] = sums[0] / 64;
  if (blockIdx.x == 5) atomicAdd(&sums[0], 1);
}
__global__ void halves_read_early(short* sums, int* out) {
  if (blockIdx.x == 0) out[threadIdx.x] = sums[1];
  if (blockIdx.x == 5) atomicAdd((int*)sums, 1);
}
__global__ void added_within_the_block(int* sums, int* out) {
  if (blockIdx.x % 2 == 0) out[blockIdx.x * blockDim.x + threadIdx.x] = sums[0];
  else atomicAdd_block(&sums[0], 1);
}
__global__ void cleared_by_the_last(int* sums, int* out) {
  atomicMax(&sums[threadIdx.x], 1);
  if (blockIdx.x + 1 == gridDim.x) sums[threadIdx.x] = 0;
}
// ---- right, or nothing to be sure of ----
__global__ void own_sum_looked_at_first(int* sums, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[blockIdx.x];
  __syncthreads();
  atomicAdd(&sums[blockIdx.x], 1);
}
__global__ void neighbours(int* sums, int* out) {  // no word is both read and added to
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[2 * blockIdx.x];
  atomicAdd(&sums[2 * blockIdx.x + 1], 1);
}
__global__ void limits_looked_at_first(int* sums, int* out) {
  if (sums[threadIdx.x] > -int(blockIdx.x)) atomicMin(&sums[threadIdx.x], -int(blockIdx.x));
  if (sums[1] == 0) atomicExch(&sums[1], 7);
}
__global__ void limits_that_are_counted(int* sums, int* out) {
  atomicMin(&sums[0], -int(blockIdx.x));
  atomicAdd(&sums[0], 1);
}
__global__ void own_scope(int* sums, int* out) {
  atomicAdd_block(&sums[blockIdx.x], 1);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[blockIdx.x];
}
__global__ void read_by_adding(int* sums, int* out) {
  atomicAdd(&sums[threadIdx.x], 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = atomicMax(&sums[threadIdx.x], 0);
}
__global__ void sums_of_each_block(int* sums, int* out) {
  atomicAdd(&sums[blockIdx.x], 1);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[blockIdx.x];
}
__global__ void least_so_far(int* sums, int* out) {
  atomicMin(&sums[threadIdx.x], -int(blockIdx.x));
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[threadIdx.x];
}
__global__ void read_by_the_last(int* sums, int* out) {
  __shared__ bool last;
  atomicAdd(&sums[1 + threadIdx.x % 4], 1);
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(sums, 1) == gridDim.x - 1;
  __syncthreads();
  if (last) out[threadIdx.x] = sums[1 + threadIdx.x % 4];
}
)";

LaunchResult run(Loaded& loaded, const char* kernel) {
  const auto sums = loaded.zeros<int>(64), out = loaded.zeros<int>(6 * 64);
  return loaded.launch(kernel, {6}, {64}, arguments(sums, out), {.checks = Checks::full});
}

}  // namespace

TEST_CASE("Who reads what other blocks add to is told", "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  const LaunchResult result = run(loaded, "read_at_once");
  const auto read =
      std::find_if(result.findings.begin(), result.findings.end(), [](const Finding& finding) {
        return finding.kind == FindingKind::block_race && finding.where.line == 5;
      });
  REQUIRE(read != result.findings.end());
  CHECK(read->message.find("added to by atomic operations") != std::string::npos);
}

TEST_CASE("Who reads what other blocks have yet to add to is told, with what to do",
          "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  for (const char* kernel : {"mean_of_the_first", "halves_read_early"}) {
    INFO(kernel);
    const LaunchResult result = run(loaded, kernel);
    const Finding* race = find(result, FindingKind::block_race);
    REQUIRE(race != nullptr);
    CHECK(race->message.find("waits for the own block alone") != std::string::npos);
  }
}

TEST_CASE("Where an addition is one within its block alone, that is what is told",
          "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  const LaunchResult result = run(loaded, "added_within_the_block");
  REQUIRE_FALSE(result.findings.empty());
  for (const Finding& finding : result.findings)
    CHECK(finding.message.find("one without _block") != std::string::npos);
}

TEST_CASE("Who overwrites what other blocks change is told how they did",
          "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  loaded.device.set_threads(1);
  const LaunchResult result = run(loaded, "cleared_by_the_last");
  const Finding* race = find(result, FindingKind::block_race);
  REQUIRE(race != nullptr);
  CHECK(race->message.find("write to global memory") != std::string::npos);
  CHECK(race->message.find("changed by atomic operations") != std::string::npos);
}

TEST_CASE("Who may know that all have added is accused of nothing", "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  for (const char* kernel : {"own_sum_looked_at_first", "neighbours", "limits_looked_at_first",
                             "limits_that_are_counted", "own_scope", "read_by_adding",
                             "sums_of_each_block", "least_so_far", "read_by_the_last"}) {
    INFO(kernel);
    const LaunchResult result = run(loaded, kernel);
    if (result.fault) FAIL_CHECK(result.fault->message);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  }
}

}  // namespace sums_tests
