// Session: present mode, from the files and results of a lab to the slide that is shown.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/course/workbook.hpp"
#include "ui/session/session.hpp"

namespace klab::ui {
namespace {

constexpr std::size_t longest_kernel_bytes = 1u << 20;

/// The file byte by byte, as its digest was taken; empty if it cannot be read.
std::string text_of(const std::filesystem::path& path) {
  auto text = read_file(path, longest_kernel_bytes);
  return text ? std::move(*text) : std::string();
}

DeckCode code_of(const Lab& lab) {
  return {text_of(lab.flawed()), text_of(workbook_file(lab)), text_of(lab.optimized())};
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

void Session::present(bool on) {
  if (!on) {
    model_.presentation.reset();
    model_.full_screen = false;
  } else if (model_.current && !model_.presentation) {
    save();
    model_.help_open = false;
    show_slide(jumped(*model_.current));
  }
}

/// This session's check first, then what the course recorded, then the journal.
std::vector<DeckSource> Session::deck_sources(std::size_t index) {
  const Lab& lab = model_.labs[index].lab;
  const DeckCode code = code_of(lab);
  std::vector<DeckSource> sources;
  const auto add = [&](std::optional<DeckSource> source) {
    if (source) sources.push_back(std::move(*source));
  };
  if (const auto run = model_.runs.find(lab.id); run != model_.runs.end() && run->second.result)
    add(source_from(*run->second.result, code, !model_.replaying.empty()));
  if (!recorded_) recorded_ = load_results(lab.root);
  for (const RecordedResults& results : recorded_->good) add(source_from(results, lab, code));
  add(source_from(entries_of(model_.journal.entries, lab.id)));
  if (sources.empty())
    sources.push_back({.label = "nothing measured yet",
                       .fixed_variant = VariantName::optimized,
                       .fixed_code = code.optimized,
                       .no_counters = "No counters of this lab were recorded here.",
                       .no_time = "No time of this lab was recorded here."});
  return sources;
}

void Session::show_slide(DeckPlace place) {
  if (place.lab >= model_.labs.size()) return;
  if (model_.current != place.lab) open(place.lab);
  std::vector<DeckSource> sources = deck_sources(place.lab);
  if (place.source >= sources.size()) place.source = 0;
  const Lab& lab = model_.labs[place.lab].lab;
  Presentation shown{.place = place, .sources = sources.size()};
  shown.deck = make_lab_deck(lab, text_of(lab.flawed()), std::move(sources[place.source]));
  const auto& lines = place.slide == Slide::fix ? shown.deck.fix : shown.deck.flaw;
  const std::size_t beyond = lines.size() - std::min(lines.size(), most_code_rows);
  shown.place.scroll = std::min(place.scroll, static_cast<int>(beyond));
  model_.presentation = std::move(shown);
}

}  // namespace klab::ui
