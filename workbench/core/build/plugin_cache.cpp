// The time of a library's last use is that of its file.
#include "core/build/plugin_cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <vector>

namespace klab {
namespace fs = std::filesystem;

namespace {

/// Waits for the lock on a library, shared, or on the folder of all, exclusively. Where a file
/// system has no locks, nothing is waited for.
Descriptor locked(const fs::path& path, int how) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() >= 0 && ::flock(file.get(), how) != 0 && errno == EWOULDBLOCK) file.close();
  return file;
}

/// False if somebody holds it. The caller has the lock on all libraries, so that no new one takes
/// the place of the one that is looked at.
bool remove_unheld(const fs::path& library) {
  const Descriptor file = locked(library, LOCK_EX | LOCK_NB);
  if (file.get() < 0) return false;
  std::error_code failure;
  fs::remove(library, failure);
  fs::remove(report_of(library), failure);
  return true;
}

}  // namespace

LibraryHold hold(const fs::path& library) {
  Descriptor file = locked(library, LOCK_SH);
  struct stat facts {};
  // Without a name, it was deleted before it was held.
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0 || facts.st_nlink == 0) return nullptr;
  return std::make_shared<const Descriptor>(std::move(file));
}

Result<LibraryHold> put(const fs::path& finished, const fs::path& library, std::string_view report,
                        const std::function<bool()>& is_there) {
  const Descriptor all = locked(library.parent_path().parent_path(), LOCK_EX);
  if (is_there()) return hold(library);
  if (auto written = write_file(report_of(library), report); !written) return written.error();
  std::error_code failure;
  fs::rename(finished, library, failure);
  if (failure) return io_error("write", library, failure.value());
  return hold(library);
}

fs::path report_of(const fs::path& library) { return library.string() + ".json"; }

void note_use(const fs::path& library) {
  std::error_code ignored;
  fs::last_write_time(library, fs::file_time_type::clock::now(), ignored);
}

void keep_within(const fs::path& plugins, std::uintmax_t bound_bytes) {
  struct Kept {
    fs::path library;
    fs::file_time_type used;
    std::uintmax_t bytes;
  };
  const Descriptor all = locked(plugins, LOCK_EX);
  const auto now = fs::file_time_type::clock::now() + std::chrono::minutes(1);
  std::vector<Kept> kept;
  std::uintmax_t total = 0;
  std::error_code failure;
  for (const auto& lab : fs::directory_iterator(plugins, failure))
    for (const auto& entry : fs::directory_iterator(lab.path(), failure)) {
      if (entry.path().extension() != ".so") continue;
      // Another process may be deleting the same ones.
      std::error_code gone;
      Kept one{entry.path(), entry.last_write_time(gone), entry.file_size(gone)};
      if (gone) continue;
      if (one.used > now) one.used = fs::file_time_type::min();
      total += one.bytes;
      kept.push_back(one);
    }
  std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  for (const Kept& oldest : kept) {
    if (total <= bound_bytes) return;
    if (remove_unheld(oldest.library)) total -= oldest.bytes;
  }
}

}  // namespace klab
