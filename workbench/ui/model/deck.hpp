// Deck: what present mode shows of a lab, one thing at a time, and how its keys step through it.
// Plain values; no ImGui, no files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/course/lab.hpp"
#include "core/journal/journal.hpp"
#include "core/record/results.hpp"
#include "core/verdict/check_result.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab::ui {

/// The slides of one lab, in order.
enum class Slide { question, flaw, counters, fix, ratio };
inline constexpr Slide all_slides[] = {Slide::question, Slide::flaw, Slide::counters, Slide::fix,
                                       Slide::ratio};
const char* to_string(Slide slide);

/// How long a step of the road takes.
struct DeckStepTime {
  std::string name;
  Interval seconds;
};

/// Where the numbers and the fixed kernel of a lab come from.
struct DeckSource {
  std::string label;          ///< "recorded, NVIDIA H200, driver 580.159.04, 2026-11-21"
  std::string caution;        ///< what lessens its worth; empty if nothing does
  VariantName fixed_variant;  ///< mine or optimized
  std::string fixed_code;
  std::string plain_code;  ///< shown as the fix if it changes less than fixed_code; may be empty
  Counters flawed, fixed;
  std::optional<Interval> flawed_s, fixed_s;  ///< time of one run
  std::vector<DeckStepTime> steps;            ///< between them, as far as they were timed
  std::optional<Interval> ratio;              ///< flawed / fixed
  std::string no_counters, no_time;           ///< sentences: why something is not there
};

/// The kernel files that a deck reads, as text.
struct DeckCode {
  std::string flawed, mine, optimized;
  std::string plain;  ///< the first step of the lab's road; may be empty
};

/// From a check of this session, or from one that is `replayed`: the learner's kernel where it
/// passed, else the optimized one. nullopt if it measured nothing that can be shown.
std::optional<DeckSource> source_from(const CheckResult& result, const DeckCode& code,
                                      bool replayed);
/// From recorded runs of the course. nullopt if they do not hold this lab.
std::optional<DeckSource> source_from(const RecordedResults& results, const Lab& lab,
                                      const DeckCode& code);
/// From the last attempt in the journal (newest first) that kept its source and its times, or,
/// where none was timed, its counters.
std::optional<DeckSource> source_from(const std::vector<JournalEntry>& journal);

struct DeckCounter {
  std::string label, why;
  std::string target;         ///< "≤ 16.5"
  std::string flawed, fixed;  ///< with unit; "–" if not obtained
  bool flawed_known = false, fixed_known = false;
  bool flawed_holds = false, fixed_holds = false;  ///< of what is known
  std::string source;                              ///< "measured", "counted", ...
};

struct DeckLine {
  enum class Kind { same, removed, added, gap };
  Kind kind = Kind::same;
  int number = 0;       ///< in its file; 0 for a gap
  bool marked = false;  ///< the fix changes it
  std::string text;
};

/// One lab, ready to draw.
struct LabDeck {
  std::string number, id, title, category, summary;
  std::string fix_name;  ///< of a step that is shown in place of the kernel of the numbers
  std::string question, because;
  std::vector<std::string> choices;
  int answer = 0;
  std::vector<DeckLine> flaw;  ///< the part of the flawed kernel that the fix changes
  std::vector<DeckLine> fix;   ///< the difference, with some lines around it
  std::vector<DeckCounter> counters;
  DeckSource source;
};
LabDeck make_lab_deck(const Lab& lab, const std::string& flawed_code, DeckSource source);

/// Where the presentation is.
struct DeckPlace {
  std::size_t lab = 0;
  Slide slide = Slide::question;
  bool revealed = false;   ///< numbers and answers of this slide are shown
  std::size_t source = 0;  ///< which of the lab's sources
  int scroll = 0;          ///< lines of code left out at the top
};

/// More lines of code than this cannot be read from the last row of a room; the rest is scrolled
/// to.
inline constexpr std::size_t most_code_rows = 18;

enum class DeckStep {
  onward,  ///< reveals what is hidden, else goes to the next slide
  next,    ///< the next slide, and after the last one the next lab
  back,    ///< the slide before, fully revealed
  first,   ///< the lab's first slide
  last,    ///< the lab's last slide
  reveal,  ///< shows or hides numbers
  source,  ///< takes the numbers from the next source
  up,
  down  ///< scrolls code
};
/// True for slides that keep something back until it is revealed.
bool hides(Slide slide);
DeckPlace stepped(DeckPlace place, DeckStep step, std::size_t labs, std::size_t sources);
/// The first slide of another lab.
DeckPlace jumped(std::size_t lab);

}  // namespace klab::ui
