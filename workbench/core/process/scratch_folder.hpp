// ScratchFolder: a folder of one's own that is gone afterwards.
#pragma once

#include <filesystem>

#include "core/base/result.hpp"
#include "core/process/child.hpp"

namespace klab {

/// Removed with the object; if the process dies first, by the next make() beside it.
class ScratchFolder {
 public:
  /// Makes one in `above`, which is made too, that only this user can look into. Errors: io.
  static Result<ScratchFolder> make(const std::filesystem::path& above);
  /// One in the system's folder for temporary files.
  static Result<ScratchFolder> make();
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(std::filesystem::path path, Descriptor lock);

  std::filesystem::path path_;
  Descriptor lock_;  ///< the folder itself, locked: it is in use
};

}  // namespace klab
