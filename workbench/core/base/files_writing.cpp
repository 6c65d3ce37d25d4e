// Writing: a draft of our own beside the file, on disk before it takes the file's place.
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <random>

#include "core/base/files.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

/// Drafts of every file are called so, then come twelve random letters.
constexpr std::string_view draft_prefix = ".klab-draft-";
/// As many as Linux itself follows.
constexpr int most_links = 40;

/// Writes all bytes; 0, or the errno of the call that failed.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0 ? ENOSPC : errno;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// A file under construction. Its writer holds a lock on it, so an unlocked one is nobody's any
/// more.
struct Draft {
  Descriptor file;
  fs::path path;
  int failure = 0;
};

std::string random_letters() {
  std::random_device source;
  std::string letters;
  for (int i = 0; i < 12; ++i) letters += static_cast<char>('a' + source() % 26);
  return letters;
}

/// Removes the drafts of writers that were killed.
void sweep_drafts(const fs::path& folder) {
  std::error_code ignored;
  for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    if (!it->path().filename().string().starts_with(draft_prefix)) continue;
    const Descriptor file(
        ::open(it->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat facts {};
    if (file.get() >= 0 && ::fstat(file.get(), &facts) == 0 && S_ISREG(facts.st_mode) &&
        ::flock(file.get(), LOCK_EX | LOCK_NB) == 0)
      ::unlink(it->path().c_str());
  }
}

/// O_EXCL: never through a link, never into what somebody else laid there.
Draft make_draft(const fs::path& folder) {
  Draft draft;
  for (int attempt = 0; attempt < 100; ++attempt) {
    draft.path = folder / (std::string(draft_prefix) + random_letters());
    draft.file =
        Descriptor(::open(draft.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    draft.failure = draft.file.get() < 0 ? errno : 0;
    if (draft.failure == EEXIST) continue;
    if (draft.failure != 0) return draft;
    // Where a file system has no locks, drafts are not swept either.
    ::flock(draft.file.get(), LOCK_EX);
    struct stat facts {};
    if (::fstat(draft.file.get(), &facts) != 0 || facts.st_nlink > 0) return draft;
    // Swept away before it was locked.
  }
  return draft;
}

/// Gives the draft the name, unless `is_new` and the name is taken. 0 or the errno.
int publish(const fs::path& draft, const fs::path& place, bool is_new) {
  if (!is_new) return ::rename(draft.c_str(), place.c_str()) == 0 ? 0 : errno;
  if (::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, place.c_str(), RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // Network file systems rename only with replacing; a second name is as exclusive.
  if (::link(draft.c_str(), place.c_str()) != 0) return errno;
  ::unlink(draft.c_str());
  return 0;
}

/// Puts a file with `text` at `place`, with the mode and the owner of `before`. 0 or the errno;
/// then `place` is as it was.
int put(const fs::path& place, std::string_view text, const struct stat* before, bool is_new) {
  const fs::path folder = folder_of(place);
  sweep_drafts(folder);
  const Draft draft = make_draft(folder);
  if (draft.failure != 0) return draft.failure;
  const int file = draft.file.get();
  int failure = 0;
  if (before != nullptr) {
    // Only root may give a file away; then it stays the writer's.
    if (before->st_uid != ::geteuid() || before->st_gid != ::getegid())
      (void)!::fchown(file, before->st_uid, before->st_gid);
    if (::fchmod(file, before->st_mode & 0777) != 0) failure = errno;
  }
  if (failure == 0) failure = write_all(file, text);
  if (failure == 0 && ::fsync(file) != 0) failure = errno;
  if (failure == 0) failure = publish(draft.path, place, is_new);
  if (failure != 0) {
    ::unlink(draft.path.c_str());
    return failure;
  }
  // The name is on disk too; where a folder cannot be synced, it will be soon.
  const Descriptor above(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (above.get() >= 0) ::fsync(above.get());
  return 0;
}

/// Writes to what is there without replacing it.
Result<> write_through(const fs::path& path, std::string_view text, int flags) {
  // O_NONBLOCK: a pipe that nobody reads is an error, not a wait without end.
  const Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags, 0644));
  if (file.get() < 0) return io_error("write", path, errno);
  const int modes = ::fcntl(file.get(), F_GETFL);
  ::fcntl(file.get(), F_SETFL, modes & ~O_NONBLOCK);
  if (const int failure = write_all(file.get(), text); failure != 0)
    return io_error("write", path, failure);
  return Ok{};
}

/// The links of /proc/self/fd, which /dev/stdout leads to, name open files and no places.
bool is_in_proc(const fs::path& folder) {
  struct statfs facts {};
  return ::statfs(folder.c_str(), &facts) == 0 && facts.f_type == PROC_SUPER_MAGIC;
}

/// As the kernel decides where its setting `protected_symlinks` is on; here it always is.
bool is_strangers(const struct stat& link, const fs::path& folder) {
  struct stat above {};
  if (::stat(folder.c_str(), &above) != 0) return false;
  const bool shared = (above.st_mode & S_ISVTX) != 0 && (above.st_mode & S_IWOTH) != 0;
  return shared && link.st_uid != ::geteuid() && link.st_uid != above.st_uid;
}

/// Where the links lead that `path` may be; nullopt if they lead to an open file of a process.
Result<std::optional<fs::path>> followed(const fs::path& path) {
  fs::path place = path;
  for (int links = 0; links < most_links; ++links) {
    struct stat link {};
    if (::lstat(place.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) return std::optional(place);
    const fs::path folder = folder_of(place);
    if (is_in_proc(folder)) return std::optional<fs::path>();
    if (is_strangers(link, folder)) return io_error("follow the link", place, EACCES);
    std::error_code failure;
    const fs::path target = fs::read_symlink(place, failure);
    if (failure) return io_error("follow the link", place, failure.value());
    place = target.is_absolute() ? target : folder / target;
  }
  return io_error("write", path, ELOOP);
}

}  // namespace

Result<> write_file(const fs::path& path, std::string_view text) {
  if (auto made = make_folder(path.parent_path()); !made) return made;
  struct stat before {};
  const bool is_there = ::stat(path.c_str(), &before) == 0;
  if (!is_there && errno != ENOENT) return io_error("write", path, errno);
  if (is_there && S_ISDIR(before.st_mode)) return io_error("write", path, EISDIR);
  if (is_there && !S_ISREG(before.st_mode)) return write_through(path, text, 0);
  const auto place = followed(path);
  if (!place) return place.error();
  if (!*place) return write_through(path, text, O_TRUNC);
  const int failure = put(**place, text, is_there ? &before : nullptr, false);
  return failure == 0 ? Result<>(Ok{}) : io_error("write", path, failure);
}

Result<> write_new_file(const fs::path& path, std::string_view text) {
  if (auto made = make_folder(path.parent_path()); !made) return made;
  const int failure = put(path, text, nullptr, true);
  return failure == 0 ? Result<>(Ok{}) : io_error("write", path, failure);
}

Result<> append_to_file(const fs::path& path, std::string_view text) {
  return write_through(path, text, O_CREAT | O_APPEND);
}

}  // namespace klab
