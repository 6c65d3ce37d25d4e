// Never waits: notes the values on the device, takes several steps per kernel, launches the kernels
// as one graph, and copies the values to the host once at the end.
#include "contract.cuh"

#include <utility>

#ifndef BLOCK
#define BLOCK 512  // cells that a block reads, one per thread
#endif
#ifndef STEPS_AT_ONCE
#define STEPS_AT_ONCE 100  // steps that one kernel takes in shared memory
#endif

namespace {

constexpr int margin = STEPS_AT_ONCE;
constexpr int owned = BLOCK - 2 * margin;  // cells that a block gets right, and writes

// The cell that is noted is another one at each call, so it lies where the recorded kernels read it
// rather than in the recording.
__device__ std::int64_t probed_cell;

__global__ void set_probe(std::int64_t cell) { probed_cell = cell; }

// After each step, one more cell at either end of the block has missed a neighbour. The margin is
// as wide as there are steps, so that the cells between the margins are right.
__global__ void __launch_bounds__(BLOCK)
    spread(const float* now, float* next, std::int64_t cells, int steps, float* log) {
  __shared__ float row[2][BLOCK];
  const int t = threadIdx.x;
  const std::int64_t cell = blockIdx.x * static_cast<std::int64_t>(owned) + t - margin;
  const bool mine = t >= margin && t < BLOCK - margin && cell < cells;

  const bool probed = mine && cell == probed_cell;
  float value = now[(cell % cells + cells) % cells];
  row[0][t] = value;
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const float* before = row[step % 2];
    const float left = before[max(t - 1, 0)];
    const float right = before[min(t + 1, BLOCK - 1)];
    value = 0.5f * value + 0.25f * (left + right);
    row[(step + 1) % 2][t] = value;
    if (probed) log[step] = value;
    __syncthreads();
  }
  if (mine) next[cell] = value;
}

// Puts all kernels into `stream`; returns the buffer with the last state.
float* enqueue(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.cells + owned - 1) / owned);
  float* now = args.state;
  float* next = args.scratch;
  for (int step = 0; step < args.steps; step += STEPS_AT_ONCE) {
    const int steps = args.steps - step < STEPS_AT_ONCE ? args.steps - step : STEPS_AT_ONCE;
    spread<<<blocks, BLOCK, 0, stream>>>(now, next, args.cells, steps, &args.log[step]);
    std::swap(now, next);
  }
  return now;
}

// A graph remembers pointers and sizes, so it is good for one set of them only.
struct Recording {
  Args args{};
  cudaGraphExec_t graph = nullptr;
  float* last = nullptr;  // where its last kernel leaves the state

  bool fits(const Args& a) const {
    return graph != nullptr && a.state == args.state && a.scratch == args.scratch &&
           a.log == args.log && a.cells == args.cells && a.steps == args.steps;
  }
};
Recording recording;

void record(const Args& args) {
  if (recording.graph != nullptr) cudaGraphExecDestroy(recording.graph);
  cudaStream_t stream;
  cudaGraph_t kernels;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  recording.last = enqueue(args, stream);
  cudaStreamEndCapture(stream, &kernels);
  cudaGraphInstantiate(&recording.graph, kernels, 0);
  cudaGraphDestroy(kernels);
  cudaStreamDestroy(stream);
  recording.args = args;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (!recording.fits(args)) record(args);
  set_probe<<<1, 1, 0, stream>>>(args.probe);
  cudaGraphLaunch(recording.graph, stream);
  // The copies stay outside the graph: a recorded copy keeps the address of pinned memory that may
  // have been freed and reused since.
  if (recording.last != args.state) {
    cudaMemcpyAsync(args.state, recording.last, args.cells * sizeof(float),
                    cudaMemcpyDeviceToDevice, stream);
  }
  cudaMemcpyAsync(args.history, args.log, args.steps * sizeof(float), cudaMemcpyDeviceToHost,
                  stream);
}
