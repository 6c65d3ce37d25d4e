// The filter that refuses system calls.
#pragma once

namespace klab {

/// Whether the kernel knows such filters.
bool can_refuse_system_calls();

/// From now on, and for every thread there is, the process can neither start nor leave, look into
/// or signal a process, nor reach a network, nor make code writable or run what it wrote, nor leave
/// behind anything that outlives it elsewhere than in files. False if the kernel refuses.
bool refuse_system_calls();

}  // namespace klab
