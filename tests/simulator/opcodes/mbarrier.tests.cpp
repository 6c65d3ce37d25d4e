// Barriers in shared memory.
#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace mbarrier_tests {
namespace {

constexpr const char* source = R"(
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ unsigned is_over(unsigned barrier, unsigned parity) {
  unsigned over;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(barrier), "r"(parity) : "memory");
  return over;
}
// Two warps, each of which waits for what the other would do behind its own wait.
__global__ void each_for_the_other(int* out) {
  __shared__ unsigned long long bar[2];
  if (threadIdx.x < 2) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(at(&bar[threadIdx.x])));
  __syncthreads();
  const int warp = threadIdx.x / 32;
  while (!is_over(at(&bar[warp]), 0)) {}
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" :: "r"(at(&bar[1 - warp])) : "memory");
  out[threadIdx.x] = 1;
}
// One warp waits; the other tries some hundred times whether its phase is over, and ends both.
__global__ void patient(int tries, int* out) {
  __shared__ unsigned long long bar[2];
  if (threadIdx.x < 2) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(at(&bar[threadIdx.x])));
  __syncthreads();
  if (threadIdx.x < 32) {
    while (!is_over(at(&bar[0]), 0)) {}
  } else {
    for (int i = 0; i < tries; ++i) if (is_over(at(&bar[1]), 0)) break;
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" :: "r"(at(&bar[0])) : "memory");
  }
  out[threadIdx.x] = 1;
}
// One warp waits for a phase that the other ends when a block that comes later says so.
__global__ void for_another_block(volatile int* flag) {
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(at(&bar)));
  __syncthreads();
  if (blockIdx.x == 1) { *flag = 1; return; }
  if (threadIdx.x < 32) {
    while (!is_over(at(&bar), 0)) {}
  } else {
    while (*flag == 0) {}
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" :: "r"(at(&bar)) : "memory");
  }
}
// One warp fills a box while the other reads the one before, handing over by two barriers.
__global__ void pipeline(int rounds, int* out) {
  __shared__ unsigned long long full, empty;
  __shared__ int box[32];
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(at(&full)));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(at(&empty)));
  }
  __syncthreads();
  int lane = threadIdx.x % 32, sum = 0;
  for (int k = 0; k < rounds; ++k) {
    unsigned own = threadIdx.x < 32 ? at(&empty) : at(&full), other = threadIdx.x < 32 ? at(&full) : at(&empty);
    unsigned parity = threadIdx.x < 32 ? (k & 1) ^ 1 : k & 1;
    asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra DONE; bra WAIT; DONE: }" :: "r"(own), "r"(parity));
    if (threadIdx.x < 32) box[lane] = k * 100 + lane; else sum += box[31 - lane];
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" :: "r"(other) : "memory");
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}
__global__ void by_state(int* out) {
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at(&bar)), "r"(64));
  __syncthreads();
  unsigned long long state; unsigned done = 0;
  out[threadIdx.x] = threadIdx.x;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(&bar)) : "memory");
  while (!done) asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at(&bar)), "l"(state) : "memory");
  out[threadIdx.x] += out[63 - threadIdx.x] * 0 + 1;
}
)";

std::string kernels() { return ptx_of(source); }

}  // namespace

TEST_CASE("Two warps hand a box back and forth by barriers in shared memory",
          "[simulator][mbarrier]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(32);
  const LaunchResult result =
      device.launch("pipeline", {2}, {64}, arguments(9, out),
                    {.instruction_budget = 10'000'000, .checks = Checks::full});
  if (result.fault) FAIL(result.fault->message);
  for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  const auto got = device.download<int>(out, 32);
  for (int i = 0; i < 32; ++i) CHECK(got[i] == 3600 + 9 * (31 - i));
}

TEST_CASE("Waiting by state ends when all have arrived", "[simulator][mbarrier]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(64);
  const LaunchResult result =
      device.launch("by_state", {1}, {64}, arguments(out), {.instruction_budget = 10'000'000});
  if (result.fault) FAIL(result.fault->message);
  const auto got = device.download<int>(out, 64);
  for (int i = 0; i < 64; ++i) CHECK(got[i] == i + 1);
}

TEST_CASE("Warps that wait for phases which none of them ends are a deadlock with its line",
          "[simulator][mbarrier]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(64);
  const LaunchResult result = device.launch("each_for_the_other", {2}, {64}, arguments(out),
                                            {.instruction_budget = 100'000});
  REQUIRE(result.fault);
  INFO(result.fault->message);
  CHECK(result.fault->code == FaultCode::barrier_deadlock);
  CHECK(result.fault->message.find("a phase of an mbarrier that none of them ends") !=
        std::string::npos);
  CHECK(result.fault->message.find("line") != std::string::npos);
}

TEST_CASE("A phase that is late is no deadlock", "[simulator][mbarrier]") {
  Loaded device(kernels());
  const Limits limits{.instruction_budget = 10'000'000, .checks = Checks::full};
  const auto out = device.zeros<int>(64);
  const LaunchResult tries = device.launch("patient", {1}, {64}, arguments(500, out), limits);
  if (tries.fault) FAIL(tries.fault->message);
  const auto flag = device.zeros<int>(1);
  const LaunchResult blocks =
      device.launch("for_another_block", {2}, {64}, arguments(flag), limits);
  if (blocks.fault) FAIL(blocks.fault->message);
}

}  // namespace mbarrier_tests
