// Stream capture: calls on capturing streams become nodes of a graph.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

struct Graph;
struct GraphNode;
struct Stream;

/// One capture sequence: the stream it began in and those that joined through events.
struct Capture {
  std::uint64_t id = 0;
  Graph* graph = nullptr;
  bool owns_graph = true;  ///< false for cudaStreamBeginCaptureToGraph
  Stream* origin = nullptr;
  std::set<Stream*> members;
  std::vector<GraphNode*> left_behind;  ///< last nodes of member streams that were destroyed
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool invalid = false;
};

class Captures {
 public:
  cudaError_t begin(Stream& stream, cudaStreamCaptureMode mode, Graph* into,
                    std::vector<GraphNode*> after);
  /// Ends the capture that began in `stream` and hands over its graph; null on error.
  cudaError_t end(Stream& stream, Graph** graph);
  /// Adds the work as a node behind the stream's frontier.
  cudaError_t add(Stream& stream, Work work);
  /// A destroyed stream leaves its capture. What it recorded must have been joined by the end; a
  /// capture whose first stream is destroyed is given up.
  void leave(Stream& stream);

  const std::set<std::shared_ptr<Capture>>& active() const { return active_; }

 private:
  std::set<std::shared_ptr<Capture>> active_;
  std::uint64_t next_id_ = 1;
};

}  // namespace klab::sim
