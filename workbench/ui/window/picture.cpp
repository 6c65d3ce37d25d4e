// Picture: PNG by stb.
#include "ui/window/picture.hpp"

#include <stb_image_write.h>

#include <algorithm>

namespace klab::ui {

Result<> write_png(const Picture& picture, const std::filesystem::path& path) {
  constexpr int channels = 3;
  const auto row = static_cast<std::size_t>(picture.width) * channels;
  std::vector<unsigned char> upright(picture.pixels.size());
  for (std::size_t from = 0; from < upright.size(); from += row)
    std::copy_n(picture.pixels.begin() + static_cast<std::ptrdiff_t>(from), row,
                upright.end() - static_cast<std::ptrdiff_t>(from + row));
  if (!stbi_write_png(path.c_str(), picture.width, picture.height, channels, upright.data(),
                      static_cast<int>(row)))
    return make_error(ErrorCode::io, "The image " + path.string() + " could not be written.",
                      "Check that its folder is there and can be written.");
  return Ok{};
}

}  // namespace klab::ui
