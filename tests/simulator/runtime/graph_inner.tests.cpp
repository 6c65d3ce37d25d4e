// Graphs inside of graphs, and the data of edges.
#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <vector>

#include "simulator/runtime/session.hpp"

using namespace klab::sim::test;

namespace {

/// Fills the four bytes of an int.
cudaMemsetParams fill(int* to, unsigned byte) { return {to, 4, byte, 1, 4, 1}; }

/// A graph of fills, one behind the other.
cudaGraph_t fills(int* to, const std::vector<unsigned>& bytes) {
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaGraphNode_t last = nullptr;
  for (const unsigned byte : bytes) {
    const cudaMemsetParams p = fill(to++, byte);
    REQUIRE(cudaGraphAddMemsetNode(&last, graph, &last, last != nullptr, &p) == cudaSuccess);
  }
  return graph;
}

/// A graph that holds a graph of fills, made executable.
struct Nested {
  int* device = nullptr;
  cudaGraph_t outer = nullptr;
  cudaGraphNode_t child = nullptr;
  cudaGraphExec_t exec = nullptr;

  Nested() {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 8) == cudaSuccess);
    outer = around(fills(device, {1, 2}), child);
    REQUIRE(cudaGraphInstantiate(&exec, outer, 0) == cudaSuccess);
  }

  static cudaGraph_t around(cudaGraph_t inner, cudaGraphNode_t& child) {
    cudaGraph_t outer = nullptr;
    REQUIRE(cudaGraphCreate(&outer, 0) == cudaSuccess);
    REQUIRE(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, inner) == cudaSuccess);
    return outer;
  }

  /// The nodes of the child graph.
  std::array<cudaGraphNode_t, 2> inside() const {
    cudaGraph_t held = nullptr;
    REQUIRE(cudaGraphChildGraphNodeGetGraph(child, &held) == cudaSuccess);
    std::array<cudaGraphNode_t, 2> nodes{};
    std::size_t count = 2;
    REQUIRE(cudaGraphGetNodes(held, nodes.data(), &count) == cudaSuccess);
    return nodes;
  }

  std::array<int, 2> launched() const {
    std::array<int, 2> out{};
    CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    CHECK(cudaMemcpy(out.data(), device, 8, cudaMemcpyDeviceToHost) == cudaSuccess);
    return out;
  }
};

constexpr int of(int byte) { return byte * 0x01010101; }

/// Two kernel nodes and an empty one, without edges.
struct Kernels {
  cudaGraph_t graph = nullptr;
  std::array<cudaGraphNode_t, 3> nodes{};

  Kernels() {
    constexpr const char* source =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry nothing() { ret; }\n";
    cudaLibrary_t library = nullptr;
    REQUIRE(cudaLibraryLoadData(&library, source, nullptr, nullptr, 0, nullptr, nullptr, 0) ==
            cudaSuccess);
    cudaKernel_t kernel = nullptr;
    REQUIRE(cudaLibraryGetKernel(&kernel, library, "nothing") == cudaSuccess);
    cudaKernelNodeParams p{};
    p.func = kernel;
    p.gridDim = p.blockDim = {1, 1, 1};
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    for (int i = 0; i < 2; ++i)
      REQUIRE(cudaGraphAddKernelNode(&nodes[i], graph, nullptr, 0, &p) == cudaSuccess);
    REQUIRE(cudaGraphAddEmptyNode(&nodes[2], graph, nullptr, 0) == cudaSuccess);
  }
};

cudaGraphEdgeData programmatic() {
  cudaGraphEdgeData data{};
  data.from_port = cudaGraphKernelNodePortProgrammatic;
  data.type = cudaGraphDependencyTypeProgrammatic;
  return data;
}

}  // namespace

TEST_CASE("Parameters set in an executable graph reach the nodes of its child graphs",
          "[simulator][runtime]") {
  const Session session;
  const Nested n;
  CHECK(n.launched() == std::array{of(1), of(2)});
  const cudaMemsetParams p = fill(n.device, 7);
  CHECK(cudaGraphExecMemsetNodeSetParams(n.exec, n.inside()[0], &p) == cudaSuccess);
  CHECK(n.launched() == std::array{of(7), of(2)});
  CHECK(cudaGraphNodeSetEnabled(n.exec, n.inside()[1], 0) == cudaSuccess);
  CHECK(cudaMemset(n.device, 0, 8) == cudaSuccess);
  CHECK(n.launched() == std::array{of(7), 0});
}

TEST_CASE("An update takes over child graphs of the same shape, and no others",
          "[simulator][runtime]") {
  const Session session;
  const Nested n;
  cudaGraphNode_t child = nullptr;
  cudaGraphExecUpdateResultInfo result{};
  const auto shorter = Nested::around(fills(n.device, {5}), child);
  CHECK(cudaGraphExecUpdate(n.exec, shorter, &result) == cudaErrorGraphExecUpdateFailure);
  CHECK(result.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(cudaGraphExecChildGraphNodeSetParams(n.exec, n.child, fills(n.device, {5})) ==
        cudaErrorInvalidValue);
  CHECK(n.launched() == std::array{of(1), of(2)});
  const auto same = Nested::around(fills(n.device, {5, 6}), child);
  CHECK(cudaGraphExecUpdate(n.exec, same, &result) == cudaSuccess);
  CHECK(n.launched() == std::array{of(5), of(6)});
  CHECK(cudaGraphExecChildGraphNodeSetParams(n.exec, n.child, fills(n.device, {8, 9})) ==
        cudaSuccess);
  CHECK(n.launched() == std::array{of(8), of(9)});
  const cudaMemsetParams p = fill(n.device, 3);
  CHECK(cudaGraphExecMemsetNodeSetParams(n.exec, n.inside()[0], &p) == cudaSuccess);
  CHECK(n.launched() == std::array{of(3), of(9)});
}

TEST_CASE("Edges keep their data, and a query that would lose it is refused",
          "[simulator][runtime]") {
  const Session session;
  const Kernels k;
  const auto& n = k.nodes;
  const cudaGraphEdgeData data = programmatic();
  REQUIRE(cudaGraphAddDependencies(k.graph, &n[0], &n[1], &data, 1) == cudaSuccess);
  cudaGraph_t clone = nullptr;
  REQUIRE(cudaGraphClone(&clone, k.graph) == cudaSuccess);
  for (const cudaGraph_t graph : {k.graph, clone}) {
    cudaGraphNode_t from = nullptr, to = nullptr;
    cudaGraphEdgeData found{};
    std::size_t count = 1;
    CHECK(cudaGraphGetEdges(graph, &from, &to, &found, &count) == cudaSuccess);
    CHECK(found.type == cudaGraphDependencyTypeProgrammatic);
    CHECK(found.from_port == cudaGraphKernelNodePortProgrammatic);
    CHECK(cudaGraphGetEdges(graph, &from, &to, nullptr, &count) == cudaErrorLossyQuery);
    CHECK(cudaGraphNodeGetDependencies(to, &from, nullptr, &count) == cudaErrorLossyQuery);
    CHECK(cudaGraphNodeGetDependentNodes(from, &to, &found, &count) == cudaSuccess);
    CHECK(found.type == cudaGraphDependencyTypeProgrammatic);
  }
  CHECK(cudaGraphRemoveDependencies(k.graph, &n[0], &n[1], nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphRemoveDependencies(k.graph, &n[0], &n[1], &data, 1) == cudaSuccess);
}

TEST_CASE("Programmatic edges join kernels alone, and need their port", "[simulator][runtime]") {
  const Session session;
  const Kernels k;
  const auto& n = k.nodes;
  cudaGraphEdgeData data = programmatic();
  CHECK(cudaGraphAddDependencies(k.graph, &n[0], &n[2], &data, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddDependencies(k.graph, &n[2], &n[0], &data, 1) == cudaErrorInvalidValue);
  data.from_port = cudaGraphKernelNodePortDefault;
  CHECK(cudaGraphAddDependencies(k.graph, &n[0], &n[1], &data, 1) == cudaErrorInvalidValue);
  cudaGraphNodeParams empty{};
  empty.type = cudaGraphNodeTypeEmpty;
  cudaGraphNode_t added = nullptr;
  data = programmatic();
  CHECK(cudaGraphAddNode(&added, k.graph, &n[0], &data, 1, &empty) == cudaErrorInvalidValue);
  CHECK(added == nullptr);
}

TEST_CASE("A handle without a conditional node keeps a graph from being instantiated",
          "[simulator][runtime]") {
  const Session session;
  const Kernels k;
  cudaGraphConditionalHandle handle = 0;
  REQUIRE(cudaGraphConditionalHandleCreate(&handle, k.graph, 0, 0) == cudaSuccess);
  cudaGraphInstantiateParams p{};
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiateWithParams(&exec, k.graph, &p) == cudaErrorInvalidValue);
  CHECK(p.result_out == cudaGraphInstantiateConditionalHandleUnused);
}

TEST_CASE("A conditional body may copy pinned memory, and no pageable memory",
          "[simulator][runtime]") {
  const Session session;
  const Kernels k;
  cudaGraphNodeParams p{};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.type = cudaGraphCondTypeIf;
  p.conditional.size = 1;
  REQUIRE(cudaGraphConditionalHandleCreate(&p.conditional.handle, k.graph, 0, 0) == cudaSuccess);
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphAddNode(&node, k.graph, nullptr, nullptr, 0, &p) == cudaSuccess);
  void *device = nullptr, *pinned = nullptr;
  REQUIRE(cudaMalloc(&device, 4) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 4) == cudaSuccess);
  int pageable = 0;
  const auto instantiated = [&](void* from) {
    cudaGraphNode_t copy = nullptr;
    CHECK(cudaGraphAddMemcpyNode1D(&copy, p.conditional.phGraph_out[0], nullptr, 0, device, from, 4,
                                   cudaMemcpyHostToDevice) == cudaSuccess);
    cudaGraphExec_t exec = nullptr;
    const cudaError_t code = cudaGraphInstantiate(&exec, k.graph, 0);
    CHECK(cudaGraphDestroyNode(copy) == cudaSuccess);
    return code;
  };
  CHECK(instantiated(&pageable) == cudaErrorNotSupported);
  CHECK(instantiated(pinned) == cudaSuccess);
}
