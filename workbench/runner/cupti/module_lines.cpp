// Asking CUPTI for the line of an instruction.
#include "runner/cupti/module_lines.hpp"

#include <elf.h>

#include <cstring>

#include <cupti.h>
#include <cupti_pcsampling.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

namespace klab::runner {
namespace {

using CString = std::unique_ptr<char, decltype(&std::free)>;  // CUPTI leaves freeing to its caller

std::optional<std::uint64_t> crc_of(const std::vector<std::byte>& cubin) {
  CUpti_GetCubinCrcParams params = {};
  params.size = CUpti_GetCubinCrcParamsSize;
  params.cubin = cubin.data();
  params.cubinSize = cubin.size();
  if (cuptiGetCubinCrc(&params) != CUPTI_SUCCESS) return std::nullopt;
  return params.cubinCrc;
}

std::optional<SourceLine> line_in(const std::vector<std::byte>& cubin, const std::string& symbol,
                                  std::uint64_t offset) {
  CUpti_GetSassToSourceCorrelationParams params = {};
  params.size = CUpti_GetSassToSourceCorrelationParamsSize;
  params.cubin = cubin.data();
  params.cubinSize = cubin.size();
  params.functionName = symbol.c_str();
  params.pcOffset = offset;
  const CUptiResult status = cuptiGetSassToSourceCorrelation(&params);
  const CString file(params.fileName, &std::free), folder(params.dirName, &std::free);
  if (status != CUPTI_SUCCESS || !file || params.lineNumber == 0) return std::nullopt;
  const auto path = std::filesystem::path(folder ? folder.get() : "") / file.get();
  return SourceLine{path.string(), static_cast<int>(params.lineNumber)};
}

}  // namespace

void ModuleLines::add(const void* cubin, std::size_t bytes) noexcept {
  // CUPTI reads the header of whatever it is given.
  if (!cubin || bytes < sizeof(Elf64_Ehdr) || std::memcmp(cubin, ELFMAG, SELFMAG) != 0) return;
  try {
    const auto* first = static_cast<const std::byte*>(cubin);
    Module module{.cubin = {first, first + bytes}};
    module.crc = crc_of(module.cubin);
    modules_.push_back(std::move(module));
  } catch (const std::bad_alloc&) {  // its instructions then have no lines
  }
}

std::optional<SourceLine> ModuleLines::find(std::uint64_t crc, const std::string& symbol,
                                            std::uint64_t offset) const {
  for (const Module& module : modules_)
    if (module.crc == crc)
      if (auto line = line_in(module.cubin, symbol, offset)) return line;
  for (const Module& module : modules_)
    if (module.crc != crc)
      if (auto line = line_in(module.cubin, symbol, offset)) return line;
  return std::nullopt;
}

}  // namespace klab::runner
