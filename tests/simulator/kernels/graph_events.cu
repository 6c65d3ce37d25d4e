// Events inside graphs, on a device that runs no more than what a wait needs: each scenario returns
// 0, or the line of its first failed check.
#include <cuda_runtime.h>

#define CHECK(condition) \
  if (!(condition)) return __LINE__
#define DONE(call) CHECK((call) == cudaSuccess)

__global__ void add_one(int* data) { atomicAdd(data, 1); }

namespace {

struct Place {
  int *data = nullptr, *seen = nullptr;
  cudaStream_t own = nullptr, given = nullptr;
  cudaEvent_t event = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;

  Place() {
    cudaMalloc(&data, sizeof(int));
    cudaMemset(data, 0, sizeof(int));
    cudaMallocHost(&seen, sizeof(int));
    cudaDeviceSynchronize();
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&given, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaGraphCreate(&graph, 0);
  }
  cudaGraphNode_t add(const cudaGraphNode_t* behind) {
    void* list[] = {&data};
    cudaKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void*>(add_one);
    parameters.gridDim = parameters.blockDim = dim3(1);
    parameters.kernelParams = list;
    cudaGraphNode_t node = nullptr;
    cudaGraphAddKernelNode(&node, graph, behind, behind != nullptr ? 1 : 0, &parameters);
    return node;
  }
  /// What the data is when no more than `stream` has been waited for.
  int after(cudaStream_t stream) {
    cudaMemcpyAsync(seen, data, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    return *seen;
  }
};

}  // namespace

extern "C" int record_halfway() {
  Place place;
  cudaGraphNode_t mark = nullptr;
  const cudaGraphNode_t first = place.add(nullptr);
  DONE(cudaGraphAddEventRecordNode(&mark, place.graph, &first, 1, place.event));
  place.add(&mark);
  DONE(cudaGraphInstantiate(&place.ready, place.graph, 0));
  for (int launch = 0; launch < 3; ++launch) {
    DONE(cudaGraphLaunch(place.ready, place.own));
    DONE(cudaStreamWaitEvent(place.given, place.event));
    CHECK(place.after(place.given) == 2 * launch + 1);
    CHECK(place.after(place.own) == 2 * launch + 2);
  }
  return 0;
}

extern "C" int wait_within() {
  Place place;
  cudaGraphNode_t wait = nullptr;
  DONE(cudaGraphAddEventWaitNode(&wait, place.graph, nullptr, 0, place.event));
  place.add(&wait);
  DONE(cudaGraphInstantiate(&place.ready, place.graph, 0));
  add_one<<<1, 32, 0, place.given>>>(place.data);
  DONE(cudaEventRecord(place.event, place.given));
  DONE(cudaGraphLaunch(place.ready, place.own));
  CHECK(place.after(place.own) == 33);
  return 0;
}

extern "C" int captured() {
  Place place;
  cudaEvent_t before = nullptr;
  DONE(cudaEventCreateWithFlags(&before, cudaEventDisableTiming));
  DONE(cudaStreamBeginCapture(place.own, cudaStreamCaptureModeThreadLocal));
  DONE(cudaStreamWaitEvent(place.own, before, cudaEventWaitExternal));
  add_one<<<1, 1, 0, place.own>>>(place.data);
  DONE(cudaEventRecordWithFlags(place.event, place.own, cudaEventRecordExternal));
  add_one<<<1, 1, 0, place.own>>>(place.data);
  DONE(cudaStreamEndCapture(place.own, &place.graph));
  DONE(cudaGraphInstantiate(&place.ready, place.graph, 0));
  add_one<<<1, 32, 0, place.given>>>(place.data);
  DONE(cudaEventRecord(before, place.given));
  DONE(cudaGraphLaunch(place.ready, place.own));
  DONE(cudaStreamWaitEvent(place.given, place.event));
  CHECK(place.after(place.given) == 33);
  CHECK(place.after(place.own) == 34);
  return 0;
}

/// The graph is a node of another one.
extern "C" int nested() {
  Place place;
  cudaGraphNode_t mark = nullptr, inner = nullptr;
  const cudaGraphNode_t first = place.add(nullptr);
  DONE(cudaGraphAddEventRecordNode(&mark, place.graph, &first, 1, place.event));
  const cudaGraph_t part = place.graph;
  DONE(cudaGraphCreate(&place.graph, 0));
  const cudaGraphNode_t before = place.add(nullptr);
  DONE(cudaGraphAddChildGraphNode(&inner, place.graph, &before, 1, part));
  place.add(&inner);
  DONE(cudaGraphInstantiate(&place.ready, place.graph, 0));
  DONE(cudaGraphLaunch(place.ready, place.own));
  DONE(cudaStreamWaitEvent(place.given, place.event));
  CHECK(place.after(place.given) == 2);
  CHECK(place.after(place.own) == 3);
  return 0;
}

/// Memory that is freed makes the host wait for the device; nothing is freed by a null pointer.
extern "C" int frees() {
  Place place;
  DONE(cudaFree(nullptr));
  DONE(cudaFree(place.data));
  DONE(cudaFreeHost(place.seen));
  return 0;
}
