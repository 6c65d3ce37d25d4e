// The C++ name behind a symbol (Itanium C++ ABI, as nvcc and g++ follow it).
#include "core/build/demangle.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace klab {

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // "f" alone would be read as a type: float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : symbol;
}

std::string with_demangled_names(const std::string& text) {
  constexpr std::string_view of_names =
      "_$ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t word = std::min(text.find_first_of(of_names, at), text.size());
    const std::size_t end = std::min(text.find_first_not_of(of_names, word), text.size());
    out.append(text, at, word - at);
    const std::string name = text.substr(word, end - word);
    out += name.starts_with("_Z") ? demangled(name) : name;
    at = end;
  }
  return out;
}

}  // namespace klab
