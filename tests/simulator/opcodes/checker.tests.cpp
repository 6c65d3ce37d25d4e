// The full checks of one block: races within it, and reads of memory that nothing wrote.
#include <catch2/generators/catch_generators.hpp>
#include <set>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace {

constexpr const char* source = R"(
__global__ void reverse(float* y) {
  __shared__ float s[64];
  s[threadIdx.x] = y[threadIdx.x];
#ifdef FIXED
  __syncthreads();
#endif
  y[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void reverse_right(float* y) {
  __shared__ float s[64];
  s[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void warp_exchange(int* y) {
  __shared__ volatile int s[32];
  s[threadIdx.x] = y[threadIdx.x];
  __syncwarp();
  y[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void unwritten_twice(float* y) {
  __shared__ float s[32];
  volatile float* v = s;
  y[threadIdx.x] = v[threadIdx.x % 4];
  y[threadIdx.x] += v[threadIdx.x % 4];
}
__global__ void read_then_write(float* y, int rounds) {
  __shared__ float s[4];
  for (int i = 0; i < rounds; ++i) {
    if (threadIdx.x < 4) s[threadIdx.x] = i;
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x % 4] + s[threadIdx.x % 2];
  }
}
__global__ void rows_apart(const float* x, float* y) {
  y[threadIdx.x] = x[threadIdx.x / 8 * 16 + threadIdx.x % 8];
}
__global__ void neighbour(float* y) {
  __shared__ float s[64];
  s[threadIdx.x] = y[threadIdx.x];
  y[threadIdx.x] = s[(threadIdx.x + 1) % 64];  // mostly of a lane of the same warp
}
__global__ void unwritten_shared(float* y) {
  __shared__ float s[64];
  if (threadIdx.x < 32) s[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x];
}
__global__ void shared_counter(int* y) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  atomicAdd(&n, 1);
  __syncthreads();
  if (threadIdx.x == 0) y[0] = n;
}
__global__ void copy(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
)";

std::string kernels() { return ptx_of(source); }

}  // namespace

TEST_CASE("A missing __syncthreads is a race with both lines; full checks only",
          "[simulator][checker]") {
  Loaded device(kernels());
  const auto y = device.zeros<float>(64);
  CHECK(device.launch("reverseP", {1}, {64}, arguments(y)).findings.empty());
  const LaunchResult result =
      device.launch("reverseP", {1}, {64}, arguments(y), {.checks = Checks::full});
  CHECK_FALSE(result.fault);
  const Finding* race = find(result, FindingKind::shared_race);
  REQUIRE(race != nullptr);
  CHECK(std::set<std::uint32_t>{race->where.line, race->other_where->line} ==
        std::set<std::uint32_t>{4, 8});
  CHECK(race->thread->thread != race->other_thread->thread);
}

TEST_CASE("Of code without lines none is named", "[simulator][checker]") {
  const auto ptx = compile_to_ptx(
      "__global__ void shift(int* p) { __shared__ int s[32]; s[threadIdx.x] = p[0];"
      " p[threadIdx.x] = s[(threadIdx.x + 1) % 32]; }",
      "");
  if (!ptx) SKIP("nvcc is not installed");
  Loaded device(*ptx);
  const auto words = device.zeros<int>(32);
  const LaunchResult result =
      device.launch("_Z5shiftPi", {1}, {32}, arguments(words), {.checks = Checks::full});
  const Finding* race = find(result, FindingKind::warp_race);
  REQUIRE(race != nullptr);
  CHECK(race->message.find("line") == std::string::npos);
  CHECK(race->message.find("read by thread (") != std::string::npos);
}

TEST_CASE("A missing __syncthreads is not hidden by the races within a warp that it makes",
          "[simulator][checker]") {
  Loaded device(kernels());
  const auto y = device.zeros<float>(64);
  const LaunchResult result =
      device.launch("neighbour", {1}, {64}, arguments(y), {.checks = Checks::full});
  const Finding* race = find(result, FindingKind::shared_race);
  REQUIRE(race != nullptr);
  CHECK(race->message.find("__syncthreads()") != std::string::npos);
  CHECK(find(result, FindingKind::warp_race) == nullptr);
  const LaunchResult one_warp =
      device.launch("neighbour", {1}, {32}, arguments(y), {.checks = Checks::full});
  CHECK(find(one_warp, FindingKind::warp_race) != nullptr);
}

TEST_CASE("Right code draws no finding under full checks", "[simulator][checker]") {
  Loaded device(kernels());
  const auto y = device.zeros<float>(64);
  const auto z = device.zeros<int>(64);
  for (const LaunchResult& result :
       {device.launch("reverse_right", {1}, {64}, arguments(y), {.checks = Checks::full}),
        device.launch("warp_exchange", {1}, {32}, arguments(z), {.checks = Checks::full}),
        device.launch("shared_counter", {2}, {128}, arguments(z), {.checks = Checks::full})}) {
    CHECK_FALSE(result.fault);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  }
  CHECK(device.download<int>(z, 1)[0] == 128);
}

TEST_CASE("Reads of memory that nothing wrote are found, shared and global",
          "[simulator][checker]") {
  Loaded device(kernels());
  device.device.memory().set_tracking(true);
  const auto y = device.zeros<float>(64);
  const LaunchResult shared =
      device.launch("unwritten_shared", {1}, {64}, arguments(y), {.checks = Checks::full});
  REQUIRE(find(shared, FindingKind::uninitialized_shared) != nullptr);
  CHECK(find(shared, FindingKind::uninitialized_shared)->thread->thread[0] == 32);
  const auto x = device.device.memory().allocate(256, MemoryKind::device);
  const LaunchResult global =
      device.launch("copy", {1}, {64}, arguments(64, *x, y), {.checks = Checks::full});
  const Finding* finding = find(global, FindingKind::uninitialized_read);
  REQUIRE(finding != nullptr);
  CHECK(finding->address.value_or(*x) == *x);
  const LaunchResult known =
      device.launch("copy", {1}, {64}, arguments(64, y, *x), {.checks = Checks::full});
  CHECK(known.findings.empty());
  CHECK(device.launch("copy", {1}, {64}, arguments(64, *x, y), {.checks = Checks::full})
            .findings.empty());
}

TEST_CASE("Each line that reads what nothing wrote is named, however many threads read there",
          "[simulator][checker]") {
  Loaded device(kernels());
  const auto y = device.zeros<float>(64);
  const LaunchResult result =
      device.launch("unwritten_twice", {1}, {32}, arguments(y), {.checks = Checks::full});
  std::set<std::uint32_t> lines;
  for (const Finding& finding : result.findings)
    if (finding.kind == FindingKind::uninitialized_shared) lines.insert(finding.where.line);
  CHECK(lines.size() == 2);
}

TEST_CASE("A write races with reads since the last barrier, though many threads have read",
          "[simulator][checker]") {
  Loaded device(kernels());
  const auto y = device.zeros<float>(64);
  const auto launch = [&](int rounds) {
    return device.launch("read_then_write", {1}, {64}, arguments(y, rounds),
                         {.checks = Checks::full});
  };
  CHECK(launch(1).findings.empty());
  CHECK(find(launch(2), FindingKind::shared_race) != nullptr);
}

TEST_CASE("Of the rows that a warp reads, the one that nothing wrote is named",
          "[simulator][checker]") {
  Loaded device(kernels());
  DeviceMemory& memory = device.device.memory();
  memory.set_tracking(true);
  const auto y = device.zeros<float>(64);
  const auto x = memory.allocate(256, MemoryKind::device);
  const auto launch = [&] {
    return device.launch("rows_apart", {1}, {32}, arguments(*x, y), {.checks = Checks::full});
  };
  for (const int row : {0, 1, 3}) memory.mark_initialized(*x + 64 * row, 32);
  const LaunchResult result = launch();
  const Finding* finding = find(result, FindingKind::uninitialized_read);
  REQUIRE(finding != nullptr);
  CHECK(finding->thread->thread[0] == 16);
  memory.mark_initialized(*x + 64 * 2, 32);
  CHECK(launch().findings.empty());
}

TEST_CASE("A word that tells whether the one beside it is there may be read with it",
          "[simulator][checker]") {
  const auto text = [](const char* load, const char* kernel) {
    return std::string(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry ") + kernel +
           "(.param .u64 in, .param .u64 out) { .reg .b64 %rd<4>;\n"
           "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n" +
           load + " %rd3, [%rd1]; st.global.u64 [%rd2], %rd3; ret; }";
  };
  const auto findings = [&](const char* load, std::uint64_t written,
                            const char* kernel = "_Z4workmm") {
    Loaded device(text(load, kernel));
    device.device.memory().set_tracking(true);
    const auto out = device.zeros<std::uint64_t>(1);
    const auto in = device.device.memory().allocate(8, MemoryKind::device).value();
    device.device.memory().mark_initialized(in, written);
    return device.launch("work", {1}, {1}, arguments(in, out), {.checks = Checks::full})
        .findings.size();
  };
  CHECK(findings("ld.relaxed.gpu.global.u64", 4) == 0);
  CHECK(findings("ld.volatile.global.u64", 8) == 0);
  CHECK(findings("ld.relaxed.gpu.global.u64", 0) == 1);
  CHECK(findings("ld.global.u64", 4) == 1);
  CHECK(findings("ld.global.u64", 4, "_ZN6thrust4workEmm") == 0);
  CHECK(findings("ld.global.u64", 0, "_ZN6thrust4workEmm") == 1);
}

TEST_CASE("What CUB reads of shared memory that nothing wrote, it does not use",
          "[simulator][checker]") {
  const bool of_cub = GENERATE(true, false);
  const std::string name = of_cub ? "_ZN3cub4sortEv" : "_Z4sortv";
  Loaded device(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry " + name +
                "() { .reg .b32 %r<2>; .shared .align 4 .b8 keys[64];\n"
                "ld.shared.u32 %r1, [keys]; st.shared.u32 [keys], %r1; ret; }");
  const LaunchResult result = device.launch("sort", {1}, {1}, {}, {.checks = Checks::full});
  CHECK_FALSE(result.fault);
  CHECK(result.findings.size() == (of_cub ? 0 : 1));
}
