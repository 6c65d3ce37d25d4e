// Files: reading with a bound, and writing so that a full disk or a crash loses nothing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace klab {

/// The whole file. Errors: ErrorCode::io if it is missing, not a regular file, unreadable, or
/// longer than `limit_bytes`.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::size_t limit_bytes = 64u << 20);

/// Replaces the file as a whole: readers see the old or the new content, never a part. Folders
/// above it are made.
Result<> write_file(const std::filesystem::path& path, std::string_view text);

/// Writes a file that must not exist yet; ErrorCode::io if it does, and then nothing is changed.
Result<> write_new_file(const std::filesystem::path& path, std::string_view text);

/// Makes the folder and those above it.
Result<> make_folder(const std::filesystem::path& path);

/// The sentence and remedy for a failed system call on `path`; `act` is "write", "read", ...
Error io_error(std::string_view act, const std::filesystem::path& path, int error_number);

}  // namespace klab
