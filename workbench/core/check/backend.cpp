// Backend: its names on the command line.
#include "core/check/backend.hpp"

namespace klab {

std::optional<Backend> backend_from(std::string_view name) {
  if (name == "auto") return Backend::automatic;
  if (name == "gpu") return Backend::gpu;
  if (name == "sim") return Backend::simulator;
  return std::nullopt;
}

}  // namespace klab
