// malloc and free inside kernels: pieces of the device's memory up to cudaLimitMallocHeapSize, each
// an allocation of its own, so that every access is checked against it.
#pragma once
#include "simulator/program/program.hpp"

namespace klab::sim {

void run_malloc(Warp& warp, const Inst& inst);
void run_free(Warp& warp, const Inst& inst);

// The value of a call's argument in the `.param` variable at slot `area`, as one lane passes it.
std::uint64_t call_argument(Warp& warp, std::uint32_t area, std::uint32_t lane,
                            std::uint32_t bytes);

}  // namespace klab::sim
