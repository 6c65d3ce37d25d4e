// Session: what each command does.
#include "ui/session/session.hpp"

#include <algorithm>
#include <utility>

#include "core/course/workbook.hpp"
#include "ui/session/draft_store.hpp"
#include "ui/session/journal_reading.hpp"
#include "ui/session/library.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

constexpr double look_every_s = 0.25;
constexpr float least_zoom = 0.7f, most_zoom = 2.5f;
constexpr float least_split = 0.2f, most_split = 0.8f;

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace

Session::Session(Tree tree, Launcher& launcher)
    : desk_{std::move(tree), {}},
      model_(desk_.model),
      launcher_(launcher),
      file_(desk_),
      code_(desk_),
      checking_(desk_, file_, launcher),
      investigating_(desk_, file_, launcher),
      measuring_(desk_, launcher),
      remembering_(desk_, file_),
      presenting_(desk_, [this](std::size_t lab) { open(lab); }) {
  model_.machine.runner = desk_.tree.remote;
  load_labs(model_, desk_.tree.root);
  model_.glossary = load_glossary(desk_.tree.root);
  if (!model_.labs.empty()) open(0);
}

Session::~Session() {
  file_.secure_draft();
  remembering_.add_all_notes();
}

void Session::apply(const Command& command) {
  using namespace command;
  WindowState& window = model_.window;
  std::visit(
      Overloaded{[&](const OpenLab& c) { open(c.index); },
                 [&](const ShowPage& c) { desk_.show(c.page); },
                 [&](const StartLab&) { checking_.start(); },
                 [&](const RunCheck&) { checking_.run_or_settle(); },
                 [&](const StopCheck&) { stop(); },
                 [&](const Investigate& c) { investigating_.begin(c.kind); },
                 [&](const MeasureCeilings&) { measuring_.begin_ceilings(); },
                 [&](const SetSweep& c) { model_.investigations.sweep = c.plan; },
                 [&](const SetWatch& c) { model_.watch = c.on; },
                 [&](const SetBackend& c) { model_.machine.backend = c.backend; },
                 [&](const ShowHint&) { show_hint(); },
                 [&](const GiveUp& c) { give_up(c.sure); },
                 [&](const KeepTrying&) { model_.page.confirming_solution = false; },
                 [&](const ShowExplanation&) { show_explanation(); },
                 [&](const AnswerPrediction& c) { answer(c); },
                 [&](const SettlePrediction& c) { checking_.settle_prediction(c.skipped); },
                 [&](const CancelPrediction&) { window.asking_prediction = false; },
                 [&](const ShowCode& c) { code_.choose(c.choice); },
                 [&](const EditMine&) { edit_mine(); },
                 [&](const GoToLine& c) { code_.go_to_line(c.line); },
                 [&](const EditCode& c) { file_.edit(c.acts); },
                 [&](const SetTyping& c) { window.typing = c.on; },
                 [&](const SaveCode&) { save_and_check(); },
                 [&](const SetCodeView& c) { code_.set_view(c.view); },
                 [&](const SetFilter& c) { model_.list.filter = c.text; },
                 [&](const SetLabShow& c) { model_.list.show = c.show; },
                 [&](const FindLab&) { desk_.wish(Wish::lab_filter); },
                 [&](const Fulfilled& c) { window.wishes.erase(c.wish); },
                 [&](const SearchJournal& c) { remembering_.search(c.query, c.all_labs); },
                 [&](const ChooseEntry& c) { remembering_.choose(c.number, c.beside); },
                 [&](const RestoreEntry& c) { remembering_.restore(c.number); },
                 [&](const UndoRestore&) { remembering_.undo_restore(); },
                 [&](const EditNote& c) { remembering_.edit_note(c.acts); },
                 [&](const AddNote&) {
                   if (model_.lab()) remembering_.add_note(model_.lab()->id);
                 },
                 [&](const ExportJournal& c) { remembering_.export_journal(c.page); },
                 [&](const SetOccupancy& c) {
                   model_.occupancy.input = c.input;
                   model_.occupancy.chosen = !model_.occupancy.shows_kernel();
                 },
                 [&](const SetTimelineView& c) { model_.investigations.timeline = c.view; },
                 [&](const ExportTimeline&) { investigating_.export_timeline(); },
                 [&](const SetDark& c) { window.dark = c.on; },
                 [&](const SetZoom& c) { window.zoom = std::clamp(c.zoom, least_zoom, most_zoom); },
                 [&](const SetSplit& c) {
                   window.split = c.share;
                   if (c.share) window.split = std::clamp(*c.share, least_split, most_split);
                 },
                 [&](const ToggleHelp&) { window.help_open = !window.help_open; },
                 [&](const ToggleLabs&) { window.labs_open = !window.labs_open; },
                 [&](const Present& c) {
                   if (!c.on) return presenting_.end();
                   file_.save();
                   presenting_.begin();
                 },
                 [&](const StepDeck& c) { presenting_.step(c.step); },
                 [&](const ShowDeck& c) { presenting_.show(jumped(c.lab)); },
                 [&](const SetFullScreen& c) { window.full_screen = c.on; },
                 [&](const Notify& c) { desk_.notify(c.text); },
                 [&](const DismissNotice&) { window.notice.reset(); },
                 [&](const Quit&) { quit_ = file_.may_quit(); }},
      command);
}

bool Session::tick(double now_s) {
  model_.now_s = now_s;
  bool changed = code_.follow();
  for (const RunEvent& event : launcher_.drain()) take(event), changed = true;
  std::optional<Notice>& notice = model_.window.notice;
  if (notice && now_s > notice->until_s) notice.reset(), changed = true;
  if (now_s >= next_look_s_) {
    next_look_s_ = now_s + look_every_s;
    changed |= look_around();
    file_.look_after_draft();
  }
  return changed;
}

bool Session::look_around() {
  bool changed = false;
  if (file_.changed()) {
    if (file_.take_over()) checking_.follow_save(false);
    changed = true;
  }
  if (journal_changed(model_, desk_.tree.root)) {
    refresh_journal(model_, desk_.tree.root);
    open_what_was_earned(model_);
    changed = true;
  }
  return changed;
}

void Session::open(std::size_t index) {
  if (index >= model_.labs.size() || !file_.secure_draft()) return;
  const bool unsaved = model_.page.draft.has_value();
  file_.put_away();
  open_lab(model_, index);
  model_.investigations.sweep = {};
  model_.investigations.timeline = {};
  WindowState& window = model_.window;
  window.typing = window.asking_prediction = window.labs_open = false;
  window.shown_page = window.reading_page = Page::lesson;
  if (unsaved)
    desk_.notify("What you typed is not saved yet; it is kept and comes back with its lab.");
  file_.bring_back();
  if (const Run* run = model_.run(); run && run->result)
    model_.page.messages = messages_of(*run->result);
}

void Session::edit_mine() {
  desk_.show(Page::code);
  model_.page.shown_code = CodeChoice::mine;
  desk_.wish(Wish::code);
}

void Session::save_and_check() {
  if (!model_.page.draft || !file_.save()) return;
  model_.window.typing = false;  // what the check says is to be seen
  checking_.follow_save(true);
}

void Session::answer(const command::AnswerPrediction& given) {
  auto& answers = model_.page.prediction.answers;
  model_.window.notice.reset();  // it may have said what is not answered
  if (given.question >= answers.size()) return;
  answers[given.question] = given.choice;
  if (!model_.replaying.empty()) return;
  if (const auto kept = keep_answers(*model_.lab(), answers); !kept)
    desk_.notify("Your answers can be kept nowhere until you check: " + window_words(kept.error()),
                 Outcome::fail);
}

void Session::show_hint() {
  if (!model_.current) return;
  LabEntry& entry = model_.labs[*model_.current];
  if (!model_.window.asking_prediction) {
    desk_.show(Page::lesson);
    desk_.wish(Wish::last_hint);
  }
  const int shown = entry.progress.hints_shown;
  if (shown >= static_cast<int>(entry.lab.hints.size())) return;
  entry.progress.hints_shown = shown + 1;
  desk_.note({.kind = JournalEntry::Kind::hint, .lab = entry.lab.id, .hint = shown + 1});
}

void Session::give_up(bool sure) {
  const LabEntry* entry = model_.entry();
  if (!entry || !model_.replaying.empty() || entry->progress.solution_open()) return;
  model_.page.confirming_solution = !sure;
  if (!sure) return;
  desk_.note({.kind = JournalEntry::Kind::solution, .lab = entry->lab.id});
  open_what_was_earned(model_);
  show_explanation();
}

void Session::show_explanation() {
  if (model_.page.explanation.empty()) return;
  desk_.show(Page::lesson);
  desk_.wish(Wish::lesson_head);
}

void Session::stop() {
  if (!model_.running()) return;
  checking_.forget_saves();
  if (model_.checking()) model_.checks.runs[model_.checks.running_lab].canceling = true;
  if (model_.investigations.running) model_.investigations.running->canceling = true;
  if (model_.machine.measuring) model_.machine.measuring->canceling = true;
  launcher_.cancel();
}

void Session::take(const RunEvent& event) {
  std::visit(Overloaded{[&](const CheckEvent& told) { take(told); },
                        [&](const CheckResult& result) { checking_.take(result); },
                        [&](const Investigation& found) {
                          if (investigating_.take(found)) checking_.follow_end();
                        },
                        [&](const Result<Ceilings>& measured) { measuring_.take(measured); }},
             event);
}

void Session::take(const CheckEvent& event) {
  if (auto& measuring = model_.machine.measuring) {
    if (!event.text.empty()) measuring->text = event.text;
  } else if (auto& running = model_.investigations.running) {
    if (!event.text.empty()) running->text = event.text;
  } else {
    checking_.take(event);
  }
}

}  // namespace klab::ui
