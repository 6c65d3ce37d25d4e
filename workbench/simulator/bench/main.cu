// klab-simulator-bench: how fast the simulator is on this machine, as JSON on standard output.
// Times are the host's: the simulated GPU has none.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "simulator/api/simulator_api.h"

namespace {

__global__ void empty() {}

__global__ void fill(long long n, float value, float* x) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < n) x[i] = value;
}

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
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
    register_product(int n, const float* a, const float* b, float* c) {
  __shared__ float as[8][128], bs[8][128];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16;
  float acc[8][8] = {};
  a += blockIdx.y * 128 * n;
  b += blockIdx.x * 128;
  const int a_row = t / 2, a_column = (t % 2) * 4, b_row = t / 32, b_column = (t % 32) * 4;
  for (int k0 = 0; k0 < n; k0 += 8) {
    const float4 v = *reinterpret_cast<const float4*>(&a[a_row * n + k0 + a_column]);
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
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) acc[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j += 4) {
      const size_t row = blockIdx.y * 128 + ty * 8 + i;
      *reinterpret_cast<float4*>(&c[row * n + blockIdx.x * 128 + tx * 8 + j]) =
          *reinterpret_cast<float4*>(&acc[i][j]);
    }
}

void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// Device memory of n floats, all of one value.
float* make(long long n, float value) {
  float* memory = nullptr;
  require(cudaMalloc(&memory, n * sizeof(float)), "cudaMalloc");
  fill<<<static_cast<unsigned>((n + 255) / 256), 256>>>(n, value, memory);
  require(cudaDeviceSynchronize(), "fill");
  return memory;
}

bool first = true;

/// Runs `act` once to warm up, then `repeats` times, and prints one figure: seconds of one launch.
void measure(const char* name, double bound_s, int launches, int repeats,
             const std::function<void()>& act) {
  std::string values;
  for (int run = 0; run <= repeats; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i) act();
    require(cudaDeviceSynchronize(), name);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (run > 0) values += (run > 1 ? ", " : "") + std::to_string(1e6 * took.count() / launches);
  }
  std::printf("%s\n  {\"name\": \"%s\", \"bound_us\": %.1f, \"values_us\": [%s]}", first ? "" : ",",
              name, 1e6 * bound_s, values.c_str());
  std::fflush(stdout);
  first = false;
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 5;
  if (threads < 1 || repeats < 1) {
    std::fprintf(stderr, "usage: %s [threads [repeats]]\n", argv[0]);
    return 2;
  }
  klab_sim_configure(("{\"threads\": " + std::to_string(threads) + ", \"budget\": 0}").c_str());
  std::printf("{\"threads\": %d, \"figures\": [", threads);
  // The bounds are those that the simulator is built to on two cores.
  measure("empty launch", 5e-6, 2000, repeats, [] { empty<<<1, 32>>>(); });
  constexpr int n = 1024, large = 64 << 20;
  float *a = make(n * n, 1), *b = make(n * n, 2), *c = make(n * n, 0);
  measure("register-tiled product, n = 1024", 0.5, 1, repeats,
          [&] { register_product<<<dim3(8, 8), 256>>>(n, a, b, c); });
  measure("tiled product, n = 1024", 2, 1, repeats,
          [&] { tiled_product<16><<<dim3(64, 64), dim3(16, 16)>>>(n, a, b, c); });
  float *x = make(large, 1), *y = make(large, 2);
  measure("saxpy of 64 Mi floats", 0.5, 1, repeats,
          [&] { saxpy<<<large / 256, 256>>>(large, 2, x, y); });
  std::printf("\n]}\n");
  return 0;
}
