// Tree: where the course and its build are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace klab {

/// The folders everything is found from. `build` is the CMake build tree that holds bin/ (this
/// program included).
struct Tree {
  std::filesystem::path root;   ///< the repository: labs/, kernels/, solutions/, workbook/
  std::filesystem::path build;  ///< bin/, plugins/, cache/

  std::filesystem::path plugins() const { return build / "plugins"; }
  std::filesystem::path cache() const { return build / "cache"; }
  std::filesystem::path workbook() const { return root / "workbook"; }
  std::filesystem::path runner(bool simulator) const {
    return build / "bin" / (simulator ? "klab-runner-sim" : "klab-runner-gpu");
  }
};

/// The tree this program belongs to: the build tree from its own location, the repository from the
/// folder that configured it. KLAB_ROOT in the environment names another repository.
Tree find_tree();

/// Reads a whole file. Errors: ErrorCode::io naming the path; also for files over `limit_bytes`.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::size_t limit_bytes = 64u << 20);
/// Writes through a temporary file and a rename, so that a reader never sees half of it.
Result<> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace klab
