// Translating the runtime's copy parameters into work; shared by copies and graphs.
#pragma once

#include <driver_types.h>

#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

CopyWork linear_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
/// Not supported when an array takes part: there are no textures here.
cudaError_t pitched_copy(const cudaMemcpy3DParms& parameters, CopyWork& work);
/// Device address of `offset` in a registered variable; invalid value when the range leaves it.
cudaError_t symbol_range(const void* symbol, std::size_t bytes, std::size_t offset, void*& address);

}  // namespace klab::sim
