// CodeListing: what a kernel file became, PTX or machine code (SASS), with the source line of each
// line.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/tree.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/build/toolchain.hpp"
#include "core/course/lab.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

enum class ListingKind { ptx, sass };
std::string_view to_string(ListingKind kind);

struct ListingLine {
  std::string text;
  std::optional<int> source_line;  ///< of the kernel file, from 1; absent for what no line caused
  bool is_head = false;            ///< begins a kernel
};

struct CodeListing {
  ListingKind kind = ListingKind::ptx;
  std::vector<ListingLine> lines;
};

/// PTX with its .loc directives taken out and kept as source lines. `file` is the kernel file as
/// the compiler was given it; a line that came from elsewhere by inlining counts for the line of
/// `file` that it was inlined at. Text of unknown form gives lines without source.
CodeListing parse_ptx(std::string_view text, const std::filesystem::path& file);
/// The same of `nvdisasm -gi`.
CodeListing parse_sass(std::string_view text, const std::filesystem::path& file);

/// The PTX that a plugin carries. Errors: ErrorCode::io; unsupported if there is none.
Result<std::string> ptx_of_plugin(const std::filesystem::path& library);

/// Whether its PTX has instructions that flush numbers next to zero (.ftz).
bool flushes_small_numbers(const std::filesystem::path& library);

/// The listing of one kernel file, which is built first where it has changed. Errors: those of
/// build_plugin(); no_toolkit if the program that prints machine code is not installed, with the
/// package that brings it.
Result<CodeListing> list_code(const Tree& tree, const Toolchain& toolchain, const Lab& lab,
                              const VariantName& variant, const std::filesystem::path& source,
                              ComputeCapability capability, ListingKind kind,
                              const std::atomic<bool>* canceled = nullptr);

}  // namespace klab
