// Backend: what a check runs on.
#pragma once

#include <optional>
#include <string_view>

namespace klab {

enum class Backend { automatic, gpu, simulator };
std::optional<Backend> backend_from(std::string_view name);  ///< "auto", "gpu", "sim"

}  // namespace klab
