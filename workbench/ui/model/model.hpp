// Model: everything the window shows, as plain values. No ImGui, no threads, no files.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/build/plugin_builder.hpp"
#include "core/check/checkable.hpp"
#include "core/check/findings.hpp"
#include "core/course/glossary.hpp"
#include "core/course/lab.hpp"
#include "core/investigate/investigation.hpp"
#include "core/journal/progress.hpp"
#include "core/measure/occupancy.hpp"
#include "core/verdict/variant_name.hpp"
#include "ui/edit/text_document.hpp"
#include "ui/model/code_state.hpp"
#include "ui/model/deck.hpp"
#include "ui/model/journal_page.hpp"
#include "ui/model/markdown_document.hpp"
#include "ui/model/run.hpp"
#include "ui/model/timeline_view.hpp"

namespace klab::ui {

struct LabEntry {
  Lab lab;
  Progress progress;
};

/// The pages of the main area. Wide windows show a reading page and a result page side by side.
enum class Page {
  lesson,
  code,
  result,
  diagnosis,
  roofline,
  timeline,
  sweep,
  occupancy,
  journal,
  device
};
/// In the order of their tabs and of Alt+1 ... Alt+9, Alt+0.
inline constexpr Page all_pages[] = {Page::lesson,   Page::code,     Page::result, Page::diagnosis,
                                     Page::roofline, Page::timeline, Page::sweep,  Page::occupancy,
                                     Page::journal,  Page::device};
/// Lesson and code, left of the others in a wide window.
inline constexpr std::size_t reading_pages = 2;
const char* to_string(Page page);

/// One kernel file of the open lab.
struct CodeFile {
  VariantName variant;
  std::string title;  ///< "Mine", ...
  std::filesystem::path path;
  std::string text;    ///< the file's bytes
  std::string absent;  ///< a sentence instead of the text: not started, locked until passed
};

/// The questions before the first run.
struct PredictionState {
  bool settled = false;  ///< answered or skipped: the run is open
  bool skipped = false;
  std::vector<std::optional<int>> answers;  ///< as many as Lab::predictions

  /// The first question without an answer, the one that keys answer; answers.size() if none is.
  std::size_t open_question() const;
  std::size_t answered() const;
};

/// Which labs the list shows.
enum class LabShow { all, open, passed, checkable };

/// The open lab.
struct LabPage {
  MarkdownDocument lesson;
  MarkdownDocument explanation;      ///< empty until it is open, as the solution is
  bool confirming_solution = false;  ///< the learner is asked whether to give up
  std::vector<CodeFile> code;        ///< mine, flawed, optimized
  std::size_t shown_code = 0;        ///< code.size(): mine beside optimized
  TextDocument document;             ///< "mine" as it is typed, with caret and history
  std::optional<std::string> draft;  ///< its text where that is not saved yet
  bool changed_on_disk = false;      ///< by another editor while there was a draft
  PredictionState prediction;
  std::vector<CompilerMessage> messages;  ///< of the last build of "mine"
  std::optional<int> goto_line;           ///< to scroll the code to, for one frame
  CodeState state;                        ///< what is shown beside the code
};

/// An investigation that is running.
struct InvestigationRun {
  InvestigationKind kind = InvestigationKind::timeline;
  std::string lab;  ///< id
  double began_s = 0;
  std::string text;    ///< the last sentence about it
  std::string source;  ///< the learner's text when it began
  bool canceling = false;
};

/// The measuring of the device's ceilings.
struct CeilingsRun {
  double began_s = 0;
  std::string text;  ///< the last sentence about it
  bool canceling = false;
};

/// A sentence at the lower edge that goes away by itself or by a click.
struct Notice {
  Outcome tone = Outcome::not_checkable;
  std::string text;
  double until_s = 0;
};

/// What was gathered for the device page while it was shown.
struct DeviceReport {
  std::vector<record::DeviceSample> samples;  ///< of the last minute, newest last
  std::optional<Error> problem;               ///< why the driver cannot be watched
  Ceilings ceilings;
  std::optional<Error> ceilings_problem;
  std::vector<Finding> findings;
};

/// Present mode: which slide, of what, out of how many sources of numbers.
struct Presentation {
  DeckPlace place;
  LabDeck deck;
  std::size_t sources = 0;
};

struct Model {
  double now_s = 0;  ///< the session's clock, for animations and elapsed time
  std::vector<LabEntry> labs;
  std::vector<Error> broken;  ///< labs that could not be read
  std::vector<Term> glossary;
  std::optional<std::size_t> current;
  LabPage page;
  JournalPage journal;
  Page shown_page = Page::lesson;    ///< in a narrow window; wide ones split it in two
  Page reading_page = Page::lesson;  ///< wide window, left: lesson or code
  Page bench_page = Page::result;    ///< wide window, right: result, occupancy or journal
  std::map<std::string, Run> runs;   ///< the last check by lab id
  std::string running_lab;           ///< id of the lab being checked; empty if none is
  std::map<std::string, std::map<InvestigationKind, Investigation>> investigations;  ///< by lab id
  std::optional<InvestigationRun> investigating;
  std::map<std::string, std::string> sampled_sources;  ///< the learner's text, by lab id
  TimelineView timeline;                               ///< of the current lab's timeline
  std::optional<DeviceFacts> device;  ///< what checks run on; absent until it is known
  DeviceReport device_report;
  std::optional<CeilingsRun> measuring_ceilings;
  std::optional<Error> measuring_problem;  ///< why the last measuring gave nothing
  SweepPlan sweep;                         ///< what the next sweep varies
  std::optional<Error> device_error;       ///< why nothing can be checked here
  std::string replaying;  ///< what is replayed instead of run; empty for real checks
  Backend backend = Backend::automatic;
  bool watch = true;
  bool asking_prediction = false;  ///< the questions cover the page
  bool help_open = false;
  bool labs_open = false;  ///< narrow window: the list of labs covers the page
  bool dark = false;
  float zoom = 1;
  bool typing = false;         ///< keys go into the learner's code: what is not code makes room
  std::optional<float> split;  ///< share of the width left of the border; absent: as fits the page
  std::string filter;
  LabShow lab_show = LabShow::all;
  int hint_requests = 0;         ///< raised whenever the hints shall come into sight
  int explanation_requests = 0;  ///< raised whenever the lesson's head shall come into sight
  int lab_searches = 0;          ///< raised whenever the filter of the labs shall take the keyboard
  int caret_wishes = 0;          ///< raised whenever the learner's code shall take the keyboard
  std::optional<Error> counter_obstacle;  ///< why hardware counters are refused here
  OccupancyInput occupancy;
  std::optional<OccupancyInput> measured_occupancy;  ///< of the learner's kernel, once built
  bool measured_launch = false;                      ///< its block size was seen too
  std::string measured_kernel;                       ///< its name
  std::optional<Notice> notice;
  std::optional<Presentation> presentation;  ///< present mode covers everything
  bool full_screen = false;
  std::string runner;  ///< command of a remote runner; empty: this machine's

  /// There is a file of the learner's to be shown beside the flawed kernel.
  bool can_compare_code() const;
  const LabEntry* entry() const { return current ? &labs[*current] : nullptr; }
  const Lab* lab() const { return current ? &labs[*current].lab : nullptr; }
  const Run* run() const;
  /// The last check of the learner's own kernel of the current lab that the journal tells of;
  /// nullptr if there was none.
  const JournalEntry* last_attempt() const;
  /// What was found of the current lab; nullptr if nothing was yet.
  const Investigation* investigation(InvestigationKind kind) const;
  /// What the shown device was measured to do: of a replayed recording what it brought along, never
  /// this machine's for another's.
  Ceilings ceilings() const;
  bool checking() const { return !running_lab.empty(); }
  /// What checks run on, as what_can_be_checked() wants it.
  CheckingMachine machine() const;
  /// A check, an investigation or the measuring of the ceilings is under way.
  bool running() const {
    return checking() || investigating.has_value() || measuring_ceilings.has_value();
  }
};

/// The file on the code page; nullptr if it cannot be shown.
const CodeFile* shown_file(const LabPage& page);
/// Its text, with what was typed.
const std::string& shown_text(const LabPage& page, const CodeFile& file);

/// What the window is called: "02-coalescing - Kernel Lab - checking 04-fusion". A star behind the
/// lab says that something is not saved.
std::string window_title(const Model& model);

/// What to try may be shown: after the first hint, and beside somebody else's run.
bool advice_open(const Model& model);

/// "Flawed", "Mine", "Optimized".
std::string variant_title(const VariantName& variant);

}  // namespace klab::ui
