// The journal's exports hold everything that was done, and nothing in it can become markup.
#include "core/journal/report.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/journal/svg_plot.hpp"
#include "core/process/process.hpp"
#include "support/temporary_folder.hpp"
#include "support/well_formed.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;
using Kind = JournalEntry::Kind;

namespace {

/// A course of one lab and a journal of it, with every kind of entry.
struct Sample {
  std::vector<Lab> course_labs;
  std::vector<JournalEntry> entries;
  FlawedSources flawed{{"02-coalescing", "a\nb\nc\n"}};

  Sample() {
    Lab lab;
    lab.id = "02-coalescing";
    lab.title = "Neighbours read neighbours";
    lab.pass().time.speedup = 5;
    lab.predictions = {{.question = "How much faster?",
                        .choices = {"little", "much"},
                        .answer = 1,
                        .bands = {{1, 2}, {2, 20}}}};
    course_labs.push_back(lab);
    add(Kind::started);
    add(Kind::prediction).answers = {0};
    attempt(Outcome::fail, {1, 0.99, 1.01}, "a\nb\nc\n");
    add(Kind::hint).hint = 1;
    add(Kind::note).text = "Threads walk along rows.";
    attempt(Outcome::pass, {7.96, 7.94, 7.98}, "a\nB\nc\n");
    attempt(Outcome::pass, {7.96, 7.94, 7.98}, "a\nB\nc\n");
    add(Kind::restored).of = 3;
    add(Kind::reset);
    add(Kind::solution);
  }
  JournalEntry& add(Kind kind) {
    entries.push_back({.kind = kind, .number = static_cast<std::int64_t>(entries.size()) + 1});
    entries.back().date = "2026-11-21T03:04:05Z";
    entries.back().lab = "02-coalescing";
    return entries.back();
  }
  JournalEntry& attempt(Outcome verdict, Interval ratio, const std::string& source) {
    JournalEntry& entry = add(Kind::attempt);
    entry.variant = VariantName::mine;
    entry.verdict = verdict;
    entry.conclusion = "A conclusion.";
    entry.ratio = ratio;
    entry.source = source;
    entry.device = "NVIDIA H200";
    entry.gates = {{.name = GateName::cause,
                    .subject = "global_load_sectors_per_request",
                    .outcome = verdict,
                    .measured = 13,
                    .target = target_from("<= 16.5"),
                    .unit = "sectors",
                    .source = Source::measured}};
    return entry;
  }

  template <class Write>
  std::string written(const Write& write) const {
    const Calibration calibration = calibrate(course_labs, entries);
    return write(make_report(course_labs, entries, calibration, flawed, "2026-11-21T05:00:00Z"));
  }
  std::string markdown() const { return written(journal_markdown); }
  std::string html() const { return written(journal_html); }
};

const std::string hostile =
    "</blockquote></pre></title></svg></style>--><script>alert(1)</script>"
    "<img src=x onerror=\"alert(1)\"> ]]> &lt; \" ' ` \x01\x1b[2J \xff\xef\xbf\xbf "
    "![x](javascript:alert(1)) |```\n```\n# head\n";

/// Every text that a journal or a lab can hold, hostile.
Sample hostile_sample() {
  Sample sample;
  Lab& lab = sample.course_labs[0];
  lab.title = lab.predictions[0].question = hostile;
  lab.predictions[0].choices = {hostile, hostile};
  for (JournalEntry& entry : sample.entries) {
    entry.date = entry.conclusion = entry.device = entry.text = hostile;
    if (entry.source) entry.source = *entry.source + hostile;
    for (Gate& gate : entry.gates) {
      gate.subject = gate.unit = hostile;
      gate.target = Target{{}, hostile};
    }
  }
  sample.attempt(Outcome::inconclusive, {1, 0.9, 1.1}, hostile).variant = VariantName(hostile);
  sample.entries.back().lab = hostile;
  return sample;
}

}  // namespace

TEST_CASE("Markdown tells prediction, change, numbers, verdict and notes",
          "[core][journal_report]") {
  const std::string text = Sample().markdown();
  CHECK_THAT(text, ContainsSubstring("| 1 | 2026-11-21"));
  CHECK_THAT(text, ContainsSubstring("## 02-coalescing: Neighbours read neighbours"));
  CHECK_THAT(text, ContainsSubstring("Predicted: little. **Not so.** It is: much."));
  CHECK_THAT(text,
             ContainsSubstring("Expected 1x to 2x, measured 7.960x (7.940 to 7.980): too low"));
  CHECK_THAT(text, ContainsSubstring("The source is that of the flawed kernel."));
  CHECK_THAT(
      text, ContainsSubstring("Change since attempt 1:\n\n```diff\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n"));
  CHECK_THAT(text, ContainsSubstring("The source is that of attempt 2."));
  CHECK_THAT(text, ContainsSubstring("| cause: Sectors per global load request | 13 sectors |"));
  CHECK_THAT(text, ContainsSubstring("| measured | pass |"));
  CHECK_THAT(text, ContainsSubstring("> Threads walk along rows."));
  CHECK_THAT(text, ContainsSubstring("Restored entry 3"));
  CHECK_THAT(text, ContainsSubstring("0 of 1 prediction right"));
}

TEST_CASE("nothing in a journal becomes Markdown or HTML markup", "[core][journal_report]") {
  const std::string text = hostile_sample().markdown();
  // Within a diff, markup is code; the fence must hold.
  CHECK_THAT(text, ContainsSubstring("````diff"));
  CHECK(text.find('\x1b') == std::string::npos);
  std::string prose;
  bool code = false;
  std::size_t from = 0;
  for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
    const std::string line = text.substr(from, end - from);
    if (line.starts_with("````"))
      code = !code;
    else if (!code)
      prose += line + "\n";
  }
  CHECK_FALSE(code);
  CHECK(prose.find("<script") != std::string::npos);
  for (std::size_t at = prose.find('<'); at != std::string::npos; at = prose.find('<', at + 1))
    CHECK(prose[at - 1] == '\\');
  CHECK(prose.find("\n# head") == std::string::npos);
  CHECK(prose.find("![x](") == std::string::npos);
}

TEST_CASE("the page is well-formed and holds plots, changes and notes", "[core][journal_report]") {
  const std::string html = Sample().html();
  const MarkupContents contents = MarkupReader::read(html);
  CHECK(contents.problem.empty());
  CHECK(contents.elements.count("svg") == 1);
  for (const char* outside : {"script", "img", "link", "iframe", "object", "a"})
    CHECK(contents.elements.count(outside) == 0);
  CHECK_THAT(html, ContainsSubstring("default-src 'none'"));
  CHECK_THAT(html, ContainsSubstring("prefers-color-scheme: dark"));
  CHECK_THAT(html, ContainsSubstring("<title>Attempt 2: 7.960x (7.940 to 7.980), pass</title>"));
  CHECK_THAT(html, ContainsSubstring("<span class=\"added\">+B</span>"));
  CHECK_THAT(html, ContainsSubstring("<blockquote>Threads walk along rows.</blockquote>"));
  CHECK_THAT(html, ContainsSubstring("target 5x"));
  CHECK_THAT(html, ContainsSubstring("blind guesses"));
  CHECK_THAT(contents.text, ContainsSubstring("Sectors per global load request"));
  CHECK(MarkupReader::read(Sample().written([](const JournalReport& report) {
          JournalReport empty = report;
          empty.labs.clear();
          return journal_html(empty);
        })).problem.empty());
}

TEST_CASE("hostile text cannot break out of the page", "[core][journal_report]") {
  const std::string html = hostile_sample().html();
  const MarkupContents contents = MarkupReader::read(html);
  CHECK(contents.problem.empty());
  const MarkupContents harmless = MarkupReader::read(Sample().html());
  std::set<std::string> elements = harmless.elements;
  elements.insert("rect");  // the mark of the inconclusive attempt
  CHECK(std::includes(elements.begin(), elements.end(), contents.elements.begin(),
                      contents.elements.end()));
  CHECK(contents.attributes.count("onerror") == 0);
  CHECK(contents.attributes.count("src") == 0);
  CHECK_THAT(contents.text, ContainsSubstring("<script>alert(1)</script>"));
  CHECK(html.find('\x01') == std::string::npos);
}

TEST_CASE("the reader of the tests refuses what is not well-formed", "[core][journal_report]") {
  for (const char* wrong : {"<a>", "<a></b>", "<a b=c></a>", "<a>&nbsp;</a>", "<a>\x01</a>", "x",
                            "<a b=\"<\"></a>", "<a><b></a></b>"})
    CHECK_FALSE(MarkupReader::read(wrong).problem.empty());
  CHECK(MarkupReader::read("<a b=\"1\">x &amp; <c/></a>").problem.empty());
}

TEST_CASE("another parser finds the page well-formed as well", "[core][journal_report]") {
  const TemporaryFolder folder;
  const auto page = folder.write("page.html", hostile_sample().html());
  const auto parsed = run_process(
      {.command = {"python3", "-c", "import sys, xml.dom.minidom as d; d.parse(sys.argv[1])",
                   page.string()},
       .time_limit_s = 300});
  if (!parsed || parsed->exit_code == 127) SKIP("python3 is not installed");
  CAPTURE(parsed->err);
  CHECK(parsed->exit_code == 0);
}

TEST_CASE("an export says of a provisional pass that it is one", "[core][journal]") {
  Sample sample;
  JournalEntry& entry = sample.attempt(Outcome::not_checkable, {}, "a\n");
  entry.ratio = std::nullopt;
  entry.gates = {{.name = GateName::correct, .outcome = Outcome::pass},
                 {.name = GateName::cause, .outcome = Outcome::pass},
                 {.name = GateName::time, .outcome = Outcome::not_checkable}};
  CHECK_THAT(sample.markdown(), ContainsSubstring("| attempt | passed provisionally |") &&
                                    ContainsSubstring("**passed provisionally**"));
  CHECK_THAT(sample.html(), ContainsSubstring("passed provisionally"));
}

TEST_CASE("a plot without points is none, and one of one point is one", "[core][journal_report]") {
  CHECK(ratio_svg({}, 5, "x").empty());
  CHECK(share_svg({}, 0.3, "x").empty());
  for (const std::string& svg : {ratio_svg({{1, {7.9, 7.8, 8}, Outcome::pass}}, std::nullopt, "x"),
                                 share_svg({{1, 0}}, 0.3, "x")}) {
    CHECK(MarkupReader::read(svg).problem.empty());
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
  }
}
