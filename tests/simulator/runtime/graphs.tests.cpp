// Graphs: captured, updated, nested, and with memory of their own.
#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cstring>
#include <vector>

#include "simulator/runtime/session.hpp"

using namespace klab::sim::test;

TEST_CASE("A capture forbids what would break it", "[simulator][runtime]") {
  const Session session;
  cudaStream_t stream = nullptr;
  void* memory = nullptr;
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
        cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaMalloc(&memory, 4) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaMalloc(&memory, 4) == cudaSuccess);
  CHECK(cudaMemset(memory, 0, 4) == cudaErrorStreamCaptureImplicit);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
  // A fork that never joins.
  cudaStream_t side = nullptr;
  cudaEvent_t fork = nullptr;
  REQUIRE(cudaStreamCreate(&side) == cudaSuccess);
  REQUIRE(cudaEventCreate(&fork) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaEventRecord(fork, stream) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(side, fork, 0) == cudaSuccess);
  CHECK(cudaMemsetAsync(memory, 1, 4, side) == cudaSuccess);
  CHECK(cudaEventQuery(fork) == cudaErrorCapturedEvent);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureUnjoined);
  CHECK(cudaStreamSynchronize(side) == cudaSuccess);
}

TEST_CASE("Graphs update, clone and nest", "[simulator][runtime]") {
  const Session session;
  unsigned char* memory = nullptr;
  unsigned char seen[4] = {};
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), 4) == cudaSuccess);
  const auto build = [&](unsigned value) {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t set = nullptr, copy = nullptr;
    CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
    const cudaMemsetParams parameters{memory, 4, value, 1, 4, 1};
    CHECK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &parameters) == cudaSuccess);
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &set, 1, seen, memory, 4,
                                   cudaMemcpyDeviceToHost) == cudaSuccess);
    return graph;
  };
  const cudaGraph_t first = build(1), second = build(2);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, first, 0) == cudaSuccess);
  cudaGraphExecUpdateResultInfo result{};
  CHECK(cudaGraphExecUpdate(exec, second, &result) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(seen[3] == 2);
  cudaGraphNode_t extra = nullptr;
  CHECK(cudaGraphAddEmptyNode(&extra, second, nullptr, 0) == cudaSuccess);
  CHECK(cudaGraphExecUpdate(exec, second, &result) == cudaErrorGraphExecUpdateFailure);
  CHECK(result.result == cudaGraphExecUpdateErrorTopologyChanged);
  cudaGraph_t outer = nullptr;
  cudaGraphNode_t child = nullptr;
  cudaGraphExec_t nested = nullptr;
  CHECK(cudaGraphCreate(&outer, 0) == cudaSuccess);
  CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, first) == cudaSuccess);
  CHECK(cudaGraphDestroy(first) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&nested, outer, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(nested, nullptr) == cudaSuccess);
  CHECK(seen[0] == 1);
  CHECK(cudaGraphDestroy(first) == cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(reinterpret_cast<cudaGraphExec_t>(outer), nullptr) ==
        cudaErrorInvalidValue);
  CHECK(report()["host"]["graph_launches"] == 2);
}

TEST_CASE("Memory that a graph makes is there at each launch, whoever freed it in between",
          "[simulator][runtime]") {
  const Session session;
  const bool in_stream_order = GENERATE(false, true);
  cudaMemAllocNodeParams made{};
  made.poolProps.allocType = cudaMemAllocationTypePinned;
  made.poolProps.location = {cudaMemLocationTypeDevice, 0};
  made.bytesize = 4;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t allocation = nullptr, set = nullptr;
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &made) == cudaSuccess);
  const cudaMemsetParams parameters{made.dptr, 4, 7, 1, 4, 1};
  REQUIRE(cudaGraphAddMemsetNode(&set, graph, &allocation, 1, &parameters) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  for (int launch = 0; launch < 2; ++launch) {
    unsigned char seen[4] = {};
    CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    CHECK(cudaMemcpy(seen, made.dptr, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(seen[3] == 7);
    CHECK((in_stream_order ? cudaFreeAsync(made.dptr, nullptr) : cudaFree(made.dptr)) ==
          cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
  CHECK(report()["findings"].empty());
}

TEST_CASE("Memory that a capture allocates lives with the executable graph",
          "[simulator][runtime]") {
  const Session session;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  unsigned char* memory = nullptr;
  unsigned char seen = 0;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaMallocAsync(reinterpret_cast<void**>(&memory), 16, stream) == cudaSuccess);
  CHECK(cudaMemsetAsync(memory, 7, 16, stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(&seen, memory, 1, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(memory, stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  for (int i = 0; i < 2; ++i) {
    seen = 0;
    CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
    CHECK(seen == 7);
  }
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  cudaPointerAttributes attributes{};
  CHECK(cudaPointerGetAttributes(&attributes, memory) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeUnregistered);
  CHECK(report()["findings"].empty());
}

TEST_CASE("Memory that a graph allocates and leaves to others is kept until they free it",
          "[simulator][runtime]") {
  const Session session;
  const auto kept = [] {
    long long allocations = 0;
    unsigned long long objects = 0;
    klab_sim_living(&allocations, &objects);
    return allocations;
  };
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaGraphNode_t node = nullptr;
  cudaMemAllocNodeParams made{};
  made.poolProps.allocType = cudaMemAllocationTypePinned;
  made.poolProps.location.type = cudaMemLocationTypeDevice;
  made.bytesize = 64;
  REQUIRE(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &made) == cudaSuccess);
  const bool frees = GENERATE(false, true);
  CAPTURE(frees);
  cudaGraphNode_t free = nullptr;
  if (frees) REQUIRE(cudaGraphAddMemFreeNode(&free, graph, &node, 1, made.dptr) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  CHECK(kept() == 0);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(kept() == (frees ? 0 : 1));
  if (!frees) CHECK(cudaFreeAsync(made.dptr, nullptr) == cudaSuccess);
  CHECK(kept() == 0);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(kept() == 0);
}
