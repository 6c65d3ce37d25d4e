// SecondLook: the simulator's checker, after a GPU found nothing wrong.
#pragma once

#include <atomic>
#include <optional>
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
  /// What it counted of the operations that a GPU does not tell, at a small size, and the least of
  /// the task there; empty where it was not asked.
  std::optional<record::CounterSet> counted;
  std::string not_looked;  ///< why it saw nothing, or not everything; empty if it saw all
  double seconds = 0;
};

/// Runs the kernel file of `verify`, a request for the phase of that name, on the simulator of this
/// machine with all its checks, and gives up after some seconds; then the launch of `counters`, if
/// there is one, to count its work.
SecondLook second_look(const Tree& tree, Request verify, const std::optional<Request>& counters,
                       const OnCheckEvent& on_event, const std::atomic<bool>& canceled);

}  // namespace klab
