// Arrays: memory that kernels read through textures; and copies to and from it.
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
  switch (description.f) {
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

TexelGrid* array_of(Runtime& runtime, cudaArray_const_t handle) {
  return runtime.has_device() ? runtime.device().memory().textures().find_array(handle) : nullptr;
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
    runtime.lack("cudaMalloc3DArray", "Arrays of cubes, and sparse ones, need a GPU.");
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

cudaMemcpy3DParms rows_of(std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  cudaMemcpy3DParms parameters{};
  parameters.extent = {width, height, 1};
  parameters.kind = kind;
  return parameters;
}

/// In texels, as cudaMemcpy3D takes it; false when the bytes are no whole ones.
bool count_texels(Runtime& runtime, cudaArray_const_t array, std::size_t& bytes) {
  const TexelGrid* grid = array_of(runtime, array);
  if (grid == nullptr || bytes % grid->format.bytes() != 0) return false;
  bytes /= grid->format.bytes();
  return true;
}

template <class Copy>
cudaError_t copy_to(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                    std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                    Copy&& copy) {
  Runtime& runtime = Runtime::instance();
  if (width == 0 || height == 0) return cudaSuccess;
  if (height > 1 && pitch < width) return Errors::record(cudaErrorInvalidPitchValue);
  if (!count_texels(runtime, to, width) || !count_texels(runtime, to, x))
    return Errors::record(cudaErrorInvalidValue);
  cudaMemcpy3DParms parameters = rows_of(width, height, kind);
  parameters.dstArray = to;
  parameters.dstPos = {x, y, 0};
  parameters.srcPtr = {const_cast<void*>(from), pitch, width, height};
  return copy(&parameters);
}

template <class Copy>
cudaError_t copy_from(void* to, std::size_t pitch, cudaArray_const_t from, std::size_t x,
                      std::size_t y, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                      Copy&& copy) {
  Runtime& runtime = Runtime::instance();
  if (width == 0 || height == 0) return cudaSuccess;
  if (height > 1 && pitch < width) return Errors::record(cudaErrorInvalidPitchValue);
  if (!count_texels(runtime, from, width) || !count_texels(runtime, from, x))
    return Errors::record(cudaErrorInvalidValue);
  cudaMemcpy3DParms parameters = rows_of(width, height, kind);
  parameters.srcArray = const_cast<cudaArray_t>(from);
  parameters.srcPos = {x, y, 0};
  parameters.dstPtr = {to, pitch, width, height};
  return copy(&parameters);
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
    runtime.device().memory().textures().remove_array(array);
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

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_to(to, x, y, from, pitch, width, height, kind, cudaMemcpy3D);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return copy_to(to, x, y, from, pitch, width, height, kind,
                 [&](const cudaMemcpy3DParms* p) { return cudaMemcpy3DAsync(p, stream); });
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_from(to, pitch, from, x, y, width, height, kind, cudaMemcpy3D);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return copy_from(to, pitch, from, x, y, width, height, kind,
                   [&](const cudaMemcpy3DParms* p) { return cudaMemcpy3DAsync(p, stream); });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t x, size_t y, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
  Runtime& runtime = Runtime::instance();
  if (!count_texels(runtime, from, width) || !count_texels(runtime, from, x) ||
      !count_texels(runtime, to, to_x))
    return Errors::record(cudaErrorInvalidValue);
  cudaMemcpy3DParms parameters = rows_of(width, height, kind);
  parameters.srcArray = const_cast<cudaArray_t>(from);
  parameters.srcPos = {x, y, 0};
  parameters.dstArray = to;
  parameters.dstPos = {to_x, to_y, 0};
  return cudaMemcpy3D(&parameters);
}

/// Whole rows of bytes, as older programs copy to arrays of one row.
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  const TexelGrid* grid = array_of(Runtime::instance(), to);
  if (grid == nullptr) return Errors::record(cudaErrorInvalidValue);
  const size_t row = grid->width * grid->format.bytes();
  const bool several = x == 0 && bytes > row && bytes % row == 0;
  return several ? cudaMemcpy2DToArray(to, x, y, from, row, row, bytes / row, kind)
                 : cudaMemcpy2DToArray(to, x, y, from, bytes, bytes, 1, kind);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  const TexelGrid* grid = array_of(Runtime::instance(), from);
  if (grid == nullptr) return Errors::record(cudaErrorInvalidValue);
  const size_t row = grid->width * grid->format.bytes();
  const bool several = x == 0 && bytes > row && bytes % row == 0;
  return several ? cudaMemcpy2DFromArray(to, row, from, x, y, row, bytes / row, kind)
                 : cudaMemcpy2DFromArray(to, bytes, from, x, y, bytes, 1, kind);
}

}  // extern "C"
