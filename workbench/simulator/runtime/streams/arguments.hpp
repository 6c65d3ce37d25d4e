// Turning a call's arguments into work; shared by streams and graphs.
#pragma once

#include <driver_types.h>

#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

class Runtime;

CopyWork linear_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
/// Of memory and arrays; an array that does not hold the box is an invalid value.
cudaError_t pitched_copy(const cudaMemcpy3DParms& parameters, CopyWork& work);

/// Synchronous copies run in the legacy stream. Between device addresses the host does not wait
/// (toolkit: API synchronization behavior).
cudaError_t copy_now(Runtime& runtime, CopyWork work);
cudaError_t copy_async(Runtime& runtime, CopyWork work, cudaStream_t handle);

/// Device address of `offset` in a registered variable; invalid value when the range leaves it.
cudaError_t symbol_range(const void* symbol, std::size_t bytes, std::size_t offset, void*& address);

/// Checks the launch and copies its arguments; `arguments` holds one pointer per kernel parameter.
cudaError_t prepare_launch(KernelWork& work, void** arguments);

/// Applies one launch attribute. Hints are accepted and have no effect.
cudaError_t apply_launch_attribute(KernelWork& work, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue& value);

}  // namespace klab::sim
