// Figures: what a block asks for, and that a picture shows counts of real runs or says that there
// are none.
#include "core/lesson/figure.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/lesson/lesson.hpp"
#include "core/measure/format.hpp"
#include "support/example_lab.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string metric = "global_load_sectors_per_request";

Lab example() {
  Lab lab;
  lab.id = "02-coalescing";
  lab.pass().causes = {{.metric = metric, .target = {Bound::Relation::at_most, 4.5}}};
  return lab;
}

Counters counters(double sectors, double used_pct) {
  return {{metric, {sectors, Source::measured, {}}},
          {"global_load_efficiency_pct", {used_pct, Source::measured, {}}}};
}

RecordedResults recording() {
  RecordedResults results;
  results.device.name = "NVIDIA H200";
  results.date = "2026-11-21T03:00:00Z";
  CheckResult run;
  run.lab = "02-coalescing";
  run.variant = VariantName::flawed;
  run.counters = {{VariantName::flawed, counters(32, 12.5)},
                  {VariantName::optimized, counters(4, 100)}};
  results.runs = {run};
  return results;
}

JournalEntry attempt(std::optional<double> sectors) {
  JournalEntry entry;
  entry.lab = "02-coalescing";
  entry.variant = VariantName::mine;
  entry.device = "simulated sm_90 (no timing)";
  entry.gates = {{.name = GateName::cause, .subject = metric, .measured = sectors}};
  return entry;
}

std::string complaint(const std::string& body) {
  const auto request = parse_figure(body);
  REQUIRE_FALSE(request);
  CHECK(request.error().code == ErrorCode::bad_lab);
  return shell_words(request.error().what + " " + request.error().remedy);
}

}  // namespace

TEST_CASE("a figure block names a kind and what it shows", "[core][figure]") {
  const auto bars = parse_figure("title: Two counts\n\n bars: kernels_executed ,dram_bytes\r\n");
  REQUIRE(bars);
  CHECK(bars->kind == FigureKind::bars);
  CHECK(bars->title == "Two counts");
  CHECK(bars->metrics == std::vector<std::string>{"kernels_executed", "dram_bytes"});
  const auto sectors = parse_figure("sectors: global_load, global_store");
  REQUIRE(sectors);
  CHECK(sectors->metrics == std::vector<std::string>{metric, "global_store_sectors_per_request"});
  CHECK(parse_figure("lanes: threads_per_instruction")->kind == FigureKind::lanes);
}

TEST_CASE("a figure that names nothing real is an error that helps", "[core][figure]") {
  CHECK_THAT(complaint("bars: kernels_execute"), ContainsSubstring("kernels_executed"));
  CHECK_THAT(complaint("bar: kernels_executed"), ContainsSubstring("bars"));
  CHECK_THAT(complaint("sectors: shared"), ContainsSubstring("\"shared\""));
  CHECK_THAT(complaint("lanes: kernels_executed"), ContainsSubstring("does not count threads"));
  CHECK_THAT(complaint("title: nothing else"), ContainsSubstring("does not say what it shows"));
  CHECK_THAT(complaint("bars kernels_executed"), ContainsSubstring("colon"));
  CHECK_THAT(complaint("bars: dram_bytes\nlanes: threads_per_instruction"),
             ContainsSubstring("twice"));
  CHECK_THAT(complaint("bars: dram_bytes, dram_bytes, dram_bytes, dram_bytes, dram_bytes"),
             ContainsSubstring("four"));
  CHECK_THAT(complaint("bars:"), ContainsSubstring("names the metric \"\""));
  CHECK_THAT(complaint("title: " + std::string(3000, 'x')), ContainsSubstring("too long"));
  CHECK_THAT(complaint(std::string(":\0\xff,:", 5)), ContainsSubstring("key"));
}

TEST_CASE("a lesson with a broken figure is not read, and says where it breaks", "[core][figure]") {
  const TemporaryFolder folder;
  write_lab(folder, "02_coalescing");
  const auto lab = load_lab(folder.path(), "02_coalescing");
  REQUIRE(lab);
  folder.write("labs/02_coalescing/lesson.md",
               "# A\n\n```text\nbars: not a figure\n```\n\n```figure\nbars: dram_byte\n```\n");
  const auto lesson = read_lesson(*lab);
  REQUIRE_FALSE(lesson);
  CHECK_THAT(lesson.error().what, ContainsSubstring("labs/02_coalescing/lesson.md:7: "));
  CHECK_THAT(shell_words(lesson.error().remedy), ContainsSubstring("dram_bytes"));
  const auto figures = figures_in("x.md", "```figure\nbars: dram_bytes\n```\n");
  REQUIRE(figures);
  REQUIRE(figures->size() == 1);
  CHECK(figures->front().metrics == std::vector<std::string>{"dram_bytes"});
}

TEST_CASE("a figure shows what was recorded, with device and day", "[core][figure]") {
  const RecordedResults recordings[] = {recording()};
  const LessonFigure figure =
      make_figure(*parse_figure("sectors: global_load"), example(), recordings);
  CHECK(figure.recorded == "Flawed and optimized: recorded on NVIDIA H200, 2026-11-21.");
  REQUIRE(figure.parts.size() == 1);
  const FigurePart& part = figure.parts[0];
  CHECK(part.target == "<= 4.5 sectors");
  CHECK(part.full == 32);
  REQUIRE(part.rows.size() == 2);
  CHECK(row_text(figure, part, part.rows[0]) == "32 sectors, 12.5 % used");
  CHECK(row_text(figure, part, part.rows[1]) == "4 sectors, 100 % used");
}

TEST_CASE("a figure without a recording shows nothing and says so", "[core][figure]") {
  const LessonFigure figure = make_figure(*parse_figure("bars: " + metric), example(), {});
  CHECK_THAT(figure.recorded, ContainsSubstring("No recorded run"));
  for (const FigureRow& row : figure.parts[0].rows) {
    CHECK_FALSE(row.value);
    CHECK(row_text(figure, figure.parts[0], row) == missing_text);
  }
  CHECK(figure.parts[0].full == 4.5);  // the target alone
}

TEST_CASE("the learner's last attempt stands between flawed and optimized", "[core][figure]") {
  const RecordedResults recordings[] = {recording()};
  LessonFigure figure =
      make_figure(*parse_figure("bars: " + metric + ", dram_bytes"), example(), recordings);
  show_own_counts(figure, "02-coalescing", {});
  CHECK(figure.own.empty());
  CHECK(figure.parts[0].rows.size() == 2);
  std::vector<JournalEntry> journal = {attempt(40), attempt(16)};
  journal.push_back(attempt(1));
  journal.back().variant = VariantName("slow_copy");
  show_own_counts(figure, "02-coalescing", journal);
  show_own_counts(figure, "02-coalescing", journal);  // in place of what was there
  REQUIRE(figure.parts[0].rows.size() == 3);
  CHECK(figure.parts[0].rows[1].variant == VariantName::mine);
  CHECK(figure.parts[0].rows[1].value == 16);
  CHECK(figure.own == "Mine: your last attempt, on simulated sm_90 (no timing).");
  CHECK(figure.parts[1].rows.size() == 2);  // the journal keeps only what the lab asks for
  journal.push_back(attempt(std::nullopt));
  show_own_counts(figure, "02-coalescing", journal);
  CHECK_FALSE(figure.parts[0].rows[1].value);
}
