#include "simulator/runtime/api/api.hpp"

#include <fmt/format.h>

#include <string_view>

namespace klab::sim {

static Finding called_in_host_function(std::string_view name) {
  Finding finding;
  finding.kind = FindingKind::call_in_host_function;
  finding.message = fmt::format(
      "A host function of a stream (cudaLaunchHostFunc) {}, which does nothing there: the call "
      "answers cudaErrorNotPermitted. Such a function may call nothing of CUDA",
      name.starts_with("__cuda") ? "launches a kernel" : fmt::format("calls {}", name));
  return finding;
}

cudaError_t run_call(const CallBody& body, const char* name) noexcept {
  const WithinCall within;
  name = CalledAs::take(name);
  try {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex);
    const UnreadyTimes::Call apart(runtime.unready_times);
    if (runtime.in_host_function) {
      runtime.add(called_in_host_function(name));
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
