// Commands: what the user asked for, as values. Panels push them; the session applies them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ui/model/model.hpp"

namespace klab::ui {

namespace command {

struct OpenLab {
  std::size_t index;
};
struct ShowPage {
  Page page;
};
/// Copies the flawed kernel into the workbook.
struct StartLab {};
/// Checks the learner's kernel; asks the prediction first where one is open.
struct RunCheck {};
/// Stops what is running.
struct StopCheck {};
/// Finds out more about the lab's kernels; the answer arrives in Model::investigations.
struct Investigate {
  InvestigationKind kind;
};
/// Measures what the device can do at best; the answer arrives in Model::machine.
struct MeasureCeilings {};
/// Chooses what the next sweep varies.
struct SetSweep {
  SweepPlan plan;
};
struct SetWatch {
  bool on;
};
struct SetBackend {
  Backend backend;
};
struct ShowHint {};
/// Asks whether the solution shall be shown before the lab is passed; `sure` shows it.
struct GiveUp {
  bool sure;
};
struct KeepTrying {};
/// Shows why the fix works, at the head of the lesson, once it is open.
struct ShowExplanation {};
struct AnswerPrediction {
  std::size_t question;
  std::optional<int> choice;  ///< none: takes the answer back
};
/// Leaves the questions, answered or skipped, and starts the check that they held back.
struct SettlePrediction {
  bool skipped;
};
struct CancelPrediction {};
struct ShowCode {
  CodeChoice choice;
};
/// Opens the learner's code and puts the caret into it.
struct EditMine {};
/// Opens the learner's code at a line.
struct GoToLine {
  int line;
};
/// What the learner did in the built-in editor, in order; nothing is saved yet.
struct EditCode {
  EditActs acts;
};
/// Keys go into the editor, or no longer do.
struct SetTyping {
  bool on;
};
struct SaveCode {};
/// What is shown beside the code, and what is looked for in it.
struct SetCodeView {
  CodeView view;
};
struct SetFilter {
  std::string text;
};
/// Which labs the list shows.
struct SetLabShow {
  LabShow show;
};
/// Puts the keyboard into the filter of the labs.
struct FindLab {};
/// What was wished for happened in this frame.
struct Fulfilled {
  Wish wish;
};
/// What the Journal page looks for; the lab follows from the switch.
struct SearchJournal {
  JournalQuery query;
  bool all_labs;
};
/// Looks at an entry of the journal; `beside` keeps the one chosen before, or lets go of this one.
struct ChooseEntry {
  std::int64_t number;
  bool beside = false;
};
/// Makes an attempt the learner's kernel again; what is there is kept.
struct RestoreEntry {
  std::int64_t number;
};
struct UndoRestore {};
/// The learner types a note to the open lab; AddNote puts it into the journal.
struct EditNote {
  EditActs acts;
};
struct AddNote {};
/// Writes the journal into the workbook, as Markdown or as a page with plots.
struct ExportJournal {
  bool page;
};
struct SetOccupancy {
  OccupancyInput input;
};
struct SetTimelineView {
  TimelineView view;
};
/// Writes the current lab's timeline into the workbook, for Perfetto.
struct ExportTimeline {};
struct SetDark {
  bool on;
};
struct SetZoom {
  float zoom;
};
/// Moves the border between the two halves of a wide window, or puts it back where it fits.
struct SetSplit {
  std::optional<float> share;
};
struct ToggleHelp {};
struct ToggleLabs {};
/// Present mode on, at the current lab, or off.
struct Present {
  bool on;
};
struct StepDeck {
  DeckStep step;
};
struct ShowDeck {
  std::size_t lab;
};
struct SetFullScreen {
  bool on;
};
struct Notify {
  std::string text;
};
struct DismissNotice {};
struct Quit {};

}  // namespace command

using Command =
    std::variant<command::OpenLab, command::ShowPage, command::StartLab, command::RunCheck,
                 command::StopCheck, command::Investigate, command::MeasureCeilings,
                 command::SetSweep, command::SetWatch, command::SetBackend, command::ShowHint,
                 command::GiveUp, command::KeepTrying, command::ShowExplanation,
                 command::AnswerPrediction, command::SettlePrediction, command::CancelPrediction,
                 command::ShowCode, command::EditMine, command::GoToLine, command::EditCode,
                 command::SetTyping, command::SetSplit, command::SaveCode, command::SetCodeView,
                 command::SetFilter, command::SetLabShow, command::FindLab, command::Fulfilled,
                 command::SearchJournal, command::ChooseEntry, command::RestoreEntry,
                 command::UndoRestore, command::EditNote, command::AddNote, command::ExportJournal,
                 command::SetOccupancy, command::SetTimelineView, command::ExportTimeline,
                 command::SetDark, command::SetZoom, command::ToggleHelp, command::ToggleLabs,
                 command::Notify, command::DismissNotice, command::Present, command::StepDeck,
                 command::ShowDeck, command::SetFullScreen, command::Quit>;

/// The acts of one frame, in order.
using Commands = std::vector<Command>;

/// True where `wish` is open; who asks fulfils it in this frame.
inline bool fulfil(const Model& model, Wish wish, Commands& commands) {
  if (!model.window.wishes.contains(wish)) return false;
  commands.push_back(command::Fulfilled{wish});
  return true;
}

}  // namespace klab::ui
