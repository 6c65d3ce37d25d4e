// demangled(): the C++ name behind a symbol.
#pragma once

#include <string>

namespace klab {

/// The name as the source writes it; `symbol` itself where it is no mangled name.
std::string demangled(const std::string& symbol);

}  // namespace klab
