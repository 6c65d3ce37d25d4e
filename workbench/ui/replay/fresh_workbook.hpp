// FreshWorkbook: the course with an empty workbook, for scripts.
#pragma once

#include <filesystem>
#include <optional>

#include "core/process/scratch_folder.hpp"

namespace klab::ui {

/// Links to everything of a course but its workbook, in a folder that goes with the object.
class FreshWorkbook {
 public:
  explicit FreshWorkbook(const std::filesystem::path& root);
  /// Empty if the folder could not be made.
  std::filesystem::path root() const { return folder_ ? folder_->path() : std::filesystem::path(); }

 private:
  std::optional<ScratchFolder> folder_;
};

}  // namespace klab::ui
