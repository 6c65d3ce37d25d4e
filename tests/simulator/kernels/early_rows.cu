// Rows of kernels that may begin early, and wait for each other: nothing in here is a race.
#include <cuda_runtime.h>

namespace {

constexpr int block = 64, blocks = 2;

__global__ void fill(int* data, int value) {
  data[blockIdx.x * block + threadIdx.x] = value;
  cudaTriggerProgrammaticLaunchCompletion();
}

/// Waits first, so that what it lets begin comes behind all in front of it.
__global__ void waits_and_lets_begin(const int* in, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
  out[i] = in[i] + 1;
}

/// The other way round: who waits for it comes behind what it waited for.
__global__ void lets_begin_and_waits(const int* in, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  out[i] = in[i] + 1;
}

/// Only one thread of a block waits, and the others meet it.
__global__ void one_waits(const int* in, int* out) {
  const int i = blockIdx.x * block + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  if (threadIdx.x == 0) cudaGridDependencySynchronize();
  __syncthreads();
  out[i] = in[i] + 1;
}

/// Does not wait, and lets nobody begin before its end.
__global__ void on_its_own(int* out) { out[blockIdx.x * block + threadIdx.x] = 7; }

/// Does not wait, and lets the next one begin, which has nothing to do with what lies in front.
__global__ void lets_begin(int* out) {
  cudaTriggerProgrammaticLaunchCompletion();
  out[blockIdx.x * block + threadIdx.x] = 8;
}

cudaStream_t stream;

template <class... Values, class... Given>
void launch(void (*kernel)(Values...), bool early, Given... values) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(block);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = early ? 1 : 0;
  cudaLaunchKernelEx(&config, kernel, static_cast<Values>(values)...);
}

void rows(int* a, int* b, int* c, int* d) {
  for (auto* middle : {waits_and_lets_begin, lets_begin_and_waits, one_waits})
    for (auto* last : {waits_and_lets_begin, lets_begin_and_waits, one_waits}) {
      launch(fill, false, a, 1);
      launch(middle, true, a, b);
      launch(last, true, b, c);
      launch(last, true, a, d);
    }
  launch(fill, false, a, 2);
  launch(on_its_own, true, d);
  launch(waits_and_lets_begin, true, a, c);
  launch(lets_begin, false, b);  // waits as any kernel does that may not begin early
  launch(waits_and_lets_begin, true, a, c);
  launch(lets_begin, true, d);
  launch(waits_and_lets_begin, true, d, b);
}

}  // namespace

extern "C" int run() {
  int* data = nullptr;
  constexpr int count = block * blocks;
  cudaMalloc(&data, 4 * count * sizeof(int));
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  rows(data, data + count, data + 2 * count, data + 3 * count);
  cudaStreamSynchronize(stream);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  rows(data, data + count, data + 2 * count, data + 3 * count);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  return cudaDeviceSynchronize();
}
