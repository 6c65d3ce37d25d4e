// Stream capture functions.
#include <algorithm>

#include "simulator/runtime/api/api.hpp"

using namespace klab::sim;

namespace {

/// The nodes of the handles, all of the given graph; false when one is not.
bool nodes_of(Runtime& runtime, const Graph* graph, const cudaGraphNode_t* handles,
              std::size_t count, std::vector<GraphNode*>& nodes) {
  if (handles == nullptr && count != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    GraphNode* node = runtime.graphs.find(handles[i]);
    if (node == nullptr || node->graph != graph) return false;
    nodes.push_back(node);
  }
  return true;
}

/// Edges with data lead to nodes that are added, not to those that a capture has yet to record.
cudaError_t check_plain(Runtime& runtime, const cudaGraphEdgeData* edges, std::size_t count) {
  if (edges == nullptr || std::all_of(edges, edges + count, is_plain)) return cudaSuccess;
  runtime.lack(
      "edge data of a capture",
      "A capture's dependencies take no edge data here. Launch the kernel behind them with "
      "cudaLaunchAttributeProgrammaticStreamSerialization, which makes such an edge.");
  return cudaErrorNotSupported;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
    return runtime.streams.captures.begin(stream, mode, nullptr, {});
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph_handle,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* edges, size_t count,
                                          cudaStreamCaptureMode mode) {
  return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
    if (const cudaError_t code = check_plain(runtime, edges, count); code != cudaSuccess)
      return code;
    Graph* graph = runtime.graphs.find(graph_handle);
    std::vector<GraphNode*> after;
    if (graph == nullptr || !nodes_of(runtime, graph, dependencies, count, after)) {
      return cudaErrorInvalidValue;
    }
    return runtime.streams.captures.begin(stream, mode, graph, std::move(after));
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
    const bool into_graph = stream.capture && !stream.capture->owns_graph;
    if (graph == nullptr && !into_graph) return cudaErrorInvalidValue;
    Graph* made = nullptr;
    const cudaError_t code = runtime.streams.captures.end(stream, &made);
    if (graph != nullptr) *graph = handle_of(made);
    return code;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  const CalledAs outer;
  return cudaStreamGetCaptureInfo(handle, status, nullptr, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  return with_stream(handle, [&](Runtime&, Stream& stream) {
    if (status == nullptr) return cudaErrorInvalidValue;
    const Capture* capture = stream.capture.get();
    *status = capture == nullptr ? cudaStreamCaptureStatusNone
              : capture->invalid ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
    if (capture == nullptr) return cudaSuccess;
    if (id != nullptr) *id = capture->id;
    if (graph != nullptr) *graph = handle_of(capture->graph);
    if (dependencies != nullptr) {
      *dependencies = reinterpret_cast<const cudaGraphNode_t*>(stream.frontier.data());
    }
    if (edges != nullptr) *edges = nullptr;
    if (count != nullptr) *count = stream.frontier.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* edges, size_t count,
                                                unsigned int flags) {
  return with_stream(handle, [&](Runtime& runtime, Stream& stream) {
    if (!stream.capture) return cudaErrorIllegalState;
    if (const cudaError_t code = check_plain(runtime, edges, count); code != cudaSuccess)
      return code;
    std::vector<GraphNode*> nodes;
    if (!nodes_of(runtime, stream.capture->graph, dependencies, count, nodes)) {
      return cudaErrorInvalidValue;
    }
    if (flags == cudaStreamSetCaptureDependencies) stream.frontier.clear();
    stream.frontier.insert(stream.frontier.end(), nodes.begin(), nodes.end());
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return api_call([&](Runtime&) {
    if (mode == nullptr) return cudaErrorInvalidValue;
    *mode = exchange_thread_capture_mode(*mode);
    return cudaSuccess;
  });
}

}  // extern "C"
