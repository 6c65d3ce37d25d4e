// Arrays as the runtime's functions name them.
#pragma once
#include <cstring>
#include <optional>

#include "simulator/memory/textures.hpp"
#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {

/// A choice in what a program hands over, which may be none that the enumeration has.
template <class Choice>
int number_of(const Choice& choice) {
  static_assert(sizeof(Choice) == sizeof(int));
  int number = 0;
  std::memcpy(&number, &choice, sizeof number);
  return number;
}

/// What a texel of this description is; nothing where hardware has none such.
std::optional<TexelFormat> texel_format(const cudaChannelFormatDesc& description);
cudaChannelFormatDesc channel_description(const TexelFormat& format);

/// Null when there is no such array.
const TexelGrid* array_of(Runtime& runtime, cudaArray_const_t handle);

}  // namespace klab::sim
