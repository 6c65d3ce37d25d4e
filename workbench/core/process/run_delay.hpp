// RunDelay: how long a process was ready to run and had no processor.
#pragma once

#include <sys/types.h>

#include <chrono>

namespace klab {

/// Of the thread that waited longest, as /proc/PID/task/*/schedstat tells (its second number, in
/// nanoseconds: Linux, Documentation/scheduler/sched-stats.rst). 0 where the kernel does not tell,
/// and for a process that is gone. A process that sleeps waits for no processor.
std::chrono::nanoseconds run_delay(pid_t process);

}  // namespace klab
