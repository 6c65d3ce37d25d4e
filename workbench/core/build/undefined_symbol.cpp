// By the beginning of its name.
#include "core/build/undefined_symbol.hpp"

#include <array>
#include <string_view>

#include "core/build/demangle.hpp"

namespace klab {
namespace {

constexpr std::array<std::string_view, 9> libraries = {
    "cublas", "cudnn", "cufft", "cufile", "curand", "cusolver", "cusparse", "nccl", "nvrtc"};

bool is_of_library(std::string_view name) {
  for (const std::string_view library : libraries)
    if (name.starts_with(library)) return true;
  return false;
}

/// cuMemAlloc, and not cudaMalloc or customers.
bool is_of_driver(std::string_view name) {
  return name.starts_with("cu") && name.size() > 2 && name[2] >= 'A' && name[2] <= 'Z';
}

/// As it is written: headers rename many functions to their second or third version.
std::string without_version(const std::string& name) {
  const std::size_t at = name.rfind("_v");
  const bool versioned = at != std::string::npos && at + 2 < name.size() &&
                         name.find_first_not_of("0123456789", at + 2) == std::string::npos;
  return versioned ? name.substr(0, at) : name;
}

}  // namespace

Error undefined_symbol(const std::string& symbol, const std::string& reason) {
  const std::string name = without_version(symbol);
  if (is_of_driver(symbol))
    return make_error(
        ErrorCode::bad_plugin,
        "The file uses `" + name + "`, a function of CUDA's driver, with which it is not linked.",
        "Call what the runtime has for it: their names begin with cuda, such as "
        "cudaMalloc() for cuMemAlloc().",
        reason);
  if (is_of_library(symbol))
    return make_error(
        ErrorCode::bad_plugin,
        "The file uses `" + name + "`, a function of a library with which this lab does not link.",
        "Write the kernel yourself: that is what the lab is about.", reason);
  return make_error(ErrorCode::bad_plugin,
                    "The file uses `" + demangled(symbol) + "`, which is defined nowhere.",
                    "Define it in the same file: nothing else of yours is built with it.", reason);
}

}  // namespace klab
