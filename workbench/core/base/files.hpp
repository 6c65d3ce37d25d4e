// Files: reading with a bound, and writing so that a full disk or a crash loses nothing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.hpp"

namespace klab {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      fd_ = other.release();
    }
    return *this;
  }
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  void close();

 private:
  int fd_ = -1;
};

/// The whole file. Errors: ErrorCode::io if it is missing, not a regular file, unreadable, or
/// longer than `limit_bytes`.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::size_t limit_bytes = 64u << 20);

/// Writes the file, whatever it is. Folders above it are made.
/// - A regular file, or none, is replaced as a whole: readers see the old or the new content, never
///   a part, and a crash leaves one of both. It keeps its mode and, where that is allowed, its
///   owner.
/// - A device or a pipe stays what it is and is written to.
/// - Links are followed to what they name, there or not, and stay links. In a folder that everybody
///   may write to, a stranger's link is refused.
Result<> write_file(const std::filesystem::path& path, std::string_view text);

/// Writes a file that must not exist yet, whole as well; ErrorCode::io if it does, be it a link
/// that leads nowhere, and then nothing is changed.
Result<> write_new_file(const std::filesystem::path& path, std::string_view text);

/// Adds to the end of a file, or to a device or a pipe; a missing file is made, a
/// missing folder is not.
Result<> append_to_file(const std::filesystem::path& path, std::string_view text);

/// Makes the folder and those above it.
Result<> make_folder(const std::filesystem::path& path);

/// The sentence and remedy for a failed system call on `path`; `act` is "write", "read", ...
Error io_error(std::string_view act, const std::filesystem::path& path, int error_number);

}  // namespace klab
