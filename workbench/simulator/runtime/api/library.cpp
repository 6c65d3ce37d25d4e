// Libraries: device code that a program loads by itself, as a fat binary or as PTX.
#include <fatbinary_section.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "simulator/ptx/fatbin.hpp"
#include "simulator/runtime/api/api.hpp"

using namespace klab::sim;

namespace {

/// The bytes of code that states its end itself: a fat binary, also in nvcc's wrapper, or text.
std::vector<std::byte> copy_of(const void* code) {
  std::uint32_t magic = 0;
  const auto* bytes = static_cast<const std::byte*>(code);
  if (strnlen(static_cast<const char*>(code), sizeof magic) == sizeof magic)
    std::memcpy(&magic, code, sizeof magic);
  if (magic == FATBINC_MAGIC) return copy_of(static_cast<const __fatBinC_Wrapper_t*>(code)->data);
  if (is_container(magic)) {
    const auto container = container_at(code);
    return {container.begin(), container.end()};
  }
  // Of machine code the first bytes say that it is refused.
  const std::size_t size =
      is_machine_code(magic) ? sizeof magic : std::strlen(static_cast<const char*>(code));
  return {bytes, bytes + size};
}

template <class Body>
cudaError_t with_library(cudaLibrary_t handle, Body&& body,
                         const char* name = __builtin_FUNCTION()) {
  return api_call(
      [&](Runtime& runtime) {
        ModuleRecord* library = runtime.modules.find_library(handle);
        return library == nullptr ? cudaErrorInvalidResourceHandle : body(runtime, *library);
      },
      name);
}

cudaError_t load(Runtime& runtime, std::vector<std::byte> code, cudaLibrary_t* out) {
  ModuleRecord* library = nullptr;
  const cudaError_t failed = runtime.modules.add_library(std::move(code), library);
  if (failed == cudaSuccess) *out = reinterpret_cast<cudaLibrary_t>(library);
  return failed;
}

cudaError_t give_variable(const ModuleRecord& library, const char* name, bool managed, void** out,
                          std::size_t* bytes) {
  if (name == nullptr || (out == nullptr && bytes == nullptr)) return cudaErrorInvalidValue;
  const ModuleVariable* variable = library.module->find_variable(name);
  if (variable == nullptr || (managed && !variable->managed)) return cudaErrorSymbolNotFound;
  if (out != nullptr) *out = reinterpret_cast<void*>(variable->address);
  if (bytes != nullptr) *bytes = variable->bytes;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**,
                                unsigned int, cudaLibraryOption*, void**, unsigned int) {
  return api_call([&](Runtime& runtime) {
    if (library == nullptr || code == nullptr) return cudaErrorInvalidValue;
    return load(runtime, copy_of(code), library);
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path, cudaJitOption*,
                                    void**, unsigned int, cudaLibraryOption* options, void**,
                                    unsigned int count) {
  return api_call([&](Runtime& runtime) {
    if (library == nullptr || path == nullptr) return cudaErrorInvalidValue;
    for (unsigned i = 0; options != nullptr && i < count; ++i)
      if (options[i] == cudaLibraryBinaryIsPreserved) return cudaErrorInvalidValue;
    std::ifstream file(path, std::ios::binary);
    if (!file) return cudaErrorFileNotFound;
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return load(runtime, {bytes, bytes + text.size()}, library);
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t handle) {
  return with_library(handle, [](Runtime& runtime, ModuleRecord& library) {
    runtime.streams.run_pending();
    runtime.modules.retire(&library);
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t handle, const char* name) {
  return with_library(handle, [&](Runtime&, ModuleRecord& library) {
    if (kernel == nullptr || name == nullptr) return cudaErrorInvalidValue;
    for (const auto& record : library.kernels)
      if (record->name == name) return give(kernel, reinterpret_cast<cudaKernel_t>(record.get()));
    return cudaErrorSymbolNotFound;
  });
}

cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t handle) {
  return with_library(
      handle, [&](Runtime&, ModuleRecord& library) { return give(count, library.kernels.size()); });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int count,
                                        cudaLibrary_t handle) {
  return with_library(handle, [&](Runtime&, ModuleRecord& library) {
    if (kernels == nullptr) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count && i < library.kernels.size(); ++i)
      kernels[i] = reinterpret_cast<cudaKernel_t>(library.kernels[i].get());
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetGlobal(void** address, size_t* bytes, cudaLibrary_t handle,
                                 const char* name) {
  return with_library(handle, [&](Runtime&, ModuleRecord& library) {
    return give_variable(library, name, false, address, bytes);
  });
}

cudaError_t cudaLibraryGetManaged(void** address, size_t* bytes, cudaLibrary_t handle,
                                  const char* name) {
  return with_library(handle, [&](Runtime&, ModuleRecord& library) {
    return give_variable(library, name, true, address, bytes);
  });
}

// The simulated device has no unified function pointers (cudaDeviceProp::unifiedFunctionPointers).
cudaError_t cudaLibraryGetUnifiedFunction(void**, cudaLibrary_t handle, const char*) {
  return with_library(handle, [](Runtime&, ModuleRecord&) { return cudaErrorSymbolNotFound; });
}

}  // extern "C"
