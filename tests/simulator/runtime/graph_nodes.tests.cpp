// Nodes of graphs: their edges, their parameters, and objects that graphs keep alive.
#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "simulator/runtime/session.hpp"

using namespace klab::sim::test;

namespace {

/// A graph of empty nodes: 0 before 1 and 2, both before 3.
struct Diamond {
  cudaGraph_t graph = nullptr;
  std::array<cudaGraphNode_t, 4> nodes{};

  Diamond() {
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphAddEmptyNode(&nodes[0], graph, nullptr, 0) == cudaSuccess);
    REQUIRE(cudaGraphAddEmptyNode(&nodes[1], graph, &nodes[0], 1) == cudaSuccess);
    REQUIRE(cudaGraphAddEmptyNode(&nodes[2], graph, &nodes[0], 1) == cudaSuccess);
    REQUIRE(cudaGraphAddEmptyNode(&nodes[3], graph, &nodes[1], 2) == cudaSuccess);
  }
};

using Nodes = std::vector<cudaGraphNode_t>;

/// What a function that lists nodes answers, asked for the number first.
template <class Ask>
Nodes listed(Ask ask) {
  std::size_t count = 0;
  REQUIRE(ask(nullptr, &count) == cudaSuccess);
  Nodes nodes(count);
  if (count != 0) REQUIRE(ask(nodes.data(), &count) == cudaSuccess);
  return nodes;
}
Nodes before(cudaGraphNode_t node) {
  return listed([&](cudaGraphNode_t* out, std::size_t* count) {
    return cudaGraphNodeGetDependencies(node, out, nullptr, count);
  });
}
Nodes behind(cudaGraphNode_t node) {
  return listed([&](cudaGraphNode_t* out, std::size_t* count) {
    return cudaGraphNodeGetDependentNodes(node, out, nullptr, count);
  });
}
Nodes roots(cudaGraph_t graph) {
  return listed([&](cudaGraphNode_t* out, std::size_t* count) {
    return cudaGraphGetRootNodes(graph, out, count);
  });
}

}  // namespace

TEST_CASE("A graph tells its roots and what comes before and behind a node",
          "[simulator][runtime]") {
  const Session session;
  const Diamond d;
  const auto& n = d.nodes;
  CHECK(roots(d.graph) == Nodes{n[0]});
  CHECK(before(n[0]).empty());
  CHECK(before(n[3]) == Nodes{n[1], n[2]});
  CHECK(behind(n[0]) == Nodes{n[1], n[2]});
  CHECK(behind(n[3]).empty());
}

TEST_CASE("Edges and nodes are taken out of a graph", "[simulator][runtime]") {
  const Session session;
  const Diamond d;
  const auto& n = d.nodes;
  CHECK(cudaGraphRemoveDependencies(d.graph, &n[0], &n[2], nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphRemoveDependencies(d.graph, &n[0], &n[2], nullptr, 1) == cudaErrorInvalidValue);
  CHECK(roots(d.graph) == Nodes{n[0], n[2]});
  CHECK(cudaGraphDestroyNode(n[1]) == cudaSuccess);
  CHECK(cudaGraphDestroyNode(n[1]) == cudaErrorInvalidValue);
  CHECK(before(n[3]) == Nodes{n[2]});
  CHECK(behind(n[0]).empty());
  // Where nodes allocate, neither goes.
  cudaMemAllocNodeParams made{};
  made.poolProps.allocType = cudaMemAllocationTypePinned;
  made.poolProps.location = {cudaMemLocationTypeDevice, 0};
  made.bytesize = 4;
  cudaGraphNode_t allocation = nullptr;
  REQUIRE(cudaGraphAddMemAllocNode(&allocation, d.graph, nullptr, 0, &made) == cudaSuccess);
  CHECK(cudaGraphDestroyNode(n[3]) == cudaErrorNotSupported);
  CHECK(cudaGraphRemoveDependencies(d.graph, &n[2], &n[3], nullptr, 1) == cudaErrorNotSupported);
  cudaMemAllocNodeParams told{};
  CHECK(cudaGraphMemAllocNodeGetParams(allocation, &told) == cudaSuccess);
  CHECK((told.dptr == made.dptr && told.bytesize == 4));
}

TEST_CASE("A clone's nodes are found by their originals, and a clone lives on without them",
          "[simulator][runtime]") {
  const Session session;
  const Diamond d;
  cudaGraph_t clone = nullptr;
  REQUIRE(cudaGraphClone(&clone, d.graph) == cudaSuccess);
  cudaGraphNode_t twin = nullptr, last = nullptr;
  CHECK(cudaGraphNodeFindInClone(&twin, d.nodes[1], clone) == cudaSuccess);
  CHECK(cudaGraphNodeFindInClone(&last, d.nodes[3], clone) == cudaSuccess);
  CHECK(behind(twin) == Nodes{last});
  CHECK(cudaGraphNodeFindInClone(&last, twin, clone) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroyNode(twin) == cudaSuccess);
  CHECK(cudaGraphNodeFindInClone(&twin, d.nodes[1], clone) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(d.graph) == cudaSuccess);
  CHECK(roots(clone).size() == 1);
}

TEST_CASE(
    "A graph with conditional nodes is neither cloned nor a child, and one of memory not cloned",
    "[simulator][runtime]") {
  const Session session;
  cudaGraph_t graph = nullptr, outer = nullptr, clone = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphCreate(&outer, 0) == cudaSuccess);
  cudaGraphNodeParams loop{};
  loop.type = cudaGraphNodeTypeConditional;
  REQUIRE(cudaGraphConditionalHandleCreate(&loop.conditional.handle, graph, 0, 0) == cudaSuccess);
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node = nullptr, child = nullptr;
  REQUIRE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop) == cudaSuccess);
  CHECK(cudaGraphClone(&clone, graph) == cudaErrorNotSupported);
  CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph) == cudaErrorNotSupported);
  const std::string said = report()["messages"].dump();
  CHECK(said.find("cudaGraphClone") != std::string::npos);
  CHECK(said.find("cudaGraphAddChildGraphNode") != std::string::npos);

  cudaMemAllocNodeParams allocation{};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location = {cudaMemLocationTypeDevice, 0};
  allocation.bytesize = 64;
  REQUIRE(cudaGraphAddMemAllocNode(&node, outer, nullptr, 0, &allocation) == cudaSuccess);
  CHECK(cudaGraphClone(&clone, outer) == cudaErrorNotSupported);
}

TEST_CASE("Nodes tell their parameters as they take them, in a graph and in what was made of it",
          "[simulator][runtime]") {
  const Session session;
  unsigned char* memory = nullptr;
  unsigned char seen[8] = {};
  int called = 0;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), 8) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t set = nullptr, copy = nullptr, host = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaMemsetParams fill{memory, 8, 1, 1, 8, 1};
  REQUIRE(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &fill) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&copy, graph, &set, 1, seen, memory, 8,
                                   cudaMemcpyDeviceToHost) == cudaSuccess);
  cudaHostNodeParams call{[](void* count) { ++*static_cast<int*>(count); }, &called};
  REQUIRE(cudaGraphAddHostNode(&host, graph, &copy, 1, &call) == cudaSuccess);
  cudaMemsetParams filled{};
  cudaMemcpy3DParms copied{};
  cudaHostNodeParams calls{};
  REQUIRE(cudaGraphMemsetNodeGetParams(set, &filled) == cudaSuccess);
  REQUIRE(cudaGraphMemcpyNodeGetParams(copy, &copied) == cudaSuccess);
  REQUIRE(cudaGraphHostNodeGetParams(host, &calls) == cudaSuccess);
  CHECK((filled.dst == memory && filled.value == 1 && filled.width == 8));
  CHECK((copied.extent.width == 8 && copied.extent.height == 1 && copied.extent.depth == 1));
  CHECK(calls.userData == &called);
  CHECK(cudaGraphHostNodeGetParams(copy, &calls) == cudaErrorInvalidValue);
  // Half of the copy, in the graph; another value and another count, in what was made of it.
  copied.extent.width = 4;
  CHECK(cudaGraphMemcpyNodeSetParams(copy, &copied) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  int other = 0;
  filled.value = 9;
  calls.userData = &other;
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, set, &filled) == cudaSuccess);
  CHECK(cudaGraphExecHostNodeSetParams(exec, host, &calls) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK((seen[0] == 9 && seen[3] == 9 && seen[4] == 0));
  CHECK((called == 0 && other == 1));
}

TEST_CASE("A child graph is told, belongs to its node, and is exchanged for one of the same shape",
          "[simulator][runtime]") {
  const Session session;
  int one = 0, two = 0;
  const auto child_that = [](int* count) {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphCreate(&graph, 0);
    const cudaHostNodeParams call{[](void* to) { ++*static_cast<int*>(to); }, count};
    cudaGraphAddHostNode(&node, graph, nullptr, 0, &call);
    return graph;
  };
  cudaGraph_t graph = nullptr, inner = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child_that(&one)) == cudaSuccess);
  CHECK(cudaGraphChildGraphNodeGetGraph(node, &inner) == cudaSuccess);
  CHECK(roots(inner).size() == 1);
  CHECK(cudaGraphDestroy(inner) == cudaErrorInvalidValue);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  CHECK(cudaGraphExecChildGraphNodeSetParams(exec, node, child_that(&two)) == cudaSuccess);
  CHECK(cudaGraphExecChildGraphNodeSetParams(exec, node, Diamond().graph) == cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK((one == 0 && two == 1));
}

TEST_CASE("An object is destroyed when neither the host, nor a graph, nor a launch needs it",
          "[simulator][runtime]") {
  const Session session;
  int destroyed = 0;
  cudaUserObject_t object = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  const auto destroy = [](void* count) { ++*static_cast<int*>(count); };
  CHECK(cudaUserObjectCreate(&object, &destroyed, destroy, 1, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaUserObjectCreate(&object, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync) ==
          cudaSuccess);
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) == cudaSuccess);
  CHECK(cudaUserObjectRelease(object, 1) == cudaErrorInvalidValue);
  CHECK(cudaUserObjectRetain(object, 2) == cudaSuccess);
  CHECK(cudaUserObjectRelease(object, 2) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(destroyed == 0);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(destroyed == 1);
  CHECK(cudaUserObjectRetain(object, 1) == cudaErrorInvalidValue);
}

TEST_CASE("A graph is drawn with its edges and what is inside of its nodes",
          "[simulator][runtime]") {
  const Session session;
  const Diamond d;
  cudaGraphNode_t child = nullptr;
  REQUIRE(cudaGraphAddChildGraphNode(&child, d.graph, nullptr, 0, Diamond().graph) == cudaSuccess);
  const std::string path = std::string(KLAB_SIM_PLUGINS) + "/drawn.dot";
  REQUIRE(cudaGraphDebugDotPrint(d.graph, path.c_str(), 0) == cudaSuccess);
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::size_t edges = 0;
  for (std::size_t at = text.find("->"); at != std::string::npos; at = text.find("->", at + 1))
    ++edges;
  CHECK(edges == 8);
  CHECK(text.find("subgraph") != std::string::npos);
}
