// DraftStore: two places, so that a full or vanished one loses nothing.
#include "ui/session/draft_store.hpp"

#include <algorithm>
#include <sstream>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/tree.hpp"
#include "core/course/workbook.hpp"

namespace klab::ui {
namespace {

namespace fs = std::filesystem;

/// The user's own folder for things that outlive a program but are no documents.
fs::path state_folder() {
  for (const auto& [name, below] :
       {std::pair{"XDG_STATE_HOME", ""}, std::pair{"HOME", ".local/state"}})
    if (const std::string value = environment(name); value.starts_with('/'))
      return fs::path(value) / below / "klab";
  std::error_code ignored;
  return fs::temp_directory_path(ignored) / "klab";
}

/// In the order in which they are tried. Two clones of the course do not share drafts.
std::vector<fs::path> places(const Lab& lab, const std::string& ending) {
  const std::string name = lab.folder + ending;
  return {workbook_folder(lab.root) / "drafts" / name,
          state_folder() / (sha256(lab.root.string()).substr(0, 16) + "-" + name)};
}

std::vector<fs::path> drafts_of(const Lab& lab) { return places(lab, ".cu"); }
std::vector<fs::path> answers_of(const Lab& lab) { return places(lab, ".answers"); }

/// Puts aside what was typed elsewhere: what neither `text` nor `known` is. Empty if nothing was.
Result<fs::path> make_room(const Lab& lab, const fs::path& place, const std::string& text,
                           const std::string& known) {
  const auto there = read_file(place);
  if (!there || *there == text || *there == known) return fs::path();
  return put_aside(lab, *there);
}

/// What is to be written, at the first place where that works.
template <class Write>
auto at_first(const std::vector<fs::path>& places, const Write& write) {
  auto done = write(places.front());
  for (std::size_t i = 1; !done && i < places.size(); ++i)
    if (auto next = write(places[i])) done = std::move(next);
  return done;
}

void forget(const std::vector<fs::path>& places) {
  std::error_code ignored;
  for (const fs::path& place : places) fs::remove(place, ignored);
}

/// Only that text: another one is another window's.
void forget_if(const fs::path& place, const std::string& known) {
  std::error_code ignored;
  if (const auto there = read_file(place); there && *there == known) fs::remove(place, ignored);
}

/// The text of the newest of them.
std::optional<std::string> newest(const std::vector<fs::path>& places) {
  std::optional<std::string> found;
  fs::file_time_type newest = fs::file_time_type::min();
  for (const fs::path& place : places) {
    std::error_code missing;
    auto text = read_file(place);
    const auto time = fs::last_write_time(place, missing);
    if (!text || missing || time <= newest) continue;
    newest = time;
    found = std::move(*text);
  }
  return found;
}

}  // namespace

Result<DraftFile> keep_draft(const Lab& lab, const std::string& text, const std::string& known) {
  const auto places = drafts_of(lab);
  auto kept = at_first(places, [&](const fs::path& place) -> Result<DraftFile> {
    const auto aside = make_room(lab, place, text, known);
    if (!aside) return aside.error();
    if (const auto written = write_file(place, text); !written) return written.error();
    return DraftFile{place, *aside};
  });
  // What this window kept elsewhere, while it could not write here, is older now.
  if (kept && !known.empty())
    for (const fs::path& place : places)
      if (place != kept->path) forget_if(place, known);
  return kept;
}

std::optional<KeptDraft> kept_draft(const Lab& lab) {
  std::error_code missing;
  const auto on_disk = read_file(workbook_file(lab));
  std::optional<KeptDraft> found;
  fs::file_time_type newest = fs::file_time_type::min();
  for (const fs::path& place : drafts_of(lab)) {
    auto text = read_file(place);
    const auto time = fs::last_write_time(place, missing);
    if (!text || missing || time <= newest || (on_disk && *text == *on_disk)) continue;
    newest = time;
    const auto saved = fs::last_write_time(workbook_file(lab), missing);
    found = KeptDraft{std::move(*text), !missing && saved > time};
  }
  return found;
}

void forget_draft(const Lab& lab, const std::string& known) {
  for (const fs::path& place : drafts_of(lab)) forget_if(place, known);
}

Result<> keep_answers(const Lab& lab, const Answers& answers) {
  if (std::none_of(answers.begin(), answers.end(), [](const auto& one) { return one.has_value(); }))
    return forget_answers(lab), Ok{};
  std::string text;
  for (const std::optional<int>& answer : answers)
    text += std::to_string(answer.value_or(-1)) + "\n";
  return at_first(answers_of(lab), [&](const fs::path& place) { return write_file(place, text); });
}

Answers kept_answers(const Lab& lab) {
  Answers answers(lab.predictions.size());
  std::istringstream text(newest(answers_of(lab)).value_or(""));
  int choice = 0;
  for (std::size_t i = 0; i < answers.size() && text >> choice; ++i)
    if (choice >= 0 && choice < static_cast<int>(lab.predictions[i].choices.size()))
      answers[i] = choice;
  return answers;
}

void forget_answers(const Lab& lab) { forget(answers_of(lab)); }

}  // namespace klab::ui
