// JournalSearch: plain substring search; the C library's is fast enough for thousands of sources.
#include "core/journal/search.hpp"

#include <algorithm>
#include <sstream>

namespace klab {
namespace {

/// ASCII only: what is searched for is code, names and verdicts.
std::string small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool contains(const std::string& text, const std::string& word) {
  return ::memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
}

}  // namespace

std::string headline(const JournalEntry& entry) {
  using Kind = JournalEntry::Kind;
  switch (entry.kind) {
    case Kind::attempt:
      return entry.conclusion;
    case Kind::started:
      return "Started the lab";
    case Kind::reset:
      return "Put the flawed kernel back";
    case Kind::hint:
      return "Read hint " + std::to_string(entry.hint.value_or(0));
    case Kind::solution:
      return "Looked at the solution";
    case Kind::note:
      return entry.text.substr(0, entry.text.find('\n'));
    case Kind::restored:
      return entry.of ? "Restored entry " + std::to_string(*entry.of) : "Took a restore back";
    case Kind::prediction:
      break;
  }
  const bool answered = std::any_of(entry.answers.begin(), entry.answers.end(),
                                    [](int answer) { return answer >= 0; });
  return answered ? "Predicted what would be found" : "Skipped the prediction";
}

void JournalSearch::add(const JournalEntry& entry) {
  std::string text = entry.lab + "\n" + std::string(to_string(entry.kind)) + "\n" + entry.date +
                     "\n" + headline(entry) + "\n" + entry.text + "\n" + entry.variant.shown() +
                     "\n";
  if (entry.verdict) text += std::string(to_string(*entry.verdict)) + "\n";
  if (entry.source) text += *entry.source;
  rows_.push_back({entry.lab, entry.verdict, small_letters(std::move(text))});
}

std::vector<std::size_t> JournalSearch::find(const JournalQuery& query) const {
  std::vector<std::string> words;
  std::istringstream stream(small_letters(query.words));
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    if (!query.lab.empty() && row.lab != query.lab) continue;
    if (query.verdict && row.verdict != query.verdict) continue;
    if (std::all_of(words.begin(), words.end(),
                    [&](const std::string& word) { return contains(row.text, word); }))
      found.push_back(i);
  }
  return found;
}

}  // namespace klab
