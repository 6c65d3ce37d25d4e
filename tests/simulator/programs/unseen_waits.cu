// Waits for work by no call of CUDA: at a flag that a host function sets, on a condition that it
// tells of, in memory that a kernel or a copy writes. On a GPU all of that comes by itself.
#include <cuda_runtime.h>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>

__global__ void add(int* data, int value) { data[threadIdx.x] += value; }

__global__ void tell(int* result, int* flag) {
  *result = 7;
  __threadfence_system();
  *reinterpret_cast<volatile int*>(flag) = 1;
}

std::atomic<bool> flag = false;
std::mutex mutex;
std::condition_variable told;

void raise(void*) { flag = true; }

void tell_host(void*) {
  const std::lock_guard lock(mutex);
  flag = true;
  told.notify_all();
}

// The copy lies in front of the host function: who has seen the flag may read what it brought.
int wait_for_flag(cudaStream_t stream, int* host, int* device, bool in_graph) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  if (in_graph) cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, 32, 0, stream>>>(device, 5);
  cudaMemcpyAsync(host, device, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, raise, nullptr);
  if (in_graph) {
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
  }
  while (!flag) {
  }
  const int seen = host[31];
  if (in_graph) {
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  }
  return seen;
}

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *device, *host;
  cudaMalloc(&device, 32 * sizeof(int));
  cudaMemset(device, 0, 32 * sizeof(int));
  cudaMallocHost(&host, 32 * sizeof(int));
  host[0] = host[31] = 0;
  volatile int* polled = host;
  int seen = 0;
  if (how == "flag" || how == "graph") seen = wait_for_flag(stream, host, device, how == "graph");
  if (how == "condition") {
    std::unique_lock lock(mutex);
    add<<<1, 32, 0, stream>>>(device, 5);
    cudaLaunchHostFunc(stream, tell_host, nullptr);
    told.wait(lock, [] { return flag.load(); });
    seen = 5;
  }
  if (how == "fence") {
    tell<<<1, 1, 0, stream>>>(host, host + 31);
    while (polled[31] == 0) {
    }
    seen = host[0];
  }
  if (how == "copy") {
    add<<<1, 32, 0, stream>>>(device, 5);
    cudaMemcpyAsync(host, device, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    while (polled[31] != 5) {
    }
    seen = host[0];
  }
  std::printf("%d\n", seen);
  cudaStreamDestroy(stream);
  cudaFree(device);
  cudaFreeHost(host);
}
