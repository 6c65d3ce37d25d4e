// Scenarios for graphs, streams and threads of the host: each returns 0, or the line of its first
// failed check.
#include <thread>

#include "scenario.cuh"

__global__ void store(int* data, int value) { *data = value; }

extern "C" {

int captured_graph() {
  Check check;
  int* data = zeroed(1);
  cudaStream_t stream = nullptr, side = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  check(cudaStreamCreate(&stream));
  check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  check(cudaEventCreate(&fork));
  check(cudaEventCreate(&join));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add_one<<<1, 32, 0, stream>>>(data);
  check(cudaEventRecord(fork, stream));
  check(cudaStreamWaitEvent(side, fork));
  add_one<<<1, 32, 0, side>>>(data);
  check(cudaEventRecord(join, side));
  add_one<<<1, 1, 0, stream>>>(data);
  check(cudaStreamWaitEvent(stream, join));
  int seen = 0;
  check(cudaMemcpyAsync(&seen, data, sizeof seen, cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph));
  check(seen == 0);  // recorded, not run
  std::size_t nodes = 0, edges = 0;
  check(cudaGraphGetNodes(graph, nullptr, &nodes));
  check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  check(nodes == 4 && edges == 4);
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, graph));
  for (int i = 0; i < 3; i++) check(cudaGraphLaunch(exec, stream));
  check(cudaStreamSynchronize(stream));
  check(seen == 3 * 65);
  check(cudaGraphExecDestroy(exec));
  check(cudaGraphDestroy(graph));
  return check.line;
}

int built_graph() {
  Check check;
  int* data = zeroed(1);
  int value = 7, seen = 0;
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t kernel = nullptr, copy = nullptr, host = nullptr;
  void* list[] = {&data, &value};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(store);
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = list;
  check(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &parameters));
  check(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, &seen, data, sizeof seen,
                                 cudaMemcpyDeviceToHost));
  cudaHostNodeParams call{[](void* user) { *static_cast<int*>(user) *= 10; }, &seen};
  check(cudaGraphAddHostNode(&host, graph, &copy, 1, &call));
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, graph));
  check(cudaGraphLaunch(exec, nullptr));
  check(cudaDeviceSynchronize());
  check(seen == 70);
  value = 8;
  check(cudaGraphExecKernelNodeSetParams(exec, kernel, &parameters));
  check(cudaGraphLaunch(exec, nullptr));
  check(cudaDeviceSynchronize());
  check(seen == 80);
  check(cudaGraphNodeSetEnabled(exec, kernel, 0));
  store<<<1, 1>>>(data, 3);
  check(cudaGraphLaunch(exec, nullptr));
  check(cudaDeviceSynchronize());
  check(seen == 30);
  cudaKernelNodeParams read{};
  check(cudaGraphKernelNodeGetParams(kernel, &read));
  check(read.func == parameters.func && *static_cast<int*>(read.kernelParams[1]) == 7);
  check(cudaGraphAddDependencies(graph, &host, &kernel, nullptr, 1));
  cudaGraphExec_t cyclic = nullptr;
  check(cudaGraphInstantiate(&cyclic, graph) == cudaErrorInvalidValue);
  return check.line;
}

int deferred_order() {
  Check check;
  int* data = zeroed(1);
  check(cudaDeviceSynchronize());
  cudaStream_t first = nullptr, second = nullptr;
  check(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  int *early = nullptr, *late = nullptr;
  check(cudaMallocHost(&early, sizeof(int)));
  check(cudaMallocHost(&late, sizeof(int)));
  store<<<1, 1, 0, first>>>(data, 1);
  // Nothing orders this copy after the kernel: waiting for its stream must not run the kernel.
  check(cudaMemcpyAsync(early, data, sizeof(int), cudaMemcpyDeviceToHost, second));
  check(cudaStreamSynchronize(second));
  check(*early == 0);
  cudaEvent_t stored = nullptr;
  check(cudaEventCreate(&stored));
  check(cudaEventRecord(stored, first));
  check(cudaStreamWaitEvent(second, stored));
  check(cudaMemcpyAsync(late, data, sizeof(int), cudaMemcpyDeviceToHost, second));
  check(cudaStreamQuery(second) == cudaErrorNotReady);
  check(cudaStreamQuery(second));
  check(*late == 1);
  check(cudaEventQuery(stored));
  return check.line;
}

int blocking_streams() {
  Check check;
  int* data = zeroed(1);
  int* host = nullptr;
  check(cudaMallocHost(&host, sizeof(int)));
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  store<<<1, 1, 0, stream>>>(data, 1);
  store<<<1, 1>>>(data, 2);            // the legacy stream waits for `stream`
  add_one<<<1, 1, 0, stream>>>(data);  // and `stream` for it
  check(cudaMemcpyAsync(host, data, sizeof(int), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  check(*host == 3);
  return check.line;
}

int two_threads() {
  Check check;
  const auto work = [](int* wrong) {
    cudaStream_t stream = nullptr;
    int *data = nullptr, *host = nullptr;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) ++*wrong;
    if (cudaMalloc(&data, sizeof(int)) != cudaSuccess) ++*wrong;
    if (cudaMallocHost(&host, sizeof(int)) != cudaSuccess) ++*wrong;
    for (int i = 0; i < 200; i++) {
      store<<<1, 1, 0, stream>>>(data, i);
      add_one<<<1, 32, 0, stream>>>(data);
      cudaMemcpyAsync(host, data, sizeof(int), cudaMemcpyDeviceToHost, stream);
      if (cudaStreamSynchronize(stream) != cudaSuccess || *host != i + 32) ++*wrong;
    }
  };
  int wrong[2] = {0, 0};
  std::thread first(work, &wrong[0]), second(work, &wrong[1]);
  first.join();
  second.join();
  check(wrong[0] == 0 && wrong[1] == 0);
  return check.line;
}

}  // extern "C"
