// A graph that loops, chooses and counts by conditions that its kernels set; says what came of it.
#include <cstdio>

using Handle = cudaGraphConditionalHandle;

__global__ void count_down(int* left, int* done, Handle handle) {
  ++*done;
  if (--*left == 0) cudaGraphSetConditional(handle, 0);
}
__global__ void ask(const int* value, Handle handle) { cudaGraphSetConditional(handle, *value); }
__global__ void add(int* to, int value) { *to += value; }
__global__ void set(int* to, int value) { *to = value; }

static cudaGraphNode_t conditional(cudaGraph_t graph, cudaGraphNode_t after, Handle handle,
                                   cudaGraphConditionalNodeType type, unsigned size,
                                   cudaGraph_t* bodies) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = type;
  p.conditional.size = size;
  cudaGraphNode_t node = nullptr;
  if (cudaGraphAddNode(&node, graph, &after, nullptr, after != nullptr, &p) != cudaSuccess)
    std::printf("no node\n");
  for (unsigned i = 0; i < size; ++i) bodies[i] = p.conditional.phGraph_out[i];
  return node;
}

template <class... P, class... A>
static cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t after, void (*function)(P...),
                              A... arguments) {
  void* pointers[] = {&arguments...};
  cudaKernelNodeParams p = {};
  p.func = reinterpret_cast<void*>(function);
  p.gridDim = p.blockDim = dim3(1);
  p.kernelParams = pointers;
  cudaGraphNode_t node = nullptr;
  cudaGraphAddKernelNode(&node, graph, &after, after != nullptr, &p);
  return node;
}

int main() {
  int* seen = nullptr;  // left, done, value, sum, nested loops
  cudaMallocManaged(&seen, 6 * sizeof(int));
  for (int i = 0; i < 6; ++i) seen[i] = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph, loop, inner, choice[2], cases[3];
  cudaGraphCreate(&graph, 0);
  Handle again, choose, which, nested;
  cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphConditionalHandleCreate(&choose, graph, 0, 0);
  cudaGraphConditionalHandleCreate(&which, graph, 0, 0);
  // while (again) { count_down; while (nested) count_down }, the body captured
  const auto looped = conditional(graph, nullptr, again, cudaGraphCondTypeWhile, 1, &loop);
  cudaStreamBeginCaptureToGraph(stream, loop, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
  count_down<<<1, 1, 0, stream>>>(seen, seen + 1, again);
  cudaStreamEndCapture(stream, nullptr);
  cudaGraphNode_t counted;
  size_t one = 1;
  cudaGraphGetNodes(loop, &counted, &one);
  cudaGraphConditionalHandleCreate(&nested, graph, 0, 0);
  const auto two = kernel(loop, counted, set, seen + 4, 2);
  const auto begun = kernel(loop, two, ask, seen + 4, nested);
  conditional(loop, begun, nested, cudaGraphCondTypeWhile, 1, &inner);
  kernel(inner, nullptr, count_down, seen + 4, seen + 5, nested);
  // if (value) sum += 1 else sum += 10; switch (value) sum += 100, 200, 300
  const auto asked = kernel(graph, looped, ask, seen + 2, choose);
  const auto chosen = conditional(graph, asked, choose, cudaGraphCondTypeIf, 2, choice);
  kernel(choice[0], nullptr, add, seen + 3, 1);
  kernel(choice[1], nullptr, add, seen + 3, 10);
  const auto again_asked = kernel(graph, chosen, ask, seen + 2, which);
  conditional(graph, again_asked, which, cudaGraphCondTypeSwitch, 3, cases);
  for (int i = 0; i < 3; ++i) kernel(cases[i], nullptr, add, seen + 3, 100 * (i + 1));
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, graph, 0);
  for (const int value : {0, 2, 3}) {
    seen[0] = 4;
    seen[1] = seen[3] = seen[5] = 0;
    seen[2] = value;
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    std::printf("value %d: %d turns, %d inside, sum %d\n", value, seen[1], seen[5], seen[3]);
  }
  // A second instantiation beside the first, and what a body may not hold.
  cudaHostNodeParams host = {[](void*) {}, nullptr};
  cudaGraphNode_t node;
  cudaGraphAddHostNode(&node, loop, nullptr, 0, &host);
  cudaGraphExec_t refused = nullptr;
  std::printf("%s\n", cudaGetErrorName(cudaGraphInstantiate(&refused, graph, 0)));
  cudaGraphExecDestroy(exec);
  std::printf("%s\n", cudaGetErrorName(cudaGraphInstantiate(&refused, graph, 0)));
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(seen);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
