// Session: what each command does.
#include "ui/session.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/files.hpp"
#include "core/workbook.hpp"
#include "ui/draft_store.hpp"
#include "ui/library.hpp"

namespace klab::ui {
namespace {

constexpr double look_every_s = 0.25;
constexpr double notice_lasts_s = 6;
constexpr float least_zoom = 0.7f, most_zoom = 2.5f;

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

/// The compiler's messages in the learner's file, from the first failed build of the result.
std::vector<CompilerMessage> messages_of(const CheckResult& result) {
  for (const Error& error : result.errors)
    if (error.code == ErrorCode::build_failed) return parse_compiler_messages(error.detail);
  return {};
}

bool was_canceled(const CheckResult& result) {
  return std::any_of(result.errors.begin(), result.errors.end(),
                     [](const Error& error) { return error.code == ErrorCode::canceled; });
}

/// Why the check was refused hardware counters, if it was.
std::optional<Error> counter_obstacle_of(const CheckResult& result) {
  for (const Error& error : result.errors)
    if (error.code == ErrorCode::profiler_denied || error.code == ErrorCode::profiler_unsupported)
      return error;
  return std::nullopt;
}

}  // namespace

void FileWatch::look_at(std::filesystem::path path) {
  path_ = std::move(path);
  std::error_code missing;
  time_ = std::filesystem::last_write_time(path_, missing);
  size_ = std::filesystem::file_size(path_, missing);
}

bool FileWatch::changed() {
  if (path_.empty()) return false;
  std::error_code missing;
  const auto time = std::filesystem::last_write_time(path_, missing);
  if (missing) return false;
  const auto size = std::filesystem::file_size(path_, missing);
  if (missing || (time == time_ && size == size_)) return false;
  time_ = time, size_ = size;
  return true;
}

Session::Session(std::filesystem::path root, Launcher& launcher)
    : root_(std::move(root)), launcher_(launcher) {
  load_labs(model_, root_);
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
                 [&](const RunCheck&) { ask_or_run(); },
                 [&](const StopCheck&) {
                   if (!model_.running()) return;
                   run_again_ = false;
                   if (model_.checking()) model_.runs[model_.running_lab].canceling = true;
                   if (model_.investigating) model_.investigating->canceling = true;
                   launcher_.cancel();
                 },
                 [&](const Investigate& c) { begin_investigation(c.kind); },
                 [&](const SetSweep& c) { model_.sweep = c.plan; },
                 [&](const SetWatch& c) { model_.watch = c.on; },
                 [&](const SetBackend& c) { model_.backend = c.backend; },
                 [&](const ShowHint&) { show_hint(); },
                 [&](const AnswerPrediction& c) {
                   auto& answers = model_.page.prediction.answers;
                   if (c.question < answers.size()) answers[c.question] = c.choice;
                 },
                 [&](const SettlePrediction& c) { settle_prediction(c.skipped); },
                 [&](const CancelPrediction&) { model_.asking_prediction = false; },
                 [&](const ShowCode& c) {
                   const std::size_t most =
                       model_.page.code.size() + (model_.can_compare_code() ? 1 : 0);
                   if (c.index < most) model_.page.shown_code = c.index;
                 },
                 [&](const GoToLine& c) { go_to_line(c.line); },
                 [&](const EditCode& c) { edit(c.text); },
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
                   if (model_.lab()) model_.journal.drafts[model_.lab()->id] = c.text;
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
    if (journal_changed(model_, root_)) refresh_journal(model_, root_), changed = true;
    look_after_draft();
  }
  return changed;
}

void Session::set_device(const Result<Chosen>& chosen) {
  if (!chosen) {
    model_.device_error = chosen.error();
    return;
  }
  model_.device = chosen->device;
  if (!chosen->device.simulated) model_.counter_obstacle = known_counter_obstacle();
  model_.device_error.reset();
  if (chosen->device.compute_capability > 0 &&
      find_multiprocessor_limits(chosen->device.compute_capability))
    model_.occupancy.compute_capability = chosen->device.compute_capability;
}

void Session::open(std::size_t index) {
  if (index >= model_.labs.size() || !secure_draft()) return;
  open_lab(model_, index);
  model_.sweep = {};
  restore_draft();
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
  }
  refresh_journal(model_, root_);
  reload_code(model_);
  model_.page.shown_code = 0;
  watch_.look_at(workbook_file(*lab));
  show(Page::code);
}

void Session::ask_or_run() {
  const Lab* lab = model_.lab();
  if (!lab || model_.running()) return;
  if (!model_.replaying.empty()) return run_now();
  if (!save()) return;
  if (learner_file(*lab) == LearnerFile::missing) {
    start_lab_now();
    if (learner_file(*lab) == LearnerFile::missing) return;
  }
  if (!model_.page.prediction.settled)
    model_.asking_prediction = true;
  else
    run_now();
}

void Session::run_now() {
  if (!model_.lab() || model_.running()) return;
  const Lab& lab = *model_.lab();
  model_.asking_prediction = false;
  CheckRequest request;
  request.lab = lab;
  request.source = workbook_file(lab);
  request.backend = model_.backend;
  request.with_optimized = true;
  model_.runs[lab.id] = begin_run(lab.id, request.variant, model_.now_s);
  model_.running_lab = lab.id;
  model_.runs[lab.id].source = model_.page.code.empty() ? "" : model_.page.code.front().text;
  model_.page.messages.clear();
  show(Page::result);
  launcher_.start(std::move(request));
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

void Session::settle_prediction(bool skipped) {
  PredictionState& prediction = model_.page.prediction;
  if (!model_.current || prediction.settled) return;
  prediction.settled = true;
  prediction.skipped = skipped;
  JournalEntry entry{.kind = JournalEntry::Kind::prediction, .lab = model_.lab()->id};
  for (std::optional<int>& answer : prediction.answers) {
    if (skipped) answer.reset();
    entry.answers.push_back(answer.value_or(-1));
  }
  note(std::move(entry));
  if (!model_.running()) run_now();
}

void Session::edit(const std::string& text) {
  LabPage& page = model_.page;
  if (page.code.empty() || !page.code.front().absent.empty()) return;
  if (text == page.code.front().text && !page.changed_on_disk)
    page.draft.reset();
  else
    page.draft = text;
  edited_s_ = model_.now_s;
}

bool Session::save() {
  LabPage& page = model_.page;
  if (!page.draft) return true;
  const Lab& lab = *model_.lab();
  std::optional<Error> problem;
  if (page.changed_on_disk) {
    // Another program saved meanwhile: its version is kept beside this one.
    const auto kept = replace_learner_file(lab, *page.draft);
    if (!kept)
      problem = kept.error();
    else
      notify("The file had changed on disk; that version is kept as " + kept->string() + ".");
  } else if (const auto written = write_file(workbook_file(lab), *page.draft); !written) {
    problem = written.error();
  }
  if (problem) {
    notify("Not saved: " + problem->what + " " + problem->remedy, Outcome::fail);
    return false;
  }
  page.draft.reset();
  forget_draft(lab);
  kept_text_.clear();
  page.changed_on_disk = false;
  watch_.look_at(workbook_file(lab));
  reload_code(model_);
  return true;
}

void Session::save_and_check() {
  if (!model_.page.draft || !save()) return;
  check_after_save();
}

void Session::go_to_line(int line) {
  model_.page.shown_code = 0;
  show(Page::code);
  model_.page.goto_line = line;
}

void Session::take(const RunEvent& event) {
  if (const auto* found = std::get_if<Investigation>(&event)) return take(*found);
  if (model_.investigating) return take_investigation_event(std::get<CheckEvent>(event));
  if (!model_.checking()) return;
  Run& run = model_.runs[model_.running_lab];
  if (const auto* told = std::get_if<CheckEvent>(&event)) {
    absorb(run, *told, model_.now_s);
    if (run.device) {
      model_.device = run.device;
      model_.device_error.reset();
    }
    if (const auto* launched =
            told->record ? std::get_if<record::Launched>(&*told->record) : nullptr)
      take_launch(*launched);
    return;
  }
  const auto& result = std::get<CheckResult>(event);
  finish(run, result, model_.now_s);
  take_result(result);
  model_.running_lab.clear();
  if (std::exchange(run_again_, false)) ask_or_run();
}

void Session::take_launch(const record::Launched& launched) {
  if (launched.variant != "candidate" || launched.block_threads < 1) return;
  if (!model_.measured_occupancy) model_.measured_occupancy = model_.occupancy;
  model_.measured_occupancy->block_threads = launched.block_threads;
  model_.measured_occupancy->dynamic_shared_bytes = launched.dynamic_shared_bytes;
  model_.measured_launch = true;
}

void Session::take_result(const CheckResult& result) {
  if (const auto obstacle = counter_obstacle_of(result)) model_.counter_obstacle = obstacle;
  const std::string& id = model_.running_lab;
  const auto at = std::find_if(model_.labs.begin(), model_.labs.end(),
                               [&](const LabEntry& entry) { return entry.lab.id == id; });
  if (at == model_.labs.end() || was_canceled(result)) return;
  if (const auto kernels = result.compiler.find("candidate");
      kernels != result.compiler.end() && !kernels->second.empty()) {
    const KernelReport& kernel =
        *std::max_element(kernels->second.begin(), kernels->second.end(),
                          [](const auto& a, const auto& b) { return a.registers < b.registers; });
    OccupancyInput input = model_.measured_occupancy.value_or(model_.occupancy);
    input.registers_per_thread = kernel.registers;
    input.static_shared_bytes = kernel.static_shared_bytes;
    model_.measured_occupancy = input;
    model_.measured_kernel = kernel.kernel;
  }
  if (model_.replaying.empty()) {
    auto source = read_file(workbook_file(at->lab), longest_kept_source_bytes);
    std::vector<int> answers;
    if (model_.lab() && model_.lab()->id == id)
      for (const auto& answer : model_.page.prediction.answers)
        answers.push_back(answer.value_or(-1));
    note(attempt_entry(result, source ? *source : std::string(), std::move(answers)));
  } else if (result.verdict == Outcome::pass) {
    at->progress.status = LabStatus::passed;
  }
  if (!model_.lab() || model_.lab()->id != id) return;
  model_.page.messages = messages_of(result);
  reload_code(model_);
}

void Session::file_changed() {
  if (!model_.current) return;
  if (model_.page.draft) {
    model_.page.changed_on_disk = true;
    notify("The file changed on disk. What you typed here is still here; saving it keeps both.");
    return;
  }
  reload_code(model_);
  ++model_.page.revision;
  check_after_save();
}

void Session::check_after_save() {
  const PredictionState& prediction = model_.page.prediction;
  if (!model_.watch || !prediction.settled) return;
  if (!model_.running()) {
    run_now();
  } else if (model_.investigating || model_.running_lab == model_.lab()->id) {
    run_again_ = true;
    launcher_.cancel();
  }
}

void Session::notify(std::string text, Outcome tone) {
  model_.notice = Notice{tone, std::move(text), model_.now_s + notice_lasts_s};
}

}  // namespace klab::ui
