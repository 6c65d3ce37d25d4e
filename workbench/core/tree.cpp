// Finding the folders, and whole-file input and output.
#include "core/tree.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace klab {
namespace fs = std::filesystem;
namespace {

bool is_course(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "labs", ignored) &&
         fs::is_directory(folder / "kernels", ignored);
}

Error io_error(const fs::path& path, const char* act) {
  return make_error(ErrorCode::io,
                    path.string() + " could not be " + act + ": " + std::strerror(errno) + ".");
}

}  // namespace

Tree find_tree() {
  Tree tree;
  std::error_code failure;
  const fs::path self = fs::read_symlink("/proc/self/exe", failure);
  tree.build = self.parent_path().parent_path();
  if (const char* named = std::getenv("KLAB_BUILD"); named != nullptr && *named != '\0')
    tree.build = named;
  if (const char* named = std::getenv("KLAB_ROOT"); named != nullptr && *named != '\0') {
    tree.root = named;
    return tree;
  }
  for (fs::path folder = tree.build; folder != folder.root_path(); folder = folder.parent_path())
    if (is_course(folder)) {
      tree.root = folder;
      return tree;
    }
  tree.root = fs::current_path(failure);
  return tree;
}

Result<std::string> read_file(const fs::path& path, std::size_t limit_bytes) {
  std::error_code failure;
  if (fs::is_directory(path, failure))
    return make_error(ErrorCode::io, path.string() + " is a folder; a file was expected.");
  std::ifstream file(path, std::ios::binary);
  if (!file) return io_error(path, "read");
  std::string text;
  char chunk[65536];
  while (file.read(chunk, sizeof(chunk)) || file.gcount() > 0) {
    text.append(chunk, static_cast<std::size_t>(file.gcount()));
    if (text.size() > limit_bytes)
      return make_error(ErrorCode::io, path.string() + " is larger than " +
                                           std::to_string(limit_bytes) + " bytes.");
  }
  return text;
}

Result<> write_file(const fs::path& path, std::string_view text) {
  std::error_code failure;
  fs::create_directories(path.parent_path(), failure);
  const fs::path temporary = path.string() + ".part" + std::to_string(::getpid());
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.flush();
    if (!file) {
      const Error error = io_error(path, "written");
      fs::remove(temporary, failure);
      return error;
    }
  }
  fs::rename(temporary, path, failure);
  if (failure)
    return make_error(ErrorCode::io,
                      path.string() + " could not be written: " + failure.message() + ".");
  return Ok{};
}

}  // namespace klab
