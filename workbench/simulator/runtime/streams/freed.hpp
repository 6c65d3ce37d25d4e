// Copies and memsets whose memory is gone by the time when they run.
#pragma once

#include <string>

namespace klab::sim {

/// A finding that blames the work ("copy", which "reads"), and the fault that ends all: the call
/// itself was right when it was made.
void tell_freed(const std::string& work, const char* does, const void* memory);

}  // namespace klab::sim
