// Texture and surface objects: what kernels reach arrays and other memory through.
#include <algorithm>
#include <map>
#include <optional>

#include "simulator/runtime/api/api.hpp"
#include "simulator/runtime/api/array.hpp"
#include "simulator/runtime/state/device.hpp"

using namespace klab::sim;

namespace {

/// What an object was made of, for who asks. Of one that is destroyed nothing is told.
struct Descriptions {
  cudaResourceDesc resource{};
  std::optional<cudaTextureDesc> texture;  ///< nothing: a surface
};
std::map<cudaTextureObject_t, Descriptions>& descriptions() {
  static std::map<cudaTextureObject_t, Descriptions> all;
  return all;
}

Textures& textures_of(Runtime& runtime) { return runtime.device().memory().textures(); }

const Descriptions* description_of(Runtime& runtime, cudaTextureObject_t object, bool is_surface) {
  const auto found = descriptions().find(object);
  if (found == descriptions().end() || found->second.texture.has_value() == is_surface ||
      textures_of(runtime).find(object) == nullptr)
    return nullptr;
  return &found->second;
}

cudaError_t destroy(Runtime& runtime, cudaTextureObject_t object, bool is_surface) {
  if (object == 0) return cudaSuccess;
  if (description_of(runtime, object, is_surface) == nullptr) return cudaErrorInvalidValue;
  descriptions().erase(object);
  // Work that was asked for before may still use it; the host does not wait for it.
  runtime.streams.when_idle([&runtime, object] { textures_of(runtime).remove(object); });
  return cudaSuccess;
}

cudaError_t grid_of_memory(Runtime& runtime, const void* pointer,
                           const cudaChannelFormatDesc& channels, TexelGrid& grid) {
  const auto format = texel_format(channels);
  if (!format) return cudaErrorInvalidChannelDescriptor;
  grid.format = *format;
  grid.address = reinterpret_cast<std::uint64_t>(pointer);
  const auto alignment = device_properties().textureAlignment;
  if (pointer == nullptr || grid.address % alignment != 0) {
    runtime.say("The memory of a texture begins at a multiple of textureAlignment, 512 bytes.");
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t grid_of(Runtime& runtime, const cudaResourceDesc& resource, Texture& texture) {
  TexelGrid& grid = texture.grid;
  switch (number_of(resource.resType)) {
    case cudaResourceTypeArray: {
      const TexelGrid* array = array_of(runtime, resource.res.array.array);
      if (array == nullptr) return cudaErrorInvalidValue;
      grid = *array;
      return cudaSuccess;
    }
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      texture.is_linear_memory = true;
      if (const auto code = grid_of_memory(runtime, linear.devPtr, linear.desc, grid);
          code != cudaSuccess)
        return code;
      grid.width = linear.sizeInBytes / grid.format.bytes();
      grid.pitch_bytes = linear.sizeInBytes;
      return grid.width == 0 || grid.width > most_linear_texels ? cudaErrorInvalidValue
                                                                : cudaSuccess;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = resource.res.pitch2D;
      if (const auto code = grid_of_memory(runtime, rows.devPtr, rows.desc, grid);
          code != cudaSuccess)
        return code;
      grid.width = rows.width;
      grid.height = rows.height;
      grid.pitch_bytes = rows.pitchInBytes;
      const cudaDeviceProp& device = device_properties();
      const auto& most = device.maxTexture2DLinear;
      const auto is_within = [&](std::size_t value, int limit) {
        return value != 0 && value <= static_cast<std::size_t>(limit);
      };
      const bool fits = is_within(rows.width, most[0]) && is_within(rows.height, most[1]) &&
                        is_within(rows.pitchInBytes, most[2]) &&
                        rows.width <= rows.pitchInBytes / grid.format.bytes() &&
                        rows.pitchInBytes % device.texturePitchAlignment == 0;
      return fits ? cudaSuccess : cudaErrorInvalidValue;
    }
    case cudaResourceTypeMipmappedArray:
      runtime.lack("cudaCreateTextureObject",
                   "cudaCreateTextureObject was given a mipmapped array, which the simulator does "
                   "not have. Make an array and a texture of each level, or run the program on a "
                   "GPU.");
      return cudaErrorNotSupported;
    default:
      return cudaErrorInvalidValue;
  }
}

AddressMode mode_of(cudaTextureAddressMode mode) {
  switch (mode) {
    case cudaAddressModeWrap:
      return AddressMode::wrap;
    case cudaAddressModeMirror:
      return AddressMode::mirror;
    case cudaAddressModeBorder:
      return AddressMode::border;
    default:
      return AddressMode::clamp;
  }
}

/// Whether every choice is one that exists.
bool is_sound(const cudaTextureDesc& asked) {
  const bool modes = std::ranges::all_of(asked.addressMode, [](const auto& mode) {
    return number_of(mode) >= cudaAddressModeWrap && number_of(mode) <= cudaAddressModeBorder;
  });
  const auto is_either = [](int value, int one, int other) {
    return value == one || value == other;
  };
  return modes &&
         is_either(number_of(asked.filterMode), cudaFilterModePoint, cudaFilterModeLinear) &&
         is_either(number_of(asked.readMode), cudaReadModeElementType, cudaReadModeNormalizedFloat);
}

cudaError_t describe(Runtime& runtime, const cudaTextureDesc& asked, Texture& texture) {
  if (!is_sound(asked)) return cudaErrorInvalidValue;
  if (asked.sRGB != 0) {
    runtime.lack(
        "cudaCreateTextureObject",
        "cudaCreateTextureObject was asked for sRGB colours, which the simulator does not "
        "convert. Leave sRGB at 0 and convert in the kernel what a fetch gives, or run the "
        "program on a GPU.");
    return cudaErrorNotSupported;
  }
  const TexelFormat& format = texture.grid.format;
  texture.filters = asked.filterMode == cudaFilterModeLinear;
  // Integers of 32 bits stay what they are (toolkit: cudaCreateTextureObject).
  texture.normalized_values = asked.readMode == cudaReadModeNormalizedFloat &&
                              format.kind != TexelKind::real && format.channel_bytes < 4;
  texture.normalized_coordinates = asked.normalizedCoords != 0;
  for (std::size_t i = 0; i < 3; ++i) texture.modes[i] = mode_of(asked.addressMode[i]);
  for (std::size_t i = 0; i < 4; ++i) texture.border[i] = asked.borderColor[i];
  const bool is_float = format.kind == TexelKind::real || texture.normalized_values;
  if (texture.filters && !is_float && !texture.is_linear_memory)
    return cudaErrorInvalidFilterSetting;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* asked,
                                    const cudaResourceViewDesc* view) {
  return api_call([&](Runtime& runtime) {
    if (object == nullptr || resource == nullptr || asked == nullptr) return cudaErrorInvalidValue;
    if (view != nullptr && view->format != cudaResViewFormatNone) {
      runtime.lack(
          "cudaCreateTextureObject",
          "cudaCreateTextureObject was asked to view an array in another format, which "
          "the simulator does not do. Make the array in that format, or run the program on "
          "a GPU.");
      return cudaErrorNotSupported;
    }
    Texture texture;
    cudaError_t code = grid_of(runtime, *resource, texture);
    if (code == cudaSuccess) code = describe(runtime, *asked, texture);
    if (code != cudaSuccess) return code;
    *object = textures_of(runtime).add(texture);
    descriptions()[*object] = {*resource, *asked};
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels,
                                                 const cudaChannelFormatDesc* channels,
                                                 int device) {
  return api_call([&](Runtime&) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (channels == nullptr || !texel_format(*channels)) return cudaErrorInvalidValue;
    return give(texels, most_linear_texels);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api_call([&](Runtime& runtime) { return destroy(runtime, object, false); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return api_call([&](Runtime& runtime) {
    const Descriptions* all = description_of(runtime, object, false);
    return all == nullptr ? cudaErrorInvalidValue : give(resource, all->resource);
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return api_call([&](Runtime& runtime) {
    const Descriptions* all = description_of(runtime, object, false);
    return all == nullptr ? cudaErrorInvalidValue : give(texture, *all->texture);
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api_call([&](Runtime& runtime) {
    if (object == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    const bool is_array = number_of(resource->resType) == cudaResourceTypeArray;
    const TexelGrid* array = is_array ? array_of(runtime, resource->res.array.array) : nullptr;
    if (array == nullptr) return cudaErrorInvalidValue;
    if ((array->flags & cudaArraySurfaceLoadStore) == 0) {
      runtime.say("A surface needs an array that was made with cudaArraySurfaceLoadStore.");
      return cudaErrorInvalidValue;
    }
    Texture surface;
    surface.grid = *array;
    surface.is_surface = true;
    *object = textures_of(runtime).add(surface);
    descriptions()[*object] = {*resource, std::nullopt};
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return api_call([&](Runtime& runtime) { return destroy(runtime, object, true); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
  return api_call([&](Runtime& runtime) {
    const Descriptions* all = description_of(runtime, object, true);
    return all == nullptr ? cudaErrorInvalidValue : give(resource, all->resource);
  });
}

}  // extern "C"
