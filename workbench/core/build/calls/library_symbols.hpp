// LibrarySymbols: what a shared library asks of others and offers to them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace klab {

/// Names as the linker knows them, in the order of the library's dynamic symbol table.
struct LibrarySymbols {
  std::vector<std::string> imports;  ///< to be found elsewhere when it is loaded
  std::vector<std::string> exports;  ///< functions that it defines for all who load it
};

/// Reads the ELF file `bytes`; nullopt if it is none of this machine, or damaged.
std::optional<LibrarySymbols> read_symbols(std::string_view bytes);

}  // namespace klab
