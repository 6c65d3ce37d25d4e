// Session: what each command does.
#include "ui/session/session.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/build/editor_settings.hpp"
#include "core/course/workbook.hpp"
#include "ui/session/journal_reading.hpp"
#include "ui/session/library.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

constexpr double look_every_s = 0.25;
constexpr double notice_lasts_s = 6;
constexpr float least_zoom = 0.7f, most_zoom = 2.5f;
constexpr float least_split = 0.2f, most_split = 0.8f;

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace

Session::Session(Tree tree, Launcher& launcher) : tree_(std::move(tree)), launcher_(launcher) {
  model_.runner = tree_.remote;
  load_labs(model_, tree_.root);
  model_.glossary = load_glossary(tree_.root);
  if (!model_.labs.empty()) open(0);
}

Session::~Session() {
  secure_draft();
  // A copy, because adding a note clears its draft.
  for (const auto& [lab, draft] : std::map(model_.journal.drafts)) add_note(lab);
}

void Session::apply(const Command& command) {
  using namespace command;
  std::visit(
      Overloaded{[&](const OpenLab& c) { open(c.index); },
                 [&](const ShowPage& c) { show(c.page); },
                 [&](const StartLab&) { start_lab_now(); },
                 [&](const RunCheck&) { run_or_settle(); },
                 [&](const StopCheck&) {
                   if (!model_.running()) return;
                   run_again_ = false;
                   if (model_.checking()) model_.runs[model_.running_lab].canceling = true;
                   if (model_.investigating) model_.investigating->canceling = true;
                   if (model_.measuring_ceilings) model_.measuring_ceilings->canceling = true;
                   launcher_.cancel();
                 },
                 [&](const Investigate& c) { begin_investigation(c.kind); },
                 [&](const MeasureCeilings&) { begin_ceilings(); },
                 [&](const SetSweep& c) { model_.sweep = c.plan; },
                 [&](const SetWatch& c) { model_.watch = c.on; },
                 [&](const SetBackend& c) { model_.backend = c.backend; },
                 [&](const ShowHint&) { show_hint(); },
                 [&](const GiveUp& c) { give_up(c.sure); },
                 [&](const KeepTrying&) { model_.page.confirming_solution = false; },
                 [&](const ShowExplanation&) { show_explanation(); },
                 [&](const AnswerPrediction& c) {
                   auto& answers = model_.page.prediction.answers;
                   if (c.question < answers.size()) answers[c.question] = c.choice;
                   model_.notice.reset();  // it may have said what is not answered
                 },
                 [&](const SettlePrediction& c) { settle_prediction(c.skipped); },
                 [&](const CancelPrediction&) { model_.asking_prediction = false; },
                 [&](const ShowCode& c) {
                   const std::size_t most =
                       model_.page.code.size() + (model_.can_compare_code() ? 1 : 0);
                   if (c.index < most) model_.page.shown_code = c.index;
                 },
                 [&](const EditMine&) {
                   show(Page::code);
                   model_.page.shown_code = 0;
                   ++model_.caret_wishes;
                 },
                 [&](const GoToLine& c) { go_to_line(c.line); },
                 [&](const EditCode& c) { edit(c.acts); },
                 [&](const SetTyping& c) { model_.typing = c.on; },
                 [&](const SaveCode&) { save_and_check(); },
                 [&](const SetCodeView& c) { set_view(c.view); },
                 [&](const SetFilter& c) { model_.filter = c.text; },
                 [&](const SetLabShow& c) { model_.lab_show = c.show; },
                 [&](const FindLab&) { ++model_.lab_searches; },
                 [&](const SearchJournal& c) {
                   model_.journal.query = c.query;
                   model_.journal.all_labs = c.all_labs;
                   search_journal(model_);
                 },
                 [&](const ChooseEntry& c) { choose_entry(c.number, c.beside); },
                 [&](const RestoreEntry& c) { restore(c.number); },
                 [&](const UndoRestore&) { undo_restore(); },
                 [&](const EditNote& c) {
                   if (!model_.lab()) return;
                   for (const EditAct& act : c.acts)
                     model_.journal.drafts[model_.lab()->id].apply(act);
                 },
                 [&](const AddNote&) {
                   if (model_.lab()) add_note(model_.lab()->id);
                 },
                 [&](const ExportJournal& c) { export_journal(c.page); },
                 [&](const SetOccupancy& c) { model_.occupancy = c.input; },
                 [&](const SetTimelineView& c) { model_.timeline = c.view; },
                 [&](const ExportTimeline&) { export_timeline(); },
                 [&](const SetDark& c) { model_.dark = c.on; },
                 [&](const SetZoom& c) { model_.zoom = std::clamp(c.zoom, least_zoom, most_zoom); },
                 [&](const SetSplit& c) {
                   model_.split = c.share;
                   if (c.share) model_.split = std::clamp(*c.share, least_split, most_split);
                 },
                 [&](const ToggleHelp&) { model_.help_open = !model_.help_open; },
                 [&](const ToggleLabs&) { model_.labs_open = !model_.labs_open; },
                 [&](const Present& c) { present(c.on); },
                 [&](const StepDeck& c) {
                   if (!model_.presentation) return;
                   const Presentation& shown = *model_.presentation;
                   show_slide(stepped(shown.place, c.step, model_.labs.size(), shown.sources));
                 },
                 [&](const ShowDeck& c) { show_slide(jumped(c.lab)); },
                 [&](const SetFullScreen& c) { model_.full_screen = c.on; },
                 [&](const Notify& c) { notify(c.text); },
                 [&](const DismissNotice&) { model_.notice.reset(); },
                 [&](const Quit&) { quit(); }},
      command);
}

bool Session::tick(double now_s) {
  model_.now_s = now_s;
  // It is set between two frames and drawn in the second one.
  if (model_.page.goto_line && ++reveal_age_ > 1) model_.page.goto_line.reset();
  if (!model_.page.goto_line) reveal_age_ = 0;
  bool changed = follow_code();
  for (const RunEvent& event : launcher_.drain()) take(event), changed = true;
  if (model_.notice && now_s > model_.notice->until_s) model_.notice.reset(), changed = true;
  if (now_s >= next_look_s_) {
    next_look_s_ = now_s + look_every_s;
    if (watch_.changed()) file_changed(), changed = true;
    if (journal_changed(model_, tree_.root)) follow_journal(), changed = true;
    look_after_draft();
  }
  return changed;
}

void Session::open(std::size_t index) {
  if (index >= model_.labs.size() || !secure_draft()) return;
  const bool unsaved = model_.page.draft.has_value();
  if (model_.lab()) documents_[model_.lab()->id] = std::move(model_.page.document);
  open_lab(model_, index);
  model_.sweep = {};
  model_.typing = false;
  if (unsaved) notify("What you typed is not saved yet; it is kept and comes back with its lab.");
  restore_draft();
  restore_document();
  model_.asking_prediction = false;
  model_.labs_open = false;
  model_.timeline = {};
  model_.shown_page = model_.reading_page = Page::lesson;
  watch_.look_at(workbook_file(model_.labs[index].lab));
  if (const Run* run = model_.run(); run && run->result)
    model_.page.messages = messages_of(*run->result);
}

void Session::show(Page page) {
  model_.shown_page = page;
  model_.typing = model_.typing && page == Page::code;
  model_.labs_open = false;
  model_.asking_prediction = false;
  (page == Page::lesson || page == Page::code ? model_.reading_page : model_.bench_page) = page;
}

void Session::start_lab_now() {
  const Lab* lab = model_.lab();
  if (!lab) return;
  if (const auto started = start_lab(*lab); !started) {
    notify(started.error().what + " " + started.error().remedy, Outcome::fail);
    return;
  } else if (*started) {
    note({.kind = JournalEntry::Kind::started, .lab = lab->id});
    // For an editor beside the window; without it that one misses its help, nothing more.
    (void)write_editor_settings(tree_, load_course(tree_.root));
  }
  refresh_journal(model_, tree_.root);
  reload_code(model_);
  model_.page.shown_code = 0;
  watch_.look_at(workbook_file(*lab));
  show(Page::code);
}

void Session::follow_journal() {
  refresh_journal(model_, tree_.root);
  open_what_was_earned(model_);
}

void Session::show_hint() {
  if (!model_.current) return;
  LabEntry& entry = model_.labs[*model_.current];
  if (!model_.asking_prediction) show(Page::lesson), ++model_.hint_requests;
  const int shown = entry.progress.hints_shown;
  if (shown >= static_cast<int>(entry.lab.hints.size())) return;
  entry.progress.hints_shown = shown + 1;
  note({.kind = JournalEntry::Kind::hint, .lab = entry.lab.id, .hint = shown + 1});
}

void Session::give_up(bool sure) {
  const LabEntry* entry = model_.entry();
  if (!entry || !model_.replaying.empty() || entry->progress.solution_open()) return;
  model_.page.confirming_solution = !sure;
  if (!sure) return;
  note({.kind = JournalEntry::Kind::solution, .lab = entry->lab.id});
  open_what_was_earned(model_);
  show_explanation();
}

void Session::show_explanation() {
  if (model_.page.explanation.empty()) return;
  show(Page::lesson);
  ++model_.explanation_requests;
}

void Session::go_to_line(int line) {
  model_.page.shown_code = 0;
  show(Page::code);
  reveal(line);
}

void Session::notify(std::string text, Outcome tone) {
  model_.notice = Notice{tone, plain_words(text), model_.now_s + notice_lasts_s};
}

}  // namespace klab::ui
