// FreshWorkbook: linking and removing.
#include "ui/replay/fresh_workbook.hpp"

#include <cstdlib>
#include <string>

namespace klab::ui {
namespace fs = std::filesystem;

FreshWorkbook::FreshWorkbook(const fs::path& root) {
  std::error_code failure;
  std::string name = (fs::temp_directory_path(failure) / "klab-fresh-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return;
  root_ = name;
  for (const auto& entry : fs::directory_iterator(root, failure))
    if (const auto part = entry.path().filename(); part != "workbook" && part != ".git")
      fs::create_symlink(entry.path(), root_ / part, failure);
}

FreshWorkbook::~FreshWorkbook() {
  std::error_code ignored;
  if (!root_.empty()) fs::remove_all(root_, ignored);  // links are not followed
}

}  // namespace klab::ui
