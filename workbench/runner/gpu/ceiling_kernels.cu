// Kernels that do one thing only, as fast as the unit that does it.
#include "runner/gpu/ceiling_kernels.hpp"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "runner/device/cuda_check.hpp"

namespace klab::runner {
namespace {

constexpr int threads = 256;
/// 16-byte words each thread moves; all loads are issued before the first store, so that enough
/// bytes are in flight (Little's law: some 40 KB per multiprocessor on HBM3).
constexpr int words = 4;
constexpr std::size_t tile_bytes = threads * words * sizeof(uint4);

template <bool streaming>
__global__ void __launch_bounds__(threads) copy_tile(uint4* to, const uint4* from) {
  const std::size_t first = blockIdx.x * static_cast<std::size_t>(threads * words) + threadIdx.x;
  uint4 held[words];
#pragma unroll
  for (int i = 0; i < words; ++i)
    held[i] = streaming ? __ldcs(from + first + i * threads) : from[first + i * threads];
#pragma unroll
  for (int i = 0; i < words; ++i)
    if (streaming)
      __stcs(to + first + i * threads, held[i]);
    else
      to[first + i * threads] = held[i];
}

__global__ void __launch_bounds__(threads) read_tile(const uint4* from, unsigned* sink) {
  const std::size_t first = blockIdx.x * static_cast<std::size_t>(threads * words) + threadIdx.x;
  uint4 held[words];
  unsigned seen = 0;
#pragma unroll
  for (int i = 0; i < words; ++i) held[i] = __ldcs(from + first + i * threads);
#pragma unroll
  for (int i = 0; i < words; ++i) seen |= held[i].x ^ held[i].y ^ held[i].z ^ held[i].w;
  if (seen == 0x9E3779B9u) *sink = seen;  // a value that the memory does not hold
}

__global__ void __launch_bounds__(threads) triad_tile(float4* a, const float4* b, const float4* c) {
  const std::size_t first = blockIdx.x * static_cast<std::size_t>(threads * words) + threadIdx.x;
  float4 left[words];
  float4 right[words];
#pragma unroll
  for (int i = 0; i < words; ++i) {
    left[i] = __ldcs(b + first + i * threads);
    right[i] = __ldcs(c + first + i * threads);
  }
#pragma unroll
  for (int i = 0; i < words; ++i) {
    const float4 x = left[i];
    const float4 y = right[i];
    __stcs(a + first + i * threads,
           make_float4(x.x + 3.f * y.x, x.y + 3.f * y.y, x.z + 3.f * y.z, x.w + 3.f * y.w));
  }
}

constexpr int l2_rounds = 128;

/// Each block walks over the tiles from a place of its own, so that the blocks of a moment read all
/// over the array.
__global__ void __launch_bounds__(threads)
    read_l2_tiles(const uint4* from, unsigned tiles, unsigned* sink) {
  unsigned tile = blockIdx.x * 7 % tiles;
  unsigned seen = 0;
  for (int round = 0; round < l2_rounds; ++round) {
    const uint4* first = from + static_cast<std::size_t>(tile) * (threads * words) + threadIdx.x;
    uint4 held[words];
#pragma unroll
    for (int i = 0; i < words; ++i) held[i] = __ldcg(first + i * threads);  // not kept in the L1
#pragma unroll
    for (int i = 0; i < words; ++i) seen |= held[i].x ^ held[i].y ^ held[i].z ^ held[i].w;
    if (++tile == tiles) tile = 0;
  }
  if (seen == 0x9E3779B9u) *sink = seen;
}

constexpr int wide_block = 1024;
constexpr int l1_rounds = 512;
constexpr int l1_unroll = 16;
constexpr unsigned l1_words = l1_bytes / sizeof(uint4);

/// The place moves from load to load, so that no load can be taken for an earlier one.
__global__ void __launch_bounds__(wide_block) load_l1(const uint4* from, unsigned* sink) {
  unsigned at = threadIdx.x % l1_words;
  unsigned seen = 0;
  for (int round = 0; round < l1_rounds; ++round) {
#pragma unroll
    for (int i = 0; i < l1_unroll; ++i) {
      const uint4 held = __ldca(from + at);
      seen |= held.x ^ held.y ^ held.z ^ held.w;
      at = (at + 32) % l1_words;
    }
  }
  if (seen == 0x9E3779B9u) *sink = seen;
}

constexpr int shared_rounds = 512;
constexpr int shared_unroll = 16;

__global__ void __launch_bounds__(wide_block) load_shared(unsigned* sink) {
  __shared__ uint4 memory[wide_block];
  memory[threadIdx.x] = make_uint4(threadIdx.x, 1, 2, 3);
  __syncthreads();
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory + threadIdx.x));
  unsigned x = 0, y = 0, z = 0, w = 0;
  for (int round = 0; round < shared_rounds; ++round) {
#pragma unroll
    for (int i = 0; i < shared_unroll; ++i)  // volatile twice: for the compiler and for ptxas
      asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                   : "r"(address));
  }
  if (x + y + z + w == 0xFFFFFFFFu) *sink = x;
}

constexpr int fma_rounds = 1024;
constexpr int fma_chains = 8;  // the latency of an FMA is 4 cycles; 16 warps a scheduler hide more

__device__ float fused(float a, float b, float c) { return fmaf(a, b, c); }
__device__ double fused(double a, double b, double c) { return fma(a, b, c); }
__device__ __half2 fused(__half2 a, __half2 b, __half2 c) { return __hfma2(a, b, c); }

template <class T>
__device__ T number(float value) {
  return static_cast<T>(value);
}
/// Two different numbers: operands that hold one number twice keep the compiler from the second of
/// the two pipes that Hopper has for pairs (HFMA2.MMA), and half the rate is lost.
template <>
__device__ __half2 number<__half2>(float value) {
  return __floats2half2_rn(value, 0.75f * value);
}

__device__ bool is_negative(float value) { return value < 0; }
__device__ bool is_negative(double value) { return value < 0; }
__device__ bool is_negative(__half2 value) { return __low2float(value) < 0; }

template <class T>
__global__ void __launch_bounds__(wide_block) multiply_add(unsigned* sink) {
  T value[fma_chains];
#pragma unroll
  for (int i = 0; i < fma_chains; ++i) value[i] = number<T>(static_cast<float>(threadIdx.x + i));
  const T factor = number<T>(0.5f + 1e-6f * static_cast<float>(blockIdx.x));
  for (int round = 0; round < fma_rounds; ++round) {
#pragma unroll
    for (int repeat = 0; repeat < 4; ++repeat)
#pragma unroll
      for (int i = 0; i < fma_chains; ++i) value[i] = fused(value[i], factor, factor);
  }
  for (int i = 0; i < fma_chains; ++i)
    if (is_negative(value[i])) *sink = 1;  // never: everything added was positive
}

template <class T>
double measure_fma(int multiprocessors, unsigned* sink, cudaStream_t stream) {
  const int blocks = multiprocessors * 8;
  multiply_add<T><<<blocks, wide_block, 0, stream>>>(sink);
  check_cuda(cudaGetLastError());
  const double numbers = std::is_same_v<T, __half2> ? 2 : 1;
  return 2.0 * numbers * blocks * wide_block * fma_rounds * 4.0 * fma_chains;
}

constexpr int mma_rounds = 512;
constexpr int mma_chains = 8;
constexpr double mma_flop = 2.0 * 16 * 8 * 16;  // of one m16n8k16 instruction, per warp

__global__ void __launch_bounds__(threads) matrix_multiply(unsigned* sink) {
#if __CUDA_ARCH__ >= 800
  float sum[mma_chains][4] = {};
  // Ones and twos in bfloat16: what is multiplied does not matter, zeros would draw less power.
  std::uint32_t a[4];
  std::uint32_t b[2];
  for (auto& part : a) part = 0x3F803F80u + (threadIdx.x & 1) * 0x00800080u;
  for (auto& part : b) part = 0x3F803F80u;
  for (int round = 0; round < mma_rounds; ++round) {
#pragma unroll
    for (int i = 0; i < mma_chains; ++i)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
          "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
          : "+f"(sum[i][0]), "+f"(sum[i][1]), "+f"(sum[i][2]), "+f"(sum[i][3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
  float total = 0;
  for (const auto& part : sum) total += part[0] + part[1] + part[2] + part[3];
  if (total == -1.f) *sink = 1;
#endif
}

__global__ void do_nothing() {}

unsigned tiles(std::size_t bytes) { return static_cast<unsigned>(bytes / tile_bytes); }

}  // namespace

double copy_plain(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  copy_tile<false><<<tiles(bytes), threads, 0, stream>>>(static_cast<uint4*>(to),
                                                         static_cast<const uint4*>(from));
  check_cuda(cudaGetLastError());
  return 2.0 * static_cast<double>(bytes);
}

double copy_streaming(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  copy_tile<true><<<tiles(bytes), threads, 0, stream>>>(static_cast<uint4*>(to),
                                                        static_cast<const uint4*>(from));
  check_cuda(cudaGetLastError());
  return 2.0 * static_cast<double>(bytes);
}

double copy_by_driver(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
  return 2.0 * static_cast<double>(bytes);
}

double read_all(const void* from, std::size_t bytes, unsigned* sink, cudaStream_t stream) {
  read_tile<<<tiles(bytes), threads, 0, stream>>>(static_cast<const uint4*>(from), sink);
  check_cuda(cudaGetLastError());
  return static_cast<double>(bytes);
}

double triad(void* a, const void* b, const void* c, std::size_t bytes, cudaStream_t stream) {
  triad_tile<<<tiles(bytes), threads, 0, stream>>>(
      static_cast<float4*>(a), static_cast<const float4*>(b), static_cast<const float4*>(c));
  check_cuda(cudaGetLastError());
  return 3.0 * static_cast<double>(bytes);
}

double read_l2(int multiprocessors, const void* from, std::size_t bytes, unsigned* sink,
               cudaStream_t stream) {
  const int blocks = multiprocessors * 8;
  read_l2_tiles<<<blocks, threads, 0, stream>>>(static_cast<const uint4*>(from), tiles(bytes),
                                                sink);
  check_cuda(cudaGetLastError());
  return static_cast<double>(blocks) * l2_rounds * tile_bytes;
}

double read_l1(int multiprocessors, const void* from, unsigned* sink, cudaStream_t stream) {
  const int blocks = multiprocessors * 4;
  load_l1<<<blocks, wide_block, 0, stream>>>(static_cast<const uint4*>(from), sink);
  check_cuda(cudaGetLastError());
  return static_cast<double>(blocks) * wide_block * l1_rounds * l1_unroll * sizeof(uint4);
}

double read_shared(int multiprocessors, unsigned* sink, cudaStream_t stream) {
  const int blocks = multiprocessors * 8;
  load_shared<<<blocks, wide_block, 0, stream>>>(sink);
  check_cuda(cudaGetLastError());
  return static_cast<double>(blocks) * wide_block * shared_rounds * shared_unroll * sizeof(uint4);
}

double fp32_fma(int multiprocessors, unsigned* sink, cudaStream_t stream) {
  return measure_fma<float>(multiprocessors, sink, stream);
}

double fp16_fma(int multiprocessors, unsigned* sink, cudaStream_t stream) {
  return measure_fma<__half2>(multiprocessors, sink, stream);
}

double fp64_fma(int multiprocessors, unsigned* sink, cudaStream_t stream) {
  return measure_fma<double>(multiprocessors, sink, stream);
}

double bf16_mma(int multiprocessors, unsigned* sink, cudaStream_t stream) {
  const int blocks = multiprocessors * 16;
  matrix_multiply<<<blocks, threads, 0, stream>>>(sink);
  check_cuda(cudaGetLastError());
  return static_cast<double>(blocks) * (threads / 32.0) * mma_rounds * mma_chains * mma_flop;
}

void empty_kernel(cudaStream_t stream) {
  do_nothing<<<1, 1, 0, stream>>>();
  check_cuda(cudaGetLastError());
}

}  // namespace klab::runner
