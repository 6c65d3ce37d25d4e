// Session: the window's state and rules without a window. Commands and events go in, the model
// comes out.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "core/base/tree.hpp"
#include "core/check/machine.hpp"
#include "ui/background/code_services.hpp"
#include "ui/background/launcher.hpp"
#include "ui/model/commands.hpp"
#include "ui/model/model.hpp"

namespace klab::ui {

/// Notices when a file's content may have changed, by time and size; a poll costs one stat.
class FileWatch {
 public:
  void look_at(std::filesystem::path path);
  /// True once after each change. A file that vanishes is no change; its return is one.
  bool changed();

 private:
  std::filesystem::path path_;
  std::filesystem::file_time_type time_{};
  std::uintmax_t size_ = 0;
};

class Session {
 public:
  /// Reads the course of `tree`. Checks go through `launcher`, which must outlive the session.
  Session(Tree tree, Launcher& launcher);
  /// Keeps what was typed: closing loses nothing, and saves nothing that was not asked for.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Model& model() const { return model_; }
  bool wants_to_quit() const { return quit_; }
  /// What the learner has to know once the window is closed; empty if nothing.
  const std::string& farewell() const { return farewell_; }

  void apply(const Command& command);
  /// Advances the clock, takes in what the launcher delivered and looks at the watched file.
  /// True if something that is shown has changed.
  bool tick(double now_s);
  /// True while something moves by itself (a run, a notice about to go, a pause in typing).
  bool animating() const {
    const FactsState& facts = model_.page.state.facts;
    const bool pausing = services_.facts && facts.text_key != 0 && !facts.asked;
    return model_.running() || model_.notice.has_value() || pausing;
  }

  /// What checks run on, once it was found out.
  void set_device(const Result<Chosen>& chosen);
  /// Facts and listings of the shown code; without them the page says less.
  void use(CodeServices services) { services_ = services; }
  /// The code page waits for an answer of theirs.
  bool awaits_code() const;
  void take(DeviceReport report) { model_.device_report = std::move(report); }
  /// Names what is replayed instead of run.
  void set_replaying(std::string note) { model_.replaying = std::move(note); }
  /// Shows what a recording found of the open lab, as if it had just been found.
  void show_recorded(const Investigation& found) { keep(found.lab, found, shown_source()); }
  /// Starts the replay without asking for a prediction or for the learner's file.
  void replay_now() { run_now(); }

 private:
  void open(std::size_t index);
  void show(Page page);
  void start_lab_now();
  /// Leaves the questions once all are answered, and says how many are not; else asks or runs.
  void run_or_settle();
  void ask_or_run(bool stay = false);
  /// `stay`: the page that is being read stays; the result is shown beside it where there is room.
  void run_now(bool stay = false);
  void show_hint();
  void give_up(bool sure);
  void show_explanation();
  /// Takes in what another program wrote to the journal.
  void follow_journal();
  void settle_prediction(bool skipped);
  void edit(const EditActs& acts);
  /// False if there was something to save and it could not be.
  bool save();
  void save_and_check();
  /// Keeps what was typed and not saved, in the workbook or elsewhere. False if it is in danger.
  bool secure_draft();
  void restore_draft();
  /// The open lab's text as it was left, with caret and history.
  void restore_document();
  /// Keeps what was typed, a moment after the last key.
  void look_after_draft();
  void quit();
  void check_after_save(bool stay);
  void go_to_line(int line);
  /// Scrolls the shown code to a line, and puts the caret there where it is the learner's.
  void reveal(int line);
  void take(const RunEvent& event);
  void take_launch(const record::Launched& launched);
  void take_result(const CheckResult& result);
  void present(bool on);
  void show_slide(DeckPlace place);
  std::vector<DeckSource> deck_sources(std::size_t lab);
  void begin_investigation(InvestigationKind kind);
  void take(const Investigation& found);
  /// The text of the learner's kernel as it is on disk.
  std::string shown_source() const;
  void keep(const std::string& lab, const Investigation& found, const std::string& source);
  void export_timeline();
  void begin_ceilings();
  void take(const Result<Ceilings>& measured);
  void take_investigation_event(const CheckEvent& event);
  void file_changed();
  void choose_entry(std::int64_t number, bool beside);
  void restore(std::int64_t number);
  void undo_restore();
  bool replace_kernel(const Lab& lab, const std::string& source, std::filesystem::path& kept);
  void add_note(const std::string& lab);
  void export_journal(bool page);
  /// Asks for what the code page shows and takes in the answers; true if something changed.
  bool follow_code();
  void ask_facts(const CodeFile& file, const std::string& text, std::uint64_t key);
  bool take(CompileFacts answer);
  void ask_listing(const CodeFile& file);
  void take(ListingAnswer answer);
  void set_view(CodeView view);
  void note(JournalEntry entry);
  void notify(std::string text, Outcome tone = Outcome::not_checkable);

  const Tree tree_;
  Model model_;
  Launcher& launcher_;
  CodeServices services_;
  FileWatch watch_;
  std::optional<AllResults> recorded_;  ///< read when first presented
  double next_look_s_ = 0;
  bool run_again_ = false;  ///< the file was saved while its check ran
  bool quit_ = false;
  int reveal_age_ = 0;                             ///< ticks since goto_line was set
  std::map<std::string, TextDocument> documents_;  ///< of labs opened before, by id
  std::string kept_text_;  ///< the draft as it was last kept; empty if none is
  std::filesystem::path kept_as_;
  std::string farewell_;
  double edited_s_ = 0;
  double kept_s_ = 0;    ///< when the draft was last put away
  bool warned_ = false;  ///< quitting was refused once because something would be lost
};

}  // namespace klab::ui
