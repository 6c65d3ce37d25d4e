// The code page's rules, without a window: facts, listings, costs of lines, finding.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/base/sha256.hpp"
#include "core/course/workbook.hpp"
#include "ui/edit/code_find.hpp"
#include "ui/look/code_lines.hpp"
#include "ui/replay/replay_launcher.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/scripted_services.hpp"
#include "ui/text/code_gutter.hpp"
#include "ui/text/code_view.hpp"

namespace klab::ui {
namespace {

/// A session on the second lab, started, on the code page, with services that do as told.
struct OnCode {
  SampleCourse course;
  ScriptedLauncher launcher;
  ScriptedServices services;
  Session session{course.tree(), launcher};

  OnCode() {
    session.use(services.both());
    session.tick(0);
    session.apply(command::OpenLab{1});
    session.apply(command::StartLab{});
    session.tick(1);
  }
  const LabPage& page() const { return session.model().page; }
  const std::string& text() const { return page().kernels->mine.text; }
  const CodeFile& mine() const { return page().kernels->mine; }
  void show(ListingKind kind) {
    CodeView view = page().state.view;
    view.listing = kind;
    session.apply(command::SetCodeView{view});
  }
  /// A check whose counters phase told of lines.
  void count(std::vector<LineHeat> lines) {
    session.apply(command::RunCheck{});
    session.apply(command::SettlePrediction{true});
    launcher.pending.push_back(
        CheckEvent{CheckEvent::Kind::record, Phase::counters,
                   Record(record::LineCosts{VariantName::mine, std::move(lines)}), ""});
    session.tick(2);
  }
  LineHeat cost(int line, double value, const std::string& unit) const {
    return {VariantName::mine,
            "/anywhere/" + mine().path.filename().string(),
            line,
            value,
            unit,
            Source::counted,
            {}};
  }
};

}  // namespace

TEST_CASE("Facts are asked for once typing pauses, and only for the last text", "[ui][code]") {
  OnCode on;
  REQUIRE(on.services.questions.size() == 1);  // the file as it was opened
  CHECK(on.services.questions[0].source == on.text());
  const std::string before = on.text();
  for (int i = 1; i <= 5; ++i) {
    on.session.apply(typed_over(before + std::string(static_cast<std::size_t>(i), '\n')));
    on.session.tick(1 + 0.03 * i);
  }
  CHECK(on.services.questions.size() == 1);
  CHECK(on.session.animating());
  on.session.tick(1.36);
  REQUIRE(on.services.questions.size() == 2);
  CHECK(on.services.questions[1].source == before + "\n\n\n\n\n");
  on.session.tick(2);
  CHECK(on.services.questions.size() == 2);
}

TEST_CASE("An answer is shown if it is the last question's", "[ui][code]") {
  OnCode on;
  CompileFacts old{.number = 77};
  on.services.answers.push_back(old);
  CHECK_FALSE(on.session.tick(1.1));
  CHECK_FALSE(on.page().state.facts.found);
  CHECK(on.session.awaits_code());
  CompileFacts facts{.number = 1};
  facts.kernels.push_back({.report = {.kernel = "k", .registers = 24}});
  on.services.answers.push_back(facts);
  CHECK(on.session.tick(1.2));
  REQUIRE(on.page().state.facts.found);
  CHECK(on.page().state.facts.current);
  CHECK(on.page().state.facts.found->kernels[0].report.registers == 24);
  CHECK_FALSE(on.session.awaits_code());
  on.session.apply(typed_over(on.text() + " "));
  on.session.tick(1.31);
  CHECK(on.page().state.facts.found);
  CHECK_FALSE(on.page().state.facts.current);
}

TEST_CASE("Only an error at a line of the kernel leads to that line", "[ui][code]") {
  const std::filesystem::path file = "workbook/02_coalescing.cu";
  const CompilerMessage warning{"02_coalescing.cu", 3, Severity::warning, "never referenced"};
  const CompilerMessage error{"/tmp/d/02_coalescing.cu", 7, Severity::error, "x"};
  const CompilerMessage elsewhere{"cub/block.cuh", 900, Severity::error, "x"};
  const CompilerMessage nowhere{"", 0, Severity::error, "At end of source: expected"};
  const auto first = [&](const std::vector<CompilerMessage>& messages) {
    const CompilerMessage* found = first_error_in(file, messages);
    return found ? at_its_line(*found) : "";
  };
  CHECK(first({warning, error}) == "Line 7: x");
  CHECK(first({warning}).empty());
  CHECK(first({nowhere}).empty());
  CHECK(first({elsewhere, error}).empty());
}

TEST_CASE("Nothing is compiled while another page is shown", "[ui][code]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  ScriptedServices services;
  Session session(course.tree(), launcher);
  session.use(services.both());
  session.apply(command::OpenLab{1});
  session.tick(1);
  session.tick(2);
  CHECK(services.questions.empty());
}

TEST_CASE("A listing is made once for each saved text", "[ui][code]") {
  OnCode on;
  CHECK(on.services.listings.empty());
  on.show(ListingKind::ptx);
  on.session.tick(2);
  on.session.tick(3);
  REQUIRE(on.services.listings.size() == 1);
  CHECK(on.services.listings[0].source == workbook_file(*on.session.model().lab()));
  CodeListing listing{.lines = {{"ld.global", 4, false}}};
  on.services.listed.push_back({on.services.listings[0].key, listing});
  on.session.tick(4);
  REQUIRE(on.page().state.listings.size() == 1);
  CHECK(on.page().state.listings.begin()->second.found->lines[0].source_line == 4);
  on.session.apply(typed_over(on.text() + "\n// more\n"));
  on.session.tick(5);
  CHECK(on.services.listings.size() == 1);
  on.session.apply(command::SaveCode{});
  on.session.apply(command::ShowPage{Page::code});
  on.session.tick(6);
  CHECK(on.services.listings.size() == 2);
  on.show(ListingKind::sass);
  on.session.tick(7);
  REQUIRE(on.services.listings.size() == 3);
  on.services.listed.push_back(
      {on.services.listings[2].key, make_error(ErrorCode::no_toolkit, "No nvdisasm.")});
  on.session.tick(8);
  CHECK(on.page().state.listings.size() == 1);
  CHECK(on.page().state.listings.begin()->second.error);
}

TEST_CASE("Costs of lines come with units, shares and where they are from", "[ui][code]") {
  OnCode on;
  CHECK(heat_units(on.session.model(), on.mine()).empty());
  CHECK(heat_words(on.session.model(), heat_column(on.session.model(), on.mine()))
            .find("simulator") != std::string::npos);
  LineHeat elsewhere = on.cost(9, 1000, "sectors");
  elsewhere.file = "/cuda/include/math.hpp";
  on.count({on.cost(12, 5, "instructions"), on.cost(12, 300, "sectors"),
            on.cost(13, 100, "sectors"), elsewhere});
  const Model& model = on.session.model();
  CHECK(heat_units(model, on.mine()) == std::vector<std::string>{"sectors", "instructions"});
  HeatColumn heat = heat_column(model, on.mine());
  CHECK(heat.unit == "sectors");
  CHECK(heat.total == 400);
  CHECK(heat.most == 300);
  CHECK(heat.lines.size() == 2);
  CHECK(heat_bar(heat, 12)->length == 1);
  CHECK(heat_bar(heat, 12)->percent == "75 %");
  CHECK(heat_bar(heat, 13)->length == 100.0f / 300);
  CHECK(heat_bar(heat, 13)->percent == "25 %");
  CHECK_FALSE(heat_bar(heat, 14));
  CHECK(heat_words(model, heat) == "share of the sectors, counted by the simulator");
  CodeView view = on.page().state.view;
  view.heat_unit = "instructions";
  on.session.apply(command::SetCodeView{view});
  CHECK(heat_column(model, on.mine()).total == 5);
  CHECK(heat_units(model, on.page().kernels->flawed).empty());  // the flawed kernel was not counted
}

TEST_CASE("While a check runs the costs of the one before stay, at the lines that they are of",
          "[ui][code]") {
  OnCode on;
  const Model& model = on.session.model();
  on.session.apply(command::ShowPage{Page::code});
  on.count({on.cost(3, 300, "sectors"), on.cost(1, 100, "sectors")});
  on.launcher.pending.push_back(CheckResult{});
  on.session.tick(3);
  on.session.apply(typed_over("// new\n" + on.text()));
  on.session.apply(command::RunCheck{});
  REQUIRE(model.checking());
  on.session.apply(command::ShowPage{Page::code});
  on.session.tick(4);
  const HeatColumn before = heat_column(model, on.mine());
  CHECK(before.former);
  REQUIRE(before.lines.contains(4));
  CHECK(before.lines.at(4).value == 300);
  CHECK(heat_words(model, before).ends_with("from the check before"));
  on.launcher.pending.push_back(
      CheckEvent{CheckEvent::Kind::record, Phase::counters,
                 Record(record::LineCosts{VariantName::mine, {on.cost(4, 20, "sectors")}}), ""});
  on.session.tick(5);
  const HeatColumn now = heat_column(model, on.mine());
  CHECK_FALSE(now.former);
  CHECK(now.total == 20);
  on.launcher.pending.push_back(CheckResult{});
  on.session.tick(6);
  // One that ends without costs leaves none.
  on.session.apply(command::RunCheck{});
  on.launcher.pending.push_back(CheckResult{});
  on.session.tick(7);
  CHECK(heat_units(model, on.mine()).empty());
}

TEST_CASE("A line keeps its cost while the text around it changes", "[ui][code]") {
  OnCode on;
  const std::string before = on.text();
  on.count({on.cost(3, 300, "sectors"), on.cost(1, 100, "sectors")});
  on.session.apply(command::ShowPage{Page::code});
  on.session.tick(3);
  CHECK(heat_column(on.session.model(), on.mine()).lines.contains(3));
  on.session.apply(typed_over("// new\n// newer\n" + before));
  on.session.tick(4);
  const HeatColumn heat = heat_column(on.session.model(), on.mine());
  CHECK(heat.lines.size() == 2);
  REQUIRE(heat.lines.contains(5));
  CHECK(heat.lines.at(5).value == 300);
  CHECK_FALSE(heat.lines.contains(1));
  CHECK(heat_words(on.session.model(), heat) ==
        "share of the sectors, counted by the simulator, before your last change");
}

TEST_CASE("A revealed line stays for one drawn frame", "[ui][code]") {
  OnCode on;
  CodeView view = on.page().state.view;
  view.reveal = 14;
  on.session.apply(command::SetCodeView{view});
  on.session.tick(2);
  CHECK(on.page().goto_line == 14);
  on.session.tick(2.02);
  CHECK_FALSE(on.page().goto_line);
  CHECK_FALSE(on.page().state.view.reveal);
}

TEST_CASE("Finding takes capitals as they are meant", "[ui][code]") {
  const std::string text = "float Row = row;\nROW\nrowrow";
  CHECK(find_all(text, "row").size() == 5);
  CHECK(find_all(text, "Row").size() == 1);
  CHECK(find_all(text, "").empty());
  CHECK(find_all("", "x").empty());
  const auto matches = find_all(text, "row");
  CHECK(matches[1].line == 1);
  CHECK(matches[1].begin == 12);
  CHECK(matches[4].line == 3);
  CHECK(matches[4].begin == 3);
  CHECK(current_match(3, -1) == 2);
  CHECK(current_match(3, 4) == 1);
  CHECK_FALSE(current_match(0, 2));
}

TEST_CASE("A bracket finds its other one", "[ui][code]") {
  const std::string text = "f(a[i], (b)) { }";
  const auto pair = [&](std::size_t at) { return bracket_pair(text, at); };
  REQUIRE(pair(1));
  CHECK(pair(1)->second == 11);
  CHECK(pair(12)->second == 1);  // just behind the bracket
  CHECK(pair(3)->second == 5);
  CHECK_FALSE(pair(0));
  CHECK_FALSE(bracket_pair("((", 0));
  CHECK_FALSE(bracket_pair("", 0));
  CHECK_FALSE(bracket_pair(")", 1));
}

TEST_CASE("Samples recorded on an H200 heat the lines that they were taken at", "[ui][code]") {
  auto recorded_run = read_recording(KLAB_SOURCE_DIR "/docs/results/window-02-coalescing.jsonl");
  REQUIRE(recorded_run);
  ReplayLauncher launcher(
      std::move(*recorded_run), [] { return 0.0; }, 0);
  Session session(Tree{.root = KLAB_SOURCE_DIR}, launcher);
  session.set_replaying("A test");
  session.apply(command::OpenLab{1});
  session.replay_now();
  session.tick(1);
  session.apply(command::Investigate{InvestigationKind::stalls});
  session.tick(2);
  const Model& model = session.model();
  REQUIRE(model.page.kernels);
  for (const CodeFile* shown : {&model.page.kernels->flawed, &model.page.kernels->optimized}) {
    const CodeFile& file = *shown;
    const bool is_flawed = file.variant == VariantName::flawed;
    CAPTURE(is_flawed);
    // Lines of another version of the file say nothing: the recording waits to be taken anew.
    const Investigation& stalls = *model.investigation(InvestigationKind::stalls);
    if (stalls.source_digests.at(file.variant) != sha256(file.text)) {
      CHECK(heat_units(model, file).empty());
      continue;
    }
    const HeatColumn heat = heat_column(model, file);
    CHECK(heat.unit == "samples");
    CHECK(heat_words(model, heat) ==
          "share of the samples, recorded: NVIDIA H200, " + stalls.date.substr(0, 10));
    const auto hottest = std::max_element(
        heat.lines.begin(), heat.lines.end(),
        [](const auto& a, const auto& b) { return a.second.value < b.second.value; });
    REQUIRE(hottest != heat.lines.end());
    const std::string line = lines_of(file.text).at(static_cast<std::size_t>(hottest->first - 1));
    CAPTURE(line);
    if (is_flawed) CHECK(hottest->second.value > 0.9 * heat.total);
    CHECK(line.find(is_flawed ? "args.out[i] = gain" : "gain * v.x") != std::string::npos);
    CodeFile other = file;  // of another version the samples say nothing
    other.text += "// changed\n";
    CHECK(heat_units(model, other).empty());
  }
  session.apply(command::OpenLab{0});
  session.apply(command::Investigate{InvestigationKind::stalls});
  session.tick(3);
  REQUIRE(model.investigation(InvestigationKind::stalls));
  CHECK(model.investigation(InvestigationKind::stalls)->errors.size() == 1);
}

}  // namespace klab::ui
