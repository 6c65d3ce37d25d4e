// demangled(): the C++ name behind a symbol (Itanium C++ ABI, as nvcc and g++ follow it).
#include "core/build/demangle.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace klab {

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : symbol;
}

}  // namespace klab
