// LZ4 blocks and zstd frames, by their own libraries.
#include "simulator/ptx/decompress.hpp"

#if __has_include(<lz4.h>) && __has_include(<zstd.h>)
#include <lz4.h>
#include <zstd.h>
#define KLAB_DECOMPRESSES 1
#endif

namespace klab::sim {

#ifdef KLAB_DECOMPRESSES

std::optional<std::vector<std::byte>> decompress(Compression compression,
                                                 std::span<const std::byte> data,
                                                 std::uint64_t bytes) {
  // A damaged size must not cost memory: LZ4 can't make more than 255 bytes of one, and a zstd
  // frame says how many it holds.
  constexpr std::uint64_t most_bytes = 1u << 30, most_growth = 255;
  if (bytes > most_bytes || data.size() > most_bytes) return std::nullopt;
  if (compression == Compression::lz4) {
    if (bytes > (data.size() + 1) * most_growth) return std::nullopt;
    std::vector<std::byte> out(bytes);
    const int length = LZ4_decompress_safe(reinterpret_cast<const char*>(data.data()),
                                           reinterpret_cast<char*>(out.data()),
                                           static_cast<int>(data.size()), static_cast<int>(bytes));
    if (length < 0 || static_cast<std::uint64_t>(length) != bytes) return std::nullopt;
    return out;
  }
  if (ZSTD_getFrameContentSize(data.data(), data.size()) != bytes) return std::nullopt;
  std::vector<std::byte> out(bytes);
  if (ZSTD_decompress(out.data(), out.size(), data.data(), data.size()) != bytes)
    return std::nullopt;
  return out;
}

#else

std::optional<std::vector<std::byte>> decompress(Compression, std::span<const std::byte>,
                                                 std::uint64_t) {
  return std::nullopt;
}

#endif

}  // namespace klab::sim
