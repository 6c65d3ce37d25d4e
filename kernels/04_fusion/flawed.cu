// out = residual + relu(scale * in + bias), one kernel for each operation.
#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

__device__ float multiply(float a, float b) { return a * b; }
__device__ float add(float a, float b) { return a + b; }
__device__ float larger(float a, float b) { return fmaxf(a, b); }

// TODO: this is correct, but slow. Make it faster and keep its results.
// out[i] = op(a[i], b[i]), or op(a[i], c) without b. A thread takes four neighbours.
template <float op(float, float)>
__global__ void apply(const float* a, const float* b, float c, float* out, std::int64_t count) {
  const std::int64_t i = 4 * (blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x);
  if (i + 4 <= count) {
    const float4 x = *reinterpret_cast<const float4*>(a + i);
    const float4 y = b ? *reinterpret_cast<const float4*>(b + i) : make_float4(c, c, c, c);
    *reinterpret_cast<float4*>(out + i) =
        make_float4(op(x.x, y.x), op(x.y, y.y), op(x.z, y.z), op(x.w, y.w));
  } else {  // the last words, fewer than four
    for (std::int64_t k = i; k < count; ++k) out[k] = op(a[k], b ? b[k] : c);
  }
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  const auto n = static_cast<unsigned>((a.count / 4 + BLOCK) / BLOCK);
  apply<multiply><<<n, BLOCK, 0, stream>>>(a.in, nullptr, a.scale, a.scratch, a.count);
  apply<add><<<n, BLOCK, 0, stream>>>(a.scratch, nullptr, a.bias, a.out, a.count);
  apply<larger><<<n, BLOCK, 0, stream>>>(a.out, nullptr, 0.0f, a.scratch, a.count);
  apply<add><<<n, BLOCK, 0, stream>>>(a.scratch, a.residual, 0.0f, a.out, a.count);
}
