// The full checks of one block: races within it, and reads of memory that nothing wrote.
#include <catch2/generators/catch_generators.hpp>
#include <set>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace checker_tests {
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
__global__ void any_divisible(const int* x, int* y) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (x[threadIdx.x] % 3 == 0) found = 1;
  __syncthreads();
  y[threadIdx.x] = found;
}
__global__ void last_divisible(const int* x, int* y) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (x[threadIdx.x] % 3 == 0) found = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = found;
}
__global__ void found_while_reset(const int* x, int* y) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  if (x[threadIdx.x] % 3 == 0) found = 1;
  __syncthreads();
  y[threadIdx.x] = found;
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
__global__ void exchange(int* y, int* fresh) {
  __shared__ int n;
  atomicExch(&n, threadIdx.x);
  atomicExch(fresh, threadIdx.x);
  __syncthreads();
  y[threadIdx.x] = n + *fresh;
}
__global__ void exchange_and_ask(int* y) {
  __shared__ int n;
  y[threadIdx.x] = atomicExch(&n, threadIdx.x);
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

TEST_CASE("Threads may store one value at one place, but not two", "[simulator][checker]") {
  Loaded device(kernels());
  std::vector<int> numbers(96);
  for (int i = 0; i < 96; ++i) numbers[i] = i % 32 == 5 || i % 32 == 9 ? 3 : 1;
  const auto x = device.upload(numbers), y = device.zeros<int>(96);
  const auto launch = [&](const char* kernel) {
    return device.launch(kernel, {1}, {96}, arguments(x, y), {.checks = Checks::full});
  };
  for (const Finding& finding : launch("any_divisible").findings) FAIL_CHECK(finding.message);
  CHECK(find(launch("last_divisible"), FindingKind::shared_race) != nullptr);
  CHECK_FALSE(launch("found_while_reset").findings.empty());
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
           load + " %rd3, [%rd1]; not.b64 %rd3, %rd3; st.global.u64 [%rd2], %rd3; ret; }";
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
  // A kernel of CUB's, code of CUB's inlined into the caller's kernel, and the caller's own.
  const auto [name, file, found] = GENERATE(
      table<std::string, std::string, std::size_t>({{"_ZN3cub4sortEv", "kernel.cu", 0},
                                                    {"_Z4sortv", "/cccl/cub/block/sort.cuh", 0},
                                                    {"_Z4sortv", "/cub/kernel.cu", 1}}));
  CAPTURE(name, file);
  Loaded device(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry " + name +
                "() { .reg .b32 %r<2>; .shared .align 4 .b8 keys[64];\n.loc 1 7 0\n"
                "ld.shared.u32 %r1, [keys]; st.shared.u32 [keys], %r1; ret; }\n.file 1 \"" +
                file + "\"\n");
  const LaunchResult result = device.launch("sort", {1}, {1}, {}, {.checks = Checks::full});
  CHECK_FALSE(result.fault);
  CHECK(result.findings.size() == found);
}

TEST_CASE("A race within CUB is told as one on its temporary storage", "[simulator][checker]") {
  for (const auto& [file, in_cub] :
       {std::pair{"/cccl/cub/block/scan.cuh", true}, std::pair{"/cub/kernel.cu", false}}) {
    CAPTURE(file);
    Loaded device(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry _Z3sumv() {\n"
        ".reg .b32 %r<2>; .shared .align 4 .b8 room[64];\n.loc 1 7 0\n"
        "mov.u32 %r1, %tid.x; st.shared.u32 [room], %r1; ret; }\n.file 1 \"" +
        std::string(file) + "\"\n");
    const LaunchResult result = device.launch("sum", {1}, {64}, {}, {.checks = Checks::full});
    const Finding* race = find(result, FindingKind::shared_race);
    REQUIRE(race != nullptr);
    CHECK((race->message.find("temporary storage") != std::string::npos) == in_cub);
    CHECK((race->message.find("atomicAdd()") != std::string::npos) != in_cub);
  }
}

TEST_CASE("The gaps of a structure may be copied with it, and not be used",
          "[simulator][checker]") {
  // The second half of eight bytes, of which `written` are.
  const auto findings = [](const std::string& load, const std::string& rest, std::uint64_t written,
                           const std::string& target = "sm_90") {
    const std::string text = ".version 8.0\n.target " + target +
                             "\n.address_size 64\n.visible .entry _Z4workmm(.param .u64 in, "
                             ".param .u64 out) { .reg .b64 %rd<3>; .reg .b32 %r<2>; .reg .b16 "
                             "%rs<5>; .shared .align 8 .b8 s[8];\n"
                             "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n";
    Loaded device(text + load + rest + " ret; }");
    device.device.memory().set_tracking(true);
    const auto out = device.zeros<std::uint64_t>(1);
    const auto in = device.device.memory().allocate(8, MemoryKind::device).value();
    device.device.memory().mark_initialized(in, written);
    return device.launch("work", {1}, {1}, arguments(in, out), {.checks = Checks::full})
        .findings.size();
  };
  const std::string bytes = "ld.global.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%rd1+4];",
                    stored = "st.global.v4.u8 [%rd2], {%rs1, %rs2, %rs3, %rs4};";
  CHECK(findings(bytes, stored, 4) == 0);
  CHECK(findings(bytes, stored, 0) == 1);  // nothing in front of it: no gap
  CHECK(findings(bytes, "add.u16 %rs1, %rs1, %rs2;" + stored, 4) == 1);
  const std::string word = "ld.global.u32 %r1, [%rd1+4];", kept = "st.global.u32 [%rd2], %r1;";
  CHECK(findings(word, kept, 6) == 0);
  CHECK(findings(word, kept, 4) == 1);
  CHECK(findings(word, kept, 4, "sm_90, debug") == 0);
  CHECK(findings(word, kept, 3, "sm_90, debug") == 0);  // three characters, then a double
  CHECK(findings(word, kept, 0, "sm_90, debug") == 1);
  CHECK(findings(word, "not.b32 %r1, %r1;" + kept, 6) == 1);
  // In pieces, beside a member that is wider; of bytes alone the last may be no gap.
  const std::string pieces = "ld.global.v2.u8 {%rs1, %rs2}, [%rd1+6]; ld.global.u8 %rs3, [%rd1+5];",
                    pieces_kept =
                        "st.global.v2.u8 [%rd2+6], {%rs1, %rs2}; "
                        "st.global.u8 [%rd2+5], %rs3;",
                    member = "ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1;";
  CHECK(findings(pieces + member, pieces_kept, 5) == 0);
  CHECK(findings(pieces, pieces_kept, 5) == 1);
  CHECK(findings(pieces + member, "add.u16 %rs3, %rs3, %rs1;" + pieces_kept, 5) > 0);
  // Code that is not optimized: nothing says which memory a pointer is into.
  const std::string generic = "ld.u32 %r1, [%rd1+4];";
  CHECK(findings(generic, kept, 1) == 0);
  CHECK(findings(generic, kept, 0) == 1);
  CHECK(findings("cvta.to.global.u64 %rd2, %rd2;" + generic, kept, 1) == 1);
  const std::string half = "mov.u32 %r1, 1; st.shared.u32 [s], %r1;",
                    shared = "ld.shared.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [s+4];";
  CHECK(findings(half + shared, stored, 8) == 0);
  CHECK(findings(shared, stored, 8) == 1);
}

TEST_CASE("An exchange whose old value nobody uses is a write, and no read of what was there",
          "[simulator][checker]") {
  Loaded device(kernels());
  device.device.memory().set_tracking(true);
  const auto y = device.zeros<int>(32);
  const auto fresh = device.device.memory().allocate(256, MemoryKind::device);
  const LaunchResult written =
      device.launch("exchange", {1}, {32}, arguments(y, *fresh), {.checks = Checks::full});
  for (const Finding& finding : written.findings) FAIL_CHECK(finding.message);
  const LaunchResult asked =
      device.launch("exchange_and_ask", {1}, {32}, arguments(y), {.checks = Checks::full});
  CHECK(find(asked, FindingKind::uninitialized_shared) != nullptr);
}

}  // namespace checker_tests
