#include "simulator/runtime/api/api.hpp"

namespace klab::sim {

cudaError_t run_call(const CallBody& body, const char* name) noexcept {
  const WithinCall within;
  name = CalledAs::take(name);
  try {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex);
    const UnreadyTimes::Call apart(runtime.unready_times);
    if (runtime.in_host_function) {
      runtime.say(
          "A host function in a stream (cudaLaunchHostFunc) called CUDA, which it may not.");
      return runtime.errors.record(cudaErrorNotPermitted);
    }
    if (const cudaError_t fatal = runtime.errors.fatal(); fatal != cudaSuccess) {
      return runtime.errors.record(fatal);
    }
    const OrderedCall ordered(runtime.order, name);
    ++runtime.ticks;
    ++runtime.calls;
    const std::size_t said = runtime.messages().size();
    const cudaError_t code = body(runtime);
    if (code != cudaSuccess) runtime.refused(name, code, runtime.messages().size() > said);
    return runtime.errors.record(code);
  } catch (const std::bad_alloc&) {
    return Errors::record(cudaErrorMemoryAllocation);
  } catch (...) {
    return Errors::record(cudaErrorUnknown);
  }
}

}  // namespace klab::sim
