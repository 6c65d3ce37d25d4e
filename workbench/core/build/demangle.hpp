// The C++ name behind a symbol.
#pragma once

#include <string>

namespace klab {

/// The name as the source writes it; `symbol` itself where it is no mangled name.
std::string demangled(const std::string& symbol);

/// `text` with every mangled name in it as the source writes it.
std::string with_demangled_names(const std::string& text);

}  // namespace klab
