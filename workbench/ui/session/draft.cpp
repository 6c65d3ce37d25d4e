// KernelFile: what was typed and not saved outlives other labs, failed saves, crashes and the
// window.
#include <utility>

#include "ui/session/kernel_file.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

/// A pause in typing after which the draft is kept.
constexpr double keeping_pause_s = 1;
/// Who types without a pause loses no more than that, whatever happens.
constexpr double longest_unkept_s = 3;

}  // namespace

void KernelFile::note_kept(const DraftFile& as) {
  kept_text_ = *page().draft;
  kept_as_ = as.path;
  if (!as.put_aside.empty())
    desk_.notify("Another window was typed into as well; what was not saved there is kept as " +
                 as.put_aside.string() + ".");
}

bool KernelFile::secure_draft() {
  if (!page().draft) {
    if (!kept_text_.empty()) forget_draft(*desk_.model.lab(), kept_text_);  // it was taken back
    kept_text_.clear();
    return true;
  }
  const auto kept = keep_draft(*desk_.model.lab(), *page().draft, kept_text_);
  if (!kept) {
    desk_.notify("What you typed can be kept nowhere: " + window_words(kept.error()),
                 Outcome::fail);
    return false;
  }
  note_kept(*kept);
  return true;
}

void KernelFile::restore_draft() {
  LabPage& page = this->page();
  kept_text_.clear();
  const Lab* lab = desk_.model.lab();
  if (!lab || !page.started()) return;
  auto kept = kept_draft(*lab);
  if (!kept) return;
  kept_text_ = kept->text;
  page.draft = std::move(kept->text);
  page.changed_on_disk = kept->file_is_newer;
  desk_.notify("What you typed and did not save is here again. Ctrl+S saves it.");
}

void KernelFile::put_away() {
  if (const Lab* lab = desk_.model.lab()) documents_[lab->id] = std::move(page().document);
}

void KernelFile::bring_back() {
  restore_draft();
  LabPage& page = this->page();
  if (!page.kernels) return;
  const Lab& lab = *desk_.model.lab();
  if (const auto left = documents_.find(lab.id); left != documents_.end())
    page.document = std::move(left->second);
  if (page.started()) page.document.become(shown_text(page, page.kernels->mine));
  look_at(lab);
}

void KernelFile::look_after_draft() {
  const Lab* lab = desk_.model.lab();
  if (!lab || !desk_.model.replaying.empty()) return;
  const auto& draft = page().draft;
  if (!draft && !kept_text_.empty()) {
    forget_draft(*lab, kept_text_);
    kept_text_.clear();
  } else if (draft && *draft != kept_text_ &&
             (desk_.model.now_s - edited_s_ >= keeping_pause_s ||
              desk_.model.now_s - kept_s_ >= longest_unkept_s)) {
    kept_s_ = desk_.model.now_s;
    // Where it cannot be kept now, saving and quitting will say so.
    if (const auto kept = keep_draft(*lab, *draft, kept_text_)) note_kept(*kept);
  }
}

bool KernelFile::may_quit() {
  const bool quits = secure_draft() || warned_;
  warned_ = !quits;
  if (warned_)
    desk_.notify(
        "What you typed can be written nowhere. Make room on the disk, or quit once more to "
        "lose it.",
        Outcome::fail);
  else if (page().draft)
    farewell_ = "What you typed for " + desk_.model.lab()->id + " is not saved. It is kept as " +
                kept_as_.string() + " and comes back when the window opens the lab again.";
  return quits;
}

}  // namespace klab::ui
