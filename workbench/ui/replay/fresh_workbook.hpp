// FreshWorkbook: the course with an empty workbook, for scripts.
#pragma once

#include <filesystem>

namespace klab::ui {

/// Links to everything of a course but its workbook, in a folder that goes with the object.
class FreshWorkbook {
 public:
  explicit FreshWorkbook(const std::filesystem::path& root);
  ~FreshWorkbook();
  FreshWorkbook(const FreshWorkbook&) = delete;
  FreshWorkbook& operator=(const FreshWorkbook&) = delete;
  /// Empty if the folder could not be made.
  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

}  // namespace klab::ui
