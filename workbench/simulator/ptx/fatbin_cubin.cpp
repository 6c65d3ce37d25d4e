// Registers and stack of each kernel, from the machine code's ELF section .nv.info.
#include <elf.h>

#include <cstring>

#include "simulator/ptx/fatbin.hpp"

namespace klab::sim {
namespace {

// Attributes of .nv.info: {u8 format, u8 attribute, u16 size, payload}. Format 4 carries `size`
// payload bytes; the others carry their value in the size field. Names as cuobjdump prints them.
constexpr std::uint8_t format_sized_value = 4;
constexpr std::uint8_t attribute_frame_size = 0x11;
constexpr std::uint8_t attribute_register_count = 0x2f;

using Bytes = std::span<const std::byte>;

template <class T>
bool read(Bytes bytes, std::uint64_t offset, T& out) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(&out, bytes.data() + offset, sizeof(T));
  return true;
}

Bytes slice(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return {};
  return bytes.subspan(offset, size);
}

std::string name_at(Bytes strings, std::uint64_t offset) {
  if (offset >= strings.size()) return {};
  const char* start = reinterpret_cast<const char*>(strings.data()) + offset;
  return {start, strnlen(start, strings.size() - offset)};
}

struct Sections {
  Bytes symbols, names, info;
};

bool find_sections(Bytes cubin, Sections& out) {
  Elf64_Ehdr elf;
  if (!read(cubin, 0, elf) || std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0) return false;
  Elf64_Shdr name_table;
  if (!read(cubin, elf.e_shoff + std::uint64_t{elf.e_shstrndx} * sizeof name_table, name_table)) {
    return false;
  }
  const Bytes section_names = slice(cubin, name_table.sh_offset, name_table.sh_size);
  for (std::uint64_t i = 0; i < elf.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read(cubin, elf.e_shoff + i * sizeof section, section)) return false;
    const std::string name = name_at(section_names, section.sh_name);
    if (section.sh_type == SHT_NOBITS) continue;
    const Bytes content = slice(cubin, section.sh_offset, section.sh_size);
    if (name == ".symtab") out.symbols = content;
    if (name == ".strtab") out.names = content;
    if (name == ".nv.info") out.info = content;
  }
  return !out.symbols.empty() && !out.names.empty() && !out.info.empty();
}

}  // namespace

std::map<std::string, CompiledKernel> read_cubin(Bytes cubin) {
  std::map<std::string, CompiledKernel> kernels;
  Sections sections;
  if (!find_sections(cubin, sections)) return kernels;
  std::uint64_t at = 0;
  std::uint8_t format = 0, attribute = 0;
  std::uint16_t size = 0;
  while (read(sections.info, at, format) && read(sections.info, at + 1, attribute) &&
         read(sections.info, at + 2, size)) {
    const std::uint64_t value_at = at + 4;
    at = value_at + (format == format_sized_value ? size : 0);
    if (attribute != attribute_register_count && attribute != attribute_frame_size) continue;
    std::uint32_t symbol_index = 0, value = 0;
    Elf64_Sym symbol;
    if (!read(sections.info, value_at, symbol_index) || !read(sections.info, value_at + 4, value) ||
        !read(sections.symbols, symbol_index * std::uint64_t{sizeof symbol}, symbol)) {
      continue;
    }
    CompiledKernel& kernel = kernels[name_at(sections.names, symbol.st_name)];
    if (attribute == attribute_register_count) kernel.registers = static_cast<int>(value);
    if (attribute == attribute_frame_size) kernel.stack_bytes = value;
  }
  return kernels;
}

}  // namespace klab::sim
