// The properties of the simulated device.
#pragma once

#include <driver_types.h>

#include <optional>

namespace klab::sim {

/// What cudaGetDeviceProperties answers: the architectural limits of compute capability 9.0 with
/// the size of an H200. Fields about speed (bus width) and about textures are 0: neither exists
/// here.
const cudaDeviceProp& device_properties();

/// A device attribute; nothing for one that the simulator can't know, such as clock rates.
std::optional<int> device_attribute(cudaDeviceAttr attribute);

}  // namespace klab::sim
