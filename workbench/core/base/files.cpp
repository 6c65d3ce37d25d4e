// Reading through POSIX calls, because only those say why they failed; writing is in
// files_writing.cpp.
#include "core/base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace klab {
void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Error io_error(std::string_view act, const std::filesystem::path& path, int error_number) {
  const std::string what = "Could not " + std::string(act) + " " + path.string() + ": " +
                           std::strerror(error_number) + ".";
  switch (error_number) {
    case ENOENT:
      return make_error(ErrorCode::io, what,
                        "Check the spelling; a file of the course comes back with `git restore`.");
    case EROFS:
      return make_error(ErrorCode::io, what,
                        "The file system is read-only: remount it writable, or work in a clone on "
                        "another disk.");
    case EACCES:
    case EPERM:
      return make_error(
          ErrorCode::io, what,
          "Give yourself the right to it: `chmod u+rwX` on it and its folder if they are yours, or "
          "ask their owner.");
    case ENOSPC:
    case EDQUOT:
      return make_error(ErrorCode::io, what,
                        "Free some space on that disk and try again; nothing that was there was "
                        "changed.");
    case EFBIG:
      return make_error(ErrorCode::io, what,
                        "Files may not grow beyond a limit here (`ulimit -f` shows it): raise it "
                        "and try again; nothing that was there was changed.");
    case EISDIR:
      return make_error(ErrorCode::io, what, "That is a folder: name a file.");
    case ELOOP:
      return make_error(ErrorCode::io, what,
                        "Links there lead back to themselves: name the file itself.");
    case ENOTDIR:
      return make_error(ErrorCode::io, what,
                        "A part of that path is a file where a folder has to be: move it away, or "
                        "correct the path.");
    case ENAMETOOLONG:
      return make_error(ErrorCode::io, what, "Give it a shorter name.");
    case ENXIO:
      return make_error(ErrorCode::io, what,
                        "Nobody reads from that pipe: start its reader first.");
    default:
      return make_error(ErrorCode::io, what);
  }
}

Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit_bytes) {
  // O_NONBLOCK: opening a pipe that lies there by mistake must not hang.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return io_error("read", path, errno);
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) return io_error("read", path, errno);
  if (!S_ISREG(facts.st_mode))
    return make_error(ErrorCode::io,
                      path.string() + (S_ISDIR(facts.st_mode) ? " is a folder, not a file."
                                                              : " is not a regular file."),
                      "Move it away, or name the file that you mean.");
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

}  // namespace klab
