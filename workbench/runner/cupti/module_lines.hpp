// ModuleLines: from an instruction of a loaded module to the line of its source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace klab::runner {

struct SourceLine {
  std::string file;
  int line = 0;
};

/// Keeps the machine code of modules, as CUPTI shows it while it is loaded, and asks CUPTI for
/// lines (cuptiGetSassToSourceCorrelation). Needs no GPU. Code built without -lineinfo has none.
class ModuleLines {
 public:
  /// Copies `cubin`. Never throws: called from within CUPTI. What cannot be kept has no lines.
  void add(const void* cubin, std::size_t bytes) noexcept;

  /// The line of the instruction at `offset` in the function `symbol` (mangled) of the module with
  /// this checksum (CUPTI's), or of any module that has the function; nullopt if none tells.
  std::optional<SourceLine> find(std::uint64_t crc, const std::string& symbol,
                                 std::uint64_t offset) const;

 private:
  struct Module {
    std::optional<std::uint64_t> crc;
    std::vector<std::byte> cubin;
  };
  std::vector<Module> modules_;
};

}  // namespace klab::runner
