// Sums that blocks of one launch add to, and who may read them there.
#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace {

constexpr const char* source = R"(
__global__ void read_at_once(int* sums, int* out) {
  atomicAdd(&sums[threadIdx.x], 1);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[threadIdx.x];
}
// ---- right, or nothing to be sure of ----
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
  const Finding* race = find(result, FindingKind::block_race);
  REQUIRE(race != nullptr);
  CHECK(race->where.line == 5);
  CHECK(race->message.find("added to by atomic operations") != std::string::npos);
}

TEST_CASE("Who may know that all have added is accused of nothing", "[simulator][checker][order]") {
  Loaded loaded(ptx_of(source));
  for (const char* kernel :
       {"read_by_adding", "sums_of_each_block", "least_so_far", "read_by_the_last"}) {
    INFO(kernel);
    const LaunchResult result = run(loaded, kernel);
    if (result.fault) FAIL_CHECK(result.fault->message);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  }
}
