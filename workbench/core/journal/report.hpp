// JournalReport: the journal as a learner reads it: by lab, each attempt with what changed since
// the one before; written as Markdown or as one HTML page.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/course/lab.hpp"
#include "core/journal/calibration.hpp"
#include "core/journal/journal.hpp"

namespace klab {

/// One act with what belongs to it. Pointers lead into the entries that the report was made of.
struct ReportedAct {
  const JournalEntry* entry = nullptr;
  int attempt = 0;          ///< 1, 2, ... within the lab; 0 if it is no attempt of the learner's
  std::string change;       ///< attempt: unified diff against the source before; empty if the same
  std::string change_from;  ///< "attempt 2" or "the flawed kernel"; empty if there is none
};

struct LabReport {
  std::string id;
  std::string title;              ///< empty for a lab that the course does not have (any more)
  const Lab* lab = nullptr;       ///< nullptr likewise
  std::vector<ReportedAct> acts;  ///< in the order of the journal
  std::vector<const ScoredPrediction*> predictions;
};

struct JournalReport {
  std::vector<LabReport> labs;  ///< in the order of the course; unknown ones last
  const std::vector<JournalEntry>* entries = nullptr;
  const Calibration* calibration = nullptr;
  std::string date;  ///< when the report was made
};

/// Sources of the flawed kernels by lab id, against which a first attempt is shown.
using FlawedSources = std::map<std::string, std::string>;
FlawedSources read_flawed_sources(const std::vector<Lab>& labs);

/// All arguments must outlive the report.
JournalReport make_report(const std::vector<Lab>& labs, const std::vector<JournalEntry>& entries,
                          const Calibration& calibration, const FlawedSources& flawed,
                          const std::string& date);

/// What a gate saw: its name for people, value, bound and label.
struct GateRow {
  std::string name;    ///< "cause: Sectors per global load request"
  std::string value;   ///< "31.9 sectors", or missing_text
  std::string target;  ///< "<= 4.5"
  std::string label;   ///< "measured", "counted", ...
  Outcome outcome = Outcome::not_checkable;
};
std::vector<GateRow> gate_rows(const JournalEntry& attempt);

/// "fail", "passed provisionally"; empty if the entry is no check.
std::string verdict_words(const JournalEntry& entry);

/// "Score 87 of 100. Beyond the pass: as fast as a copy."; empty where there is neither.
std::string ladder_words(const JournalEntry& attempt);

/// "2026-11-21T02:40:00Z" as "2026-11-21 02:40".
std::string short_date(const std::string& date);

/// CommonMark with tables. Nothing a journal holds can become markup.
std::string journal_markdown(const JournalReport& report);
/// One HTML page that needs no other file and runs no script: styles inline, light or dark as the
/// reader's system is, plots as SVG. It is well-formed XML too. Nothing a journal holds can become
/// markup.
std::string journal_html(const JournalReport& report);

}  // namespace klab
