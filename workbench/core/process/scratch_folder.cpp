// Making, locking and sweeping.
#include "core/process/scratch_folder.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <ctime>

#include "core/base/files.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view prefix = "klab-scratch-";
/// A folder that is younger may be about to be locked by the one who made it.
constexpr std::time_t settled_s = 60;

/// The folder, locked; an invalid descriptor if another process holds it.
Descriptor lock(const fs::path& folder) {
  Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (descriptor.get() >= 0 && ::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0)
    descriptor.close();
  return descriptor;
}

/// Removes what processes left that ended before they could.
void sweep(const fs::path& above) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(above, ignored)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    const Descriptor held = lock(entry.path());
    struct stat facts {};
    if (held.get() < 0 || ::fstat(held.get(), &facts) != 0) continue;
    if (facts.st_mtime + settled_s < std::time(nullptr)) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::make(const fs::path& above) {
  if (auto made = make_folder(above); !made) return made.error();
  sweep(above);
  std::string name = (above / (std::string(prefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) return io_error("make a folder in", above, errno);
  return ScratchFolder(name, lock(name));
}

Result<ScratchFolder> ScratchFolder::make() {
  std::error_code none;
  const fs::path above = fs::temp_directory_path(none);
  return make(none ? "/tmp" : above);
}

ScratchFolder::ScratchFolder(fs::path path, Descriptor lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace klab
