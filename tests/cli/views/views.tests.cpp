// What verdicts, comparisons and Markdown look like.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/investigate/figure_text.hpp"
#include "cli/terminal/markdown.hpp"
#include "cli/views/diagnosis_view.hpp"
#include "cli/views/verdict_view.hpp"
#include "core/base/text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::cli;
using Catch::Matchers::ContainsSubstring;
using klab::test::Says;

namespace {
CheckResult example() {
  CheckResult result;
  result.lab = "02-coalescing";
  result.variant = VariantName::mine;
  result.backend = Backend::gpu;
  result.verdict = Outcome::fail;
  result.conclusion = "It is faster, but not for the taught reason.";
  result.device.name = "NVIDIA H200";
  result.device.driver = "580.159.04";
  result.device.toolkit = "13.0.88";
  result.seed = 42;
  result.gates = {
      {GateName::built, "nvcc", Outcome::pass, {}, {}, "", Source::compiler, "Built in 2 s.", ""},
      {GateName::correct, "result", Outcome::pass, 0.0, Target{{Bound::Relation::equal, 0}, {}},
       "wrong elements", Source::checked, "", ""},
      {GateName::cause, "global_load_sectors_per_request", Outcome::fail, 31.99,
       Target{{Bound::Relation::at_most, 4.5}, {}}, "sectors", Source::measured,
       "A warp that reads 32 neighbouring floats touches 4 sectors.",
       "Let neighbouring threads read neighbouring words."},
      {GateName::time, "speedup", Outcome::inconclusive, 4.98,
       Target{{Bound::Relation::at_least, 5}, "x"}, "x", Source::measured, "4.98x (4.9 to 5.1).",
       "Check again on a quieter machine."},
      {GateName::time,
       "dram_copy",
       Outcome::not_checkable,
       {},
       Target{{Bound::Relation::at_least, 60}, "%"},
       "%",
       {},
       "The ceiling dram_copy was not measured.",
       "Run `klab device --measure`."}};
  for (const VariantName& name : {VariantName::flawed, VariantName::mine, VariantName::optimized})
    result.timing.variants[name] = {
        std::vector<double>(30, 1e-3), Interval{1e-3, 0.99e-3, 1.01e-3}, {}};
  result.timing.ratio = Interval{4.98, 4.9, 5.1};
  result.counters[VariantName::flawed]["global_load_sectors_per_request"] = {
      32.0, Source::measured, {}};
  result.counters[VariantName::mine]["global_load_sectors_per_request"] = {
      31.99, Source::measured, {}};
  result.counters[VariantName::optimized]["global_load_sectors_per_request"] = {
      4.0, Source::measured, {}};
  result.counters[VariantName::mine]["registers_per_thread"] = {
      std::nullopt, Source::measured, missing_from("Counters are refused.")};
  return result;
}

void check_width(const std::string& text) {
  std::size_t from = 0;
  for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
    CAPTURE(text.substr(from, end - from));
    CHECK(display_width(text.substr(from, end - from)) <= widest_columns);
  }
}
}  // namespace

TEST_CASE("on a narrow terminal the conclusion fills the column beside the outcome",
          "[cli][views]") {
  CheckResult result;
  result.verdict = Outcome::fail;
  result.conclusion = "It is right, but the flaw is still there, and so on.";
  Terminal narrow;
  narrow.columns = 40;
  const std::string text = view_result(narrow, result);
  CAPTURE(text);
  CHECK(text.find("still there, and so on.") != std::string::npos);
}

TEST_CASE("the verdict shows number, target, source and advice of every gate", "[cli][views]") {
  const std::string text = view_result({}, example());
  CHECK_THAT(text, Says("✔ pass"));
  CHECK_THAT(text, Says("✘ fail"));
  CHECK_THAT(text, Says("~ unsure"));
  CHECK_THAT(text, Says("· not here"));
  CHECK_THAT(text, ContainsSubstring("31.99"));
  CHECK_THAT(text, Says("<= 4.5"));
  CHECK_THAT(text, ContainsSubstring("measured"));
  CHECK_THAT(text, Says("Let neighbouring threads read neighbouring words."));
  CHECK_THAT(text, Says("It is faster, but not for the taught reason."));
  CHECK_THAT(text, Says("NVIDIA H200, driver 580.159.04, CUDA 13.0.88"));
  CHECK(text.find('\033') == std::string::npos);
  check_width(text);
}

namespace {
CheckResult passed() {
  CheckResult result = example();
  result.verdict = Outcome::pass;
  result.conclusion = "Passed: right, fast, and for the taught reason.";
  const Gate fast{.name = GateName::time,
                  .subject = "dram_copy",
                  .outcome = Outcome::pass,
                  .measured = 62.5,
                  .target = target_from(">= 60 %"),
                  .unit = "%"};
  Gate faster = fast;
  faster.outcome = Outcome::fail;
  faster.target = target_from(">= 90 %");
  result.rungs = {{"coalesced", Outcome::pass, {fast}},
                  {"wide", Outcome::pass, {fast}},
                  {"as fast as a copy", Outcome::fail, {faster}},
                  {"faster than that", Outcome::fail, {faster}}};
  result.score = 87.94;
  return result;
}
}  // namespace

TEST_CASE("after a pass: the score, the goals reached beyond it, and what the next one asks",
          "[cli][views]") {
  const std::string text = view_ladder({}, passed());
  CHECK_THAT(text, ContainsSubstring("Score 87 of 100"));
  CHECK_THAT(text, ContainsSubstring("Beyond the pass: wide"));
  CHECK_THAT(text, ContainsSubstring("Next goal: as fast as a copy"));
  CHECK_THAT(text, ContainsSubstring("62.5 %") && ContainsSubstring(">= 90 %"));
  CHECK_THAT(text, !ContainsSubstring("coalesced") && !ContainsSubstring("faster than that"));
  check_width(view_result({}, passed()));
}

TEST_CASE("before a pass nothing is said of goals beyond it; a missing score is not shown",
          "[cli][views]") {
  CheckResult result = passed();
  result.verdict = Outcome::fail;
  CHECK(view_ladder({}, result).empty());
  result = passed();
  result.score.reset();
  CHECK_THAT(view_ladder({}, result), !ContainsSubstring("core"));
}

TEST_CASE("a reason that several gates share is said once", "[cli][views]") {
  CheckResult result = example();
  const std::string reason = "Time needs a GPU.";
  for (const char* subject : {"speedup", "dram_copy"})
    result.gates.push_back(
        {GateName::time, subject, Outcome::not_checkable, {}, {}, "", {}, reason, ""});
  const std::string text = view_gates({}, result);
  CHECK(text.find(reason) != std::string::npos);
  CHECK(text.find(reason) == text.rfind(reason));
}

TEST_CASE("why nothing was run is said by the first gate, however the others word it",
          "[cli][views]") {
  CheckResult result = example();
  const auto open = [](GateName name, const char* detail, Basis basis) {
    return Gate{.name = name, .detail = detail, .basis = basis};
  };
  result.gates = {open(GateName::built, "There is no nvcc.", Basis::error),
                  open(GateName::correct, "Nothing was run.", Basis::not_run),
                  open(GateName::cause, "Not run: there is no nvcc.", Basis::not_run)};
  const std::string text = view_gates({}, result);
  CHECK_THAT(text, ContainsSubstring("There is no nvcc."));
  CHECK_THAT(text, !ContainsSubstring("Nothing was run") && !ContainsSubstring("Not run:"));
}

TEST_CASE("what an earlier gate kept from running is called not run, and the rest not here",
          "[cli][views]") {
  CheckResult result = example();
  result.gates = {{.name = GateName::correct, .outcome = Outcome::fail, .detail = "It is wrong."},
                  {.name = GateName::cause,
                   .detail = "Not counted, because an earlier gate did not pass.",
                   .basis = Basis::not_run},
                  {.name = GateName::time, .detail = "Time needs a GPU."}};
  const std::string text = view_gates({}, result);
  CHECK_THAT(text, Says("· not run cause") && Says("· not here time"));
}

TEST_CASE("a number that was not obtained is never shown as zero", "[cli][views]") {
  const std::string text = view_gates({}, example());
  const std::size_t line = text.find("· not here");
  CHECK(text.substr(line, text.find('\n', line) - line).find(" 0") == std::string::npos);
  CHECK_THAT(text.substr(line, 120), ContainsSubstring("–"));
}

TEST_CASE("the compact verdict has one symbol a gate and the first failure", "[cli][views]") {
  const std::string text = view_compact({}, example());
  CHECK_THAT(text, Says("✔ built"));
  CHECK_THAT(text, Says("✘ cause"));
  CHECK_THAT(text, Says("Let neighbouring threads"));
  check_width(text);
}

TEST_CASE("the comparison puts flawed, mine and optimized side by side", "[cli][views]") {
  const std::string text = view_comparison({}, example(), false);
  CHECK_THAT(text, ContainsSubstring("flawed"));
  CHECK_THAT(text, ContainsSubstring("optimized"));
  const std::size_t line = text.find("Sectors per global load request");
  REQUIRE(line != std::string::npos);
  const std::string row = text.substr(line, text.find('\n', line) - line);
  CHECK(row.find("32") < row.find("31.99"));
  CHECK(row.find("31.99") < row.rfind("4 "));
  CHECK_THAT(text, Says("Not obtained (Counters are refused):"));
  check_width(text);
}

TEST_CASE("the comparison shows what is taught and what differs; the rest is asked for",
          "[cli][views]") {
  CheckResult result = example();
  for (const VariantName& variant :
       {VariantName::flawed, VariantName::mine, VariantName::optimized}) {
    result.counters[variant]["kernels_executed"] = {1024.0, Source::measured, {}};
    result.counters[variant]["dram_bytes"] = {
        variant == VariantName::optimized ? 1e6 : 8e6, Source::measured, {}};
  }
  const std::string text = view_comparison({}, result, false);
  const auto at = [&](const std::string& label) { return text.find(label); };
  const std::string taught = "Sectors per global load request";
  const std::string differs(find_metric("dram_bytes")->label);
  REQUIRE(at(differs) != std::string::npos);
  CHECK(at(taught) < at(differs));
  CHECK(at("1,024") == std::string::npos);
  CHECK_THAT(text, Says("1 more counter is the same"));
  CHECK_THAT(view_comparison({}, result, true), ContainsSubstring("1,024"));
}

TEST_CASE("a comparison in which nothing was counted is no table of nothing", "[cli][views]") {
  CheckResult result = example();
  result.timing = {};
  result.counters.clear();
  result.counters[VariantName::flawed]["registers_per_thread"] = {22.0, Source::compiler, {}};
  const std::string text = view_comparison({}, result, false);
  CHECK_THAT(text, Says("02-coalescing") && !Says("the same for all") && !Says("source"));
  CHECK_THAT(view_comparison({}, result, true), Says("22"));
}

TEST_CASE("a provisional pass has its sign wherever a verdict stands", "[cli][views]") {
  const std::vector<Gate> gates = {{.name = GateName::correct, .outcome = Outcome::pass},
                                   {.name = GateName::cause, .outcome = Outcome::pass},
                                   {.name = GateName::time, .outcome = Outcome::not_checkable}};
  CHECK(verdict_cell(Outcome::not_checkable, gates).text == "◐ passed provisionally");
  CHECK(verdict_cell(Outcome::fail, {}).text == "✘ fail");
}

TEST_CASE("the same advice is given once, and each gate says what it saw", "[cli][views]") {
  CheckResult result = example();
  Gate other = result.gates[2];
  other.subject = "global_store_sectors_per_request";
  other.detail = "A warp writes to 32 rows.";
  result.gates.push_back(other);
  const std::string text = view_gates({}, result);
  CHECK_THAT(text, Says("A warp writes to 32 rows."));
  CHECK(text.find("Let neighbouring") != std::string::npos);
  CHECK(text.find("Let neighbouring") == text.rfind("Let neighbouring"));
}

TEST_CASE("a table wraps its text rather than leave the screen", "[cli][views]") {
  Terminal terminal;
  terminal.screen = terminal.columns = 80;
  std::string lines = view_gates(terminal, example()) + "\n";
  for (std::size_t end; (end = lines.find('\n')) != std::string::npos; lines.erase(0, end + 1)) {
    CAPTURE(lines.substr(0, end));
    CHECK(display_width(lines.substr(0, end)) <= 80);
  }
  // Numbers stay in one piece, and a pipe has no screen to leave.
  CHECK_THAT(view_gates(terminal, example()), ContainsSubstring("31.99 sectors  <= 4.5"));
  CHECK_THAT(view_gates({}, example()), ContainsSubstring("Sectors per global load request"));
  // Nor does a word leave its column.
  Table table("ll");
  table.add({{"a-name-of-16-chr"}, {"and what there is to say of it"}});
  table.add({{"b"}, {"more"}});
  terminal.screen = terminal.columns = 40;
  CHECK_THAT(table.text(terminal), ContainsSubstring("  b                 more\n"));
}

TEST_CASE("heading and gates stay on a screen of forty columns, and lose no number",
          "[cli][views]") {
  Terminal terminal;
  terminal.screen = terminal.columns = 40;
  const std::string text = view_heading(terminal, example()) + view_gates(terminal, example());
  for (std::size_t from = 0, end; from < text.size(); from = end + 1) {
    end = text.find('\n', from);
    CAPTURE(text.substr(from, end - from));
    CHECK(display_width(text.substr(from, end - from)) <= 40);
  }
  for (const char* part : {"02-coalescing", "seed 42", "31.99 sectors", "<= 4.5", "not here"})
    CHECK_THAT(text, ContainsSubstring(part));
}

TEST_CASE("a kernel of the course is compared with the others, not with itself", "[cli][views]") {
  CheckResult result = example();
  const auto heads = [&] {
    const std::string text = view_comparison({}, result, false);
    const std::size_t at = text.find("flawed  ");
    return text.substr(at, text.find('\n', at) - at);
  };
  result.variant = VariantName::optimized;
  const std::string twice = heads();
  CAPTURE(twice);
  CHECK(twice.find("optimized") == twice.rfind("optimized"));
  result.variant = VariantName::mine;
  CHECK_THAT(heads(), ContainsSubstring("mine") && ContainsSubstring("optimized"));
}

TEST_CASE("colour is used only if the terminal wants it", "[cli][views]") {
  Terminal terminal;
  terminal.colour = true;
  CHECK_THAT(view_result(terminal, example()), ContainsSubstring("\033[31m"));
  CHECK(Terminal{}.paint(Tone::bad, "x") == "x");
}

TEST_CASE("Markdown becomes readable text", "[cli][markdown]") {
  const std::string text = render_markdown({},
                                           "# Title\n\nSome *text* with `code` and a "
                                           "[link](https://example.org).\n\n"
                                           "- one\n- two\n  - deep\n\n1. first\n2. second\n\n"
                                           "> quoted\n\n```cpp\nint  x;\n```\n\n"
                                           "| a | b |\n|---|---|\n| 1 | 22 |\n\n&lt;tag&gt;\n");
  CHECK_THAT(text, ContainsSubstring("Title\n====="));
  CHECK_THAT(text, ContainsSubstring("  Some text with code and a link (https://example.org)."));
  CHECK_THAT(text, ContainsSubstring("  • one\n  • two\n    • deep\n"));
  CHECK_THAT(text, ContainsSubstring("  1. first\n  2. second\n"));
  CHECK_THAT(text, Says("│ quoted"));
  CHECK_THAT(text, ContainsSubstring("      int  x;\n"));
  CHECK_THAT(text, ContainsSubstring("  a  b\n  1  22\n"));
  CHECK_THAT(text, ContainsSubstring("<tag>"));
}

TEST_CASE("Lists end with a free line, and a heading may hold code", "[cli][markdown]") {
  Terminal terminal;
  CHECK(render_markdown(terminal, "- a\n- b\n\n1. c\n2. d\n\n   more\n\nafter") ==
        "  • a\n  • b\n\n  1. c\n  2. d\n    more\n\n  after\n");
  terminal.colour = true;
  const std::string heading = render_markdown(terminal, "## Why `x` waits");
  CHECK_THAT(heading, ContainsSubstring("Why x waits"));
  CHECK(heading.find('\x01') == std::string::npos);
}

TEST_CASE("long Markdown paragraphs wrap inside the screen", "[cli][markdown]") {
  std::string words;
  for (int i = 0; i < 100; ++i) words += "*word* ";
  check_width(render_markdown({}, words + "\n\n- " + words + "\n\n> " + words));
}

TEST_CASE("a diagnosis shows class, evidence, waste and experiments within the screen",
          "[cli][diagnosis]") {
  KernelFacts facts{.variant = VariantName::mine};
  for (const auto& [name, value] : std::map<std::string, double>{{"instruction_throughput_pct", 5},
                                                                 {"dram_throughput_pct", 80},
                                                                 {"l2_throughput_pct", 30},
                                                                 {"l1_throughput_pct", 20},
                                                                 {"global_load_excess_pct", 87.5}})
    facts.counters[name] = {value, Source::measured, {}};
  const std::string text = view_diagnosis({}, diagnose(facts), "recorded on a test");
  check_width(text);
  for (const char* words :
       {"mine", "memory (device memory)", "high confidence", "80 %", "excess sectors", "Try next",
        "2.", "recorded on a test", "Judged without", "Cost of an empty"})
    CHECK_THAT(text, ContainsSubstring(words));
}

TEST_CASE("stalls show reasons and lines, hottest first", "[cli][diagnosis]") {
  Investigation found{.kind = InvestigationKind::stalls};
  StallReport report;
  StallSamples samples{.variant = VariantName::flawed, .launches = 3, .dropped = 4};
  samples.pcs = {{"k", 16, "/x/flawed.cu", 7, {{"barrier", 90}}, 90},
                 {"k", 32, "/x/flawed.cu", 9, {{"wait", 10}}, 0}};
  report.samples.push_back(samples);
  found.found = report;
  const std::string text = view_stalls({}, found);
  check_width(text);
  CHECK(text.find("90 %") < text.find("10 %"));
  CHECK(text.find("flawed.cu:7") < text.find("flawed.cu:9"));
  CHECK_THAT(text, Says("4 lost in the hardware"));
}

TEST_CASE("an experiment's second line stands under its first word", "[cli][diagnosis]") {
  std::string words;
  for (int i = 0; i < 30; ++i) words += "word ";
  Diagnosis diagnosis;
  diagnosis.experiments = {{words, "It is faster."}};
  CHECK_THAT(view_diagnosis({}, diagnosis, ""),
             ContainsSubstring("  1. word") && ContainsSubstring("\n     word"));
}

TEST_CASE("a figure names every kernel, draws its count and says where it comes from",
          "[cli][figure]") {
  LessonFigure figure{.kind = FigureKind::sectors, .title = "A request"};
  figure.recorded = "Recorded on a test.";
  figure.parts = {{.metric = "global_load_sectors_per_request",
                   .label = "Sectors",
                   .unit = "sectors",
                   .target = "<= 16.5",
                   .full = 32,
                   .rows = {{VariantName::flawed, 32, 12.5},
                            {VariantName::mine, 8, {}},
                            {VariantName::optimized, {}, {}}}}};
  const std::string sectors = figure_text({}, figure);
  check_width(sectors);
  for (const char* words : {"A request", "target <= 16.5", "32 sectors, 12.5 % used", "mine",
                            "░░░░░░░░ ", "optimized", "–", "Recorded on a test."})
    CHECK_THAT(sectors, ContainsSubstring(words));
  figure.kind = FigureKind::lanes;
  CHECK_THAT(figure_text({}, figure), ContainsSubstring("■■■■■■■■························"));
  figure.kind = FigureKind::bars;
  CHECK_THAT(figure_text({}, figure), ContainsSubstring("\n      mine       ██████████ "));
  const std::string drawn =
      render_markdown({}, "a\n\n```figure\nbars: x\n```\n\nb",
                      [](std::string_view body) { return "[" + std::string(body) + "]"; });
  CHECK_THAT(drawn, ContainsSubstring("[bars: x]"));
}
