// LibrarySymbols: what a shared library asks of others and offers to them.
#pragma once

#include <filesystem>
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

/// Whether it may bring kernels in while it runs, of which no compiler reported.
bool loads_kernels(const LibrarySymbols& symbols);
/// The same for a built library; false for what is none.
bool loads_kernels(const std::filesystem::path& library);

/// Whether it may size its launches by the device that it finds.
bool asks_for_the_device(const LibrarySymbols& symbols);
/// The same for a built library; false for what is none.
bool asks_for_the_device(const std::filesystem::path& library);

/// Whether it may call functions of the driver, which the simulator does not have.
bool asks_for_the_driver(const LibrarySymbols& symbols);
/// The same for a built library; false for what is none.
bool asks_for_the_driver(const std::filesystem::path& library);

/// Whether it may take memory of a device while it runs; false for what is no library.
bool allocates(const std::filesystem::path& library);

/// Whether it may copy or set memory without a kernel of its own; false for what is no library.
bool moves_beside_kernels(const std::filesystem::path& library);

/// Reads the ELF file `bytes`; nullopt if it is none of this machine, or damaged.
std::optional<LibrarySymbols> read_symbols(std::string_view bytes);

}  // namespace klab
