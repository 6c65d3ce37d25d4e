// Divergence, reconvergence, barriers, locks, and everything that must not hang.
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace control_flow_tests {
namespace {

std::atomic<long> times_given_away{0};

}  // namespace

/// In place of the C library's, for the whole program: counts.
extern "C" int sched_yield() noexcept {
  ++times_given_away;
  return static_cast<int>(::syscall(SYS_sched_yield));
}

namespace {

constexpr const char* source = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void nested(const int* x, int* y) {
  int i = threadIdx.x, v = x[i];
  if (v & 1) { if (v & 2) { for (int k = 0; k < v; ++k) y[i] += k * v; } else { y[i] = -v; } }
  else if (v & 4) { for (int k = 0; k < 2 * v; ++k) { if (k % 3 == 1) continue; if (k > 40) break; y[i] += k; } }
  y[i] += __popc(__ballot_sync(0xffffffffu, v > 10));
}
__global__ void spin_lock(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  *(volatile int*)sum = *(volatile int*)sum + 1;
  __threadfence();
  atomicExch(lock, 0);
}
__device__ __noinline__ bool take(int* lock) { return atomicCAS(lock, 0, 1) == 0; }
__device__ __noinline__ void give_back(int* lock) { __threadfence(); atomicExch(lock, 0); }
__global__ void spin_lock_in_functions(int* lock, int* sum) {
  for (int i = 0; i < 20; ++i)
    for (bool done = false; !done;)
      if (take(lock)) { *(volatile int*)sum = *(volatile int*)sum + 1; give_back(lock); done = true; }
}
__device__ __noinline__ void acquire(int* lock) { while (atomicCAS(lock, 0, 1) != 0) {} }
__global__ void spin_lock_acquired(int* lock, int* sum) {
  for (int i = 0; i < 20; ++i) {
    acquire(lock);
    *(volatile int*)sum = *(volatile int*)sum + 1;
    give_back(lock);
  }
}
__global__ void lane_waits_for_lane(volatile int* flag, int* out) {
  if (threadIdx.x == 31) { *flag = 1; } else { while (*flag == 0) {} }
  out[threadIdx.x] = 1 + __shfl_sync(0xffffffffu, threadIdx.x, 31);
}
__global__ void block_waits_for_block(volatile int* flag, int* out) {
  if (blockIdx.x == gridDim.x - 1) { if (threadIdx.x == 0) *flag = 1; }
  else { while (*flag == 0) {} }
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
__global__ void grid_sync(int* data, int* out) {
  auto g = cg::this_grid();
  int i = g.thread_rank(), n = g.num_threads();
  for (int round = 0; round < 3; ++round) {
    data[i] = i + round;
    g.sync();
    out[i] = data[n - 1 - i];
    g.sync();
  }
}
__global__ void home_made_grid_sync(int* arrived, int* out) {
  // The last block comes long after the others have begun to wait.
  unsigned x = threadIdx.x + 1;
  if (blockIdx.x == gridDim.x - 1) for (int i = 0; i < 20000; ++i) x = x * 5 + 1;
  __syncthreads();
  if (threadIdx.x == 0) { atomicAdd(arrived, 1); while (atomicAdd(arrived, 0) < gridDim.x) {} }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = *(volatile int*)arrived + (x == 0);
}
__global__ void divergent_barrier(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = 0;
  if (threadIdx.x < 16) { s[threadIdx.x] = 1; __syncthreads(); }
  else { s[threadIdx.x] = 2; __syncthreads(); }
  out[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void missed_barrier(int* out) {
  if (threadIdx.x < 32) __syncthreads();
  else { while (*(volatile int*)out != 5) {} }
  out[0] = 1;
}
__global__ void unequal_barriers(int* out) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;");
  else asm volatile("bar.sync 2, 64;");
  out[0] = 1;
}
__global__ void producer_consumer(int* out) {
  __shared__ int box;
  if (threadIdx.x < 32) { if (threadIdx.x == 0) box = 42; __syncwarp(); asm volatile("bar.arrive 3, 64;"); }
  else { asm volatile("bar.sync 3, 64;"); out[threadIdx.x - 32] = box; }
}
__global__ void barrier_reductions(int* out) {
  int odd = threadIdx.x & 1;
  out[threadIdx.x] = __syncthreads_count(odd) * 100 + __syncthreads_or(threadIdx.x == 77) * 10 + __syncthreads_and(threadIdx.x < 77);
}
__global__ void endless(int* out) { while (*(volatile int*)out == 0) {} }
__global__ void endless_arithmetic(int* out) { unsigned x = threadIdx.x; while (x != 0xffffffffu) x = (x * 2) & 0xfffffffe; out[0] = x; }
__global__ void touch_pages(int* out, long count) { for (long i = threadIdx.x * 1024; i < count; i += 1024 * 32) out[i] = 1; }
__global__ void switches(const int* x, int* y) {
  int v = x[threadIdx.x], r = 0;
  switch (v) { case 0: r = 5; break; case 1: r = v * 7 + x[3]; break; case 2: r = x[1] / 3; break; case 3: r = -1; break;
    case 4: r = x[5] % 5; break; case 5: r = 99; break; case 6: r = x[0] ^ 21; break; case 7: r = 1000; break; default: r = -7; }
  y[threadIdx.x] = r;
}
__global__ void behind_a_return(int* out) {
  if (threadIdx.x >= 20) return;
  out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 1);
}
__global__ void bad_shuffle(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_down_sync(0xffffffffu, threadIdx.x, 1);
}
)";

std::string kernels() { return ptx_of(source); }

}  // namespace

TEST_CASE("Nested branches and loops give every lane its own path", "[simulator][control flow]") {
  Loaded device(kernels());
  std::vector<int> x(32), want(32);
  int above = 0;
  for (int i = 0; i < 32; ++i) x[i] = (i * 11) % 23, above += x[i] > 10;
  for (int i = 0; i < 32; ++i) {
    const int v = x[i];
    if (v & 1) {
      if (v & 2) {
        for (int k = 0; k < v; ++k) want[i] += k * v;
      } else {
        want[i] = -v;
      }
    } else if (v & 4) {
      for (int k = 0; k < 2 * v; ++k) {
        if (k % 3 == 1) continue;
        if (k > 40) break;
        want[i] += k;
      }
    }
    want[i] += above;
  }
  const auto in = device.upload(x), out = device.zeros<int>(32);
  device.run("nested", {1}, {32}, arguments(in, out));
  CHECK(device.download<int>(out, 32) == want);
}

TEST_CASE("A spin lock that every lane of every warp takes makes progress",
          "[simulator][control flow]") {
  for (const unsigned threads : {1u, 2u}) {
    Loaded device(kernels(), threads);
    const auto lock = device.zeros<int>(1), sum = device.zeros<int>(1);
    device.run("spin_lock", {4}, {96}, arguments(lock, sum));
    CHECK(device.download<int>(sum, 1)[0] == 4 * 96);
  }
}

TEST_CASE("A spin lock taken in functions, as debuggers' builds take it, needs no growing stack",
          "[simulator][control flow]") {
  for (const char* kernel : {"spin_lock_in_functions", "spin_lock_acquired"}) {
    Loaded device(kernels());
    const auto lock = device.zeros<int>(1), sum = device.zeros<int>(1);
    const LaunchResult result = device.launch(kernel, {2}, {64}, arguments(lock, sum));
    CHECK_FALSE(result.fault);
    CHECK(device.download<int>(sum, 1)[0] == 2 * 64 * 20);
  }
}

TEST_CASE("Lanes that wait for another lane of their warp meet it again afterwards",
          "[simulator][control flow]") {
  Loaded device(kernels());
  const auto flag = device.zeros<int>(1), out = device.zeros<int>(32);
  device.run("lane_waits_for_lane", {1}, {32}, arguments(flag, out));
  CHECK(device.download<int>(out, 32) == std::vector<int>(32, 32));
}

TEST_CASE("Blocks that wait for a later block make progress", "[simulator][control flow]") {
  Loaded device(kernels());
  const auto flag = device.zeros<int>(1), out = device.zeros<int>(20);
  device.run("block_waits_for_block", {20}, {64}, arguments(flag, out));
  CHECK(device.download<int>(out, 20) == std::vector<int>(20, 1));
}

TEST_CASE("A cooperative grid synchronizes, with repeatable counts", "[simulator][control flow]") {
  std::vector<Counts> seen;
  for (const unsigned threads : {1u, 2u}) {
    Loaded device(kernels(), threads);
    const auto data = device.zeros<int>(16 * 128), out = device.zeros<int>(16 * 128);
    const Parameters parameters = arguments(data, out);
    const LaunchConfig config{
        .grid = {16}, .block = {128}, .cooperative = true, .parameters = parameters.span()};
    const LaunchResult result = device.device.launch(device.kernel("grid_sync"), config, {});
    if (result.fault) FAIL(result.fault->message);
    const auto got = device.download<int>(out, 16 * 128);
    for (int i = 0; i < 16 * 128; ++i) REQUIRE(got[i] == 16 * 128 - 1 - i + 2);
    seen.push_back(device.kernel("grid_sync").counts().total);
  }
  CHECK(seen[0] == seen[1]);
}

TEST_CASE("A barrier in diverged code is reported and passed by all", "[simulator][control flow]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(32);
  const LaunchResult result = device.launch("divergent_barrier", {1}, {32}, arguments(out));
  CHECK_FALSE(result.fault);
  REQUIRE(result.findings.size() >= 1);
  CHECK(result.findings[0].kind == FindingKind::barrier_divergence);
  CHECK(result.findings[0].where.line > 0);
  const auto got = device.download<int>(out, 32);
  CHECK(got[0] == 2);
  CHECK(got[31] == 1);
}

TEST_CASE("Lanes that come to one barrier by different ways are no divergence",
          "[simulator][control flow]") {
  // As nvcc has it where all go to the barrier anyway, and some can be sent there at once.
  const auto findings = [](const char* last, const char* way) {
    Loaded device(fmt::format(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry ways(.param .u64 a)\n"
        "{{ .reg .pred p, q; .reg .b32 t, n; mov.u32 t, %tid.x; mov.u32 n, %ntid.x;\n"
        "setp.lt.u32 p, t, 5; setp.gt.u32 q, n, {};\n"
        "@p bra B; add.u32 t, t, 1; @q bra B; {} B: bar.sync 0; E: ret; }}\n",
        last, way));
    return device.launch("ways", {1}, {64}, arguments(std::uint64_t{0})).findings;
  };
  CHECK(findings("0", "bra E;").empty());
  // A barrier waits for threads that have not returned.
  CHECK(findings("64", "bra E;").empty());
  const auto others_wait = findings("64", "bar.sync 0; bra E;");
  REQUIRE_FALSE(others_wait.empty());
  CHECK(others_wait[0].kind == FindingKind::barrier_divergence);
}

TEST_CASE("Threads that wait at different barriers are a deadlock with both lines",
          "[simulator][control flow]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(1);
  const LaunchResult result = device.launch("unequal_barriers", {1}, {64}, arguments(out));
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::barrier_deadlock);
  CHECK(result.fault->message.find("line") != std::string::npos);
}

TEST_CASE("Named barriers let a producer go on without waiting", "[simulator][control flow]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(32);
  device.run("producer_consumer", {1}, {64}, arguments(out));
  CHECK(device.download<int>(out, 32) == std::vector<int>(32, 42));
}

TEST_CASE("Barrier reductions count and combine over the block", "[simulator][control flow]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(100);
  device.run("barrier_reductions", {1}, {100}, arguments(out));
  CHECK(device.download<int>(out, 100) == std::vector<int>(100, 5010));
}

TEST_CASE("Endless kernels end by their budget, by cancellation, with progress on the way",
          "[simulator][limits]") {
  Loaded device(kernels(), 2);
  const auto out = device.zeros<int>(1);
  for (const char* name : {"endlessPi", "endless_arithmetic", "missed_barrier"}) {
    const LaunchResult result =
        device.launch(name, {4}, {64}, arguments(out), {.instruction_budget = 1'000'000});
    REQUIRE(result.fault);
    CAPTURE(result.fault->message);
    const bool only_waits = name != std::string_view("endless_arithmetic");
    CHECK(result.fault->code ==
          (only_waits ? FaultCode::barrier_deadlock : FaultCode::budget_exhausted));
    // Where nothing moves the workers may find that together before the budget is used up.
    if (!only_waits)
      CHECK_THAT(result.fault->message, Catch::Matchers::ContainsSubstring("budget of 1000000"));
  }
  std::atomic<bool> cancel{false};
  std::atomic<int> reports{0};
  std::thread later([&] {
    while (reports == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancel = true;
  });
  const LaunchResult result =
      device.launch("endlessPi", {4}, {64}, arguments(out),
                    {.cancel = &cancel, .progress = [&](const LaunchProgress&) { ++reports; }});
  later.join();
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::cancelled);
}

TEST_CASE("A kernel that strides through much memory is stopped where it may touch so much",
          "[simulator][limits]") {
  Loaded device(kernels());
  constexpr std::uint64_t bytes = 256 << 20, allowed = 1 << 20;
  const auto out = device.device.memory().allocate(bytes, MemoryKind::device);
  REQUIRE(out.has_value());
  const auto launch = [&](std::uint64_t most) {
    return device.launch("touch_pages", {1}, {32}, arguments(*out, std::int64_t{bytes / 4}),
                         {.touched_bytes = most});
  };
  const LaunchResult result = launch(allowed);
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::budget_exhausted);
  CHECK(result.fault->message.find("touched more memory than the 1048576 bytes") !=
        std::string::npos);
  CHECK(device.device.memory().touched_bytes() < bytes / 2);
  CHECK_FALSE(launch(0).fault);
  CHECK_FALSE(launch(allowed).fault);  // all of it was touched before
}

TEST_CASE("Blocks that wait for each other seldom give their processor away",
          "[simulator][limits]") {
  // On a busy machine each time costs as long as another program may go on at once.
  Loaded device(kernels(), 2);
  const auto out = device.zeros<int>(1);
  times_given_away = 0;
  const auto begun = std::chrono::steady_clock::now();
  (void)device.launch("endlessPi", {4}, {64}, arguments(out), {.instruction_budget = 20'000'000});
  const auto taken = std::chrono::steady_clock::now() - begun;
  CHECK(times_given_away <= 2 * (taken / std::chrono::milliseconds(1) + 1));
}

TEST_CASE("A lane that waits for another block before a barrier is no divergence",
          "[simulator][control flow]") {
  for (const unsigned threads : {1u, 2u}) {
    Loaded device(kernels(), threads);
    const auto arrived = device.zeros<int>(1), out = device.zeros<int>(4 * 64);
    device.run("home_made_grid_sync", {4}, {64}, arguments(arrived, out));
    CHECK(device.download<int>(out, 4 * 64) == std::vector<int>(4 * 64, 4));
  }
}

TEST_CASE("Jump tables send every lane to its case", "[simulator][control flow]") {
  Loaded device(kernels());
  std::vector<int> x(32);
  for (int i = 0; i < 32; ++i) x[i] = i % 10;
  const auto in = device.upload(x), out = device.zeros<int>(32);
  device.run("switches", {1}, {32}, arguments(in, out));
  const int wanted[] = {5, 10, 0, -1, 0, 99, 21, 1000, -7, -7};
  const auto got = device.download<int>(out, 32);
  for (int i = 0; i < 32; ++i) CHECK(got[i] == wanted[i % 10]);
}

TEST_CASE("A shuffle may name lanes that have left, as long as nobody asks them",
          "[simulator][control flow]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(32);
  const LaunchResult result =
      device.launch("behind_a_return", {1}, {32}, arguments(out), {.checks = Checks::full});
  CHECK_FALSE(result.fault);
  CHECK(result.findings.empty());
  const auto got = device.download<int>(out, 32);
  for (int i = 0; i < 20; ++i) CHECK(got[i] == (i ^ 1));
}

TEST_CASE("What a shuffle brings from a lane that has left is none of its values",
          "[simulator][control flow]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(32);
  const LaunchResult result =
      device.launch("bad_shuffle", {1}, {32}, arguments(out), {.checks = Checks::full});
  CHECK_FALSE(result.fault);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].kind == FindingKind::absent_lane);
  CHECK(result.findings[0].message.find("value of lane 16, which is not at this instruction") !=
        std::string::npos);
  const auto got = device.download<int>(out, 32);
  CHECK(got[3] == 4);
  CHECK(got[15] != 16);
}

TEST_CASE("Whatever way a thread never ends, the budget ends it", "[simulator][control]") {
  const char* body = GENERATE(
      "L: bra L;", "L: @p bra L; ret;", "L: @!p bra L; bra L;", "@p ret; L: bra L;",
      "@p bra M; L: bra L; M: bar.sync 0; ret;", "T: .branchtargets L, M; L: brx.idx i, T; M: ret;",
      "L: bar.warp.sync 0xffffffff; bra L;", "L: bar.sync 0; bra L;", "L: nanosleep.u32 10; bra L;",
      "L: @p bar.sync 1, 64; @!p bra L; bra L;");
  INFO(body);
  Loaded device(
      fmt::format(
          ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry endless(.param .u64 "
          "a)\n{{ .reg .pred p; .reg .b32 t, i; mov.u32 t, %tid.x; mov.u32 i, 0;\n"
          "setp.lt.u32 p, t, 5;\n{}\n}}\n",
          body),
      2);
  const LaunchResult result = device.launch("endless", {4}, {64}, arguments(std::uint64_t{0}),
                                            {.instruction_budget = 100'000});
  REQUIRE(result.fault);
  INFO(result.fault->message);
  CHECK((result.fault->code == FaultCode::budget_exhausted ||
         result.fault->code == FaultCode::barrier_deadlock));
}

}  // namespace control_flow_tests
