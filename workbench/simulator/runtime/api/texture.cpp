// Texture and surface objects: what kernels reach arrays and other memory through.
#include "simulator/runtime/api/array.hpp"

#include "simulator/runtime/api/api.hpp"

using namespace klab::sim;

namespace {

/// The descriptions that a texture object was made with, for who asks for them.
struct Descriptions {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};
std::map<cudaTextureObject_t, Descriptions>& descriptions() {
  static std::map<cudaTextureObject_t, Descriptions> all;
  return all;
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
  switch (resource.resType) {
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
      return grid.width == 0 ? cudaErrorInvalidValue : cudaSuccess;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = resource.res.pitch2D;
      if (const auto code = grid_of_memory(runtime, rows.devPtr, rows.desc, grid);
          code != cudaSuccess)
        return code;
      grid.width = rows.width;
      grid.height = rows.height;
      grid.pitch_bytes = rows.pitchInBytes;
      const bool fits = rows.width != 0 && rows.height != 0 &&
                        rows.width <= rows.pitchInBytes / grid.format.bytes() &&
                        rows.pitchInBytes % device_properties().texturePitchAlignment == 0;
      return fits ? cudaSuccess : cudaErrorInvalidValue;
    }
    default:
      runtime.lack("cudaCreateTextureObject", "Textures of mipmapped arrays need a GPU.");
      return cudaErrorNotSupported;
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

cudaError_t describe(Runtime& runtime, const cudaTextureDesc& asked, Texture& texture) {
  const TexelFormat& format = texture.grid.format;
  texture.filters = asked.filterMode == cudaFilterModeLinear;
  texture.normalized_values =
      asked.readMode == cudaReadModeNormalizedFloat && format.kind != TexelKind::real;
  texture.normalized_coordinates = asked.normalizedCoords != 0;
  for (std::size_t i = 0; i < 3; ++i) texture.modes[i] = mode_of(asked.addressMode[i]);
  for (std::size_t i = 0; i < 4; ++i) texture.border[i] = asked.borderColor[i];
  if (asked.sRGB != 0) {
    runtime.lack("cudaCreateTextureObject", "Textures with sRGB colours need a GPU.");
    return cudaErrorNotSupported;
  }
  if (texture.normalized_values && format.channel_bytes == 4) return cudaErrorInvalidNormSetting;
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
      runtime.lack("cudaCreateTextureObject", "Textures that view an array as another need a GPU.");
      return cudaErrorNotSupported;
    }
    Texture texture;
    cudaError_t code = grid_of(runtime, *resource, texture);
    if (code == cudaSuccess) code = describe(runtime, *asked, texture);
    if (code != cudaSuccess) return code;
    *object = runtime.device().memory().textures().add(texture);
    descriptions()[*object] = {*resource, *asked};
    return cudaSuccess;
  });
}

/// Work that was asked for before may still read through it.
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api_call([&](Runtime& runtime) {
    if (object == 0) return cudaSuccess;
    const cudaError_t code = runtime.streams.synchronize_all();
    descriptions().erase(object);
    if (!runtime.device().memory().textures().remove(object)) return cudaErrorInvalidValue;
    return code;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return api_call([&](Runtime&) {
    const auto found = descriptions().find(object);
    return found == descriptions().end() ? cudaErrorInvalidValue
                                         : give(resource, found->second.resource);
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return api_call([&](Runtime&) {
    const auto found = descriptions().find(object);
    return found == descriptions().end() ? cudaErrorInvalidValue
                                         : give(texture, found->second.texture);
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api_call([&](Runtime& runtime) {
    if (object == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    const bool is_array = resource->resType == cudaResourceTypeArray;
    const TexelGrid* array = is_array ? array_of(runtime, resource->res.array.array) : nullptr;
    if (array == nullptr) return cudaErrorInvalidValue;
    if ((array->flags & cudaArraySurfaceLoadStore) == 0) {
      runtime.say("A surface needs an array that was made with cudaArraySurfaceLoadStore.");
      return cudaErrorInvalidValue;
    }
    Texture surface;
    surface.grid = *array;
    *object = runtime.device().memory().textures().add(surface);
    descriptions()[*object] = {*resource, {}};
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return cudaDestroyTextureObject(object);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
  return cudaGetTextureObjectResourceDesc(resource, object);
}

}  // extern "C"
