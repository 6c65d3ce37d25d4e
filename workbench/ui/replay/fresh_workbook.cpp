// FreshWorkbook: linking.
#include "ui/replay/fresh_workbook.hpp"

namespace klab::ui {
namespace fs = std::filesystem;

FreshWorkbook::FreshWorkbook(const fs::path& root) {
  auto made = ScratchFolder::make();
  if (!made) return;
  folder_.emplace(std::move(*made));  // which removes the links and does not follow them
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(root, failure))
    if (const auto part = entry.path().filename(); part != "workbook" && part != ".git")
      fs::create_symlink(entry.path(), folder_->path() / part, failure);
}

}  // namespace klab::ui
