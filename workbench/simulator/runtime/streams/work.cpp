// What memory copies and fills reach.
#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {
namespace {

std::size_t span_of(std::size_t width, std::size_t height, std::size_t depth, std::size_t pitch,
                    std::size_t slice_rows) {
  if (width == 0 || height == 0 || depth == 0) return 0;
  return ((depth - 1) * slice_rows + height - 1) * pitch + width;
}

}  // namespace

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
