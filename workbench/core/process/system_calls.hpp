// The filter that refuses system calls.
#pragma once

namespace klab {

/// Whether the kernel knows such filters.
bool can_refuse_system_calls();

/// Whether what is loaded as code stays as it was loaded.
enum class Code { stays, may_change };

/// From now on, and for every thread there is, the process can neither start nor leave, look into
/// or signal a process, nor reach a network, nor leave behind anything that outlives it elsewhere
/// than in files; where code stays, it can neither make it writable nor run what it wrote. False if
/// the kernel refuses.
bool refuse_system_calls(Code code);

}  // namespace klab
