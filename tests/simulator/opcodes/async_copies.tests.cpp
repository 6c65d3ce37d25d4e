// What the checker says of copies into shared memory that go on behind their instruction.
#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace async_copies_tests {
namespace {

constexpr const char* source = R"(
__device__ void copy(float* to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Left> __device__ void wait() { asm volatile("cp.async.wait_group %0;" :: "n"(Left) : "memory"); }

__global__ void never_waits(const float* in, float* out) {
  __shared__ float s[64];
  copy(s + threadIdx.x, in + threadIdx.x);
  commit();
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void waits_behind_the_barrier(const float* in, float* out) {
  __shared__ float s[64];
  copy(s + threadIdx.x, in + threadIdx.x);
  commit();
  __syncthreads();
  wait<0>();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void waits_first(const float* in, float* out) {
  __shared__ float s[64];
  copy(s + threadIdx.x, in + threadIdx.x);
  commit();
  wait<0>();
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void waits_without_a_group(const float* in, float* out) {
  __shared__ float s[64];
  copy(s + threadIdx.x, in + threadIdx.x);
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void twice_the_same(const float* in, float* out) {
  __shared__ float s[64];
  copy(s + threadIdx.x / 2 * 2, in + threadIdx.x / 2 * 2);
  commit();
  wait<0>();
  __syncthreads();
  out[threadIdx.x] = s[(63 - threadIdx.x) / 2 * 2];
}
__global__ void writes_meanwhile(const float* in, float* out) {
  __shared__ float s[64];
  copy(s + threadIdx.x, in + threadIdx.x);
  commit();
  __syncthreads();
  s[63 - threadIdx.x] = 1;
  wait<0>();
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
// Two stages, four turns. Left: groups that may still be under way when a stage is read.
template <int Left> __device__ void stages(const float* in, float* out) {
  __shared__ float s[2][64];
  copy(&s[0][threadIdx.x], in + threadIdx.x);
  commit();
  for (int turn = 0; turn < 4; ++turn) {
    if (turn < 3) copy(&s[(turn + 1) % 2][threadIdx.x], in + (turn + 1) * 64 + threadIdx.x);
    commit();
    wait<Left>();
    __syncthreads();
    out[turn * 64 + threadIdx.x] = s[turn % 2][63 - threadIdx.x];
    __syncthreads();
  }
}
__global__ void two_stages(const float* in, float* out) { stages<1>(in, out); }
__global__ void one_group_too_many(const float* in, float* out) { stages<2>(in, out); }
__device__ unsigned at(const unsigned long long* barrier) { return (unsigned)__cvta_generic_to_shared(barrier); }
__device__ void make(unsigned long long* barrier) {
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at(barrier)), "r"(64) : "memory");
  __syncthreads();
}
__device__ void leave_to(const unsigned long long* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(at(barrier)) : "memory");
}
__device__ void wait_for(const unsigned long long* barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at(barrier)), "r"(parity) : "memory");
}
__global__ void by_a_barrier(const float* in, float* out) {
  __shared__ float s[64];
  __shared__ unsigned long long barrier;
  make(&barrier);
  copy(s + threadIdx.x, in + threadIdx.x);
  leave_to(&barrier);
  wait_for(&barrier, 0);
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void by_a_barrier_in_turns(const float* in, float* out) {
  __shared__ float s[2][2][64];
  __shared__ unsigned long long barrier;
  make(&barrier);
  for (int turn = 0; turn < 4; ++turn) {
    for (int row = 0; row < 2; ++row) copy(&s[turn % 2][row][threadIdx.x], in + threadIdx.x);
    leave_to(&barrier);
    wait_for(&barrier, turn % 2);
    out[turn * 64 + threadIdx.x] = s[turn % 2][0][63 - threadIdx.x] + s[turn % 2][1][threadIdx.x];
  }
}
__global__ void one_waits_for_all(const float* in, float* out) {
  __shared__ float s[64];
  __shared__ unsigned long long barrier;
  make(&barrier);
  copy(s + threadIdx.x, in + threadIdx.x);
  leave_to(&barrier);
  if (threadIdx.x == 40) wait_for(&barrier, 0);
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void waits_itself_beside_a_barrier(const float* in, float* out) {
  __shared__ float s[64];
  __shared__ unsigned long long barrier;
  make(&barrier);
  copy(s + threadIdx.x, in + threadIdx.x);
  leave_to(&barrier);
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void nobody_waits_for_the_barrier(const float* in, float* out) {
  __shared__ float s[64];
  __shared__ unsigned long long barrier;
  make(&barrier);
  copy(s + threadIdx.x, in + threadIdx.x);
  leave_to(&barrier);
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void reads_its_own_at_once(const float* in, float* out) {
  __shared__ float s[64];
  __shared__ unsigned long long barrier;
  make(&barrier);
  copy(s + threadIdx.x, in + threadIdx.x);
  leave_to(&barrier);
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void half_of_them_wait(const float* in, float* out) {
  __shared__ float s[64];
  __shared__ unsigned long long barrier;
  make(&barrier);
  copy(s + threadIdx.x, in + threadIdx.x);
  leave_to(&barrier);
  if (threadIdx.x < 32) wait_for(&barrier, 0);
  out[threadIdx.x] = s[63 - threadIdx.x];
}
)";

std::string kernels() { return ptx_of(source); }

LaunchResult run(const char* kernel) {
  Loaded device(kernels());
  const auto in = device.zeros<float>(256), out = device.zeros<float>(256);
  return device.launch(kernel, {1}, {64}, arguments(in, out), {.checks = Checks::full});
}

const Finding* unfinished(const LaunchResult& result) {
  for (const Finding& finding : result.findings)
    if (finding.kind == FindingKind::unfinished_copy) return &finding;
  return nullptr;
}

}  // namespace

TEST_CASE("Reading where a copy may still be on its way is found, also behind a barrier",
          "[simulator][checker]") {
  const LaunchResult result = run("never_waits");
  const Finding* finding = unfinished(result);
  REQUIRE(finding != nullptr);
  CHECK(finding->message.find("asynchronous copy at line ") != std::string::npos);
  CHECK(finding->message.find("a barrier then has to follow") != std::string::npos);
  CHECK(unfinished(run("one_group_too_many")) != nullptr);
  CHECK(unfinished(run("writes_meanwhile")) != nullptr);
}

TEST_CASE("Copies that were left to an mbarrier are there for who has waited for it",
          "[simulator][checker]") {
  CHECK_FALSE(run("half_of_them_wait").findings.empty());
  for (const char* kernel : {"nobody_waits_for_the_barrier", "reads_its_own_at_once"}) {
    INFO(kernel);
    const LaunchResult result = run(kernel);
    const Finding* finding = unfinished(result);
    REQUIRE(finding != nullptr);
    CHECK(finding->message.find("an asynchronous copy at line ") != std::string::npos);
    CHECK(finding->message.find("phase of the mbarrier") != std::string::npos);
  }
}

TEST_CASE("A thread's wait is its own: what others copied needs a barrier behind their wait",
          "[simulator][checker]") {
  const LaunchResult result = run("waits_behind_the_barrier");
  CHECK_FALSE(result.findings.empty());
}

TEST_CASE("Copies that are waited for draw no finding", "[simulator][checker]") {
  for (const char* kernel : {"waits_first", "waits_without_a_group", "two_stages", "by_a_barrier",
                             "by_a_barrier_in_turns", "one_waits_for_all",
                             "waits_itself_beside_a_barrier", "twice_the_same"}) {
    INFO(kernel);
    const LaunchResult result = run(kernel);
    CHECK_FALSE(result.fault);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  }
}

}  // namespace async_copies_tests
