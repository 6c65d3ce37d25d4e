// Arrays as the runtime's functions name them.
#pragma once
#include <optional>

#include "simulator/memory/textures.hpp"
#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {

/// What a texel of this description is; nothing where hardware has none such.
std::optional<TexelFormat> texel_format(const cudaChannelFormatDesc& description);
cudaChannelFormatDesc channel_description(const TexelFormat& format);

/// Null when there is no such array.
const TexelGrid* array_of(Runtime& runtime, cudaArray_const_t handle);

}  // namespace klab::sim
