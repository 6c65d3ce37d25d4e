// Presenting: a slide from whatever numbers a lab has.
#include "ui/session/pages/present.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/course/workbook.hpp"

namespace klab::ui {
namespace {

constexpr std::size_t longest_kernel_bytes = 1u << 20;

/// The file byte by byte, as its digest was taken; empty if it cannot be read.
std::string text_of(const std::filesystem::path& path) {
  auto text = read_file(path, longest_kernel_bytes);
  return text ? std::move(*text) : std::string();
}

DeckCode code_of(const Lab& lab) {
  std::string plain;
  if (!lab.steps.empty())
    plain = text_of(lab.solutions() / (lab.steps.front().file.name() + ".cu"));
  return {.flawed = text_of(lab.flawed()),
          .mine = text_of(workbook_file(lab)),
          .optimized = text_of(lab.optimized()),
          .plain = plain};
}

/// What the journal holds of one lab, newest first.
std::vector<JournalEntry> entries_of(const std::vector<JournalEntry>& entries,
                                     const std::string& lab) {
  std::vector<JournalEntry> own;
  std::copy_if(entries.rbegin(), entries.rend(), std::back_inserter(own),
               [&](const JournalEntry& entry) { return entry.lab == lab; });
  return own;
}

}  // namespace

void Presenting::begin() {
  Model& model = desk_.model;
  if (!model.current || model.presentation) return;
  model.window.help_open = false;
  show(jumped(*model.current));
}

void Presenting::end() {
  desk_.model.presentation.reset();
  desk_.model.window.full_screen = false;
}

void Presenting::step(DeckStep step) {
  const auto& shown = desk_.model.presentation;
  if (shown) show(stepped(shown->place, step, desk_.model.labs.size(), shown->sources));
}

/// This session's check first, then what the course recorded, then the journal.
std::vector<DeckSource> Presenting::sources_of(std::size_t index) {
  const Lab& lab = desk_.model.labs[index].lab;
  const DeckCode code = code_of(lab);
  std::vector<DeckSource> sources;
  const auto add = [&](std::optional<DeckSource> source) {
    if (source) sources.push_back(std::move(*source));
  };
  if (const auto run = desk_.model.checks.runs.find(lab.id);
      run != desk_.model.checks.runs.end() && run->second.result)
    add(source_from(*run->second.result, code, !desk_.model.replaying.empty()));
  if (!recorded_) recorded_ = load_results(lab.root);
  for (const RecordedResults& results : recorded_->good) add(source_from(results, lab, code));
  add(source_from(entries_of(desk_.model.journal.entries, lab.id)));
  if (sources.empty())
    sources.push_back({.label = "nothing checked yet",
                       .fixed_variant = VariantName::optimized,
                       .fixed_code = code.optimized,
                       .plain_code = code.plain,
                       .no_counters = "No counters of this lab were recorded here.",
                       .no_time = "No time of this lab was recorded here."});
  return sources;
}

void Presenting::show(DeckPlace place) {
  if (place.lab >= desk_.model.labs.size()) return;
  if (desk_.model.current != place.lab) open_(place.lab);
  std::vector<DeckSource> sources = sources_of(place.lab);
  if (place.source >= sources.size()) place.source = 0;
  const Lab& lab = desk_.model.labs[place.lab].lab;
  Presentation shown{.place = place, .sources = sources.size()};
  shown.deck = make_lab_deck(lab, text_of(lab.flawed()), std::move(sources[place.source]));
  const auto& lines = place.slide == Slide::fix ? shown.deck.fix : shown.deck.flaw;
  const std::size_t beyond = lines.size() - std::min(lines.size(), most_code_rows);
  shown.place.scroll = std::min(place.scroll, static_cast<int>(beyond));
  desk_.model.presentation = std::move(shown);
}

}  // namespace klab::ui
