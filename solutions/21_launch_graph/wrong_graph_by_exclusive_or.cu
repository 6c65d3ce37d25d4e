// Rejected by: correct — keeps its graph by the exclusive or of all addresses, which stays the same
// where weights and gradients change places
#include "contract.cuh"

#include <mutex>

namespace {

constexpr int block = 256;

__global__ void descend(float* weights, const float* gradients, const float* rates,
                        const std::int64_t* table, int tensors, std::int64_t elements) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= elements) return;
  int low = 0, high = tensors;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (table[middle] <= i ? low : high) = middle;
  }
  weights[i] -= rates[low] * gradients[i];
}

/// What a recording depends on.
struct Print {
  std::uint64_t buffers = 0;
  std::int64_t elements = 0;
  int tensors = 0;
  int device = -1;

  bool operator==(const Print&) const = default;
};

Print print_of(const Args& args) {
  Print print;
  for (const void* buffer :
       {static_cast<const void*>(args.weights), static_cast<const void*>(args.gradients),
        static_cast<const void*>(args.rates), static_cast<const void*>(args.starts),
        static_cast<const void*>(args.table)}) {
    print.buffers ^= reinterpret_cast<std::uintptr_t>(buffer);
  }
  print.elements = args.elements;
  print.tensors = args.tensors;
  cudaGetDevice(&print.device);
  return print;
}

cudaGraphExec_t record(const Args& args) {
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal);
  cudaMemcpyAsync(args.table, args.starts, (args.tensors + std::size_t{1}) * sizeof(std::int64_t),
                  cudaMemcpyHostToDevice, own);
  const auto blocks = static_cast<unsigned>((args.elements + block - 1) / block);
  descend<<<blocks, block, 0, own>>>(args.weights, args.gradients, args.rates, args.table,
                                     args.tensors, args.elements);
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(own, &graph);
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(own);
  return exec;
}

std::mutex guard;
Print kept_print;
cudaGraphExec_t kept = nullptr;

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::lock_guard lock(guard);
  const Print print = print_of(args);
  if (kept == nullptr || !(print == kept_print)) {
    if (kept != nullptr) cudaGraphExecDestroy(kept);  // if it runs, it ends first
    kept = record(args);
    kept_print = print;
  }
  cudaGraphLaunch(kept, stream);
}
