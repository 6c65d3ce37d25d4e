// Session: what was typed and not saved outlives failed saves, crashes and the window itself.
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
  if (!model_.page.draft || save()) return true;
  const auto kept = keep_draft(*model_.lab(), *model_.page.draft);
  if (!kept) {
    notify("What you typed can be neither saved nor kept elsewhere: " + kept.error().what + " " +
               kept.error().remedy,
           Outcome::fail);
    return false;
  }
  kept_text_ = *model_.page.draft;
  notify("Your file cannot be written. What you typed is kept as " + kept->string() +
             " and comes back when the lab is opened again.",
         Outcome::fail);
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
  notify("What you typed last time and did not save is here again.");
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
}

}  // namespace klab::ui
