// Desk: pages, notices and the journal.
#include "ui/session/desk.hpp"

#include <utility>

#include "core/course/workbook.hpp"
#include "ui/session/journal_reading.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

constexpr double notice_lasts_s = 6;

}  // namespace

void Desk::show(Page page) {
  WindowState& window = model.window;
  window.shown_page = page;
  window.typing = window.typing && page == Page::code;
  window.labs_open = false;
  window.asking_prediction = false;
  (page == Page::lesson || page == Page::code ? window.reading_page : window.bench_page) = page;
}

void Desk::notify(std::string text, Outcome tone) {
  model.window.notice = Notice{tone, plain_words(text), model.now_s + notice_lasts_s};
}

bool Desk::note(JournalEntry entry) {
  if (!model.replaying.empty()) return false;
  JournalEntry written;
  const auto number = Journal(workbook_folder(tree.root)).append(std::move(entry), &written);
  if (!number)
    notify("The journal could not be written: " + window_words(number.error()), Outcome::fail);
  else
    take_appended(model, tree.root, std::move(written));
  return static_cast<bool>(number);
}

}  // namespace klab::ui
