// Picture: what the window showed, as pixels, and as a PNG file. No ImGui.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/result.hpp"

namespace klab::ui {

/// Red, green and blue, a byte each; rows from the bottom, as OpenGL has them.
struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> pixels;
};

/// Takes a tenth of a second for an ordinary window, so it may be called from any thread. Errors:
/// ErrorCode::io.
Result<> write_png(const Picture& picture, const std::filesystem::path& path);

}  // namespace klab::ui
