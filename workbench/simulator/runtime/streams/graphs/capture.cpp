// Rules of stream capture, as the toolkit documents them.
#include "simulator/runtime/streams/graphs/capture.hpp"

#include <unordered_set>

#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {
namespace {

thread_local cudaStreamCaptureMode thread_capture_mode = cudaStreamCaptureModeGlobal;

/// Whether every node of `wanted` is one of `roots` or comes before one of them.
bool joined(const std::vector<GraphNode*>& roots, const std::vector<GraphNode*>& wanted) {
  std::unordered_set<const GraphNode*> reached(roots.begin(), roots.end());
  std::vector<const GraphNode*> open(roots.begin(), roots.end());
  while (!open.empty()) {
    const GraphNode* node = open.back();
    open.pop_back();
    for (const GraphNode* dependency : node->dependencies) {
      if (reached.insert(dependency).second) open.push_back(dependency);
    }
  }
  for (const GraphNode* node : wanted) {
    if (!reached.contains(node)) return false;
  }
  return true;
}

}  // namespace

cudaError_t Captures::begin(Stream& stream, cudaStreamCaptureMode mode, Graph* into,
                            std::vector<GraphNode*> after) {
  if (stream.legacy) return cudaErrorStreamCaptureUnsupported;
  if (stream.capture) return cudaErrorIllegalState;
  auto capture = std::make_shared<Capture>();
  capture->id = next_id_++;
  capture->owns_graph = into == nullptr;
  capture->graph = into != nullptr ? into : Runtime::instance().graphs.create();
  capture->origin = &stream;
  capture->members = {&stream};
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  stream.capture = capture;
  stream.frontier = std::move(after);
  active_.insert(std::move(capture));
  return cudaSuccess;
}

cudaError_t Captures::end(Stream& stream, Graph** graph) {
  *graph = nullptr;
  const std::shared_ptr<Capture> capture = stream.capture;
  if (!capture) return cudaErrorIllegalState;
  if (capture->origin != &stream) return cudaErrorStreamCaptureUnmatched;
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    return cudaErrorStreamCaptureWrongThread;
  }
  cudaError_t code = capture->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  if (code == cudaSuccess && !joined(stream.frontier, capture->left_behind))
    code = cudaErrorStreamCaptureUnjoined;
  for (Stream* member : capture->members) {
    if (code == cudaSuccess && !joined(stream.frontier, member->frontier)) {
      code = cudaErrorStreamCaptureUnjoined;
    }
  }
  for (Stream* member : capture->members) {
    member->capture.reset();
    if (member != &stream) member->frontier.clear();
  }
  stream.frontier.clear();
  active_.erase(capture);
  if (code == cudaSuccess) {
    *graph = capture->graph;
  } else if (capture->owns_graph) {
    Runtime::instance().graphs.destroy(capture->graph);
  }
  return code;
}

cudaError_t Captures::add(Stream& stream, Work work) {
  if (stream.capture->invalid) return cudaErrorStreamCaptureInvalidated;
  GraphNode* node = nullptr;
  const cudaGraphNodeType type = type_of(work);
  const auto* kernel = std::get_if<KernelWork>(&work);
  const bool early = kernel != nullptr && kernel->early;
  const cudaError_t code = Runtime::instance().graphs.add(*stream.capture->graph, type,
                                                          std::move(work), stream.frontier, &node);
  if (code != cudaSuccess) return code;
  for (const GraphNode* dependency : node->dependencies)
    if (early && dependency->type == cudaGraphNodeTypeKernel)
      node->set_edge(dependency, programmatic_edge);
  stream.frontier = {node};
  return cudaSuccess;
}

void Captures::leave(Stream& stream) {
  const std::shared_ptr<Capture> capture = stream.capture;
  if (!capture) return;
  capture->members.erase(&stream);
  stream.capture.reset();
  if (capture->origin != &stream) {
    auto& left = capture->left_behind;
    left.insert(left.end(), stream.frontier.begin(), stream.frontier.end());
    return;
  }
  capture->invalid = true;
  for (Stream* member : capture->members) {
    member->capture.reset();
    member->frontier.clear();
  }
  active_.erase(capture);
  if (capture->owns_graph) Runtime::instance().graphs.destroy(capture->graph);
}

cudaStreamCaptureMode exchange_thread_capture_mode(cudaStreamCaptureMode mode) {
  return std::exchange(thread_capture_mode, mode);
}

cudaError_t Streams::forbid_in_capture() {
  if (thread_capture_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  for (const auto& capture : captures.active()) {
    const bool own = capture->thread == std::this_thread::get_id();
    const bool forbidden = (capture->mode == cudaStreamCaptureModeGlobal &&
                            (own || thread_capture_mode == cudaStreamCaptureModeGlobal)) ||
                           (capture->mode == cudaStreamCaptureModeThreadLocal && own);
    if (!forbidden) continue;
    capture->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return cudaSuccess;
}

cudaError_t Streams::forbid_legacy_in_capture() {
  for (const auto& capture : captures.active()) {
    for (const Stream* member : capture->members) {
      if (!member->blocking()) continue;
      capture->invalid = true;
      return cudaErrorStreamCaptureImplicit;
    }
  }
  return cudaSuccess;
}

}  // namespace klab::sim
