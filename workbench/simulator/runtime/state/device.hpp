// The properties of the simulated device.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <optional>

namespace klab::sim {

/// Of a texture in plain memory (CUDA programming guide, technical specifications).
inline constexpr std::uint64_t most_linear_texels = std::uint64_t{1} << 28;

/// Whether it calls itself by the name of a real device.
bool stands_for_another();

/// How many multiprocessors it says to have.
int multiprocessors();

/// What cudaGetDeviceProperties answers: the architectural limits of compute capability 9.0 with
/// the size of an H200. Fields about speed (bus width) are 0: there is none here, and
/// only a device that stands for a real one says another's.
const cudaDeviceProp& device_properties();

/// A device attribute; 0 for what does not exist here (clocks, mipmaps), nothing for one that CUDA
/// does not have either.
std::optional<int> device_attribute(cudaDeviceAttr attribute);

}  // namespace klab::sim
