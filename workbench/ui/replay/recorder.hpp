// Recorder: writes down what the launcher runs, to replay it later.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.hpp"
#include "ui/background/launcher.hpp"

namespace klab::ui {

/// `work` that also writes to `path`: a check its events while it runs, over what stood there; an
/// investigation what it found, after what this program wrote before. The file is made at once:
/// where it cannot be written, that is said before anything is demonstrated.
Result<Work> recorded(Work work, const std::filesystem::path& path, std::string note);

}  // namespace klab::ui
