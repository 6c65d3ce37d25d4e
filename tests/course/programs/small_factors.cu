// Products of numbers too small for a normal half on the tensor core, held against the error that
// lab 19 allows. Ends with 1 where one is off by more.
#include <mma.h>

#include <cstdio>
#include <cstdlib>

#include "labs/19_tensor_cores/workload.cu"

namespace {

constexpr std::int64_t rows = 16, terms = 2;
constexpr std::int64_t columns = 2 * 0x7c00;  // one for each finite half

/// A warp for each 16 columns.
__global__ void multiply(Args args) {
  using namespace nvcuda;
  __shared__ __align__(32) __half a[16 * 16], b[16 * 16];
  __shared__ __align__(32) float c[16 * 16];
  const std::int64_t first = blockIdx.x * std::int64_t{16};
  for (int i = threadIdx.x; i < 16 * 16; i += 32) {
    a[i] = i % 16 < args.k ? args.a[i / 16 * args.k + i % 16] : __half(0);
    b[i] = i / 16 < args.k ? args.b[i / 16 * args.n + first + i % 16] : __half(0);
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> of_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> of_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(of_a, a, 16);
  wmma::load_matrix_sync(of_b, b, 16);
  wmma::mma_sync(sum, of_a, of_b, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 16 * 16; i += 32)
    args.c[i / 16 * args.n + first + i % 16] = __float2half(c[i]);
}

/// Memory that host and device share.
template <class T>
T* managed(std::int64_t count) {
  void* memory = nullptr;
  if (cudaMallocManaged(&memory, static_cast<std::size_t>(count) * sizeof(T)) != cudaSuccess)
    std::abort();
  return static_cast<T*>(memory);
}

}  // namespace

int main() {
  auto* const a = managed<__half>(rows * terms);
  auto* const b = managed<__half>(terms * columns);
  auto* const c = managed<__half>(rows * columns);
  for (std::int64_t y = 0; y < rows; ++y) {
    a[y * terms] = __float2half(ldexpf(1, -24 + static_cast<int>(y % 4)));
    a[y * terms + 1] = __float2half(ldexpf(1, -24 + static_cast<int>(y / 4) * 4));
  }
  for (std::int64_t x = 0; x < columns; ++x) {
    b[x] = __float2half(65504);
    b[columns + x] = __ushort_as_half(static_cast<unsigned short>(x / 2 | x % 2 << 15));
  }
  const Args args{a, b, c, rows, columns, terms};
  multiply<<<columns / 16, 32>>>(args);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  std::int64_t off = 0;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const Expected want = element(args, i / columns, i % columns);
    off += !accepted_as(c[i], want.value, want.tolerance);
  }
  std::printf("%lld of %lld sums are off by more than the lab allows\n",
              static_cast<long long>(off), static_cast<long long>(rows * columns));
  return off == 0 ? 0 : 1;
}
