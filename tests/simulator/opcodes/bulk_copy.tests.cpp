// Bulk copies of bytes, and what libraries make of cuda::memcpy_async with them.
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <array>
#include <cmath>
#include <numeric>

#include "simulator/kernel_harness.hpp"
#include "simulator/mbarrier_source.hpp"

using namespace klab::sim;
using namespace klab::sim::test;
using Catch::Matchers::ContainsSubstring;

namespace bulk_copy_tests {
namespace {

constexpr const char* source = R"(
// One thread fetches a tile and asks for `announced` bytes; all threads use it, and one stores it.
__global__ void reverse(const int* in, int* out, unsigned bytes, unsigned announced, int waits) {
  __shared__ alignas(128) int tile[1024];
  __shared__ alignas(128) int turned[1024];
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(&bar)));
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(&bar)), "r"(announced));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" :: "r"(at(tile)), "l"(in), "r"(bytes), "r"(at(&bar)) : "memory");
  }
  if (waits) wait_for(at(&bar), 0);
  int n = bytes / 4;
  for (int i = threadIdx.x; i < n; i += blockDim.x) turned[i] = tile[n - 1 - i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(out), "r"(at(turned)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}
__global__ void __cluster_dims__(2) push(int* out) {
  __shared__ int theirs[64];
  unsigned rank, target;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(target) : "r"(at(theirs + threadIdx.x)), "r"(rank ^ 1));
  asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(target), "r"(rank * 1000 + threadIdx.x) : "memory");
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  out[rank * 64 + threadIdx.x] = theirs[threadIdx.x];
}
// The block of rank 0 brings 256 bytes to those of ranks 1 and 3.
__global__ void __cluster_dims__(4) bring_to_several(const int* in, int* out, int waits) {
  __shared__ alignas(16) int tile[64];
  __shared__ unsigned long long bar;
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  tile[threadIdx.x] = -1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(&bar)));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at(&bar)), "r"(rank % 2 * 256));
  }
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  if (rank == 0 && threadIdx.x == 0)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 256, [%2], %3;"
                 :: "r"(at(tile)), "l"(in), "r"(at(&bar)), "h"((unsigned short)10) : "memory");
  if (waits) wait_for(at(&bar), 0);
  out[rank * 64 + threadIdx.x] = tile[threadIdx.x];
}
__global__ void __cluster_dims__(2) send(int* out) {
  __shared__ alignas(16) int own[64], theirs[64];
  __shared__ unsigned long long bar;
  unsigned rank, target, barrier;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  own[threadIdx.x] = rank * 1000 + threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(&bar)));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" :: "r"(at(&bar)));
  }
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  if (threadIdx.x == 0) {
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(target) : "r"(at(theirs)), "r"(rank ^ 1));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier) : "r"(at(&bar)), "r"(rank ^ 1));
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" :: "r"(target), "r"(at(own)), "r"(barrier) : "memory");
  }
  wait_for(at(&bar), 0);
  out[rank * 64 + threadIdx.x] = theirs[threadIdx.x];
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}
// Each block reduces what its threads hold into the same 64 elements.
template <class T> __global__ void reduce_all(T* sum, T* least, T* inc, T* bits, T scale) {
  __shared__ alignas(16) T own[64];
  own[threadIdx.x] = T(threadIdx.x + blockIdx.x) * scale;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
#define REDUCE(into, how) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." how " [%0], [%1], %2;" :: "l"(into), "r"(at(own)), "r"((unsigned)sizeof own) : "memory")
    if constexpr (sizeof(T) == 4 && T(0.5f) == T(0)) {
      REDUCE(sum, "add.u32"); REDUCE(least, "min.s32"); REDUCE(inc, "inc.u32"); REDUCE(bits, "or.b32");
    } else if constexpr (sizeof(T) == 8 && T(0.5f) == T(0)) {
      REDUCE(sum, "add.u64"); REDUCE(least, "max.s64"); REDUCE(bits, "xor.b64");
    } else if constexpr (sizeof(T) == 4) {
      REDUCE(sum, "add.f32");
    } else {
      REDUCE(sum, "add.f64");
    }
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
template __global__ void reduce_all(int*, int*, int*, int*, int);
template __global__ void reduce_all(long long*, long long*, long long*, long long*, long long);
template __global__ void reduce_all(float*, float*, float*, float*, float);
template __global__ void reduce_all(double*, double*, double*, double*, double);
// Small floats: bits of halves and bfloat16.
__global__ void reduce_small(unsigned short* sum, unsigned short* most, unsigned short half, unsigned short bfloat) {
  __shared__ alignas(16) unsigned short own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = threadIdx.x < 8 ? half : bfloat;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
#define SMALL(into, from, how) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." how " [%0], [%1], 16;" :: "l"(into), "r"(at(from)) : "memory")
    SMALL(sum, own, "add.noftz.f16"); SMALL(sum + 8, own + 8, "add.noftz.bf16");
    SMALL(most, own, "max.f16"); SMALL(most + 8, own + 8, "min.bf16");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
// Into the other block's shared memory.
__global__ void __cluster_dims__(2) reduce_abroad(int* out) {
  __shared__ alignas(16) int own[64], theirs[64];
  __shared__ unsigned long long bar;
  unsigned rank, target, barrier;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  own[threadIdx.x] = rank * 1000 + threadIdx.x;
  theirs[threadIdx.x] = 7;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(&bar)));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" :: "r"(at(&bar)));
  }
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  if (threadIdx.x == 0) {
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(target) : "r"(at(theirs)), "r"(rank ^ 1));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier) : "r"(at(&bar)), "r"(rank ^ 1));
    asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32 [%0], [%1], 256, [%2];" :: "r"(target), "r"(at(own)), "r"(barrier) : "memory");
  }
  wait_for(at(&bar), 0);
  out[rank * 64 + threadIdx.x] = theirs[threadIdx.x];
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}
)";

std::string kernels() {
  static const auto text = compile_to_ptx(mbarrier_source + std::string(source));
  if (!text) SKIP("no nvcc");
  return *text;
}

struct Turned {
  LaunchResult result;
  std::vector<int> out;
  Counts counts;
};
Turned reverse(std::uint32_t bytes, std::uint32_t announced, bool waits, std::uint64_t skew = 0,
               std::size_t given = 1024) {
  Loaded device(kernels());
  std::vector<int> values(given);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
  const auto in = device.upload(values), out = device.zeros<int>(1024);
  Turned turned;
  turned.result =
      device.launch("reverse", {1}, {128}, arguments(in + skew, out, bytes, announced, int{waits}),
                    {.instruction_budget = 1'000'000, .checks = Checks::full});
  turned.out = device.download<int>(out, 1024);
  turned.counts = device.kernel("reverse").counts().total;
  return turned;
}

}  // namespace

TEST_CASE("A bulk copy brings a tile that an mbarrier announces, and takes one back",
          "[simulator][bulk]") {
  const std::uint32_t bytes = GENERATE(16u, 1040u, 4096u);
  const Turned turned = reverse(bytes, bytes, true);
  if (turned.result.fault) FAIL(turned.result.fault->message);
  for (const Finding& finding : turned.result.findings) FAIL_CHECK(finding.message);
  const int count = static_cast<int>(bytes / 4);
  for (int i = 0; i < count; ++i) REQUIRE(turned.out[i] == count - 1 - i);
  for (int i = count; i < 1024; ++i) REQUIRE(turned.out[i] == 0);
  // Both ways; no load and no store of global memory had a part in it.
  CHECK(turned.counts[Metric::bulk_sectors] == 2 * ((bytes + 31) / 32));
  CHECK(turned.counts[Metric::bulk_requests] == 2);  // however many bytes each moves
  CHECK(turned.counts[Metric::global_load_sectors] == 0);
  CHECK(turned.counts[Metric::global_store_sectors] == 0);
}

TEST_CASE("What a bulk copy brings is not there before it was waited for", "[simulator][bulk]") {
  const Turned turned = reverse(4096, 4096 + 16, false);
  REQUIRE(!turned.result.findings.empty());
  CHECK_THAT(turned.result.findings[0].message, ContainsSubstring("shared memory at offset"));
}

TEST_CASE("A barrier that awaits more bytes than come never opens", "[simulator][bulk]") {
  const Turned turned = reverse(1024, 1040, true);
  REQUIRE(turned.result.fault);
  CHECK(turned.result.fault->code == FaultCode::barrier_deadlock);
}

TEST_CASE("Bulk copies must be multiples of 16 bytes, aligned so, and inside what is allocated",
          "[simulator][bulk]") {
  const Turned odd = reverse(1028, 1028, true);
  REQUIRE(odd.result.fault);
  CHECK(odd.result.fault->code == FaultCode::misaligned_address);
  CHECK_THAT(odd.result.fault->message, ContainsSubstring("multiple of 16"));
  const Turned skewed = reverse(1024, 1024, true, 4);
  REQUIRE(skewed.result.fault);
  CHECK(skewed.result.fault->code == FaultCode::misaligned_address);
  const Turned beyond = reverse(1024, 1024, true, 0, 128);
  REQUIRE(beyond.result.fault);
  CHECK(beyond.result.fault->code == FaultCode::illegal_address);
  const Turned too_much = reverse(1u << 20, 1u << 19, true, 0, 1u << 19);
  REQUIRE(too_much.result.fault);
  CHECK(too_much.result.fault->code == FaultCode::illegal_address);
  CHECK_THAT(too_much.result.fault->message, ContainsSubstring("shared"));
}

TEST_CASE("What another block of the cluster wrote to shared memory is written",
          "[simulator][bulk]") {
  const char* kernel = GENERATE("send", "push");  // by bulk copies, by plain stores
  Loaded device(kernels());
  const auto out = device.zeros<int>(128);
  const LaunchResult result = device.launch(
      kernel, {2}, {64}, arguments(out), {.instruction_budget = 1'000'000, .checks = Checks::full});
  if (result.fault) FAIL(result.fault->message);
  for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  const auto got = device.download<int>(out, 128);
  for (int i = 0; i < 64; ++i) {
    CHECK(got[i] == 1000 + i);
    CHECK(got[64 + i] == i);
  }
}

TEST_CASE("A bulk copy brings the same to several blocks of a cluster, and reads it once",
          "[simulator][bulk]") {
  const int waits = GENERATE(1, 0);
  Loaded device(kernels());
  std::vector<int> given(64);
  std::iota(given.begin(), given.end(), 5);
  const auto in = device.upload(given), out = device.zeros<int>(256);
  const LaunchResult result =
      device.launch("bring_to_several", {4}, {64}, arguments(in, out, waits),
                    {.instruction_budget = 1'000'000, .checks = Checks::full});
  if (result.fault) FAIL(result.fault->message);
  CHECK(result.findings.empty() == (waits != 0));
  if (waits == 0) return;
  const auto got = device.download<int>(out, 256);
  for (int i = 0; i < 256; ++i) CHECK(got[i] == (i / 64 % 2 == 1 ? i % 64 + 5 : -1));
  CHECK(device.kernel("bring_to_several").counts().total[Metric::bulk_sectors] == 8);
}

namespace {

constexpr std::uint32_t blocks = 40;

// What the blocks made of 64 zeros each: sum, least or most, count and bits.
template <class T>
std::array<std::vector<T>, 4> reduced(const char* kernel, T scale) {
  Loaded device(kernels(), 2);
  std::uint64_t at[4];
  for (std::uint64_t& one : at) one = device.zeros<T>(64);
  const LaunchResult result =
      device.launch(kernel, {blocks}, {64}, arguments(at[0], at[1], at[2], at[3], scale),
                    {.instruction_budget = 1'000'000, .checks = Checks::full});
  if (result.fault) FAIL(result.fault->message);
  for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  std::array<std::vector<T>, 4> out;
  for (std::size_t i = 0; i < 4; ++i) out[i] = device.download<T>(at[i], 64);
  return out;
}
template <class T>
T sum_of(int thread, T scale) {
  T sum = 0;
  for (std::uint32_t block = 0; block < blocks; ++block)
    sum += static_cast<T>(thread + static_cast<int>(block)) * scale;
  return sum;
}

}  // namespace

TEST_CASE("A bulk copy that reduces adds up what all blocks bring, whatever else it is asked",
          "[simulator][bulk]") {
  const auto ints = reduced<int>("reduce_allIi", -3);
  const auto longs = reduced<long long>("reduce_allIx", 5'000'000'000);
  const auto floats = reduced<float>("reduce_allIf", 0.25f);
  const auto doubles = reduced<double>("reduce_allId", 0.1);
  for (int i = 0; i < 64; ++i) {
    CHECK(ints[0][i] == sum_of(i, -3));
    CHECK(ints[1][i] == -3 * (i + static_cast<int>(blocks) - 1));
    int count = 0, bits = 0;
    long long flipped = 0;
    for (std::uint32_t block = 0; block < blocks; ++block) {
      const auto value = static_cast<unsigned>(-3 * (i + static_cast<int>(block)));
      count = static_cast<unsigned>(count) >= value ? 0 : count + 1;
      bits |= static_cast<int>(value);
      flipped ^= 5'000'000'000 * (i + static_cast<int>(block));
    }
    CHECK(ints[3][i] == bits);
    if (i > 0) CHECK(ints[2][i] == count);  // zero once, and blocks come in any order
    CHECK(longs[0][i] == sum_of(i, 5'000'000'000ll));
    CHECK(longs[1][i] == 5'000'000'000 * (i + static_cast<int>(blocks) - 1));
    CHECK(longs[3][i] == flipped);
    CHECK(floats[0][i] == sum_of(i, 0.25f));
    CHECK(std::abs(doubles[0][i] - sum_of(i, 0.1)) < 1e-9);
  }
}

TEST_CASE("A bulk copy that reduces knows halves and bfloat16, and other blocks' shared memory",
          "[simulator][bulk]") {
  Loaded device(kernels());
  const auto sum = device.zeros<std::uint16_t>(16), most = device.zeros<std::uint16_t>(16);
  // 1.5 as a half, -2 as a bfloat16.
  device.run("reduce_small", {1}, {32},
             arguments(sum, most, std::uint16_t{0x3e00}, std::uint16_t{0xc000}));
  device.run("reduce_small", {1}, {32},
             arguments(sum, most, std::uint16_t{0x3e00}, std::uint16_t{0xc000}));
  const auto sums = device.download<std::uint16_t>(sum, 16),
             mosts = device.download<std::uint16_t>(most, 16);
  for (int i = 0; i < 8; ++i) {
    CHECK(sums[i] == 0x4200);      // 3
    CHECK(sums[8 + i] == 0xc080);  // -4
    CHECK(mosts[i] == 0x3e00);
    CHECK(mosts[8 + i] == 0xc000);
  }
  const auto out = device.zeros<int>(128);
  const LaunchResult result =
      device.launch("reduce_abroad", {2}, {64}, arguments(out),
                    {.instruction_budget = 1'000'000, .checks = Checks::full});
  if (result.fault) FAIL(result.fault->message);
  for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  const auto got = device.download<int>(out, 128);
  for (int i = 0; i < 64; ++i) {
    CHECK(got[i] == 1007 + i);
    CHECK(got[64 + i] == 7 + i);
  }
}

#undef REDUCE
#undef SMALL

}  // namespace bulk_copy_tests
