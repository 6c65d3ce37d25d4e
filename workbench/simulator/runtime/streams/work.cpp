// What memory copies and fills reach.
#include "simulator/runtime/streams/work.hpp"

#include <algorithm>
#include <utility>

namespace klab::sim {
namespace {

std::size_t span_of(std::size_t width, std::size_t height, std::size_t depth, std::size_t pitch,
                    std::size_t slice_rows) {
  if (width == 0 || height == 0 || depth == 0) return 0;
  return ((depth - 1) * slice_rows + height - 1) * pitch + width;
}

/// A box in memory, by its bytes.
struct Box {
  const std::byte* begin;
  std::size_t width, height, depth, pitch, slice_rows;
};

/// 32-byte sectors of its rows, each for itself; rows that lie side by side are one.
std::uint64_t sectors_of(Box box) {
  constexpr std::uint64_t sector = 32;
  if (box.width == 0) return 0;
  if (box.height == 1 || box.pitch == box.width) {
    const std::size_t slice = box.slice_rows * box.pitch;
    box.width *= std::exchange(box.height, 1);
    if (slice == box.width) box.width *= std::exchange(box.depth, 1);
  }
  std::uint64_t sectors = 0;
  const auto begin = reinterpret_cast<std::uint64_t>(box.begin);
  // Rows that are 32 apart, or slices, begin at the same byte of a sector.
  const auto alike = [](std::size_t all, std::size_t first) {
    return (all - first + sector - 1) / sector;
  };
  for (std::size_t z = 0; z < std::min(box.depth, sector); ++z)
    for (std::size_t y = 0; y < std::min(box.height, sector); ++y) {
      const std::uint64_t at = (begin + (z * box.slice_rows + y) * box.pitch) % sector;
      sectors +=
          (at + box.width + sector - 1) / sector * alike(box.height, y) * alike(box.depth, z);
    }
  return sectors;
}

}  // namespace

std::uint64_t CopyWork::sectors() const {
  return sectors_of({source, width_bytes, height, depth, source_pitch, source_slice_rows}) +
         sectors_of(
             {destination, width_bytes, height, depth, destination_pitch, destination_slice_rows});
}

std::uint64_t MemsetWork::sectors() const {
  return sectors_of({destination, width * element_bytes, height, depth, pitch, slice_rows});
}

std::size_t CopyWork::destination_span() const {
  return span_of(width_bytes, height, depth, destination_pitch, destination_slice_rows);
}

std::size_t CopyWork::source_span() const {
  return span_of(width_bytes, height, depth, source_pitch, source_slice_rows);
}

void CopyWork::stage_source() {
  staged = std::make_shared<const std::vector<std::byte>>(source, source + source_span());
  source = staged->data();
}

std::size_t MemsetWork::span() const {
  return span_of(width * element_bytes, height, depth, pitch, slice_rows);
}

}  // namespace klab::sim
