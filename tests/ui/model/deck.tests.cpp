// Present mode's slides: what they say, where their numbers come from, and how the keys step.
#include "ui/model/deck.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/base/sha256.hpp"
#include "support/dynamic_tests.hpp"
#include "ui/support/fixture.hpp"

namespace klab::ui {
namespace {

Course real_course() { return load_course(KLAB_SOURCE_DIR); }

DeckCode code_of(const Lab& lab) { return {text_of(lab.flawed()), "", text_of(lab.optimized())}; }

RecordedResults recorded() {
  auto results =
      read_results(std::filesystem::path(KLAB_SOURCE_DIR) / "docs/results/nvidia-h200.json");
  REQUIRE(results);
  return std::move(*results);
}

/// The steps taken from `place` with one key until nothing moves any more.
std::vector<DeckPlace> walked(DeckPlace place, DeckStep step, std::size_t labs) {
  std::vector<DeckPlace> places{place};
  for (int i = 0; i < 10'000; ++i) {
    const DeckPlace next = stepped(place, step, labs, 1);
    if (next.lab == place.lab && next.slide == place.slide && next.revealed == place.revealed)
      return places;
    places.push_back(place = next);
  }
  FAIL("the steps never end");
  return places;
}

void can_be_shown(const Lab& lab) {
  const RecordedResults results = recorded();
  if (!is_recorded(results, lab)) SKIP(lab.id + " was never recorded on a GPU");
  auto source = source_from(results, lab, code_of(lab));
  REQUIRE(source);
  CHECK(source->label.starts_with("recorded, NVIDIA H200, driver "));
  CHECK(source->label.find("2026-") != std::string::npos);
  const LabDeck deck = make_lab_deck(lab, code_of(lab).flawed, *source);
  CHECK_FALSE(deck.question.empty());
  CHECK(deck.flaw.size() >= 5);
  CHECK(deck.flaw.size() <= most_code_rows);
  CHECK(std::any_of(deck.flaw.begin(), deck.flaw.end(), [](const auto& l) { return l.marked; }));
  CHECK(std::any_of(deck.fix.begin(), deck.fix.end(),
                    [](const auto& l) { return l.kind == DeckLine::Kind::added; }));
  const auto& causes = lab.pass().causes;
  const auto taught = std::count_if(causes.begin(), causes.end(),
                                    [](const CauseTarget& cause) { return cause.flawed; });
  REQUIRE(deck.counters.size() == static_cast<std::size_t>(taught));
  for (const DeckCounter& counter : deck.counters) {
    CAPTURE(counter.label, counter.flawed, counter.fixed);
    CHECK_FALSE(counter.flawed_holds);
    CHECK(counter.fixed_holds);
    CHECK_FALSE(counter.source.empty());
  }
  if (lab.kind == LabKind::measurement) {
    CHECK_FALSE(deck.source.ratio);
    CHECK(deck.source.no_time.find("how far it is off") != std::string::npos);
    return;
  }
  REQUIRE(deck.source.ratio);
  CHECK(deck.source.ratio->low > lab.pass().time.speedup.value_or(1));
  CHECK(deck.source.flawed_s->median > deck.source.fixed_s->median);
}

const bool registered = [] {
  for (const Lab& lab : real_course().labs)
    test::add_test(lab.id + " can be shown from the recorded runs", "[ui][deck]",
                   [=] { can_be_shown(lab); });
  return true;
}();

}  // namespace

TEST_CASE("One key goes through all slides of all labs", "[ui][deck]") {
  // Space alone: five slides a lab, of which three are revealed first.
  REQUIRE(registered);
  const std::size_t labs = real_course().labs.size();
  CHECK(walked(jumped(0), DeckStep::onward, labs).size() == labs * (5 + 3));
  CHECK(walked(jumped(0), DeckStep::next, labs).size() == labs * 5);
}

TEST_CASE("A kernel that has changed since it was recorded is told on the slide", "[ui][deck]") {
  const Course course = real_course();
  const Lab& lab = course.labs.front();
  DeckCode code = code_of(lab);
  auto results = recorded();
  for (CheckResult& run : results.runs)
    if (run.lab == lab.id && run.variant == VariantName::flawed)
      run.source_digest = sha256(code.flawed);
  for (CheckResult& run : results.runs)
    if (run.lab == lab.id && run.variant == VariantName::optimized)
      run.source_digest = sha256(code.optimized);
  CHECK(source_from(results, lab, code)->caution.empty());
  code.optimized += "\n// changed\n";
  CHECK_FALSE(source_from(results, lab, code)->caution.empty());
  Lab other = lab;
  other.id = "99-unknown";
  CHECK_FALSE(source_from(results, other, code));
}

TEST_CASE("A live result shows the learner's kernel once it passed, the optimized one before",
          "[ui][deck]") {
  const DeckCode code{"flawed", "mine", "optimized"};
  CheckResult result = std::get<CheckResult>(recording("passed").events.back().event);
  auto source = source_from(result, code, false);
  REQUIRE(source);
  CHECK(source->fixed_code == "mine");
  CHECK(source->ratio->median == result.timing.ratio->median);
  CHECK(source->label.starts_with("measured here, "));
  CHECK(source_from(result, code, true)->label.starts_with("recorded, "));
  result.verdict = Outcome::fail;
  source = source_from(result, code, false);
  REQUIRE(source);
  CHECK(source->fixed_code == "optimized");
  CHECK(source->fixed_variant == VariantName::optimized);

  const CheckResult failed = std::get<CheckResult>(recording("build_failed").events.back().event);
  CHECK_FALSE(source_from(failed, code, false));
}

TEST_CASE("Simulated results show counters and say that there is no time", "[ui][deck]") {
  CheckResult result = std::get<CheckResult>(recording("passed").events.back().event);
  result.backend = Backend::simulator;
  result.timing = {};
  const auto source = source_from(result, {"flawed", "mine", "optimized"}, false);
  REQUIRE(source);
  CHECK(source->label.starts_with("counted here, "));
  CHECK_FALSE(source->ratio);
  CHECK(source->no_time.find("no clock") != std::string::npos);
}

TEST_CASE("The journal's newest timed attempt can be shown, without inventing counters",
          "[ui][deck]") {
  JournalEntry untimed{.number = 3, .lab = "02-coalescing", .source = "c"};
  JournalEntry timed = untimed;
  timed.number = 2;
  timed.ratio = Interval{8, 7.9, 8.1};
  timed.date = "2026-11-20T01:02:03Z";
  timed.device = "A GPU";
  timed.source = "b";
  const auto source = source_from({untimed, timed});
  REQUIRE(source);
  CHECK(source->label == "attempt 2 of the journal, A GPU, 2026-11-20");
  CHECK(source->fixed_code == "b");
  CHECK(source->flawed.empty());
  CHECK_FALSE(source->no_counters.empty());
  CHECK_FALSE(source_from({untimed}));
}

TEST_CASE("A run without the lab's counters shows no bound as missed", "[ui][deck]") {
  Lab lab = real_course().labs.at(1);
  const Bound few{Bound::Relation::at_most, 1.3}, many{Bound::Relation::at_least, 6};
  lab.pass().causes = {{"sectors_of_minimum", few, many, "sectors"},
                       {"requests_of_minimum", few, many, "requests"}};
  const auto deck_of = [&](Counters flawed) {
    return make_lab_deck(lab, "flawed", {.flawed = std::move(flawed), .fixed = {}});
  };
  // Other counters, as in a recording from before the lab asked for these.
  const LabDeck other = deck_of({{"warp_instructions", {74880.0}}});
  CHECK(other.source.no_counters.find("none of the counters") != std::string::npos);
  const LabDeck one = deck_of({{"requests_of_minimum", {8.0}}});
  CHECK(one.source.no_counters.empty());
  CHECK_FALSE(one.counters[0].flawed_known);
  CHECK(one.counters[1].flawed_known);
  CHECK_FALSE(one.counters[1].flawed_holds);
}

TEST_CASE("An attempt that kept its counters is shown with them, timed or not", "[ui][deck]") {
  Lab lab = real_course().labs.at(1);
  const Bound few{Bound::Relation::at_most, 16.5}, many{Bound::Relation::at_least, 30};
  lab.pass().causes = {{"global_load_sectors_per_request", few, many, "loads"},
                       {"global_store_sectors_per_request", few, many, "stores"}};
  CheckResult result = std::get<CheckResult>(recording("passed").events.back().event);
  result.gates = {
      {.name = GateName::cause, .subject = lab.pass().causes[0].metric, .measured = 13.0},
      {.name = GateName::cause, .subject = lab.pass().causes[1].metric}};
  result.counters[VariantName::flawed][lab.pass().causes[0].metric] = {31.95};
  // As it comes back from the file.
  JournalEntry kept = attempt_entry(result, "mine", {});
  kept.number = 7;
  const auto entry = decode_journal_entry(encode(kept));
  REQUIRE(entry);
  auto source = source_from({*entry});
  REQUIRE(source);
  const LabDeck deck = make_lab_deck(lab, "flawed", *source);
  REQUIRE(deck.counters.size() == 2);
  CHECK(deck.counters[0].flawed == "31.95 sectors");
  CHECK(deck.counters[0].fixed == "13 sectors");
  CHECK_FALSE(deck.counters[0].flawed_holds);
  CHECK(deck.counters[0].fixed_holds);
  CHECK(deck.counters[1].fixed == "–");  // not obtained in that attempt
  CHECK(deck.source.ratio);

  kept.ratio.reset();
  kept.backend = Backend::simulator;
  source = source_from({kept});
  REQUIRE(source);
  CHECK(source->no_time.find("no clock") != std::string::npos);
  CHECK_FALSE(source->flawed.empty());
  kept.flawed.clear();
  CHECK_FALSE(source_from({kept}));
}

TEST_CASE("The steps of a road stand between flawed and optimized, as far as they were timed",
          "[ui][deck]") {
  Lab lab = real_course().labs.at(1);
  lab.steps = {{VariantName("fair_a"), "First", ""},
               {VariantName("fair_b"), "Second", ""},
               {VariantName("fair_c"), "Third", ""}};
  RecordedResults results;
  const VariantName untimed("fair_b");
  for (const VariantName& variant :
       {VariantName::flawed, VariantName::optimized, VariantName("fair_a"), untimed}) {
    CheckResult run;
    run.lab = lab.id;
    run.variant = variant;
    if (run.variant != untimed) run.timing.variants[VariantName::mine].seconds = Interval{2, 1, 3};
    results.runs.push_back(run);
  }
  const auto source = source_from(results, lab, {});
  REQUIRE(source);
  REQUIRE(source->steps.size() == 1);
  CHECK(source->steps[0].name == "First");
  CHECK(source->steps[0].seconds.median == 2);
}

TEST_CASE("The slide of the fix shows the first step where it changes less than the solution",
          "[ui][deck]") {
  Lab lab = real_course().labs.at(1);
  lab.steps = {{VariantName("fair_a"), "Rows", ""}};
  DeckSource source{.fixed_variant = VariantName::optimized,
                    .fixed_code = "a\nx1\nx2\nx3\n",
                    .plain_code = "a\ny\n"};
  const auto added = [](const LabDeck& deck) {
    std::string text;
    for (const DeckLine& line : deck.fix)
      if (line.kind == DeckLine::Kind::added) text += line.text + " ";
    return text;
  };
  const LabDeck plain = make_lab_deck(lab, "a\nb\n", source);
  CHECK(plain.fix_name == "Rows");
  CHECK(added(plain) == "y ");
  source.plain_code = "y1\ny2\ny3\ny4\ny5\n";
  const LabDeck whole = make_lab_deck(lab, "a\nb\n", source);
  CHECK(whole.fix_name.empty());
  CHECK(added(whole) == "x1 x2 x3 ");
}

TEST_CASE("Keys step, reveal, jump and stay within the course", "[ui][deck]") {
  DeckPlace place = jumped(1);
  CHECK_FALSE(place.revealed);
  place = stepped(place, DeckStep::onward, 3, 2);
  CHECK(place.slide == Slide::question);
  CHECK(place.revealed);
  place = stepped(place, DeckStep::onward, 3, 2);
  CHECK(place.slide == Slide::flaw);
  place = stepped(place, DeckStep::down, 3, 2);
  CHECK(place.scroll > 0);
  place = stepped(place, DeckStep::up, 3, 2);
  CHECK(stepped(place, DeckStep::up, 3, 2).scroll == 0);
  place = stepped(place, DeckStep::last, 3, 2);
  CHECK(place.slide == Slide::ratio);
  CHECK(stepped(place, DeckStep::reveal, 3, 2).revealed);
  CHECK(stepped(place, DeckStep::source, 3, 2).source == 1);
  CHECK(stepped(stepped(place, DeckStep::source, 3, 2), DeckStep::source, 3, 2).source == 0);
  CHECK(stepped(place, DeckStep::source, 3, 0).source == 0);
  place = stepped(place, DeckStep::next, 3, 2);
  CHECK(place.lab == 2);
  CHECK(place.slide == Slide::question);
  place = stepped(place, DeckStep::back, 3, 2);
  CHECK(place.lab == 1);
  CHECK(place.slide == Slide::ratio);
  CHECK(place.revealed);  // going back never asks again
  CHECK(stepped(place, DeckStep::first, 3, 2).slide == Slide::question);
  CHECK(walked(place, DeckStep::back, 3).back().lab == 0);
}

TEST_CASE("Identical, empty and very long kernels make slides too", "[ui][deck]") {
  const Lab lab = real_course().labs.front();
  DeckSource source{.fixed_code = "int a;\n"};
  CHECK(make_lab_deck(lab, "int a;\n", source).fix.empty());
  source.fixed_code.clear();
  CHECK(make_lab_deck(lab, "", source).fix.empty());
  std::string longer;
  for (int i = 0; i < 5000; ++i) longer += "line " + std::to_string(i) + "\n";
  source.fixed_code = longer;
  const LabDeck deck = make_lab_deck(lab, "int a;\n" + longer, source);
  CHECK(deck.flaw.size() <= most_code_rows);
  CHECK_FALSE(deck.fix.empty());
}

}  // namespace klab::ui
