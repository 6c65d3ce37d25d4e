// Reading the dynamic symbols of a 64-bit ELF file, every offset of which may lie.
#include "core/build/calls/library_symbols.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "core/base/files.hpp"

namespace klab {
namespace {

/// The `index`-th T of a table at `offset`; nullopt beyond the end.
template <class T>
std::optional<T> entry(std::string_view bytes, std::uint64_t offset, std::uint64_t index) {
  if (offset > bytes.size() || index >= (bytes.size() - offset) / sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset + index * sizeof(T), sizeof(T));
  return value;
}

/// The text that begins at `offset` and ends at a zero.
std::optional<std::string> text_at(std::string_view bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return std::nullopt;
  const std::string_view rest = bytes.substr(offset);
  const std::size_t end = rest.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(rest.substr(0, end));
}

std::optional<Elf64_Shdr> section_of_kind(std::string_view bytes, const Elf64_Ehdr& header,
                                          std::uint32_t kind) {
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto section = entry<Elf64_Shdr>(bytes, header.e_shoff, i);
    if (!section) return std::nullopt;
    if (section->sh_type == kind) return section;
  }
  return std::nullopt;
}

bool is_offered_function(const Elf64_Sym& symbol) {
  const unsigned kind = ELF64_ST_TYPE(symbol.st_info);
  if (kind != STT_FUNC && kind != STT_GNU_IFUNC) return false;
  const unsigned binding = ELF64_ST_BIND(symbol.st_info);
  const unsigned visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return binding != STB_LOCAL && visibility != STV_HIDDEN && visibility != STV_INTERNAL;
}

bool imports_any(const LibrarySymbols& symbols,
                 std::initializer_list<std::string_view> beginnings) {
  return std::any_of(symbols.imports.begin(), symbols.imports.end(), [&](std::string_view name) {
    // What the runner answers in the place of others is linked so (ld's --wrap).
    constexpr std::string_view answered = "__wrap_";
    if (name.starts_with(answered)) name.remove_prefix(answered.size());
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return name.starts_with(beginning); });
  });
}

std::optional<LibrarySymbols> symbols_of(const std::filesystem::path& library) {
  const auto bytes = read_file(library, std::size_t{256} << 20);
  return bytes ? read_symbols(*bytes) : std::nullopt;
}

}  // namespace

std::optional<LibrarySymbols> read_symbols(std::string_view bytes) {
  const auto header = entry<Elf64_Ehdr>(bytes, 0, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return std::nullopt;
  const auto table = section_of_kind(bytes, *header, SHT_DYNSYM);
  if (!table) return std::nullopt;
  const auto names = entry<Elf64_Shdr>(bytes, header->e_shoff, table->sh_link);
  if (!names) return std::nullopt;
  LibrarySymbols found;
  for (std::uint64_t i = 1; i < table->sh_size / sizeof(Elf64_Sym); ++i) {
    const auto symbol = entry<Elf64_Sym>(bytes, table->sh_offset, i);
    if (!symbol || symbol->st_name >= names->sh_size) return std::nullopt;
    auto name = text_at(bytes, names->sh_offset + symbol->st_name);
    if (!name) return std::nullopt;
    if (name->empty()) continue;
    if (symbol->st_shndx == SHN_UNDEF)
      found.imports.push_back(std::move(*name));
    else if (is_offered_function(*symbol))
      found.exports.push_back(std::move(*name));
  }
  return found;
}

bool loads_kernels(const LibrarySymbols& symbols) {
  return imports_any(symbols, {"cudaLibraryLoad", "cuLibraryLoad", "cuModuleLoad"});
}

bool loads_kernels(const std::filesystem::path& library) {
  const auto symbols = symbols_of(library);
  return symbols && loads_kernels(*symbols);
}

bool asks_for_the_device(const LibrarySymbols& symbols) {
  return imports_any(
      symbols, {"cudaGetDeviceProperties", "cudaDeviceGetAttribute", "cudaOccupancyMaxPotential",
                "cudaOccupancyMaxActiveClusters", "cuDeviceGetAttribute"});
}

bool asks_for_the_device(const std::filesystem::path& library) {
  const auto symbols = symbols_of(library);
  return symbols && asks_for_the_device(*symbols);
}

bool asks_for_the_driver(const LibrarySymbols& symbols) {
  return imports_any(symbols, {"cudaGetDriverEntryPoint"});
}

bool asks_for_the_driver(const std::filesystem::path& library) {
  const auto symbols = symbols_of(library);
  return symbols && asks_for_the_driver(*symbols);
}

bool allocates(const std::filesystem::path& library) {
  const auto symbols = symbols_of(library);
  return symbols && imports_any(*symbols, {"cudaMalloc", "cudaFree"});
}

bool moves_beside_kernels(const std::filesystem::path& library) {
  const auto symbols = symbols_of(library);
  return symbols && imports_any(*symbols, {"cudaMemcpy", "cudaMemset", "cudaGraph"});
}

}  // namespace klab
