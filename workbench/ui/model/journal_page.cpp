// JournalPage: finding entries by number and order.
#include "ui/model/journal_page.hpp"

#include <algorithm>
#include <map>

namespace klab::ui {

const JournalEntry* JournalPage::entry(std::int64_t number) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const JournalEntry& one) { return one.number == number; });
  return found == entries.end() ? nullptr : &*found;
}

const JournalEntry* JournalPage::attempt_before(const JournalEntry& entry) const {
  const JournalEntry* before = nullptr;
  for (const JournalEntry& one : entries) {
    if (&one == &entry) break;
    if (one.lab == entry.lab && one.source && is_learners_attempt(one)) before = &one;
  }
  return before;
}

void JournalPage::count_attempts() {
  std::map<std::string, int> of_lab;
  attempts.clear();
  for (const JournalEntry& entry : entries)
    attempts.push_back(of_lab[entry.lab] += is_learners_attempt(entry));
}

int JournalPage::attempt_number(const JournalEntry& entry) const {
  return attempts[static_cast<std::size_t>(&entry - entries.data())];
}

std::string JournalPage::title_of(const JournalEntry& entry) const {
  if (entry.kind != JournalEntry::Kind::attempt) return headline(entry);
  if (entry.variant != VariantName::mine) return "Check of " + entry.variant.shown();
  return "Attempt " + std::to_string(attempt_number(entry));
}

std::string JournalPage::row_of(const JournalEntry& entry) const {
  if (entry.kind != JournalEntry::Kind::attempt) return headline(entry);
  return title_of(entry) + ": " + headline(entry);
}

}  // namespace klab::ui
