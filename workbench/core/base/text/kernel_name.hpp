// How a kernel is named where its signature would be too long.
#pragma once

#include <string>
#include <string_view>

namespace klab {

/// A demangled name as a programmer says it: without return type, parameters and the namespace that
/// has no name. What stands in brackets behind it, such as " (harness)", stays, and so do names of
/// other things.
std::string short_name(std::string_view name);

}  // namespace klab
