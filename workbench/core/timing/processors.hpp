// The processors of this machine that this process may use.
#pragma once

#include <vector>

namespace klab {

/// Their numbers, ascending (sched_getaffinity(2)); none where the system does not say.
std::vector<int> allowed_processors();

/// Moves this thread there, and leaves it to the scheduler afterwards: a thread stays where it
/// is as long as nothing else wants to run there. Threads that it starts may use all others as
/// before. Does nothing where that processor is not allowed.
void migrate_to(int processor);

}  // namespace klab
