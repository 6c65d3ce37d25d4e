// One launch of a kernel file, with its errors turned into sentences.
#pragma once

#include "runner/phases/phase_setup.hpp"

namespace klab::runner {

/// Calls `launch` and asks CUDA whether it took the kernels. Errors: launch_failed, out_of_memory,
/// unsupported, device_fault.
void launch(PhaseSetup& setup, const Plugin& plugin, const void* args);

/// The two halves of launch() around Plugin::launch(), for callers that time what lies between:
/// whatever error stood there before is not this kernel file's; and whether CUDA took the kernels.
void forget_errors();
void require_launched(PhaseSetup& setup, const Plugin& plugin);

/// Waits for the harness's stream alone, or for all that the launch's devices do. Errors:
/// device_fault, naming the kernel launched last.
void wait_for_stream(PhaseSetup& setup, const Plugin& plugin);
void wait_for_device(PhaseSetup& setup, const Plugin& plugin);
void wait_for_second_stream(PhaseSetup& setup, const Plugin& plugin);

}  // namespace klab::runner
