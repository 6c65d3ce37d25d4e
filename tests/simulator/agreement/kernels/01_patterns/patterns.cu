// Kernels on which the simulator's counts and results are compared with a GPU's, one for each
// pattern. Their order is that of plan.json. Results are exact, so both sides must write the same.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "contract.cuh"

namespace {

// --- Access to global memory ---------------------------------------------------------------------

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void strided(int n, int stride, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[static_cast<size_t>(i) * stride];
}

/// Copies with one access of T a thread, `offset` elements from the beginning.
template <class T>
__global__ void copy(int n, int offset, const T* x, T* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i + offset] = x[i + offset];
}

__global__ void gather(int n, const int* k, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[k[i] & 0xffff];
}

__global__ void local_array(int n, const int* index, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[16];
  for (int k = 0; k < 16; k++) a[k] = x[i] * k;
  a[index[i] & 15] += 1.f;
  y[i] = a[(index[i] + 3) & 15];
}

__global__ void count_in_global(int n, const int* k, unsigned* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[k[i] & 255], 1u);
}

// --- Access to shared memory ---------------------------------------------------------------------

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

/// Each thread writes and reads elements of T, `stride` elements apart from its neighbour's.
template <class T>
__global__ void shared_stride(int stride, const T* in, T* out) {
  __shared__ T tile[1024];
  const int at = threadIdx.x * stride & 1023;
  tile[at] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = tile[(threadIdx.x ^ 1) * stride & 1023];
}

/// Groups of lanes read the same 16 bytes.
__global__ void shared_broadcast(int lanes, const float4* in, float4* out) {
  __shared__ float4 tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x / lanes];
}

__global__ void count_in_shared(int n, const int* k, unsigned* bins) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[k[i] & 255], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
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
    register_product(int n, int depth, const float* a, const float* b, float* c) {
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

// --- Control flow and exchange between lanes -----------------------------------------------------

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

__global__ void lane_trips(const int* trips, unsigned* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = 0, k = trips[i] & 31;
  while (k > 0) {
    v += k * k;
    k--;
  }
  y[i] = v;
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
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

__global__ void scan(const int* k, unsigned* y) {
  __shared__ unsigned sums[2][256];
  const int t = threadIdx.x;
  sums[0][t] = k[blockIdx.x * 256 + t] & 0xff;
  int side = 0;
  for (int step = 1; step < 256; step *= 2) {
    __syncthreads();
    sums[1 - side][t] = sums[side][t] + (t >= step ? sums[side][t - step] : 0);
    side = 1 - side;
  }
  y[blockIdx.x * 256 + t] = sums[side][t];
}

__global__ void exchange(const int* k, unsigned* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned all = 0xffffffffu;
  const unsigned v = k[i];
  unsigned mixed = __ballot_sync(all, v & 1);
  mixed ^= __match_any_sync(all, v & 7);
  mixed += __shfl_xor_sync(all, v, 5) ^ __shfl_sync(all, v, v & 31);
  mixed ^= __shfl_up_sync(all, v, 3, 16) + __any_sync(all, (v & 63) == 0);
#if __CUDA_ARCH__ >= 800
  mixed += __reduce_add_sync(all, v) ^ __reduce_xor_sync(all, v >> 3);
#endif
  y[i] = mixed;
}

// --- Arithmetic ----------------------------------------------------------------------------------

__global__ void integers(const int* k, unsigned* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned a = k[i], b = k[i + 32768], c = k[i + 65536] | 1;
  const unsigned long long wide = (static_cast<unsigned long long>(a) << 32 | b) * c;
  unsigned v = __umulhi(a, b) + __byte_perm(a, b, c & 0x7777) + __funnelshift_l(a, b, c);
  v ^= __popc(a) + (__brev(b) >> 3) + __clz(a & b) * 5 + __ffs(b) * 7;
  v += __dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c));
  v ^= static_cast<unsigned>(wide / c) + static_cast<unsigned>(wide % (a | 1));
  v += static_cast<int>(a) / static_cast<int>(c) + static_cast<int>(a) % static_cast<int>(c);
  v ^= __sad(static_cast<int>(a), static_cast<int>(b), c) + __vadd4(a, b);
  y[i] = v + static_cast<unsigned>(wide >> 40);
}

/// Floats of many magnitudes, denormals and infinities among them; only operations that IEEE 754
/// rounds exactly.
__global__ void floats(const int* k, unsigned* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float a = __int_as_float(k[i]), b = __int_as_float(k[i + 32768]);
  const float c = __int_as_float(k[i + 65536]);
  const float values[] = {__fmaf_rn(a, b, c), __fmaf_rz(a, b, c), __fadd_rd(a, b), __fmul_ru(a, b),
                          __fdiv_rn(a, b),    __fsqrt_rn(a),      __frcp_rn(b),    truncf(c)};
  unsigned v = 0;
  // A NaN is a NaN, whatever its payload.
  for (const float value : values)
    v = v * 31 + (isnan(value) ? 1u : static_cast<unsigned>(__float_as_int(value)));
  y[i] = v + __float2int_rd(b) + __float2uint_rn(c) + __float2half_rn(a).operator __half_raw().x;
}

__global__ void doubles(const int* k, unsigned* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double a = __hiloint2double(k[i], k[i + 1]), b = __hiloint2double(k[i + 32768], 7);
  const double c = __hiloint2double(k[i + 65536], k[i]);
  const double values[] = {__fma_rn(a, b, c), __dadd_rz(a, c), __dmul_rd(a, b),
                           __ddiv_rn(a, b),   __dsqrt_rn(c),   floor(a)};
  unsigned long long v = 0;
  for (const double value : values)
    v = v * 31 +
        (isnan(value) ? 1ull : static_cast<unsigned long long>(__double_as_longlong(value)));
  y[i] = static_cast<unsigned>(v >> 32) ^ static_cast<unsigned>(v) ^
         static_cast<unsigned>(__double2int_rn(c));
}

__global__ void halves(const float* x, unsigned* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 a = __floats2half2_rn(x[i] + 0.125f, -x[i + 1]), b = __float2half2_rn(x[i + 2]);
  const __half2 h = __hadd2(__hfma2(a, b, a), __hmul2(b, b));
  const __nv_bfloat162 c = __floats2bfloat162_rn(x[i] + 0.1f, x[i + 3] * 0.3f);
  const __nv_bfloat162 g = __hfma2(c, c, __hneg2(c));
  y[i] = *reinterpret_cast<const unsigned*>(&h) ^ *reinterpret_cast<const unsigned*>(&g);
}

/// A 16 x 16 x 16 product of small whole numbers on the tensor cores, a warp each.
__global__ void matrices(const float* x, float* y) {
  using namespace nvcuda;
  __shared__ __half tiles[2][256];
  for (int i = threadIdx.x; i < 256; i += 32) {
    tiles[0][i] = __float2half(x[blockIdx.x * 256 + i]);
    tiles[1][i] = __float2half(x[65536 + blockIdx.x * 256 + i]);
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 1.0f);
  wmma::load_matrix_sync(a, tiles[0], 16);
  wmma::load_matrix_sync(b, tiles[1], 16);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(y + blockIdx.x * 256, c, 16, wmma::mem_row_major);
}

// --- What the host does --------------------------------------------------------------------------

__global__ void add_one(unsigned* y) { y[threadIdx.x] += 1; }

/// Copies in every direction, waits, a fill, and the same kernel launched directly and by a graph.
void use_host(const Args& args, cudaStream_t stream) {
  int word[64] = {};
  cudaMemcpyAsync(args.y, args.k, 4096, cudaMemcpyDeviceToDevice, stream);
  cudaMemsetAsync(args.y + 1024, 3, 512, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(word, args.k, sizeof(word), cudaMemcpyDeviceToHost);
  cudaMemcpy(args.y + 2048, word, sizeof(word), cudaMemcpyHostToDevice);
  for (int i = 0; i < 3; i++) add_one<<<1, 128, 0, stream>>>(args.y);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  for (int i = 0; i < 4; i++) add_one<<<1, 64, 0, stream>>>(args.y);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  for (int i = 0; i < 2; i++) cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}

using Launch = void (*)(const Args&, cudaStream_t);

template <class T>
const T* as(const float* x) {
  return reinterpret_cast<const T*>(x);
}
template <class T>
T* as(unsigned* y) {
  return reinterpret_cast<T*>(y);
}

const Launch patterns[] = {
    [](const Args& a, cudaStream_t s) {
      saxpy<<<40, 256, 0, s>>>(10000, 2.5f, a.x, as<float>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      strided<<<40, 256, 0, s>>>(10000, 8, a.x, as<float>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      strided<<<79, 128, 0, s>>>(10000, 3, a.x, as<float>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      copy<<<21, 48, 0, s>>>(1000, 0, as<unsigned char>(a.x), as<unsigned char>(a.y));
    },
    [](const Args& a, cudaStream_t s) { copy<<<40, 256, 0, s>>>(10000, 1, a.x, as<float>(a.y)); },
    [](const Args& a, cudaStream_t s) {
      copy<<<40, 256, 0, s>>>(10000, 0, as<float2>(a.x), as<float2>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      copy<<<40, 256, 0, s>>>(10000, 0, as<float4>(a.x), as<float4>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      gather<<<40, 256, 0, s>>>(10000, a.k, a.x, as<float>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      local_array<<<79, 128, 0, s>>>(10000, a.k, a.x, as<float>(a.y));
    },
    [](const Args& a, cudaStream_t s) { count_in_global<<<40, 256, 0, s>>>(10000, a.k, a.y); },
    [](const Args& a, cudaStream_t s) {
      transpose<0><<<dim3(8, 8), dim3(32, 8), 0, s>>>(256, a.x, as<float>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      transpose<1><<<dim3(8, 8), dim3(32, 8), 0, s>>>(256, a.x, as<float>(a.y));
    },
    [](const Args& a, cudaStream_t s) { shared_stride<<<8, 128, 0, s>>>(2, a.x, as<float>(a.y)); },
    [](const Args& a, cudaStream_t s) {
      shared_stride<<<8, 128, 0, s>>>(1, as<float2>(a.x), as<float2>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      shared_stride<<<8, 128, 0, s>>>(4, as<float2>(a.x), as<float2>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      shared_stride<<<8, 128, 0, s>>>(1, as<float4>(a.x), as<float4>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      shared_stride<<<8, 128, 0, s>>>(2, as<float4>(a.x), as<float4>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      shared_broadcast<<<8, 128, 0, s>>>(2, as<float4>(a.x), as<float4>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      shared_broadcast<<<8, 128, 0, s>>>(16, as<float4>(a.x), as<float4>(a.y));
    },
    [](const Args& a, cudaStream_t s) { count_in_shared<<<8, 256, 0, s>>>(10000, a.k, a.y); },
    [](const Args& a, cudaStream_t s) {
      tiled_product<16>
          <<<dim3(16, 16), dim3(16, 16), 0, s>>>(256, a.x, a.x + 65536, as<float>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      register_product<<<dim3(2, 2), 256, 0, s>>>(256, 256, a.x, a.x + 65536, as<float>(a.y));
    },
    [](const Args& a, cudaStream_t s) {
      diverge<<<79, 128, 0, s>>>(10000, 10, a.x, as<float>(a.y));
    },
    [](const Args& a, cudaStream_t s) { lane_trips<<<40, 256, 0, s>>>(a.k, a.y); },
    [](const Args& a, cudaStream_t s) { reduce<<<64, 256, 0, s>>>(100000, a.x, as<float>(a.y)); },
    [](const Args& a, cudaStream_t s) { scan<<<16, 256, 0, s>>>(a.k, a.y); },
    [](const Args& a, cudaStream_t s) { exchange<<<16, 256, 0, s>>>(a.k, a.y); },
    [](const Args& a, cudaStream_t s) { integers<<<64, 256, 0, s>>>(a.k, a.y); },
    [](const Args& a, cudaStream_t s) { floats<<<64, 256, 0, s>>>(a.k, a.y); },
    [](const Args& a, cudaStream_t s) { doubles<<<64, 256, 0, s>>>(a.k, a.y); },
    [](const Args& a, cudaStream_t s) { halves<<<64, 256, 0, s>>>(a.x, a.y); },
    [](const Args& a, cudaStream_t s) { matrices<<<16, 32, 0, s>>>(a.x, as<float>(a.y)); },
    use_host,
};

}  // namespace

extern "C" void launch(const Args& args, cudaStream_t stream) {
  constexpr long long count = sizeof(patterns) / sizeof(patterns[0]);
  if (args.pattern >= 1 && args.pattern <= count) patterns[args.pattern - 1](args, stream);
}
