// Backend: what a check is to run on, or ran on.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/names.hpp"

namespace klab {

/// `automatic` is the GPU where there is one; nothing ran on it.
enum class Backend { automatic, gpu, simulator };

/// As the command line and records call them.
inline constexpr std::pair<Backend, std::string_view> backend_names[] = {
    {Backend::automatic, "auto"}, {Backend::gpu, "gpu"}, {Backend::simulator, "sim"}};

/// Empty for none.
constexpr std::string_view to_string(std::optional<Backend> backend) {
  return backend ? name_in(backend_names, *backend) : "";
}
constexpr std::optional<Backend> backend_from(std::string_view name) {
  return value_in(backend_names, name);
}

constexpr Backend backend_of(bool simulated) {
  return simulated ? Backend::simulator : Backend::gpu;
}

}  // namespace klab
