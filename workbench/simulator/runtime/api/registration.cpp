// What nvcc-generated code calls when a plugin is loaded and unloaded. Takes notes only, never
// throws.
#include <fatbinary_section.h>

#include "simulator/runtime/api/api.hpp"

using namespace klab::sim;

namespace {

/// Registration has no way to report failure; a kernel that is not registered says so at its
/// launch.
template <class Body>
void note(Body&& body) noexcept {
  try {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex);
    body(runtime);
  } catch (...) {
  }
}

ModuleRecord* module_of(void** handle) { return reinterpret_cast<ModuleRecord*>(handle); }

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  void** handle = nullptr;
  note([&](Runtime& runtime) {
    const auto* fatbin = static_cast<const __fatBinC_Wrapper_t*>(wrapper);
    const bool known = fatbin != nullptr && fatbin->magic == FATBINC_MAGIC;
    ModuleRecord* record = runtime.modules.add(known ? fatbin->data : nullptr);
    handle = reinterpret_cast<void**>(record);
    // Of files built with -rdc=true: linked machine code here, the PTX with each file.
    if (known && fatbin->version == FATBINC_LINK_VERSION)
      for (auto part = static_cast<void* const*>(fatbin->filename_or_fatbins); *part != nullptr;
           ++part)
        record->parts.push_back(*part);
  });
  return handle;
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** module) {
  if (module == nullptr) return;
  note([&](Runtime& runtime) {
    // Checks that wait with work until somebody waits for it have not seen it yet.
    runtime.streams.run_what_is_left();
    runtime.modules.retire(module_of(module));
  });
}

char __cudaInitModule(void** module) {
  bool ready = false;
  note([&](Runtime& runtime) {
    ready = module != nullptr && runtime.modules.load(*module_of(module)) == cudaSuccess;
  });
  return ready ? 1 : 0;
}

void __cudaRegisterFunction(void** module, const char* host_function, char*,
                            const char* device_name, int, uint3*, uint3*, dim3*, dim3*, int*) {
  if (module == nullptr || device_name == nullptr) return;
  note([&](Runtime& runtime) {
    runtime.modules.add_kernel(module_of(module), host_function, device_name);
  });
}

void __cudaRegisterVar(void** module, char* host_variable, char*, const char* device_name, int,
                       size_t size, int, int) {
  if (module == nullptr || device_name == nullptr) return;
  note([&](Runtime& runtime) {
    runtime.modules.add_variable(module_of(module), host_variable,
                                 {nullptr, device_name, size, nullptr});
  });
}

void __cudaRegisterManagedVar(void** module, void** host_pointer, char*, const char* device_name,
                              int, size_t size, int, int) {
  if (module == nullptr || device_name == nullptr) return;
  note([&](Runtime& runtime) {
    runtime.modules.add_variable(module_of(module), host_pointer,
                                 {nullptr, device_name, size, host_pointer});
  });
}

void __cudaRegisterHostVar(void**, const char*, char*, size_t) {}

void __cudaRegisterUnifiedTable(void**, void*) {}

}  // extern "C"
