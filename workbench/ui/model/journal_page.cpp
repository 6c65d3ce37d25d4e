// JournalPage: finding entries by number and order.
#include "ui/model/journal_page.hpp"

#include <algorithm>

namespace klab::ui {
namespace {

bool is_learners_attempt(const JournalEntry& entry) {
  return entry.kind == JournalEntry::Kind::attempt && entry.variant == VariantName::mine;
}

}  // namespace

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

int JournalPage::attempt_number(const JournalEntry& entry) const {
  int number = 0;
  for (const JournalEntry& one : entries) {
    number += one.lab == entry.lab && is_learners_attempt(one);
    if (&one == &entry) break;
  }
  return number;
}

}  // namespace klab::ui
