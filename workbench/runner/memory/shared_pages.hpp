// The pages of a problem, which the sides of a timing share.
#pragma once

#include <vector>

#include "core/wire/protocol.hpp"
#include "runner/memory/edge_memory.hpp"

namespace klab::runner {

/// Memory of a device is spread over channels and banks by its physical address, and by where it
/// lies one and the same kernel takes some per cent more or less: two sides that each lay elsewhere
/// would differ for no reason of the kernel files'. As `request` says, lays `edges` on pages that
/// it gives to others, or on those it is given; on its own where either fails. The descriptor that
/// was handed over is closed. To be called before a kernel file is loaded. Errors: RunnerError.
void share_pages(const Request& request, const std::vector<DeviceEdge*>& edges);

}  // namespace klab::runner
