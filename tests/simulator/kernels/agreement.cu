// Kernels whose counts are compared with the hardware's. The same memory accesses as the kernels
// that were measured; see h200_counts.json.
#include <cuda_runtime.h>

#include <vector>

__device__ int finished_blocks;

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void diverge(int n, int steps, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  if (threadIdx.x & 1) {
    for (int k = 0; k < steps; k++) v = v * 1.5f + 1.0f;
    y[i] = v;
  } else {
    for (int k = 0; k < steps; k++) v = v * 0.5f - 2.0f;
    y[i] = -v;
  }
}

__global__ void strided(int n, int stride, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[static_cast<size_t>(i) * stride];
}

template <int padding>
__global__ void transpose(int n, const float* in, float* out) {
  __shared__ float tile[32][32 + padding];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    tile[threadIdx.y + j][threadIdx.x] = in[static_cast<size_t>(y + j) * n + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    out[static_cast<size_t>(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

__global__ void reduce(int n, const float* x, float* out) {
  __shared__ float partial[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += x[i];
  }
  for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, o);
  if ((threadIdx.x & 31) == 0) partial[threadIdx.x >> 5] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.f;
    for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, o);
    if (threadIdx.x == 0) {
      atomicAdd(out, sum);
      atomicAdd(&finished_blocks, 1);
    }
  }
}

__global__ void local_array(int n, const int* index, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[16];
  for (int k = 0; k < 16; k++) a[k] = x[i] * k;
  a[index[i] & 15] += 1.f;
  y[i] = a[(index[i] + 3) & 15];
}

template <int T>
__global__ void tiled_product(int n, const float* a, const float* b, float* c) {
  __shared__ float as[T][T], bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += T) {
    as[ty][tx] = a[row * n + k0 + tx];
    bs[ty][tx] = b[(k0 + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < T; k++) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void __launch_bounds__(256, 2)
    register_product(int m, int n, int depth, const float* a, const float* b, float* c) {
  __shared__ float as[8][128], bs[8][128];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16;
  float acc[8][8] = {};
  a += blockIdx.y * 128 * depth;
  b += blockIdx.x * 128;
  const int a_row = t / 2, a_column = (t % 2) * 4, b_row = t / 32, b_column = (t % 32) * 4;
  for (int k0 = 0; k0 < depth; k0 += 8) {
    const float4 v = *reinterpret_cast<const float4*>(&a[a_row * depth + k0 + a_column]);
    as[a_column][a_row] = v.x;
    as[a_column + 1][a_row] = v.y;
    as[a_column + 2][a_row] = v.z;
    as[a_column + 3][a_row] = v.w;
    *reinterpret_cast<float4*>(&bs[b_row][b_column]) =
        *reinterpret_cast<const float4*>(&b[(k0 + b_row) * n + b_column]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
      float ra[8], rb[8];
#pragma unroll
      for (int i = 0; i < 8; i += 4) {
        *reinterpret_cast<float4*>(&ra[i]) = *reinterpret_cast<float4*>(&as[k][ty * 8 + i]);
        *reinterpret_cast<float4*>(&rb[i]) = *reinterpret_cast<float4*>(&bs[k][tx * 8 + i]);
      }
#pragma unroll
      for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) acc[i][j] += ra[i] * rb[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 8; j += 4) {
      const size_t row = blockIdx.y * 128 + ty * 8 + i;
      *reinterpret_cast<float4*>(&c[row * n + blockIdx.x * 128 + tx * 8 + j]) =
          *reinterpret_cast<float4*>(&acc[i][j]);
    }
  }
}

__global__ void lane_trips(int n, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = 0, k = x[i];
  while (k > 0) {
    v += k * k;
    k--;
  }
  y[i] = v;
}

namespace {

/// Device memory with defined contents: zeros, or small whole numbers from the index.
template <class T>
T* make(size_t n, int modulus = 0) {
  T* device = nullptr;
  cudaMalloc(&device, n * sizeof(T));
  std::vector<T> host(n);
  for (size_t i = 0; i < n && modulus != 0; i++) host[i] = static_cast<T>(i * 7 % modulus);
  cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

}  // namespace

extern "C" {

int run_saxpy() {
  saxpy<<<40, 256>>>(10000, 2.5f, make<float>(10000, 13), make<float>(10000, 7));
  return cudaDeviceSynchronize();
}
int run_diverge() {
  diverge<<<79, 128>>>(10000, 10, make<float>(10000, 13), make<float>(10000));
  return cudaDeviceSynchronize();
}
int run_strided() {
  strided<<<40, 256>>>(10000, 8, make<float>(80000, 13), make<float>(10000));
  return cudaDeviceSynchronize();
}
int run_transpose() {
  transpose<0><<<dim3(8, 8), dim3(32, 8)>>>(256, make<float>(65536, 13), make<float>(65536));
  return cudaDeviceSynchronize();
}
int run_transpose_padded() {
  transpose<1><<<dim3(8, 8), dim3(32, 8)>>>(256, make<float>(65536, 13), make<float>(65536));
  return cudaDeviceSynchronize();
}
int run_reduce() {
  reduce<<<64, 256>>>(100000, make<float>(100000, 13), make<float>(1));
  return cudaDeviceSynchronize();
}
int run_local_array() {
  local_array<<<79, 128>>>(10000, make<int>(10000, 13), make<float>(10000, 11), make<float>(10000));
  return cudaDeviceSynchronize();
}
int run_tiled_product() {
  tiled_product<16><<<dim3(16, 16), dim3(16, 16)>>>(256, make<float>(65536, 13),
                                                    make<float>(65536, 7), make<float>(65536));
  return cudaDeviceSynchronize();
}
int run_register_product() {
  register_product<<<dim3(2, 2), 256>>>(256, 256, 256, make<float>(65536, 13),
                                        make<float>(65536, 7), make<float>(65536));
  return cudaDeviceSynchronize();
}
int run_lane_trips() {
  std::vector<int> trips(10240);
  for (int i = 0; i < 10240; i++) trips[i] = i % 32;
  int* x = make<int>(10240);
  cudaMemcpy(x, trips.data(), trips.size() * sizeof(int), cudaMemcpyHostToDevice);
  lane_trips<<<40, 256>>>(10240, x, make<int>(10240));
  return cudaDeviceSynchronize();
}

}  // extern "C"
