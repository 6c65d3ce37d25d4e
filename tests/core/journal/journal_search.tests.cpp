// A search finds what the learner remembers of an entry, and is done before the next key.
#include "core/journal/search.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;

namespace {

using Kind = JournalEntry::Kind;
using Found = std::vector<std::size_t>;

JournalEntry entry(Kind kind, const std::string& lab) {
  JournalEntry made{.kind = kind, .number = 1, .date = "2026-11-21T03:00:00Z", .lab = lab};
  return made;
}

}  // namespace

TEST_CASE("entries are found by words, lab and verdict", "[core][journal_search]") {
  JournalSearch search;
  JournalEntry attempt = entry(Kind::attempt, "02-coalescing");
  attempt.verdict = Outcome::fail;
  attempt.conclusion = "Right, but not faster.";
  attempt.source = "const float4 wide = Load(row);";
  search.add(attempt);
  attempt.verdict = Outcome::pass;
  attempt.conclusion = "Passed: right and fast.";
  attempt.source.reset();
  search.add(attempt);
  JournalEntry note = entry(Kind::note, "01-divergence");
  note.text = "Sorting first\nbrings the warps together";
  search.add(note);

  CHECK(search.find({}) == Found{0, 1, 2});
  CHECK(search.find({.words = "FLOAT4"}) == Found{0});
  CHECK(search.find({.words = "right"}) == Found{0, 1});
  CHECK(search.find({.words = " fast  right passed "}) == Found{1});
  CHECK(search.find({.words = "warps"}) == Found{2});
  CHECK(search.find({.words = "absent"}).empty());
  CHECK(search.find({.lab = "01-divergence"}) == Found{2});
  CHECK(search.find({.verdict = Outcome::fail}) == Found{0});
  CHECK(search.find({.words = "load(", .lab = "01-divergence"}).empty());
}

TEST_CASE("each kind of entry says what it was in one line", "[core][journal_search]") {
  JournalEntry note = entry(Kind::note, "x");
  note.text = "first\nsecond";
  CHECK(headline(note) == "first");
  JournalEntry prediction = entry(Kind::prediction, "x");
  prediction.answers = {-1, -1};
  CHECK(headline(prediction) == "Skipped the prediction");
  prediction.answers = {-1, 0};
  CHECK(headline(prediction) == "Predicted what would be found");
  JournalEntry restored = entry(Kind::restored, "x");
  restored.of = 7;
  CHECK(headline(restored) == "Restored entry 7");
  for (const Kind kind : {Kind::started, Kind::reset, Kind::hint, Kind::solution})
    CHECK_FALSE(headline(entry(kind, "x")).empty());
}

TEST_CASE("one of ten thousand attempts is found by a word of its source",
          "[core][journal_search]") {
  std::string source;
  while (source.size() < 4000) source += "  value += input[row * columns + threadIdx.x];\n";
  JournalSearch search;
  for (int i = 0; i < 10000; ++i) {
    JournalEntry attempt = entry(Kind::attempt, "02-coalescing");
    attempt.conclusion = "Passed: right and fast.";
    attempt.source = source + (i == 7777 ? "needle" : "hay");
    search.add(attempt);
  }
  CHECK(search.find({.words = "needle"}) == Found{7777});
}
