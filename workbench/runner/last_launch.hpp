// Which kernel was launched last, so that a device fault can name it.
#pragma once

#include <string>

namespace klab::runner {

void forget_last_launch();
/// The demangled name of the kernel launched last since forget_last_launch(); empty if unknown.
std::string last_launch();

}  // namespace klab::runner
