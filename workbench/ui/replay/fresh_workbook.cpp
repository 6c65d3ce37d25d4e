// FreshWorkbook: linking, removing, and telling by a lock whose program still lives.
#include "ui/replay/fresh_workbook.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace klab::ui {
namespace fs = std::filesystem;

namespace {

constexpr const char* begin_of_name = "klab-fresh-";

/// The folder, opened and locked; -1 if it is not ours or cannot be locked. `how`: LOCK_NB not to
/// wait for who holds it.
int lock_folder(const fs::path& folder, int how) {
  const int number = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat facts {};
  if (number >= 0 && ::fstat(number, &facts) == 0 && facts.st_uid == ::geteuid() &&
      ::flock(number, LOCK_EX | how) == 0)
    return number;
  if (number >= 0) ::close(number);
  return -1;
}

}  // namespace

FreshWorkbook::FreshWorkbook(const fs::path& root) {
  std::error_code failure;
  const fs::path above = fs::temp_directory_path(failure);
  // Between its making and its lock another program may sweep the folder away: then once more.
  do {
    if (lock_ >= 0) ::close(lock_);
    std::string name = (above / begin_of_name).string() + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
      root_.clear();
      return;
    }
    root_ = name;
    lock_ = lock_folder(root_, 0);
  } while (!fs::exists(root_, failure));
  for (const auto& entry : fs::directory_iterator(root, failure))
    if (const auto part = entry.path().filename(); part != "workbook" && part != ".git")
      fs::create_symlink(entry.path(), root_ / part, failure);
}

FreshWorkbook::~FreshWorkbook() {
  std::error_code ignored;
  if (!root_.empty()) fs::remove_all(root_, ignored);  // links are not followed
  if (lock_ >= 0) ::close(lock_);
}

void sweep_fresh_workbooks() {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fs::temp_directory_path(ignored), ignored)) {
    if (!entry.path().filename().string().starts_with(begin_of_name)) continue;
    const int lock = lock_folder(entry.path(), LOCK_NB);
    if (lock < 0) continue;
    fs::remove_all(entry.path(), ignored);
    ::close(lock);
  }
}

}  // namespace klab::ui
