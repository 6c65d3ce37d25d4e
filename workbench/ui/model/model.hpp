// Model: everything the window shows, as plain values. No ImGui, no threads, no files.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/check/checkable.hpp"
#include "core/course/glossary.hpp"
#include "core/course/lab.hpp"
#include "core/journal/progress.hpp"
#include "ui/model/deck.hpp"
#include "ui/model/journal_page.hpp"
#include "ui/model/run.hpp"
#include "ui/model/state/investigations.hpp"
#include "ui/model/state/lab_page.hpp"
#include "ui/model/state/machine_state.hpp"
#include "ui/model/state/window_state.hpp"

namespace klab::ui {

struct LabEntry {
  Lab lab;
  LabProgress progress;
};

/// Which labs the list shows.
enum class LabShow { all, open, passed, checkable };

struct LabList {
  std::string filter;
  LabShow show = LabShow::all;
};

/// Present mode: which slide, of what, out of how many sources of numbers.
struct Presentation {
  DeckPlace place;
  LabDeck deck;
  std::size_t sources = 0;
};

/// The checks of this session.
struct Checks {
  std::map<std::string, Run> runs;  ///< the last one by lab id
  std::string running_lab;          ///< id of the lab being checked; empty if none is
};

struct Model {
  double now_s = 0;  ///< the session's clock, for animations and elapsed time
  std::vector<LabEntry> labs;
  std::vector<Error> broken;  ///< labs that could not be read
  std::vector<Term> glossary;
  std::optional<std::size_t> current;
  WindowState window;
  LabList list;
  LabPage page;
  Checks checks;
  Investigations investigations;
  OccupancyPage occupancy;
  JournalPage journal;
  MachineState machine;
  std::optional<Presentation> presentation;  ///< present mode covers everything
  std::string replaying;  ///< what is replayed instead of run; empty for real checks
  bool watch = true;      ///< a saved file is checked

  /// There is a file of the learner's to be shown beside the flawed kernel.
  bool can_compare_code() const;
  const LabEntry* entry() const { return current ? &labs[*current] : nullptr; }
  const Lab* lab() const { return current ? &labs[*current].lab : nullptr; }
  const Run* run() const;
  /// The last check of the learner's own kernel of the current lab that the journal tells of;
  /// nullptr if there was none.
  const JournalEntry* last_attempt() const;
  /// The learner's kernel is another one than that of the last check, whose gates are shown.
  bool changed_since_check() const;
  /// What was found of the current lab; nullptr if nothing was yet.
  const Investigation* investigation(InvestigationKind kind) const;
  /// What the shown device was measured to do: of a replayed recording what it brought along, never
  /// this machine's for another's.
  Ceilings ceilings() const;
  bool checking() const { return !checks.running_lab.empty(); }
  /// What checks run on, as what_can_be_checked() wants it.
  CheckingMachine checking_machine() const;
  /// What runs here is counted by the simulator, and nothing of it timed.
  bool counts_only() const;
  /// A check, an investigation or the measuring of the ceilings is under way.
  bool running() const {
    return checking() || investigations.running.has_value() || machine.measuring.has_value();
  }
  /// What is under way is of the open lab, or of none.
  bool running_here() const;
};

/// What the window is called: "02-coalescing - Kernel Lab - checking 04-fusion". A star behind the
/// lab says that something is not saved.
std::string window_title(const Model& model);

/// Why no check can begin: "The check of 02-coalescing has to end first."; empty if nothing runs.
std::string what_has_to_end(const Model& model);

/// What to try may be shown: after the first hint, and beside somebody else's run.
bool advice_open(const Model& model);

/// "Flawed", "Mine", "Optimized".
std::string variant_title(const VariantName& variant);

}  // namespace klab::ui
