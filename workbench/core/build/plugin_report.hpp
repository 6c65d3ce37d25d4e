// PluginReport: what is kept beside a built library.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/check_result.hpp"

namespace klab {

/// What the compiler said, and what proves the library whole and current.
struct PluginReport {
  std::vector<KernelReport> kernels;
  std::string library_digest;
  std::map<std::string, std::string> inputs;  ///< digest of each file that went in, by its path
};

std::string encode(const PluginReport& report);
/// nullopt for anything else than what encode() of this version made.
std::optional<PluginReport> decode_plugin_report(std::string_view text);

/// The files that a dependency file of nvcc (-MF) names after its colon.
std::vector<std::filesystem::path> parse_dependencies(std::string_view text);

}  // namespace klab
