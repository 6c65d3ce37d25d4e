// Shuffles, votes, matches, reductions and atomics against the CPU.
#include <algorithm>
#include <bit>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace warp_exchange_tests {
namespace {

using u32 = std::uint32_t;

constexpr const char* source = R"(
#include <cuda_fp16.h>
__global__ void shuffles(const int* x, int* y) {
  int i = threadIdx.x, v = x[i];
  y[i] = __shfl_sync(0xffffffffu, v, 5);
  y[i + 32] = __shfl_sync(0xffffffffu, v, i + 3, 8);
  y[i + 64] = __shfl_up_sync(0xffffffffu, v, 2, 16);
  y[i + 96] = __shfl_down_sync(0xffffffffu, v, 3, 8);
  y[i + 128] = __shfl_xor_sync(0xffffffffu, v, 17);
}
__global__ void votes(const int* x, unsigned* y) {
  int i = threadIdx.x, v = x[i];
  y[i] = __ballot_sync(0xffffffffu, v > 3);
  y[i + 32] = __any_sync(0xffffffffu, v == 7) * 2 + __all_sync(0xffffffffu, v >= 0);
  y[i + 64] = __match_any_sync(0xffffffffu, v);
  int same; y[i + 96] = __match_all_sync(0xffffffffu, v, &same) + same;
  y[i + 128] = __reduce_add_sync(0xffffffffu, v);
  y[i + 160] = __reduce_max_sync(0xffffffffu, v) * 100 + __reduce_min_sync(0xffffffffu, v);
  y[i + 192] = __reduce_xor_sync(0xffffffffu, (unsigned)v);
  if (v > 3) y[i + 224] = __activemask(); else y[i + 224] = 0;
}
__global__ void elections(unsigned* y) {
  const unsigned members = 0xffu << (threadIdx.x & ~7);
  asm volatile("{ .reg .pred p; .reg .u32 c; elect.sync %0|p, %1; selp.u32 c, 100, 0, p;"
               " add.u32 %0, %0, c; }" : "=r"(y[threadIdx.x]) : "r"(members));
}
__global__ void atomics(int* p, unsigned* u, unsigned long long* w, float* f, double* d, __half2* h, int* order) {
  int i = threadIdx.x;
  order[i] = atomicAdd(p, 2);
  atomicMin(p + 1, i - 10); atomicMax(p + 2, i); atomicAnd(p + 3, ~(1 << i)); atomicOr(p + 4, 1 << i); atomicXor(p + 5, 3 << (i % 4));
  atomicInc(u, 4); atomicDec(u + 1, 6); atomicSub(p + 6, i); atomicExch(p + 7, i); atomicCAS(p + 8, i, i + 1);
  atomicAdd(w, 1ull << 40); atomicMax(w + 1, (unsigned long long)i << 33);
  atomicAdd(f, 0.5f); atomicAdd(d, 0.25); atomicAdd(h, __floats2half2_rn(1.f, 2.f));
}
)";

std::string kernels() { return ptx_of(source); }

}  // namespace

TEST_CASE("Each group of lanes elects one of its own", "[simulator][warp]") {
  Loaded device(kernels());
  const auto out = device.zeros<u32>(32);
  device.run("elections", {1}, {32}, arguments(out));
  const auto y = device.download<u32>(out, 32);
  for (u32 i = 0; i < 32; ++i) CHECK(y[i] == (i & ~7u) + (i % 8 == 0 ? 100 : 0));
}

TEST_CASE("Shuffles move values within segments", "[simulator][warp]") {
  Loaded device(kernels());
  std::vector<int> x(32);
  for (int i = 0; i < 32; ++i) x[i] = i * i;
  const auto in = device.upload(x), out = device.zeros<int>(160);
  device.run("shuffles", {1}, {32}, arguments(in, out));
  const auto y = device.download<int>(out, 160);
  for (int i = 0; i < 32; ++i) {
    CHECK(y[i] == x[5]);
    CHECK(y[i + 32] == x[(i & ~7) + ((i + 3) & 7)]);
    CHECK(y[i + 64] == x[i % 16 >= 2 ? i - 2 : i]);
    CHECK(y[i + 96] == x[i % 8 < 5 ? i + 3 : i]);
    CHECK(y[i + 128] == x[i ^ 17]);
  }
}

TEST_CASE("Votes, matches and reductions see every lane of the warp", "[simulator][warp]") {
  Loaded device(kernels());
  std::vector<int> x(32);
  for (int i = 0; i < 32; ++i) x[i] = i * 5 % 9;
  const auto in = device.upload(x), out = device.zeros<u32>(256);
  device.run("votes", {1}, {32}, arguments(in, out));
  const auto y = device.download<u32>(out, 256);
  u32 ballot = 0, sum = 0, folded = 0;
  for (int i = 0; i < 32; ++i) {
    ballot |= u32{x[i] > 3} << i;
    sum += static_cast<u32>(x[i]);
    folded ^= static_cast<u32>(x[i]);
  }
  for (int i = 0; i < 32; ++i) {
    u32 same = 0;
    for (int k = 0; k < 32; ++k) same |= u32{x[k] == x[i]} << k;
    CHECK(y[i] == ballot);
    CHECK(y[i + 32] == 3);
    CHECK(y[i + 64] == same);
    CHECK(y[i + 96] == 0);
    CHECK(y[i + 128] == sum);
    CHECK(y[i + 160] == 800);
    CHECK(y[i + 192] == folded);
    CHECK(y[i + 224] == (x[i] > 3 ? ballot : 0));
  }
}

TEST_CASE("Atomics of all kinds leave what 32 threads would", "[simulator][warp]") {
  Loaded device(kernels());
  const auto p = device.upload(std::vector<int>{10, 100, -100, -1, 0, 0, 0, 0, 0}),
             u = device.upload(std::vector<u32>{0, 0});
  const auto w = device.zeros<std::uint64_t>(2), f = device.zeros<float>(1),
             d = device.zeros<double>(1), h = device.zeros<u32>(1);
  const auto order = device.zeros<int>(32);
  device.run("atomics", {1}, {32}, arguments(p, u, w, f, d, h, order));
  CHECK(device.download<int>(p, 9) == std::vector<int>{74, -10, 31, 0, -1, 0, -496, 31, 32});
  CHECK(device.download<u32>(u, 2) == std::vector<u32>{32 % 5, 3});
  CHECK(device.download<std::uint64_t>(w, 2) ==
        std::vector<std::uint64_t>{32ull << 40, 31ull << 33});
  CHECK(device.download<float>(f, 1)[0] == 16.f);
  CHECK(device.download<double>(d, 1)[0] == 8.0);
  CHECK(device.download<u32>(h, 1)[0] == 0x54005000);  // 32 and 64 as halves
  auto seen = device.download<int>(order, 32);
  std::sort(seen.begin(), seen.end());
  for (int i = 0; i < 32; ++i) CHECK(seen[i] == 10 + 2 * i);
  const Counts counts = device.kernel("atomics").counts().total;
  CHECK(counts[Metric::global_atomics] == 16);
  // All lanes on one word each time: one sector.
  CHECK(counts[Metric::global_atomic_sectors] == 16);
}

}  // namespace warp_exchange_tests
