// Session: what was typed and not saved outlives other labs, failed saves, crashes and the window.
#include "ui/session/draft_store.hpp"
#include "ui/session/session.hpp"

namespace klab::ui {
namespace {

/// A pause in typing after which the draft is kept.
constexpr double keeping_pause_s = 1;
/// Who types without a pause loses no more than that, whatever happens.
constexpr double longest_unkept_s = 3;

}  // namespace

bool Session::secure_draft() {
  if (!model_.page.draft) {
    if (!kept_text_.empty()) forget_draft(*model_.lab());  // it was taken back
    kept_text_.clear();
    return true;
  }
  const auto kept = keep_draft(*model_.lab(), *model_.page.draft);
  if (!kept) {
    notify("What you typed can be kept nowhere: " + kept.error().what + " " + kept.error().remedy,
           Outcome::fail);
    return false;
  }
  kept_text_ = *model_.page.draft;
  kept_as_ = *kept;
  return true;
}

void Session::restore_draft() {
  LabPage& page = model_.page;
  kept_text_.clear();
  const Lab* lab = model_.lab();
  if (!lab || page.code.empty() || !page.code.front().absent.empty()) return;
  auto kept = kept_draft(*lab);
  if (!kept) return;
  kept_text_ = kept->text;
  page.draft = std::move(kept->text);
  page.changed_on_disk = kept->file_is_newer;
  notify("What you typed and did not save is here again. Ctrl+S saves it.");
}

void Session::restore_document() {
  LabPage& page = model_.page;
  if (page.code.empty()) return;
  if (const auto left = documents_.find(model_.lab()->id); left != documents_.end())
    page.document = std::move(left->second);
  if (page.code.front().absent.empty()) page.document.become(shown_text(page, page.code.front()));
}

void Session::look_after_draft() {
  const Lab* lab = model_.lab();
  if (!lab || !model_.replaying.empty()) return;
  const auto& draft = model_.page.draft;
  if (!draft && !kept_text_.empty()) {
    forget_draft(*lab);
    kept_text_.clear();
  } else if (draft && *draft != kept_text_ &&
             (model_.now_s - edited_s_ >= keeping_pause_s ||
              model_.now_s - kept_s_ >= longest_unkept_s)) {
    kept_s_ = model_.now_s;
    // Where it cannot be kept now, saving and quitting will say so.
    if (keep_draft(*lab, *draft)) kept_text_ = *draft;
  }
}

void Session::quit() {
  quit_ = secure_draft() || warned_;
  warned_ = !quit_;
  if (warned_)
    notify(
        "What you typed can be written nowhere. Make room on the disk, or quit once more to "
        "lose it.",
        Outcome::fail);
  else if (model_.page.draft)
    farewell_ = "What you typed for " + model_.lab()->id + " is not saved. It is kept as " +
                kept_as_.string() + " and comes back when the window opens the lab again.";
}

}  // namespace klab::ui
