// Memory: faults with their place, the full checks, and refusals instead of crashes.
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <numeric>
#include <tuple>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace memory_tests {
namespace {

constexpr const char* source = R"(
__global__ void copy(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
__global__ void misaligned(const char* x, float* y) {
  y[threadIdx.x] = *(const float*)(x + 2);
}
__global__ void shared_overrun(int n, float* y) {
  extern __shared__ float s[];
  s[threadIdx.x + n] = 1;
  y[threadIdx.x] = s[threadIdx.x];
}
__global__ void generic(int* g, int* out) {
  __shared__ int s[32];
  int local[8];
  for (int i = 0; i < 8; ++i) local[i] = i * 100;
  s[threadIdx.x] = threadIdx.x;
  g[threadIdx.x] = 1000 + threadIdx.x;
  int* p = threadIdx.x % 3 == 0 ? &s[threadIdx.x] : threadIdx.x % 3 == 1 ? &g[threadIdx.x] : &local[threadIdx.x % 8];
  asm volatile("" : "+l"(p));
  out[threadIdx.x] = *p;
  *p = 7;
  out[threadIdx.x] += *p;
}
__global__ void additions(float* global, const float* by, float* sums) {
  __shared__ float shared[32];
  shared[threadIdx.x] = global[threadIdx.x];
  sums[32 + threadIdx.x] = atomicAdd(&global[threadIdx.x], by[threadIdx.x]);
  atomicAdd(&shared[threadIdx.x], by[threadIdx.x]);
  sums[threadIdx.x] = shared[threadIdx.x];
}
struct Big { int v[20]; };
__global__ void by_value(const __grid_constant__ Big b, int* out) { const int* p = b.v; out[threadIdx.x] = p[threadIdx.x % 20] + b.v[3]; }
__constant__ int table[64];
__device__ int counter = 5;
__global__ void variables(int* out) { out[threadIdx.x] = table[threadIdx.x] + counter; }
__global__ void bytes(const unsigned char* u, const signed char* s, const short* h, unsigned char* o, int* r) {
  int i = threadIdx.x;
  r[i] = u[i] * 1000 + s[i] + h[i];
  o[i] = (unsigned char)(u[i] + s[i]);
}
__global__ void async_copy(const float4* in, float* out) {
  __shared__ float4 s[32];
  unsigned to = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(to), "l"(in + threadIdx.x));
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;");
  __syncthreads();
  out[threadIdx.x] = ((float*)s)[127 - threadIdx.x];
}
struct alignas(16) Pair { unsigned long long low, high; };
__device__ Pair exchange_if(Pair* at, Pair expected, Pair wanted) {
  Pair old;
  asm volatile("{\n.reg .b128 d, b, c;\nmov.b128 b, {%3, %4};\nmov.b128 c, {%5, %6};\n"
               "atom.cas.b128 d, [%2], b, c;\nmov.b128 {%0, %1}, d;\n}"
               : "=l"(old.low), "=l"(old.high)
               : "l"(at), "l"(expected.low), "l"(expected.high), "l"(wanted.low), "l"(wanted.high) : "memory");
  return old;
}
__device__ void count_both(Pair* at) {
  Pair seen = *at, old = seen;
  do { old = seen; seen = exchange_if(at, old, {old.low + 1, old.high + 2}); }
  while (seen.low != old.low || seen.high != old.high);
}
__global__ void wide_atomics(Pair* counts, Pair* put) {
  __shared__ Pair own;
  if (threadIdx.x == 0) own = {0, 0};
  __syncthreads();
  count_both(&counts[0]);
  count_both(&own);
  __syncthreads();
  if (threadIdx.x == 0) counts[1 + blockIdx.x] = own;
  Pair old;
  asm volatile("{\n.reg .b128 d, b;\nmov.b128 b, {%3, %4};\natom.global.exch.b128 d, [%2], b;\nmov.b128 {%0, %1}, d;\n}"
               : "=l"(old.low), "=l"(old.high)
               : "l"(__cvta_generic_to_global(put)), "l"(1ull + threadIdx.x), "l"(10ull + threadIdx.x) : "memory");
  put[1 + threadIdx.x] = old;
}
__device__ void store_wide(Pair* at, Pair value) {
  asm volatile("{\n.reg .b128 v;\nmov.b128 v, {%1, %2};\nst.relaxed.gpu.b128 [%0], v;\n}"
               :: "l"(at), "l"(value.low), "l"(value.high) : "memory");
}
__device__ Pair load_wide(const Pair* at) {
  Pair value;
  asm volatile("{\n.reg .b128 v;\nld.relaxed.gpu.b128 v, [%2];\nmov.b128 {%0, %1}, v;\n}"
               : "=l"(value.low), "=l"(value.high) : "l"(at) : "memory");
  return value;
}
__global__ void wide_copies(Pair* from, Pair* to) {
  __shared__ Pair own[64];
  if (threadIdx.x % 3 == 0) return;
  store_wide(own + threadIdx.x, load_wide(from + threadIdx.x));
  __syncwarp(__activemask());
  store_wide(to + threadIdx.x, load_wide(own + threadIdx.x));
}
__global__ void policies(const float* in, float* out, int* sum) {
  __shared__ float s[32 * 4];
  unsigned long long once, part;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(once));
  asm("createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %0, [%1], 64, 128;" : "=l"(part) : "l"(in));
  float a, b, c;
  asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(a) : "l"(in + threadIdx.x), "l"(once));
  asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.L2::128B.v2.f32 {%0, %1}, [%2], %3;" : "=f"(b), "=f"(c) : "l"(in + 2 * threadIdx.x), "l"(part));
  unsigned to = (unsigned)__cvta_generic_to_shared(&s[4 * threadIdx.x]);
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" :: "r"(to), "l"(in + 4 * threadIdx.x), "l"(once));
  asm volatile("cp.async.wait_all;");
  asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" :: "l"(out + threadIdx.x), "f"(a + b + c + s[4 * threadIdx.x + 3]), "l"(once) : "memory");
  asm volatile("red.global.add.L2::cache_hint.u32 [%0], %1, %2;" :: "l"(sum), "r"(2), "l"(part) : "memory");
}
)";

std::string kernels() { return ptx_of(source); }

}  // namespace

TEST_CASE("A read past the end is a fault with thread, line, address and allocation",
          "[simulator][memory]") {
  Loaded device(kernels());
  const auto x = device.zeros<float>(100), y = device.zeros<float>(200);
  const LaunchResult result = device.launch("copy", {1}, {128}, arguments(128, x, y));
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::illegal_address);
  const Finding* finding = find(result, FindingKind::out_of_bounds);
  REQUIRE(finding != nullptr);
  CHECK(finding->thread->thread[0] == 100);
  CHECK(finding->where.line == 4);
  CHECK(finding->address == x + 400);
  CHECK(finding->allocation.find("just past the end of allocation") != std::string::npos);
}

TEST_CASE("Use after free is told from a wild address", "[simulator][memory]") {
  Loaded device(kernels());
  const auto x = device.zeros<float>(128), y = device.zeros<float>(128);
  CHECK(device.device.memory().release(x));
  CHECK_FALSE(device.device.memory().release(x));
  const LaunchResult result = device.launch("copy", {1}, {128}, arguments(128, x, y));
  REQUIRE(result.fault);
  CHECK(find(result, FindingKind::use_after_free) != nullptr);
  // A kernel that has used the memory before must notice too.
  const auto z = device.zeros<float>(128);
  device.run("copy", {1}, {128}, arguments(128, z, y));
  CHECK(device.device.memory().release(z));
  const LaunchResult again = device.launch("copy", {1}, {128}, arguments(128, z, y));
  CHECK(find(again, FindingKind::use_after_free) != nullptr);
  const LaunchResult wild = device.launch("copy", {1}, {128}, arguments(128, std::uint64_t{16}, y));
  REQUIRE(wild.fault);
  CHECK(find(wild, FindingKind::out_of_bounds) != nullptr);
}

TEST_CASE("Of watched memory, what nobody wrote is read as zeros, and counts as touched",
          "[simulator][memory]") {
  constexpr std::uint64_t page = 4096, bytes = 512 * page;
  Loaded device(kernels());
  DeviceMemory& memory = device.device.memory();
  memory.watch_pages(true);
  const std::uint64_t x = *memory.allocate(bytes, MemoryKind::device),
                      y = *memory.allocate(bytes, MemoryKind::device), from = x + 5 * page;
  const auto touched = [&](std::uint64_t array) { return memory.touched_pages(array, bytes, 10); };
  using Pages = std::vector<std::uint64_t>;
  device.run("copy", {1}, {128}, arguments(128, from, y));
  CHECK(touched(x) == Pages{5});
  CHECK(touched(y) == Pages{0});
  CHECK(device.download<float>(y, 128) == std::vector<float>(128, 0));
  // Some of a warp's lanes read what was written, on the page behind.
  const float one = 1;
  std::memcpy(memory.host_view(from + page, sizeof one), &one, sizeof one);
  device.run("copy", {1}, {32}, arguments(32, from + page - 16 * sizeof(float), y));
  CHECK(touched(x) == Pages{5, 6});
  std::vector<float> expected(32, 0);
  expected[16] = one;
  CHECK(device.download<float>(y, 32) == expected);
  CHECK(memory.release(x));
  CHECK(touched(x).empty());
}

TEST_CASE("A misaligned access is a fault of its own", "[simulator][memory]") {
  Loaded device(kernels());
  const auto x = device.zeros<float>(8), y = device.zeros<float>(32);
  const LaunchResult result = device.launch("misaligned", {1}, {32}, arguments(x, y));
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::misaligned_address);
}

TEST_CASE("Shared memory ends where the launch says", "[simulator][memory]") {
  Loaded device(kernels());
  const auto y = device.zeros<float>(64);
  CHECK_FALSE(device.launch("shared_overrun", {1}, {64}, arguments(0, y), {}, 256).fault);
  const LaunchResult result = device.launch("shared_overrun", {1}, {64}, arguments(1, y), {}, 256);
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::illegal_address);
  CHECK(find(result, FindingKind::out_of_bounds)->thread->thread[0] == 63);
}

TEST_CASE("One instruction may reach global, shared and local memory", "[simulator][memory]") {
  Loaded device(kernels());
  const auto g = device.zeros<int>(32), out = device.zeros<int>(32);
  device.run("generic", {1}, {32}, arguments(g, out));
  const auto got = device.download<int>(out, 32);
  for (int i = 0; i < 32; ++i)
    CHECK(got[i] == 7 + (i % 3 == 0 ? i : i % 3 == 1 ? 1000 + i : i % 8 * 100));
}

TEST_CASE("Parameters by value are addressable", "[simulator][memory]") {
  Loaded device(kernels());
  Parameters parameters;
  for (int i = 0; i < 20; ++i) parameters.add(i * i);
  const auto out = device.zeros<int>(32);
  parameters.add(out);
  device.run("by_value", {1}, {32}, parameters);
  const auto got = device.download<int>(out, 32);
  for (int i = 0; i < 32; ++i) CHECK(got[i] == (i % 20) * (i % 20) + 9);
}

TEST_CASE("Module variables have their initial values and can be written by the host",
          "[simulator][memory]") {
  Loaded device(kernels());
  const ModuleVariable* table = device.module->find_variable("table");
  REQUIRE(table != nullptr);
  CHECK(table->bytes == 256);
  CHECK(table->constant);
  auto* values = reinterpret_cast<int*>(device.device.memory().host_view(table->address, 256));
  for (int i = 0; i < 64; ++i) values[i] = i * 2;
  const auto out = device.zeros<int>(64);
  device.run("variables", {1}, {64}, arguments(out));
  CHECK(device.download<int>(out, 64)[10] == 25);
}

TEST_CASE("Bytes and shorts keep their sign", "[simulator][memory]") {
  Loaded device(kernels());
  std::vector<std::uint8_t> u(40);
  std::vector<std::int8_t> s(40);
  std::vector<std::int16_t> h(40);
  for (int i = 0; i < 40; ++i)
    u[i] = static_cast<std::uint8_t>(i * 13), s[i] = static_cast<std::int8_t>(-i * 3),
    h[i] = static_cast<std::int16_t>(-i * 700);
  const auto du = device.upload(u), ds = device.upload(s), dh = device.upload(h),
             o = device.zeros<std::uint8_t>(40), r = device.zeros<int>(40);
  device.run("bytes", {1}, {40}, arguments(du, ds, dh, o, r));
  const auto got = device.download<int>(r, 40);
  const auto low = device.download<std::uint8_t>(o, 40);
  for (int i = 0; i < 40; ++i) {
    CHECK(got[i] == u[i] * 1000 + s[i] + h[i]);
    CHECK(low[i] == static_cast<std::uint8_t>(u[i] + s[i]));
  }
}

TEST_CASE("Asynchronous copies arrive in shared memory and are counted as loads",
          "[simulator][memory]") {
  Loaded device(kernels());
  std::vector<float> in(128);
  for (int i = 0; i < 128; ++i) in[i] = static_cast<float>(i);
  const auto x = device.upload(in), y = device.zeros<float>(32);
  device.run("async_copy", {1}, {32}, arguments(x, y));
  CHECK(device.download<float>(y, 32)[5] == 122);
  const Counts counts = device.kernel("async_copy").counts().total;
  CHECK(counts[Metric::global_load_sectors] == 16);
  CHECK(counts[Metric::shared_store_requests] == 0);  // as on an H200
}

TEST_CASE("An asynchronous copy leaves its source out where a predicate says so",
          "[simulator][memory]") {
  Loaded device(R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry copy(.param .u64 from, .param .u64 to) {
  .reg .pred %p; .reg .b64 %rd<6>; .reg .b32 %r<8>;
  .shared .align 16 .b8 room[512];
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 16;
  add.s64 %rd4, %rd1, %rd3;
  mul.wide.u32 %rd5, %r1, 4;
  add.s64 %rd5, %rd2, %rd5;
  mov.u32 %r2, room;
  mad.lo.u32 %r2, %r1, 16, %r2;
  and.b32 %r3, %r1, 1;
  setp.eq.u32 %p, %r3, 1;
  cp.async.cg.shared.global [%r2], [%rd4], 16, %p;
  cp.async.wait_all;
  ld.shared.b32 %r4, [%r2];
  st.global.b32 [%rd5], %r4;
  ret;
})");
  const auto from = device.upload(std::vector<int>(128, 7)), to = device.zeros<int>(32);
  device.run("copy", {1}, {32}, arguments(from, to));
  const auto got = device.download<int>(to, 32);
  for (std::size_t lane = 0; lane < 32; ++lane) CHECK(got[lane] == (lane % 2 == 1 ? 0 : 7));
}

TEST_CASE("Device memory stays within its limit and counts what is used", "[simulator][memory]") {
  DeviceMemory memory(1 << 20);
  const auto a = memory.allocate(1 << 19, MemoryKind::device);
  REQUIRE(a);
  CHECK(memory.used_bytes() == 1 << 19);
  CHECK_FALSE(memory.allocate((1 << 19) + 1, MemoryKind::device));
  CHECK(memory.release(*a));
  CHECK(memory.used_bytes() == 0);
  CHECK(memory.allocate(1 << 20, MemoryKind::device));
  CHECK(memory.find(*a)->freed);
  CHECK(memory.host_view(*a, 4) == nullptr);
}

TEST_CASE("Wrong configurations are refused with a sentence", "[simulator][launch]") {
  Loaded device(kernels());
  const auto y = device.zeros<float>(64);
  for (const auto& [grid, block, shared] :
       std::vector<std::tuple<Dim3, Dim3, std::uint32_t>>{{{1}, {1025}, 0},
                                                          {{0}, {32}, 0},
                                                          {{1}, {32, 0}, 0},
                                                          {{1}, {1, 1, 65}, 0},
                                                          {{1, 65536}, {32}, 0},
                                                          {{1}, {32}, 300000}}) {
    const LaunchResult result =
        device.launch("shared_overrun", grid, block, arguments(0, y), {}, shared);
    REQUIRE(result.fault);
    CHECK(result.fault->code == FaultCode::invalid_configuration);
  }
}

TEST_CASE("What is exchanged 16 bytes at a time is never torn", "[simulator][memory]") {
  struct Pair {
    std::uint64_t low, high;
    bool operator==(const Pair&) const = default;
  };
  Loaded device(kernels());
  const auto counts = device.zeros<Pair>(9), put = device.zeros<Pair>(65);
  device.run("wide_atomics", {8}, {64}, arguments(counts, put));
  const auto counted = device.download<Pair>(counts, 9);
  CHECK(counted[0] == Pair{512, 1024});
  for (std::size_t block = 1; block < 9; ++block) CHECK(counted[block] == Pair{64, 128});
  for (const Pair& old : device.download<Pair>(put, 65))
    CHECK((old == Pair{0, 0} || old.high == old.low + 9));
}

TEST_CASE("16 bytes are loaded and stored through one register", "[simulator][memory]") {
  Loaded device(kernels());
  std::vector<std::uint64_t> given(128);
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = 0x0102030405060708 * (i + 1);
  const auto from = device.upload(given), to = device.zeros<std::uint64_t>(128);
  device.run("wide_copies", {1}, {64}, arguments(from, to));
  const auto got = device.download<std::uint64_t>(to, 128);
  for (std::size_t i = 0; i < 128; ++i) CHECK(got[i] == (i / 2 % 3 == 0 ? 0 : given[i]));
}

TEST_CASE(
    "An atomic addition in global memory takes numbers next to zero for zero, one in shared "
    "memory keeps them",
    "[simulator][memory]") {
  Loaded device(kernels());
  std::vector<float> before(32, 1e-40f), by(32, 1e-40f);
  before[1] = 1, before[2] = -2e-38f, by[2] = 1.5e-38f, before[3] = -1e-40f;
  const auto sums = device.upload(before), added = device.upload(by);
  const auto out = device.zeros<float>(64);
  device.run("additions", {1}, {32}, arguments(sums, added, out));
  const auto in_global = device.download<float>(sums, 32);
  const auto in_shared = device.download<float>(out, 64);
  CHECK(in_global[0] == 0);
  CHECK(in_global[1] == 1);
  CHECK(in_global[2] == 0);
  CHECK(std::signbit(in_global[2]));
  CHECK(in_shared[0] == 1e-40f + 1e-40f);
  CHECK(in_shared[2] == -2e-38f + 1.5e-38f);
  CHECK(in_shared[32] == before[0]);  // what was there is handed back as it was
}

TEST_CASE("Cache policies change no result", "[simulator][memory]") {
  Loaded device(kernels());
  std::vector<float> in(128);
  std::iota(in.begin(), in.end(), 0.f);
  const auto x = device.upload(in), y = device.zeros<float>(32);
  const auto sum = device.zeros<int>(1);
  device.run("policies", {1}, {32}, arguments(x, y, sum));
  const auto got = device.download<float>(y, 32);
  for (std::size_t i = 0; i < 32; ++i)
    CHECK(got[i] == in[i] + in[2 * i] + in[2 * i + 1] + in[4 * i + 3]);
  CHECK(device.download<int>(sum, 1)[0] == 64);
}

TEST_CASE("Four doubles are loaded and stored at once, where they are aligned",
          "[simulator][opcode]") {
  Loaded device(R"(
.version 8.8
.target sm_100
.address_size 64
.visible .entry swap(.param .u64 from, .param .u64 to) {
  .reg .b64 %rd<6>; .reg .f64 %fd<5>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 32;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.v4.f64 {%fd1, %fd2, %fd3, %fd4}, [%rd4];
  st.global.v4.f64 [%rd5], {%fd4, %fd3, %fd2, %fd1};
  ret;
})");
  std::vector<double> values(65 * 4);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  const auto from = device.upload(values), to = device.zeros<double>(values.size());
  device.run("swap", {1}, {64}, arguments(from, to));
  const auto got = device.download<double>(to, 64 * 4);
  for (std::size_t i = 0; i < got.size(); ++i)
    CHECK(got[i] == static_cast<double>(i / 4 * 4 + 3 - i % 4));
  const LaunchResult result = device.launch("swap", {1}, {64}, arguments(from + 16, to));
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::misaligned_address);
}

}  // namespace memory_tests
