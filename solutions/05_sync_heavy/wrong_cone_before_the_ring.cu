// Rejected by: correct — of large rings only the cells that the probe depends on are followed; with
// more steps than cells in front of it these begin at a negative place
#include "contract.cuh"

#include <utility>

namespace {

constexpr int block = 256;
constexpr int wide = 1024;
constexpr int most_shared = 227 * 1024;

// The probe's values depend on `steps` cells on either side and on nothing else: a cone that one
// block works out in shared memory, before the steps proper overwrite the start.
__global__ void __launch_bounds__(wide)
    note(const float* state, float* log, std::int64_t cells, std::int64_t probe, int steps) {
  extern __shared__ float line[];
  const int width = 2 * steps + 1;
  float* now = line;
  float* next = line + width;
  for (int j = threadIdx.x; j < width; j += wide)
    now[j] = state[(probe - steps + j + cells) % cells];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    for (int j = step + 1 + threadIdx.x; j < width - 1 - step; j += wide) {
      const float value = 0.5f * now[j] + 0.25f * (now[j - 1] + now[j + 1]);
      next[j] = value;
      if (j == steps) log[step] = value;
    }
    __syncthreads();
    float* const written = next;
    next = now;
    now = written;
  }
}

__global__ void spread(const float* now, float* next, float* log, std::int64_t cells,
                       std::int64_t probe) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float left = now[i == 0 ? cells - 1 : i - 1];
  const float right = now[i == cells - 1 ? 0 : i + 1];
  const float value = 0.5f * now[i] + 0.25f * (left + right);
  next[i] = value;
  if (i == probe) *log = value;
}

// A whole small ring in one block.
__global__ void __launch_bounds__(wide)
    spread_small(float* state, float* log, int cells, int probe, int steps) {
  __shared__ float line[2][wide];
  const int i = threadIdx.x;
  float value = 0;
  if (i < cells) line[0][i] = value = state[i];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const float* now = line[step % 2];
    if (i < cells) {
      value = 0.5f * value +
              0.25f * (now[i == 0 ? cells - 1 : i - 1] + now[i == cells - 1 ? 0 : i + 1]);
      line[(step + 1) % 2][i] = value;
      if (i == probe) log[step] = value;
    }
    __syncthreads();
  }
  if (i < cells) state[i] = value;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t bytes = 2 * (2 * static_cast<std::int64_t>(args.steps) + 1) * sizeof(float);
  if (args.cells <= wide) {
    spread_small<<<1, wide, 0, stream>>>(args.state, args.log, static_cast<int>(args.cells),
                                         static_cast<int>(args.probe), args.steps);
  } else {
    std::int64_t probe = args.probe;
    if (bytes <= most_shared) {
      cudaFuncSetAttribute(note, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared);
      note<<<1, wide, bytes, stream>>>(args.state, args.log, args.cells, probe, args.steps);
      probe = -1;  // has been seen to
    }
    const auto blocks = static_cast<unsigned>((args.cells + block - 1) / block);
    float* now = args.state;
    float* next = args.scratch;
    for (int step = 0; step < args.steps; ++step) {
      spread<<<blocks, block, 0, stream>>>(now, next, args.log + step, args.cells, probe);
      std::swap(now, next);
    }
    if (now != args.state)
      cudaMemcpyAsync(args.state, now, args.cells * sizeof(float), cudaMemcpyDeviceToDevice,
                      stream);
  }
  cudaMemcpyAsync(args.history, args.log, args.steps * sizeof(float), cudaMemcpyDeviceToHost,
                  stream);
}
