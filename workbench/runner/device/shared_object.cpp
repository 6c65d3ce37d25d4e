// Loading of kernel files and workloads.
#include "runner/device/shared_object.hpp"

#include <dlfcn.h>

#include "runner/device/runner_error.hpp"

namespace klab::runner {

SharedObject::SharedObject(const std::string& path)
    : handle_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_) return;
  const char* reason = ::dlerror();
  throw RunnerError(make_error(ErrorCode::bad_plugin, "The library " + path + " cannot be loaded.",
                               "Check it again, so that it is built anew.", reason ? reason : ""));
}

void* SharedObject::symbol(const char* name) const { return ::dlsym(handle_, name); }

Plugin::Plugin(std::string variant, const std::string& path) : variant_(std::move(variant)) {
  try {
    launch_ = reinterpret_cast<decltype(launch_)>(SharedObject(path).symbol(launch_symbol));
  } catch (const RunnerError& failure) {
    throw RunnerError(failure.error(), variant_);
  }
  if (launch_) return;
  throw RunnerError(
      make_error(ErrorCode::bad_plugin, "The kernel file has no function `launch` with C linkage."),
      variant_);
}

std::unique_ptr<Workload> load_workload(const std::string& path) {
  const auto make = reinterpret_cast<MakeWorkload>(SharedObject(path).symbol(make_workload_symbol));
  std::unique_ptr<Workload> workload(make ? make() : nullptr);
  if (!workload)
    throw RunnerError(make_error(ErrorCode::bad_plugin,
                                 "The workload " + path + " makes no workload.",
                                 "Export `klab_make_workload` from the lab's workload.cu."));
  return workload;
}

}  // namespace klab::runner
