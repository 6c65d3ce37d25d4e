// SecondLook: the simulator's checker, after a GPU found nothing wrong.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "core/base/tree.hpp"
#include "core/check/check_event.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// A race, a read of memory that nobody wrote, or an access outside may go well on a GPU a hundred
/// times. The simulator sees them all, in the runs that it is given.
struct SecondLook {
  std::vector<record::Finding> findings;
  std::string not_looked;  ///< why it saw nothing, or not everything; empty if it saw all
  double seconds = 0;
};

/// Runs the kernel file of `verify`, a request for the phase of that name, on the simulator of this
/// machine with all its checks, and gives up after some seconds.
SecondLook second_look(const Tree& tree, Request verify, const OnCheckEvent& on_event,
                       const std::atomic<bool>& canceled);

}  // namespace klab
