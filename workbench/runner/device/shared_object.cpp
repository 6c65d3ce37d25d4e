// Loading of kernel files and workloads.
#include "runner/device/shared_object.hpp"

#include <dlfcn.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

#include <exception>
#include <string_view>

#include "core/build/undefined_symbol.hpp"
#include "runner/device/runner_error.hpp"

namespace klab::runner {
namespace {

/// How this thread rounds, and what it makes of numbers next to zero, as a thread begins: code of a
/// kernel file may have changed that, and references are worked out with it.
class KeptArithmetic {
 public:
  KeptArithmetic() = default;
  ~KeptArithmetic() {
#if defined(__x86_64__)
    // All of it, whatever the C library's fesetenv() leaves as it is.
    constexpr unsigned mxcsr = 0x1f80;
    constexpr unsigned short x87_control = 0x037f;
    constexpr unsigned raised = 0x3f;  // what happened stays there to be seen
    _mm_setcsr(mxcsr | (_mm_getcsr() & raised));
    asm volatile("fnclex\n\tfldcw %0" : : "m"(x87_control));
#else
    std::fesetenv(FE_DFL_ENV);
#endif
  }
  KeptArithmetic(const KeptArithmetic&) = delete;
  KeptArithmetic& operator=(const KeptArithmetic&) = delete;
};

/// What the loader says, as a mistake of the file where it is one.
Error loading_error(const std::string& path, const std::string& reason) {
  constexpr std::string_view mark = "undefined symbol: ";
  const std::size_t at = reason.find(mark);
  if (at == std::string::npos)
    return make_error(ErrorCode::bad_plugin, "The library " + path + " cannot be loaded.",
                      "Check it again, so that it is built anew.", reason);
  const std::size_t begin = at + mark.size();
  const std::string name = reason.substr(begin, reason.find_first_of(", \n", begin) - begin);
  return undefined_symbol(name, reason);
}

Error thrown_error(const std::string& which) {
  return make_error(ErrorCode::crash, "`launch` let an exception out" + which + ".",
                    "Catch it where it is thrown, or leave out what throws it: `launch` has to "
                    "return.");
}

}  // namespace

SharedObject::SharedObject(const std::string& path) {
  {
    const KeptArithmetic kept;  // its static constructors run
    handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (handle_) return;
  const char* reason = ::dlerror();
  throw RunnerError(loading_error(path, reason ? reason : ""));
}

void* SharedObject::symbol(const char* name) const { return ::dlsym(handle_, name); }

Plugin::Plugin(VariantName variant, const std::string& path) : variant_(std::move(variant)) {
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

void Plugin::launch(const void* args, cudaStream_t stream) const {
  const KeptArithmetic kept;
  try {
    launch_(args, stream);
  } catch (const std::exception& thrown) {
    throw RunnerError(thrown_error(std::string(": ") + thrown.what()), variant_);
  } catch (...) {
    throw RunnerError(thrown_error(" that is no std::exception"), variant_);
  }
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
