// Toolchain: the CUDA toolkit that builds kernels.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.hpp"
#include "core/base/tree.hpp"

namespace klab {

struct Toolchain {
  std::filesystem::path root;  ///< e.g. /usr/local/cuda; holds bin/nvcc
  std::filesystem::path nvcc;
  std::string version;  ///< "13.0.88"
};

/// The toolkit to use, by preference: the one recorded by the launcher in <tree>/toolkit.json
/// (beside or above the build tree), CUDA_HOME, nvcc on PATH, /usr/local/cuda. Errors:
/// ErrorCode::no_toolkit if none of major 13 is found.
Result<Toolchain> find_toolchain(const Tree& tree);

}  // namespace klab
