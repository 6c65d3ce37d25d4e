// Settings: what the window remembers from one start to the next, in workbook/window.json.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/result.hpp"

namespace klab::ui {

struct Settings {
  std::optional<bool> dark;
  std::optional<float> zoom;
  std::string lab;                   ///< id; empty: none
  std::optional<int> width, height;  ///< logical pixels
  std::optional<float> split;        ///< Model::window.split
  bool operator==(const Settings&) const = default;
};

/// No file, a broken one and impossible values are all the same: nothing is remembered of them.
Settings read_settings(const std::filesystem::path& root);
/// Errors: ErrorCode::io.
Result<> write_settings(const std::filesystem::path& root, const Settings& settings);

}  // namespace klab::ui
