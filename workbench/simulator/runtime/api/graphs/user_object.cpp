// Objects that live as long as a graph needs them.
#include "simulator/runtime/api/graphs/graph_call.hpp"

using namespace klab::sim;

namespace {

template <class Body>
cudaError_t with_object(cudaUserObject_t handle, unsigned count, Body&& body,
                        const char* name = __builtin_FUNCTION()) {
  return api_call(
      [&](Runtime& runtime) {
        const UserObjectPointer object = runtime.user_objects.find(handle);
        return !object || count == 0 ? cudaErrorInvalidValue : body(runtime, object);
      },
      name);
}

}  // namespace

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* out, void* object, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags) {
  return api_call([&](Runtime& runtime) {
    if (out == nullptr || destroy == nullptr || references == 0 ||
        flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    *out = runtime.user_objects.create(object, destroy, references);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned int count) {
  return with_object(handle, count, [&](Runtime& runtime, const UserObjectPointer& object) {
    runtime.user_objects.retain(object, count);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned int count) {
  return with_object(handle, count, [&](Runtime& runtime, const UserObjectPointer& object) {
    return runtime.user_objects.release(object, count) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle,
                                      unsigned int count, unsigned int flags) {
  return with_object(handle, count, [&](Runtime& runtime, const UserObjectPointer& object) {
    Graph* graph = runtime.graphs.find(graph_handle);
    if (graph == nullptr || flags > cudaGraphUserObjectMove) return cudaErrorInvalidValue;
    if (flags == cudaGraphUserObjectMove && !runtime.user_objects.release(object, count))
      return cudaErrorInvalidValue;
    graph->objects[object] += count;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle,
                                       unsigned int count) {
  return with_object(handle, count, [&](Runtime& runtime, const UserObjectPointer& object) {
    Graph* graph = runtime.graphs.find(graph_handle);
    if (graph == nullptr) return cudaErrorInvalidValue;
    const auto held = graph->objects.find(object);
    if (held == graph->objects.end() || held->second < count) return cudaErrorInvalidValue;
    if ((held->second -= count) == 0) graph->objects.erase(held);
    return cudaSuccess;
  });
}

}  // extern "C"
