// CudaDeclaration: one declaration of a kernel file, and whether device code needs it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/build/draft/cuda_tokens.hpp"

namespace klab {

/// One declaration of a namespace: tokens [begin, end).
struct CudaDeclaration {
  std::size_t begin = 0, end = 0;
  std::size_t body = 0;  ///< of a function: its "{"; else end
  std::string name;
  std::string path;  ///< named namespaces around it, "a::b::"
  bool is_function = false, is_template = false, is_kernel = false, kept = false;
  bool is_type = false;  ///< a class, alias or constant: kept where it is named
};

/// The declarations of a file, whose tokens are given, in their order; those of named namespaces
/// with their path. Kept are those on the device and the types and constants that they name.
std::vector<CudaDeclaration> cuda_declarations(std::string_view file,
                                               const std::vector<CudaToken>& tokens);

}  // namespace klab
