// Backend: what a check runs on.
#pragma once

#include <optional>
#include <string_view>

namespace klab {

enum class Backend { automatic, gpu, simulator };

/// By its name on the command line: "auto", "gpu", "sim".
inline std::optional<Backend> backend_from(std::string_view name) {
  if (name == "auto") return Backend::automatic;
  if (name == "gpu") return Backend::gpu;
  if (name == "sim") return Backend::simulator;
  return std::nullopt;
}

}  // namespace klab
