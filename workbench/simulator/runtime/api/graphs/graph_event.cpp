// Nodes that record an event or wait for one.
#include "simulator/runtime/api/graphs/graph_call.hpp"

using namespace klab::sim;

namespace {

template <class EventNodeWork>
cudaError_t set_event(cudaEvent_t handle, Work& work) {
  const EventPointer event = Runtime::instance().streams.find(handle);
  if (!event) return cudaErrorInvalidValue;
  work = EventNodeWork{event};
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return add_node(out, graph, dependencies, count, cudaGraphNodeTypeEventRecord,
                  [&](Runtime&, Work& work) { return set_event<EventWork>(event, work); });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_parameters(node, cudaGraphNodeTypeEventRecord, event, [](const Work& work) {
    return handle_of(std::get<EventWork>(work).event);
  });
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return with_work(node, cudaGraphNodeTypeEventRecord,
                   [&](Work& work) { return set_event<EventWork>(event, work); });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return with_work(exec, node, cudaGraphNodeTypeEventRecord,
                   [&](Work& work) { return set_event<EventWork>(event, work); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return add_node(out, graph, dependencies, count, cudaGraphNodeTypeWaitEvent,
                  [&](Runtime&, Work& work) { return set_event<WaitWork>(event, work); });
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_parameters(node, cudaGraphNodeTypeWaitEvent, event,
                        [](const Work& work) { return handle_of(std::get<WaitWork>(work).event); });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return with_work(node, cudaGraphNodeTypeWaitEvent,
                   [&](Work& work) { return set_event<WaitWork>(event, work); });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return with_work(exec, node, cudaGraphNodeTypeWaitEvent,
                   [&](Work& work) { return set_event<WaitWork>(event, work); });
}

}  // extern "C"
