// Which of the built libraries stay.
#pragma once

#include <cstdint>
#include <filesystem>

namespace klab {

/// The libraries of all labs together take no more than this: some thousand, so that a whole course
/// with its galleries stays built.
constexpr std::uintmax_t plugin_cache_bytes = std::uintmax_t{1} << 30;

/// Where a library's compiler report is kept.
std::filesystem::path report_of(const std::filesystem::path& library);

/// The library was just used: others go before it does.
void note_use(const std::filesystem::path& library);

/// Deletes the libraries below `plugins` that were not used for longest, with their reports, until
/// the rest takes no more than `bound_bytes`.
void keep_within(const std::filesystem::path& plugins, std::uintmax_t bound_bytes);

}  // namespace klab
