// FreshWorkbook: the course with an empty workbook, for scripts.
#pragma once

#include <filesystem>

namespace klab::ui {

/// Links to everything of a course but its workbook, in a temporary folder that goes with the
/// object. One that a killed program left behind goes with sweep_fresh_workbooks().
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
  int lock_ = -1;  ///< on the folder, while the program lives
};

/// Removes the fresh workbooks of programs that are gone.
void sweep_fresh_workbooks();

}  // namespace klab::ui
