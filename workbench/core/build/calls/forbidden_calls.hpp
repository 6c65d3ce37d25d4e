// Forbidden calls: what a kernel file has no use for, found in its library before it is loaded.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/base/result.hpp"
#include "core/build/calls/library_symbols.hpp"

namespace klab {

/// Raised when the table changes, so that libraries of before are examined anew.
inline constexpr int forbidden_calls_version = 3;

/// Why a kernel file may not call the function of this (mangled) name, as the end of a sentence:
/// "which starts a host thread"; empty if it may.
std::string_view why_forbidden(std::string_view symbol);

/// The sentence about the first forbidden call or definition; nullopt if there is none.
std::optional<Error> misuse_of(const LibrarySymbols& symbols);

/// The same for a built library, and for system calls that its code makes by itself, where the
/// distribution's objdump shows them. What is no library is nobody's misuse: it cannot be loaded.
std::optional<Error> misuse_in(const std::filesystem::path& library);

}  // namespace klab
