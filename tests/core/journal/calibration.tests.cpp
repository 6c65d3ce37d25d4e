// The score of predictions follows from the journal, and only from what was measured.
#include "core/journal/calibration.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;

namespace {

using Kind = JournalEntry::Kind;

Lab lab_with_questions(const std::string& id) {
  Lab lab;
  lab.id = id;
  lab.predictions = {{.question = "Which?", .choices = {"a", "b", "c"}, .answer = 1},
                     {.question = "How much faster?",
                      .choices = {"up to 2", "2 to 6", "6 to 20", "more"},
                      .answer = 2,
                      .bands = {{1, 2}, {2, 6}, {6, 20}, {20, 1000}}}};
  return lab;
}

/// Builds a journal, numbering as append() does.
struct Entries {
  std::vector<JournalEntry> list;

  JournalEntry& add(Kind kind, const std::string& lab) {
    list.push_back({.kind = kind, .number = static_cast<std::int64_t>(list.size()) + 1});
    list.back().date = "2026-11-21T03:00:00Z";
    list.back().lab = lab;
    return list.back();
  }
  void predict(const std::string& lab, std::vector<int> answers) {
    add(Kind::prediction, lab).answers = std::move(answers);
  }
  void check(const std::string& lab, Outcome verdict, std::optional<Interval> ratio = {},
             const VariantName& variant = VariantName::mine) {
    JournalEntry& entry = add(Kind::attempt, lab);
    entry.verdict = verdict;
    entry.ratio = ratio;
    entry.variant = variant;
  }
};

const std::vector<Lab> course_labs = {lab_with_questions("01-one"), lab_with_questions("02-two")};

}  // namespace

TEST_CASE("an answer is settled by a measurement, not before", "[core][calibration]") {
  Entries journal;
  CHECK(calibrate(course_labs, journal.list).predictions.empty());
  journal.predict("01-one", {1, 2});
  Calibration score = calibrate(course_labs, journal.list);
  CHECK(score.waiting == 2);
  CHECK_FALSE(score.share());
  journal.check("01-one", Outcome::not_checkable);
  CHECK(calibrate(course_labs, journal.list).waiting == 2);
  journal.check("01-one", Outcome::fail, Interval{1, 0.9, 1.1});
  score = calibrate(course_labs, journal.list);
  CHECK(score.waiting == 1);  // what is possible shows only when the lab is passed
  CHECK(score.right == 1);
  journal.check("01-one", Outcome::pass, Interval{7.96, 7.94, 7.98});
  score = calibrate(course_labs, journal.list);
  CHECK(score.known == 2);
  CHECK(score.right == 2);
  CHECK(score.share() == 1.0);
}

TEST_CASE("a speed-up is right where band and interval overlap", "[core][calibration]") {
  const auto miss_of = [](int choice, Interval ratio) {
    Entries journal;
    journal.predict("01-one", {1, choice});
    journal.check("01-one", Outcome::pass, ratio);
    const Calibration score = calibrate(course_labs, journal.list);
    REQUIRE(score.predictions.size() == 2);
    CHECK(score.predictions[1].right == (score.predictions[1].miss == 0));
    CHECK(score.predictions[1].measured->median == ratio.median);
    return score.predictions[1].miss;
  };
  CHECK(miss_of(2, {7.9, 7.8, 8.0}) == 0);
  CHECK(miss_of(1, {7.9, 7.8, 8.0}) == -1);
  CHECK(miss_of(3, {7.9, 7.8, 8.0}) == 1);
  // The interval spans the edge, so it rules out neither band.
  CHECK(miss_of(1, {6.1, 5.9, 6.3}) == 0);
  CHECK(miss_of(2, {6.1, 5.9, 6.3}) == 0);
  CHECK(miss_of(0, {6.1, 5.9, 6.3}) == -1);
}

TEST_CASE("the truth of a missed speed-up is the band that holds it", "[core][calibration]") {
  Entries journal;
  journal.predict("01-one", {0, 0});
  journal.check("01-one", Outcome::pass, Interval{7.9, 7.8, 8.0});
  const Calibration score = calibrate(course_labs, journal.list);
  CHECK(score.predictions[0].truth() == 1);
  CHECK(score.predictions[1].truth() == 2);
  CHECK(score.too_low == 1);
  CHECK(ratio_words(score.predictions[1]) ==
        "Expected 1x to 2x, measured 7.90x (7.80 to 8.00): too low");
  CHECK(ratio_words(score.predictions[0]).empty());
}

TEST_CASE("the best pass of the learner's own kernel is what was possible", "[core][calibration]") {
  Entries journal;
  journal.predict("01-one", {1, 2});
  journal.check("01-one", Outcome::pass, Interval{5, 4.9, 5.1});
  journal.check("01-one", Outcome::pass, Interval{30, 29, 31}, VariantName::optimized);
  CHECK(calibrate(course_labs, journal.list).predictions[1].miss == 1);
  journal.check("01-one", Outcome::pass, Interval{8, 7.9, 8.1});
  journal.check("01-one", Outcome::pass, Interval{5, 4.9, 5.1});
  CHECK(calibrate(course_labs, journal.list).predictions[1].miss == 0);
}

TEST_CASE("answers given in sight of the truth do not count", "[core][calibration]") {
  Entries journal;
  journal.predict("01-one", {0, 0});
  journal.predict("01-one", {2, 0});
  journal.check("01-one", Outcome::fail);
  journal.predict("01-one", {1, 2});
  const Calibration score = calibrate(course_labs, journal.list);
  CHECK(score.predictions[0].choice == 2);
  CHECK(score.right == 0);
}

TEST_CASE("the score moves on from prediction to prediction", "[core][calibration]") {
  Entries journal;
  journal.predict("02-two", {1, -1});
  journal.predict("01-one", {0, -1});
  journal.predict("09-gone", {0});
  journal.check("01-one", Outcome::fail);
  journal.check("02-two", Outcome::fail);
  const Calibration score = calibrate(course_labs, journal.list);
  CHECK(score.skipped == 2);
  REQUIRE(score.points.size() == 2);
  CHECK((score.points[0].number == 1 && score.points[0].right == 1));
  CHECK((score.points[1].number == 2 && score.points[1].right == 1 && score.points[1].known == 2));
  CHECK(summary(score) == "1 of 2 predictions right; blind guesses would have had about 0.7.");
}

TEST_CASE("answers that no question asks are left out", "[core][calibration]") {
  Entries journal;
  journal.predict("01-one", {63, 2, 1, 1});
  journal.check("01-one", Outcome::fail);
  CHECK(calibrate(course_labs, journal.list).predictions.size() == 1);
}

TEST_CASE("a check that measured nothing settles nothing", "[core][calibration]") {
  Entries journal;
  journal.predict("01-one", {1, 2});
  journal.check("01-one", Outcome::fail);
  const Gate broken{.name = GateName::built, .outcome = Outcome::fail};
  journal.list.back().gates = {broken, {.name = GateName::cause}, {.name = GateName::time}};
  CHECK(calibrate(course_labs, journal.list).waiting == 2);
  // The simulator counts the cause but has no time, so its verdict is not checkable.
  journal.check("01-one", Outcome::not_checkable);
  journal.list.back().gates = {{.name = GateName::cause, .measured = 31.9},
                               {.name = GateName::time}};
  const Calibration score = calibrate(course_labs, journal.list);
  CHECK(score.known == 1);
  CHECK(score.waiting == 1);
}
