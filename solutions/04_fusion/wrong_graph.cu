// Rejected by: cause — one launch of a graph, but still four kernels and all their memory traffic
#include "contract.cuh"

#include <cstring>

namespace {

__device__ std::int64_t index() {
  return blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
}

__global__ void multiply(const float* in, float* out, float factor, std::int64_t count) {
  if (index() < count) out[index()] = in[index()] * factor;
}

__global__ void add_constant(const float* in, float* out, float constant, std::int64_t count) {
  if (index() < count) out[index()] = in[index()] + constant;
}

__global__ void relu(const float* in, float* out, std::int64_t count) {
  if (index() < count) out[index()] = fmaxf(in[index()], 0.0f);
}

__global__ void add(const float* a, const float* b, float* out, std::int64_t count) {
  if (index() < count) out[index()] = a[index()] + b[index()];
}

Args recorded{};
cudaGraphExec_t graph = nullptr;

void record(const Args& a) {
  if (graph != nullptr) cudaGraphExecDestroy(graph);
  const auto blocks = static_cast<unsigned>((a.count + 255) / 256);
  cudaStream_t stream;
  cudaGraph_t kernels;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  multiply<<<blocks, 256, 0, stream>>>(a.in, a.scratch, a.scale, a.count);
  add_constant<<<blocks, 256, 0, stream>>>(a.scratch, a.out, a.bias, a.count);
  relu<<<blocks, 256, 0, stream>>>(a.out, a.scratch, a.count);
  add<<<blocks, 256, 0, stream>>>(a.scratch, a.residual, a.out, a.count);
  cudaStreamEndCapture(stream, &kernels);
  cudaGraphInstantiate(&graph, kernels, 0);
  cudaGraphDestroy(kernels);
  cudaStreamDestroy(stream);
  recorded = a;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (graph == nullptr || std::memcmp(&args, &recorded, sizeof(Args)) != 0) record(args);
  cudaGraphLaunch(graph, stream);
}
