// Ends in: pass — each step may begin while the one before still runs, works out where it stands
// and waits for that one before it reads a cell
#include <utility>

#include "contract.cuh"

namespace {

__global__ void step_on(const float* from, float* to, std::int64_t cells, std::int64_t probe,
                        float* note) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const std::int64_t left = i == 0 ? cells - 1 : i - 1, right = i + 1 == cells ? 0 : i + 1;
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
  if (i >= cells) return;
  const float mine = 0.5f * from[i] + 0.25f * (from[left] + from[right]);
  to[i] = mine;
  if (i == probe) *note = mine;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaLaunchAttribute may_begin{};
  may_begin.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  may_begin.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.blockDim = dim3(128);
  config.gridDim = dim3(static_cast<unsigned>((args.cells + 127) / 128));
  config.stream = stream;
  config.attrs = &may_begin;
  float *from = args.state, *to = args.scratch;
  for (int step = 0; step < args.steps; ++step, std::swap(from, to)) {
    config.numAttrs = step == 0 ? 0 : 1;
    cudaLaunchKernelEx(&config, step_on, static_cast<const float*>(from), to, args.cells,
                       args.probe, args.history + step);
  }
  if (from != args.state)
    cudaMemcpyAsync(args.state, from, args.cells * sizeof(float), cudaMemcpyDefault, stream);
}
