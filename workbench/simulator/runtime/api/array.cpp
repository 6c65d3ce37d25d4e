// Arrays: memory that kernels read through textures, and write through surfaces.
#include "simulator/runtime/api/array.hpp"

#include <span>

#include "simulator/base/round_up.hpp"
#include "simulator/runtime/api/api.hpp"
#include "simulator/runtime/state/device.hpp"

namespace klab::sim {

std::optional<TexelFormat> texel_format(const cudaChannelFormatDesc& description) {
  const int bits[] = {description.x, description.y, description.z, description.w};
  std::uint32_t channels = 0;
  while (channels < 4 && bits[channels] != 0) ++channels;
  for (std::uint32_t i = 0; i < 4; ++i)
    if (bits[i] != (i < channels ? bits[0] : 0)) return std::nullopt;
  TexelFormat format;
  format.channels = channels;
  format.channel_bytes = static_cast<std::uint32_t>(bits[0]) / 8;
  if (channels == 0 || channels == 3 || (bits[0] != 8 && bits[0] != 16 && bits[0] != 32))
    return std::nullopt;
  switch (number_of(description.f)) {
    case cudaChannelFormatKindUnsigned:
      format.kind = TexelKind::unsigned_integer;
      return format;
    case cudaChannelFormatKindSigned:
      format.kind = TexelKind::signed_integer;
      return format;
    case cudaChannelFormatKindFloat:
      format.kind = TexelKind::real;
      return bits[0] == 8 ? std::nullopt : std::optional(format);
    default:
      return std::nullopt;
  }
}

cudaChannelFormatDesc channel_description(const TexelFormat& format) {
  const auto bits = [&](std::uint32_t channel) {
    return channel < format.channels ? static_cast<int>(8 * format.channel_bytes) : 0;
  };
  const auto kind = format.kind == TexelKind::real             ? cudaChannelFormatKindFloat
                    : format.kind == TexelKind::signed_integer ? cudaChannelFormatKindSigned
                                                               : cudaChannelFormatKindUnsigned;
  return {bits(0), bits(1), bits(2), bits(3), kind};
}

const TexelGrid* array_of(Runtime& runtime, cudaArray_const_t handle) {
  if (!runtime.has_device()) return nullptr;
  return runtime.device().memory().textures().find_array(reinterpret_cast<std::uint64_t>(handle));
}

}  // namespace klab::sim

using namespace klab::sim;

namespace {

bool is_too_large(const TexelGrid& grid) {
  const cudaDeviceProp& p = device_properties();
  const auto exceeds = [&](std::span<const int> most, std::uint64_t last) {
    const std::uint64_t sizes[] = {grid.width, most.size() == 2 ? last : grid.height, last};
    for (std::size_t i = 0; i < most.size(); ++i)
      if (sizes[i] > static_cast<std::uint64_t>(most[i])) return true;
    return false;
  };
  if (grid.layers != 0)
    return grid.height == 0 ? exceeds(p.maxTexture1DLayered, grid.layers)
                            : exceeds(p.maxTexture2DLayered, grid.layers);
  return grid.depth != 0 ? exceeds(p.maxTexture3D, grid.depth)
                         : exceeds(p.maxTexture2D, grid.height);
}

cudaError_t make_array(Runtime& runtime, cudaArray_t* array, const cudaChannelFormatDesc* channels,
                       cudaExtent extent, unsigned flags) {
  if (array == nullptr || channels == nullptr || extent.width == 0) return cudaErrorInvalidValue;
  if (const cudaError_t code = runtime.streams.forbid_in_capture(); code != cudaSuccess)
    return code;
  constexpr unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather;
  if ((flags & ~known) != 0) {
    runtime.lack(
        "cudaMalloc3DArray",
        "cudaMalloc3DArray was asked for an array of cubes, or a sparse one, which the "
        "simulator does not have. Make a layered array of the faces (cudaArrayLayered) and "
        "choose the face in the kernel, or run the program on a GPU.");
    return cudaErrorNotSupported;
  }
  const auto format = texel_format(*channels);
  if (!format) return cudaErrorInvalidChannelDescriptor;
  TexelGrid grid;
  grid.width = extent.width;
  grid.height = extent.height;
  const bool layered = (flags & cudaArrayLayered) != 0;
  (layered ? grid.layers : grid.depth) = extent.depth;
  if (layered ? extent.depth == 0 : extent.depth != 0 && extent.height == 0)
    return cudaErrorInvalidValue;
  if (is_too_large(grid)) return cudaErrorInvalidValue;
  grid.format = *format;
  grid.flags = flags;
  grid.pitch_bytes = round_up(grid.width * format->bytes(), std::uint64_t{16});
  ++runtime.counts.allocation_calls;
  const auto base = runtime.allocate(grid.bytes(), MemoryKind::device);
  if (!base) return cudaErrorMemoryAllocation;
  grid.address = *base;
  runtime.allocations.add(*base, {.bytes = grid.bytes(), .kind = MemoryKind::device});
  ++runtime.counts.kept_allocations;
  *array = reinterpret_cast<cudaArray_t>(runtime.device().memory().textures().add_array(grid));
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, size_t width,
                            size_t height, unsigned int flags) {
  return api_call([&](Runtime& runtime) {
    return make_array(runtime, array, channels, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                              cudaExtent extent, unsigned int flags) {
  return api_call(
      [&](Runtime& runtime) { return make_array(runtime, array, channels, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return api_call([&](Runtime& runtime) {
    if (array == nullptr) return cudaSuccess;
    const TexelGrid* grid = array_of(runtime, array);
    if (grid == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t code = runtime.streams.forbid_in_capture(); code != cudaSuccess)
      return code;
    ++runtime.counts.free_calls;
    ++runtime.counts.host_synchronizations;
    const cudaError_t code = runtime.streams.synchronize_all();
    --runtime.counts.kept_allocations;
    runtime.allocations.remove(grid->address);
    runtime.device().memory().release(grid->address);
    runtime.device().memory().textures().remove_array(reinterpret_cast<std::uint64_t>(array));
    return code;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent,
                             unsigned int* flags, cudaArray_t array) {
  return api_call([&](Runtime& runtime) {
    const TexelGrid* grid = array_of(runtime, array);
    if (grid == nullptr) return cudaErrorInvalidValue;
    if (channels != nullptr) *channels = channel_description(grid->format);
    if (extent != nullptr) *extent = {grid->width, grid->height, grid->depth + grid->layers};
    if (flags != nullptr) *flags = grid->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array) {
  return api_call([&](Runtime& runtime) {
    const TexelGrid* grid = array_of(runtime, array);
    return grid == nullptr ? cudaErrorInvalidValue
                           : give(channels, channel_description(grid->format));
  });
}

}  // extern "C"
