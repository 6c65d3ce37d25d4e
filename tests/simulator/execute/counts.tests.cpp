// Event counts: against theory, per source line, and the same for any number of threads.
#include <algorithm>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace counts_tests {
namespace {

constexpr const char* source = R"(
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
__global__ void strided(int n, int stride, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[(size_t)i * stride];
}
template <int PAD> __global__ void transpose(int n, const float* in, float* out) {
  __shared__ float t[32][32 + PAD];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) t[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(size_t)(y + j) * n + x] = t[threadIdx.x][threadIdx.y + j];
}
template __global__ void transpose<0>(int, const float*, float*);
template __global__ void transpose<1>(int, const float*, float*);
__global__ void histogram(int n, const unsigned char* x, unsigned* bins) {
  __shared__ unsigned s[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[x[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) if (s[i]) atomicAdd(&bins[i], s[i]);
}
__global__ void wide(const double2* in, float4* out) {
  int i = threadIdx.x;
  double2 v = in[i];
  out[i] = make_float4(v.x, v.y, v.x, v.y);
}
__global__ void trips(const int* x, int* y) {
  int v = 0;
  for (int k = x[threadIdx.x]; k > 0; k--) v += k * k;
  y[threadIdx.x] = v;
}
)";

std::string kernels() {
  const auto text = compile_to_ptx(source);
  if (!text) SKIP("no nvcc");
  return *text;
}

Counts counts_of(Loaded& device, std::string_view name) {
  return device.kernel(name).counts().total;
}

}  // namespace

TEST_CASE("A partial last warp is counted lane by lane and sector by sector",
          "[simulator][counts]") {
  Loaded device(kernels());
  const int n = 10000;
  const auto x = device.zeros<float>(n), y = device.zeros<float>(n);
  device.run("saxpy", {40}, {256}, arguments(n, 2.f, x, y));
  const Counts c = counts_of(device, "saxpy");
  // 312 full warps and one of 16 lanes; 7 warps have nothing to do.
  CHECK(c[Metric::global_load_requests] == 626);
  CHECK(c[Metric::global_load_sectors] == 2500);
  CHECK(c[Metric::global_store_requests] == 313);
  CHECK(c[Metric::global_store_sectors] == 1250);
  CHECK(c[Metric::flop_fp32] == 2u * n);
  CHECK(c[Metric::branches] == 320);
  CHECK(c[Metric::divergent_branches] == 1);
}

TEST_CASE("Counts of a source line are those of its instructions", "[simulator][counts]") {
  Loaded device(kernels());
  const auto x = device.zeros<float>(64), y = device.zeros<float>(64);
  device.run("saxpy", {1}, {64}, arguments(64, 2.f, x, y));
  const KernelCounts counts = device.kernel("saxpy").counts();
  CHECK(device.kernel("saxpy").warp_instructions() == counts.total[Metric::warp_instructions]);
  Counts sum;
  const LineCounts* body = nullptr;
  for (const LineCounts& line : counts.lines) {
    sum += line.counts;
    if (line.counts[Metric::global_load_requests] > 0) body = &line;
  }
  CHECK(sum == counts.total);
  REQUIRE(body != nullptr);
  CHECK(body->line == 5);
  CHECK(body->counts[Metric::global_load_requests] == 4);
  CHECK(body->counts[Metric::global_store_requests] == 2);
  CHECK(counts.launches == 1);
}

TEST_CASE("Strided loads touch one sector per stride until every lane has its own",
          "[simulator][counts]") {
  Loaded device(kernels());
  const auto x = device.zeros<float>(1024 * 32), y = device.zeros<float>(1024);
  const std::pair<int, std::uint64_t> wanted[] = {{1, 4},  {2, 8},   {3, 12}, {4, 16},
                                                  {8, 32}, {16, 32}, {32, 32}};
  for (const auto& [stride, sectors] : wanted) {
    device.kernel("strided").reset_counts();
    device.run("strided", {4}, {256}, arguments(1024, stride, x, y));
    CAPTURE(stride);
    CHECK(counts_of(device, "strided")[Metric::global_load_sectors] == 32 * sectors);
  }
}

TEST_CASE("A misaligned base costs an extra sector", "[simulator][counts]") {
  Loaded device(kernels());
  const auto x = device.zeros<float>(1032), y = device.zeros<float>(1024);
  device.run("strided", {4}, {256}, arguments(1024, 1, x + 4, y));
  CHECK(counts_of(device, "strided")[Metric::global_load_sectors] == 32 * 5);
}

TEST_CASE("A column of an unpadded tile meets in one bank, of a padded one in none",
          "[simulator][counts]") {
  Loaded device(kernels());
  const auto in = device.zeros<float>(256 * 256), out = device.zeros<float>(256 * 256);
  device.run("transposeILi0E", {8, 8}, {32, 8}, arguments(256, in, out));
  device.run("transposeILi1E", {8, 8}, {32, 8}, arguments(256, in, out));
  const Counts flat = counts_of(device, "transposeILi0E"),
               padded = counts_of(device, "transposeILi1E");
  CHECK(flat[Metric::shared_load_requests] == 2048);
  CHECK(flat[Metric::shared_load_wavefronts] == 65536);
  CHECK(flat[Metric::shared_load_bank_conflicts] == 63488);
  CHECK(padded[Metric::shared_load_wavefronts] == 2048);
  CHECK(padded[Metric::shared_load_bank_conflicts] == 0);
  CHECK(flat[Metric::barriers] == 512);
}

TEST_CASE("Shared atomics of a warp take a pass for each word that meets others in its bank",
          "[simulator][counts]") {
  Loaded device(kernels());
  const int n = 1024;
  const auto bins = device.zeros<unsigned>(256);
  const auto passes = [&](auto pixel) {
    std::vector<unsigned char> pixels(n);
    for (int i = 0; i < n; ++i) pixels[i] = static_cast<unsigned char>(pixel(i));
    device.kernel("histogram").reset_counts();
    device.run("histogram", {1}, {256}, arguments(n, device.upload(pixels), bins));
    const Counts c = counts_of(device, "histogram");
    CHECK(c[Metric::shared_atomics] == 32);
    return c[Metric::shared_atomic_wavefronts];
  };
  CHECK(passes([](int) { return 5; }) == 32);                   // one word for all
  CHECK(passes([](int i) { return i % 32; }) == 32);            // a bank for each
  CHECK(passes([](int i) { return 32 * (i % 8); }) == 32 * 8);  // eight words in one bank
}

TEST_CASE("Vector accesses of 16 bytes touch 16 sectors a warp", "[simulator][counts]") {
  Loaded device(kernels());
  std::vector<double> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i;
  const auto in = device.upload(values), out = device.zeros<float>(128);
  device.run("wide", {1}, {32}, arguments(in, out));
  const Counts c = counts_of(device, "wide");
  CHECK(c[Metric::global_load_requests] == 1);
  CHECK(c[Metric::global_load_sectors] == 16);
  CHECK(c[Metric::global_store_sectors] == 16);
  const auto got = device.download<float>(out, 128);
  CHECK(got[0] == 0);
  CHECK(got[5] == 3);
  CHECK(got[126] == 62);
}

TEST_CASE("A loop whose length differs by lane runs with fewer lanes each time",
          "[simulator][counts]") {
  Loaded device(kernels());
  std::vector<int> x(32);
  for (int i = 0; i < 32; ++i) x[i] = i;
  const auto in = device.upload(x), out = device.zeros<int>(32);
  device.run("trips", {1}, {32}, arguments(in, out));
  const auto got = device.download<int>(out, 32);
  CHECK(got[31] == 31 * 32 * 63 / 6);
  const Counts c = counts_of(device, "trips");
  const double lanes =
      double(c[Metric::thread_instructions]) / double(c[Metric::warp_instructions]);
  CHECK(lanes > 14);
  CHECK(lanes < 24);
  CHECK(c[Metric::divergent_branches] > 0);
}

TEST_CASE("Counts are the same with 1, 2 and 8 threads", "[simulator][counts]") {
  std::vector<unsigned char> data(100000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i * 7919 >> 5);
  std::vector<std::pair<Counts, Counts>> seen;
  for (const unsigned threads : {1u, 2u, 8u}) {
    Loaded device(kernels(), threads);
    const auto x = device.upload(data), bins = device.zeros<unsigned>(256);
    device.run("histogram", {64}, {256}, arguments(static_cast<int>(data.size()), x, bins));
    unsigned total = 0;
    for (const unsigned bin : device.download<unsigned>(bins, 256)) total += bin;
    CHECK(total == data.size());
    const auto in = device.zeros<float>(512 * 512), out = device.zeros<float>(512 * 512);
    device.run("transposeILi0E", {16, 16}, {32, 8}, arguments(512, in, out));
    seen.emplace_back(counts_of(device, "histogram"), counts_of(device, "transposeILi0E"));
  }
  CHECK(seen[0] == seen[1]);
  CHECK(seen[0] == seen[2]);
}

TEST_CASE("Every metric has a name and a meaning of its own", "[simulator][counts]") {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < metric_count; ++i) {
    const MetricInfo& info = describe(static_cast<Metric>(i));
    CHECK_FALSE(info.meaning.empty());
    CHECK(std::find(names.begin(), names.end(), info.name) == names.end());
    names.push_back(info.name);
  }
}

TEST_CASE("An asynchronous copy is a global load and no shared store", "[simulator][counts]") {
  const auto ptx = compile_to_ptx(R"(
__global__ void copy(const float4* in, float4* out) {
  __shared__ float4 tile[64];
  const unsigned to = __cvta_generic_to_shared(&tile[threadIdx.x]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + threadIdx.x));
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
)");
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx);
  const auto in = device.zeros<float>(256), out = device.zeros<float>(256);
  device.run("copy", {1}, {64}, arguments(in, out));
  const Counts counts = counts_of(device, "copy");
  CHECK(counts[Metric::global_load_requests] == 2);
  CHECK(counts[Metric::global_load_sectors] == 32);
  CHECK(counts[Metric::shared_store_requests] == 0);
  CHECK(counts[Metric::shared_store_wavefronts] == 0);
  CHECK(counts[Metric::shared_load_wavefronts] == 8);
  CHECK(counts[Metric::shared_copy_bank_conflicts] == 0);
}

TEST_CASE("An asynchronous copy down a column meets one bank with all its lanes",
          "[simulator][counts]") {
  const auto ptx = compile_to_ptx(R"(
__global__ void turn(const float* in, float* out, bool guarded) {
  __shared__ float tile[32][32];
  const unsigned to = __cvta_generic_to_shared(&tile[threadIdx.x][0]);
  if (!guarded || threadIdx.x < 16)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[threadIdx.x] = tile[threadIdx.x][0];
}
)");
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx);
  const auto in = device.zeros<float>(32), out = device.zeros<float>(32);
  device.run("turn", {1}, {32}, arguments(in, out, false));
  CHECK(counts_of(device, "turn")[Metric::shared_copy_bank_conflicts] == 31);
  device.run("turn", {1}, {32}, arguments(in, out, true));
  CHECK(counts_of(device, "turn")[Metric::shared_copy_bank_conflicts] == 31 + 15);
}

TEST_CASE("A load from a neighbour's shared memory is none of the block's own",
          "[simulator][counts]") {
  const auto ptx = compile_to_ptx(R"(
__global__ void __cluster_dims__(2) look(int* out) {
  __shared__ int box[32];
  box[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  unsigned far, value;
  const unsigned mine = __cvta_generic_to_shared(&box[31 - threadIdx.x]);
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(far) : "r"(mine), "r"(blockIdx.x ^ 1));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(far) : "memory");
  out[blockIdx.x * 32 + threadIdx.x] = value + box[threadIdx.x ^ 1];
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}
)");
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx);
  const auto out = device.zeros<int>(64);
  device.run("look", {2}, {32}, arguments(out));
  CHECK(device.download<int>(out, 64)[0] == 131 + 1);
  const Counts counts = counts_of(device, "look");
  CHECK(counts[Metric::shared_load_requests] == 2);
  CHECK(counts[Metric::shared_store_requests] == 2);
  CHECK(counts[Metric::cluster_sectors] == 2 * 4);
}

TEST_CASE("Bytes are the different ones of each request, whatever memory it reaches",
          "[simulator][counts]") {
  const auto ptx = compile_to_ptx(R"(
using u32 = unsigned;
__device__ __noinline__ u32 get(const volatile u32* p) { return *p; }
__global__ void by_requests(const u32* in, unsigned long long* out) {
  __shared__ volatile u32 s[64];
  const u32 i = threadIdx.x;
  const u32 a = ((const volatile u32*)in)[i];
  if (i % 3 == 0) s[i] = a;
  u32 b = 0;
  if (i < 8) b = get(in + i); else if (i < 20) b = get(s + i);
  asm volatile("{.reg .pred p; setp.lt.u32 p, %1, 5; @p ld.global.u8 %0, [%2];}" : "+r"(b) : "r"(i), "l"(in + i));
  volatile u32 kept[4];
  kept[i % 4] = b;
  atomicAdd((u32*)s, 1u);
  atomicMax(out + 40, (unsigned long long)i);
  out[i] = a + b + kept[a % 4];
}
)");
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx);
  const auto in = device.zeros<std::uint32_t>(64), out = device.zeros<std::uint64_t>(64);
  device.run("by_requests", {1}, {32}, arguments(in, out));
  const Counts counts = counts_of(device, "by_requests");
  CHECK(counts[Metric::global_load_bytes] == 32 * 4 + 8 * 4 + 5);
  CHECK(counts[Metric::shared_load_bytes] == 12 * 4);
  CHECK(counts[Metric::shared_store_bytes] == 11 * 4);
  CHECK(counts[Metric::local_store_bytes] == 32 * 4);
  CHECK(counts[Metric::local_load_bytes] == 32 * 4);
  CHECK(counts[Metric::shared_atomic_bytes] == 4);
  CHECK(counts[Metric::global_atomic_bytes] == 8);
  CHECK(counts[Metric::global_store_bytes] == 32 * 8);
}

TEST_CASE("What lanes share counts once, as an H200's counters have it", "[simulator][counts]") {
  const auto ptx = compile_to_ptx(R"(
using byte = unsigned char;
#define KERNEL(name) extern "C" __global__ void name(const void* in, int* out)
#define i threadIdx.x
KERNEL(load_one) { out[i] = ((const volatile int*)in)[0]; }
KERNEL(load_pairs) { out[i] = ((const volatile int*)in)[i / 2]; }
KERNEL(load_byte_of_four) { out[i] = ((const volatile byte*)in)[i / 4]; }
KERNEL(load_thirteen) { out[i] = ((const volatile byte*)in)[i * 7 % 13]; }
KERNEL(load_vector) { ((int4*)out)[i] = ((const int4*)in)[0]; }
KERNEL(load_half) { if (i % 2) out[i] = ((const volatile int*)in)[i]; }
KERNEL(store_one) { *(volatile int*)out = i; }
KERNEL(add_pairs) { atomicAdd(&out[i / 2], 1); }
KERNEL(exchange_pairs) { out[64 + i] = atomicExch(&out[i / 2], 1); }
KERNEL(shared_pairs) {
  __shared__ volatile int s[32];
  s[i] = i;
  __syncthreads();
  out[i] = s[i / 2];
}
KERNEL(shared_vectors) {
  __shared__ int4 s[32];
  s[i] = make_int4(i, 1, 2, 3);
  __syncthreads();
  const int4 v = s[i / 2];
  out[i] = v.x + v.y + v.z + v.w;
}
KERNEL(shared_exchange) {
  __shared__ int s[32];
  s[i] = 0;
  __syncthreads();
  out[i] = atomicExch(&s[i / 2], 1);
}
)");
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx);
  const auto in = device.zeros<int>(256), out = device.zeros<int>(256);
  const auto bytes = [&](const char* kernel, Metric metric) {
    device.run(kernel, {1}, {32}, arguments(in, out));
    return counts_of(device, kernel)[metric];
  };
  // smsp__sass_data_bytes_mem_* of such kernels, one warp each: H200, driver 580.159.04.
  CHECK(bytes("load_one", Metric::global_load_bytes) == 4);
  CHECK(bytes("load_pairs", Metric::global_load_bytes) == 64);
  CHECK(bytes("load_byte_of_four", Metric::global_load_bytes) == 8);
  CHECK(bytes("load_thirteen", Metric::global_load_bytes) == 13);
  CHECK(bytes("load_vector", Metric::global_load_bytes) == 16);
  CHECK(bytes("load_half", Metric::global_load_bytes) == 64);
  CHECK(bytes("store_one", Metric::global_store_bytes) == 4);
  CHECK(bytes("add_pairs", Metric::global_atomic_bytes) == 64);
  CHECK(bytes("exchange_pairs", Metric::global_atomic_bytes) == 64);
  CHECK(bytes("shared_pairs", Metric::shared_load_bytes) == 64);
  CHECK(bytes("shared_vectors", Metric::shared_load_bytes) == 256);
  CHECK(counts_of(device, "shared_vectors")[Metric::shared_store_bytes] == 512);
  CHECK(bytes("shared_exchange", Metric::shared_atomic_bytes) == 64);
}

}  // namespace counts_tests
