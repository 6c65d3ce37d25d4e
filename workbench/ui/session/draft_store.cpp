// DraftStore: two places, so that a full or vanished one loses nothing.
#include "ui/session/draft_store.hpp"

#include <cstdlib>
#include <vector>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/course/workbook.hpp"

namespace klab::ui {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_draft_bytes = 4u << 20;

/// The user's own folder for things that outlive a program but are no documents.
fs::path state_folder() {
  for (const auto& [name, below] :
       {std::pair{"XDG_STATE_HOME", ""}, std::pair{"HOME", ".local/state"}})
    if (const char* value = std::getenv(name); value != nullptr && *value == '/')
      return fs::path(value) / below / "klab";
  std::error_code ignored;
  return fs::temp_directory_path(ignored) / "klab";
}

/// In the order in which they are tried. Two clones of the course do not share drafts.
std::vector<fs::path> places(const Lab& lab) {
  return {workbook_folder(lab.root) / "drafts" / (lab.folder + ".cu"),
          state_folder() / (sha256(lab.root.string()).substr(0, 16) + "-" + lab.folder + ".cu")};
}

}  // namespace

Result<fs::path> keep_draft(const Lab& lab, const std::string& text) {
  std::optional<Error> first;
  for (const fs::path& place : places(lab)) {
    const auto written = write_file(place, text);
    if (written) return place;
    if (!first) first = written.error();
  }
  return *first;
}

std::optional<KeptDraft> kept_draft(const Lab& lab) {
  std::error_code missing;
  const auto on_disk = read_file(workbook_file(lab), longest_draft_bytes);
  std::optional<KeptDraft> found;
  fs::file_time_type newest = fs::file_time_type::min();
  for (const fs::path& place : places(lab)) {
    auto text = read_file(place, longest_draft_bytes);
    const auto time = fs::last_write_time(place, missing);
    if (!text || missing || time <= newest || (on_disk && *text == *on_disk)) continue;
    newest = time;
    const auto saved = fs::last_write_time(workbook_file(lab), missing);
    found = KeptDraft{std::move(*text), !missing && saved > time};
  }
  return found;
}

void forget_draft(const Lab& lab) {
  std::error_code ignored;
  for (const fs::path& place : places(lab)) fs::remove(place, ignored);
}

}  // namespace klab::ui
