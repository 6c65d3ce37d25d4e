// SharedObject: a loaded shared library, with the symbols of kernel files and workloads.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "core/verdict/variant_name.hpp"
#include "runner/workload/workload.hpp"

namespace klab::runner {

/// Loaded with RTLD_NOW | RTLD_LOCAL: what is missing shows at once, and two kernel files that
/// define the same names do not see each other. Never unloaded: CUDA keeps pointers into it until
/// the process ends.
class SharedObject {
 public:
  /// Errors: bad_plugin, with the loader's own words.
  explicit SharedObject(const std::string& path);
  /// Null if the library does not export it.
  void* symbol(const char* name) const;

 private:
  void* handle_;
};

/// A kernel file under test.
class Plugin {
 public:
  /// Errors: bad_plugin if the library cannot be loaded or lacks `launch`.
  Plugin(VariantName variant, const std::string& path);

  const VariantName& variant() const { return variant_; }
  /// Calls the kernel file's `launch`. `args` is the lab's Args, as Workload::bind() made it.
  /// Errors: crash if it lets an exception out.
  void launch(const void* args, cudaStream_t stream) const;

 private:
  VariantName variant_;
  void (*launch_)(const void*, cudaStream_t);
};

/// Errors: bad_plugin if the library cannot be loaded or makes no workload.
std::unique_ptr<Workload> load_workload(const std::string& path);

}  // namespace klab::runner
