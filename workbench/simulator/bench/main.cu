// klab-simulator-bench: how fast the simulator is on this machine, as JSON on standard output.
// Times are the host's: the simulated GPU has none.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/api/simulator_api.h"
#include "simulator/bench/products.cuh"

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

// Numbers without order: those that `gather` and `histogram` go by.
__global__ void scatter(int n, unsigned* x) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = (i * 2654435761u >> 7) % n;
}

__global__ void gather(int n, const unsigned* at, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[at[i]];
}

__global__ void histogram(int n, const unsigned* x, unsigned* counts) {
  __shared__ unsigned bins[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[x[i] % 256], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}

__global__ void sum(int n, const float* x, float* out) {
  __shared__ float part[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
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

void configure(const std::string& settings) { klab_sim_configure(settings.c_str()); }

/// Thread instructions of one launch, as the simulator counted them.
double instructions_of(const std::function<void()>& act) {
  klab_sim_begin();
  act();
  require(cudaDeviceSynchronize(), "a counted launch");
  std::string report(klab_sim_report(nullptr, 0), '\0');
  klab_sim_report(report.data(), report.size());
  const std::string key = "\"thread_instructions\":";
  const auto found = report.find(key);
  return found == std::string::npos ? 0 : std::atof(report.c_str() + found + key.size());
}

struct Figure {
  const char* name;
  double bound_s;  // on two threads
  int launches;
  std::function<void()> act;
  bool full_checks = false;
};

/// Runs it once to warm up, then `repeats` times, and prints one figure: seconds of one launch.
void measure(const Figure& figure, int threads, int repeats) {
  configure("{\"threads\": " + std::to_string(threads) + ", \"checks\": \"" +
            (figure.full_checks ? "full" : "fast") + "\"}");
  std::string values;
  const double instructions = instructions_of(figure.act);
  for (int run = 0; run < repeats; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < figure.launches; ++i) figure.act();
    require(cudaDeviceSynchronize(), figure.name);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    values += (run > 0 ? ", " : "") + std::to_string(1e6 * took.count() / figure.launches);
  }
  std::printf(
      "%s\n  {\"name\": \"%s\", \"threads\": %d, \"bound_us\": %.1f, "
      "\"thread_instructions\": %.0f, \"values_us\": [%s]}",
      first ? "" : ",", figure.name, threads, 1e6 * figure.bound_s, instructions, values.c_str());
  std::fflush(stdout);
  first = false;
}

template <class T>
T* allocate(std::size_t n) {
  T* memory = nullptr;
  require(cudaMalloc(&memory, n * sizeof(T)), "cudaMalloc");
  require(cudaMemset(memory, 0, n * sizeof(T)), "cudaMemset");
  return memory;
}

constexpr int product_n = 512;  // of the products by tensor cores

/// A square matrix for them.
template <class T>
T* matrix() {
  constexpr int n = product_n * product_n;
  T* memory = allocate<T>(n);
  products::fill<<<n / 256, 256>>>(n, memory);
  return memory;
}

template <int m, int n, int k, class Factor, class Memory, class Sum>
std::function<void()> by_wmma() {
  constexpr int warps = 4;
  const dim3 blocks(product_n / (n * warps), product_n / m);
  return [=, a = matrix<Memory>(), b = matrix<Memory>(), c = matrix<Sum>()] {
    products::by_wmma<m, n, k, Factor><<<blocks, 32 * warps>>>(product_n, a, b, c);
  };
}
template <class Factor>
std::function<void()> by_mma() {
  using Sum = typename products::Step<Factor>::Sum;
  const dim3 blocks(product_n / products::tile, product_n / products::tile);
  return [=, a = matrix<Factor>(), b = matrix<Factor>(), c = matrix<Sum>()] {
    products::by_mma<<<blocks, 128>>>(product_n, a, b, c);
  };
}
std::function<void()> doubles_by_mma() {
  const dim3 blocks(product_n / products::tile, product_n / products::tile);
  return [=, a = matrix<double>(), b = matrix<double>(), c = matrix<double>()] {
    products::doubles_by_mma<<<blocks, 128>>>(product_n, a, b, c);
  };
}

/// One bound for all: a hundredth of the 2.2 s that such a product was reported to take when its
/// elements were multiplied one by one.
std::vector<Figure> matrix_figures() {
  namespace wmma = nvcuda::wmma;
  constexpr double bound_s = 0.022;
  return {
      {"wmma f16, n = 512", bound_s, 1, by_wmma<16, 16, 16, __half, __half, float>()},
      {"wmma tf32, n = 512", bound_s, 1, by_wmma<16, 16, 8, wmma::precision::tf32, float, float>()},
      {"wmma f64, n = 512", bound_s, 1, by_wmma<8, 8, 4, double, double, double>()},
      {"wmma s8, n = 512", bound_s, 1, by_wmma<16, 16, 16, signed char, signed char, int>()},
      {"mma f16, n = 512", bound_s, 1, by_mma<__half>()},
      {"mma bf16, n = 512", bound_s, 1, by_mma<__nv_bfloat16>()},
      {"mma tf32, n = 512", bound_s, 1, by_mma<float>()},
      {"mma f64, n = 512", bound_s, 1, doubles_by_mma()},
      {"mma s8, n = 512", bound_s, 1, by_mma<signed char>()},
  };
}

/// The bounds are those that the simulator is built to on two cores.
std::vector<Figure> figures() {
  constexpr int n = 1024, small_n = 512, large = 64 << 20, many = 1 << 20;
  float *a = make(n * n, 1), *b = make(n * n, 2), *c = make(n * n, 0);
  float *x = make(large, 1), *y = make(large, 2);
  unsigned *at = allocate<unsigned>(many), *counts = allocate<unsigned>(256);
  scatter<<<many / 256, 256>>>(many, at);
  const auto tiled = [=](int size) {
    tiled_product<16><<<dim3(size / 16, size / 16), dim3(16, 16)>>>(size, a, b, c);
  };
  return {
      {"empty launch", 5e-6, 2000, [] { empty<<<1, 32>>>(); }},
      {"register-tiled product, n = 1024", 0.5, 1,
       [=] { register_product<<<dim3(8, 8), 256>>>(n, a, b, c); }},
      {"tiled product, n = 1024", 2, 1, [=] { tiled(n); }},
      {"saxpy of 64 Mi floats", 0.5, 1, [=] { saxpy<<<large / 256, 256>>>(large, 2, x, y); }},
      {"gather of 1 Mi floats", 0.023, 1, [=] { gather<<<many / 256, 256>>>(many, at, x, y); }},
      {"histogram of 1 Mi numbers in shared memory", 0.013, 1,
       [=] { histogram<<<128, 256>>>(many, at, counts); }},
      {"sum of 1 Mi floats", 0.05, 1, [=] { sum<<<many / 256, 256>>>(many, x, y); }},
      {"tiled product, n = 512, full checks", 1.25, 1, [=] { tiled(small_n); }, true},
  };
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 5;
  if (argc > 2 || repeats < 1) {
    std::fprintf(stderr, "usage: %s [repeats]\n", argv[0]);
    return 2;
  }
  configure("{\"budget\": 0}");
  std::vector<Figure> all = figures();
  for (Figure& figure : matrix_figures()) all.push_back(std::move(figure));
  require(cudaDeviceSynchronize(), "the inputs");
  std::printf("{\"figures\": [");
  for (const int threads : {1, 2})
    for (const Figure& figure : all) measure(figure, threads, repeats);
  std::printf("\n]}\n");
  return 0;
}
