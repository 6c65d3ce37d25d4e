// Turning a launch call's arguments into work; shared by streams and graphs.
#pragma once

#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

/// Checks the launch and copies its arguments; `arguments` holds one pointer per kernel parameter.
cudaError_t prepare_launch(KernelWork& work, void** arguments);

/// Applies one launch attribute. Hints are accepted and have no effect.
cudaError_t apply_launch_attribute(KernelWork& work, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue& value);

}  // namespace klab::sim
