// DeviceSource: what of a kernel file runs on the GPU, for a compiler that takes no host code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace klab {

/// One `kernel<<<grid, block, shared, stream>>>` of the file.
struct LaunchSite {
  std::string kernel;                                ///< as a name expression: "tiles::scale<4>"
  std::optional<int> block_threads;                  ///< absent: known only when it runs
  std::optional<std::int64_t> dynamic_shared_bytes;  ///< the same
};

struct DeviceSource {
  /// The file with all that runs on the host blanked: every line stays where it was.
  std::string text;
  /// Kernels by name, templates with the arguments that the host code names.
  std::vector<std::string> kernels;
  /// Templates of kernels whose arguments the host code leaves to be deduced.
  std::vector<std::string> undetermined;
  /// Functions that were blanked.
  std::vector<std::string> host_functions;
  std::vector<LaunchSite> launches;
  /// The device part uses names of the standard library beyond integers of fixed width, or headers
  /// that bring them.
  bool uses_standard_library = false;
};

/// `contract` is the text of the header that the file includes; constants may come from it.
/// A declaration stays if it is marked __device__, __global__ or constexpr, or is a type, an alias
/// or a constant that one which stays names.
DeviceSource device_source(std::string_view file, std::string_view contract);

}  // namespace klab
