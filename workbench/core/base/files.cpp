// Reading and writing files through POSIX calls, because only those say why they failed.
#include "core/base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace klab {
namespace {

/// Owns a descriptor; closes it silently.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

/// Writes all bytes and has them on disk; 0, or the errno of the call that failed.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0 ? ENOSPC : errno;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return ::fsync(descriptor) == 0 ? 0 : errno;
}

}  // namespace

Error io_error(std::string_view act, const std::filesystem::path& path, int error_number) {
  const std::string what = "Could not " + std::string(act) + " " + path.string() + ": " +
                           std::strerror(error_number) + ".";
  switch (error_number) {
    case EROFS:
      return make_error(ErrorCode::io, what,
                        "The file system is read-only: remount it writable, or work in a clone on "
                        "another disk.");
    case EACCES:
    case EPERM:
      return make_error(
          ErrorCode::io, what,
          "Give yourself the right to it: `chmod u+rwX` on the folder if it is yours, "
          "or ask its owner.");
    case ENOSPC:
    case EDQUOT:
      return make_error(ErrorCode::io, what,
                        "Free some space on that disk and try again; nothing that was there was "
                        "changed.");
    default:
      return make_error(ErrorCode::io, what);
  }
}

Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit_bytes) {
  // O_NONBLOCK: opening a pipe that lies there by mistake must not hang.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return io_error("read", path, errno);
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) return io_error("read", path, errno);
  if (!S_ISREG(facts.st_mode))
    return make_error(ErrorCode::io, path.string() + " is not a regular file.");
  std::string text;
  while (true) {
    const std::size_t have = text.size();
    if (have > limit_bytes)
      return make_error(
          ErrorCode::io,
          path.string() + " is longer than " + std::to_string(limit_bytes) + " bytes.",
          "Make the file smaller, or move it away if it is not the one you meant.");
    text.resize(have + (1u << 16));
    const ssize_t count = ::read(file.get(), text.data() + have, text.size() - have);
    text.resize(have + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return io_error("read", path, errno);
    if (count == 0) return text;
  }
}

Result<> make_folder(const std::filesystem::path& path) {
  if (path.empty()) return Ok{};  // of a bare file name: where we are
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return io_error("make the folder", path, error.value());
  return Ok{};
}

Result<> write_file(const std::filesystem::path& path, std::string_view text) {
  if (auto made = make_folder(path.parent_path()); !made) return made;
  const std::filesystem::path draft = path.string() + ".new-" + std::to_string(::getpid());
  int failure = 0;
  {
    const FileDescriptor file(
        ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    failure = file ? write_all(file.get(), text) : errno;
  }
  if (failure == 0 && ::rename(draft.c_str(), path.c_str()) != 0) failure = errno;
  if (failure == 0) return Ok{};
  ::unlink(draft.c_str());
  return io_error("write", path, failure);
}

Result<> write_new_file(const std::filesystem::path& path, std::string_view text) {
  if (auto made = make_folder(path.parent_path()); !made) return made;
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!file) return io_error("write", path, errno);
  if (const int failure = write_all(file.get(), text); failure != 0) {
    ::unlink(path.c_str());
    return io_error("write", path, failure);
  }
  return Ok{};
}

}  // namespace klab
