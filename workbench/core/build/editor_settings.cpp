// One fragment for all kernel files, and one a lab for the folder of its contract (clangd.llvm.org,
// "Configuration").
#include "core/build/editor_settings.hpp"

namespace klab {
namespace {

constexpr std::string_view head =
    "# Written by klab for clangd, and kept up to date; remove this line to keep a version of your "
    "own.\n";
constexpr std::size_t longest_settings_bytes = 1u << 20;

std::string settings(const Tree& tree, const Course& course) {
  const auto toolchain = find_toolchain(tree);
  std::string text(head);
  // clangd knows older toolkits than ours; what it needs of this one are the headers.
  text +=
      "If:\n  PathMatch: .*\\.cu\nCompileFlags:\n  Add:\n    - -xcuda\n    - -std=c++20\n"
      "    - --cuda-gpu-arch=sm_80\n    - -nocudalib\n    - -Wno-unknown-cuda-version\n";
  if (toolchain) text += "    - --cuda-path=" + toolchain->root.string() + "\n";
  for (const Lab& lab : course.labs)
    text += "---\nIf:\n  PathMatch: " + lab.folder + "\\.cu\nCompileFlags:\n  Add:\n    - -I" +
            lab.lab_folder().string() + "\n";
  return text;
}

}  // namespace

Result<> write_editor_settings(const Tree& tree, const Course& course) {
  const auto path = tree.workbook() / ".clangd";
  std::error_code ignored;
  const std::string fresh = settings(tree, course);
  if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    const auto present = read_file(path, longest_settings_bytes);
    if (!present || !present->starts_with(head) || *present == fresh) return Ok{};
  }
  return write_file(path, fresh);
}

}  // namespace klab
