// LaunchSite: how a kernel file launches its kernels, as far as its text tells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace klab {

/// One `kernel<arguments><<<grid, block, shared, stream>>>` of the file.
struct LaunchSite {
  std::string kernel;                                ///< as it is named there: "tiles::scale"
  std::vector<std::string> template_arguments;       ///< constants by their value
  std::optional<int> block_threads;                  ///< absent: known only when it runs
  std::optional<std::int64_t> dynamic_shared_bytes;  ///< the same
};

/// In the order of the file. `contract` is the text of the header that the file includes; constants
/// may come from it.
std::vector<LaunchSite> launch_sites(std::string_view file, std::string_view contract);

/// The first of `sites` that launches `kernel`, a demangled name; null if none surely does.
const LaunchSite* launch_of(const std::vector<LaunchSite>& sites, std::string_view kernel);

}  // namespace klab
