// Which of the built libraries stay.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

#include "core/base/files.hpp"
#include "core/base/result.hpp"

namespace klab {

/// The libraries of all labs together take no more than this: some thousand, so that a whole course
/// with its galleries stays built.
constexpr std::uintmax_t plugin_cache_bytes = std::uintmax_t{1} << 30;

/// Where a library's compiler report is kept.
std::filesystem::path report_of(const std::filesystem::path& library);

/// As long as one of its copies lives, the library is deleted by no process.
using LibraryHold = std::shared_ptr<const Descriptor>;

/// Holds a library; null if it is not there.
LibraryHold hold(const std::filesystem::path& library);

/// Moves a finished library to its place, writes its report beside it, and holds it. Where
/// `is_there`, asked while nobody else can put one, finds what another process finished meanwhile,
/// that one stays: a runner's closed room lets in the very file that it was told of, not the next
/// one of its name. Errors: io.
Result<LibraryHold> put(const std::filesystem::path& finished, const std::filesystem::path& library,
                        std::string_view report, const std::function<bool()>& is_there);

/// The library was just used: others go before it does.
void note_use(const std::filesystem::path& library);

/// Deletes the libraries below `plugins` that were not used for longest and that nobody holds, with
/// their reports, until the rest takes no more than `bound_bytes`. Uses in the future, by a clock
/// that was set back since, count as none.
void keep_within(const std::filesystem::path& plugins, std::uintmax_t bound_bytes);

}  // namespace klab
