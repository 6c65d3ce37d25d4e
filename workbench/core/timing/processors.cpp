// Sets of processors as the kernel takes them.
#include "core/timing/processors.hpp"

#include <sched.h>

namespace klab {

std::vector<int> allowed_processors() {
  std::vector<int> allowed;
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return allowed;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(static_cast<std::size_t>(i), &set)) allowed.push_back(i);
  return allowed;
}

void migrate_to(int processor) {
  cpu_set_t all, one;
  if (processor < 0 || processor >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof all, &all) != 0)
    return;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(processor), &one);
  if (::sched_setaffinity(0, sizeof one, &one) == 0) ::sched_setaffinity(0, sizeof all, &all);
}

}  // namespace klab
