// SecondLook: the simulator's checker, after a GPU found nothing wrong.
#pragma once

#include <atomic>
#include <optional>

#include "core/base/tree.hpp"
#include "core/check/check_event.hpp"
#include "core/judge/evidence.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// Runs the kernel file of `verify`, a request for the phase of that name, on the simulator of this
/// machine with all its checks, and gives up after some seconds; then the launch of `counters`, if
/// there is one, to count its work.
SecondLook second_look(const Tree& tree, Request verify, const std::optional<Request>& counters,
                       const OnCheckEvent& on_event, const std::atomic<bool>& canceled);

}  // namespace klab
