// Text in and text out: gates in words, Markdown, highlighting, ticks, recordings.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "core/base/diff/line_diff.hpp"
#include "ui/look/highlight.hpp"
#include "ui/look/plot.hpp"
#include "ui/model/gate_words.hpp"
#include "ui/model/model.hpp"
#include "ui/support/fixture.hpp"
#include "ui/words/typeset.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

Run played(const std::string& name) {
  Run run = begin_run("02-coalescing", VariantName::mine, 0);
  for (const RecordedEvent& event : recording(name).events) {
    if (const auto* told = std::get_if<CheckEvent>(&event.event))
      absorb(run, *told, event.at_s);
    else
      finish(run, std::get<CheckResult>(event.event), event.at_s);
  }
  return run;
}

}  // namespace

TEST_CASE("A run keeps samples, phases and counters as they arrive", "[ui][run]") {
  const Run run = played("passed");
  CHECK(run.samples_s.at(VariantName::mine).size() == 60);
  CHECK(run.counters.at(VariantName::flawed).contains("global_load_sectors_per_request"));
  CHECK(run.verified.size() == 3);
  CHECK_FALSE(run.active);
  CHECK(run.phases.front().took_s.value() > 1);
  CHECK(running_phase(run) == nullptr);
}

TEST_CASE(
    "A run that only counts has no phase that times, and by the host's clock it is the last one",
    "[ui][run]") {
  const auto times = [](const Run& run) {
    return std::any_of(run.phases.begin(), run.phases.end(),
                       [](const auto& phase) { return phase.phase == CheckPhase(Phase::time); });
  };
  CHECK(times(begin_run("02-coalescing", VariantName::mine, 0)));
  CHECK_FALSE(times(begin_run("02-coalescing", VariantName::mine, 0, true)));
  const Run by_host =
      begin_run("05-sync-heavy", VariantName::mine, 0, false, LabKind::kernel, TimingMode::wall);
  CHECK(by_host.phases.size() == 5);
  CHECK(by_host.phases.back().phase == CheckPhase(Phase::time));
  Model model;
  CHECK_FALSE(model.counts_only());
  model.machine.device = DeviceFacts{};
  CHECK_FALSE(model.counts_only());
  model.machine.backend = Backend::simulator;
  CHECK(model.counts_only());
  model.machine = {};
  model.machine.device = DeviceFacts{};
  model.machine.device->simulated = true;
  CHECK(model.counts_only());
}

TEST_CASE("A measurement's phases are told in words, and end in every cell", "[ui][run]") {
  Run run = begin_run("29-benchmark-liar", VariantName::mine, 0, true, LabKind::measurement);
  absorb(run, {CheckEvent::Kind::phase_started, Phase::agreement, {}, "Running phase agreement"},
         1);
  REQUIRE(running_phase(run) != nullptr);
  CHECK(phase_words(*running_phase(run)) == "Measuring the same jobs beside it");
  CHECK(run.note.empty());
  const auto words = gate_words(&run);
  for (const std::size_t cell : {2, 3, 4}) CHECK(words[cell].state == GateWords::State::running);
}

TEST_CASE("A check that hangs shows the phase it is in", "[ui][run]") {
  const Run run = played("hanging");
  REQUIRE(running_phase(run) != nullptr);
  CHECK(phase_words(*running_phase(run)) == "Comparing results with the reference, 3 of 3");
  CHECK(gate_words(&run)[1].state == GateWords::State::running);
}

TEST_CASE("The strip says each gate in a few words", "[ui][gates]") {
  const Run slow = played("slow");
  const auto words = gate_words(&slow);
  REQUIRE(words.size() == 5);
  CHECK(words[0].value == "yes");
  CHECK(words[3].outcome == Outcome::fail);
  CHECK(words[3].value == "32 sectors");
  CHECK(words[3].target == "wanted ≤ 4.5");
  CHECK(words[4].name == "Time 0 of 2");
  const Run simulated = played("no_device");
  CHECK(gate_words(&simulated)[4].value == "not checked");
  CHECK(gate_words(nullptr)[0].value == "not run");
}

TEST_CASE("A cell says what its gate asks, before and after a check", "[ui][gates]") {
  const Run slow = played("slow");
  CHECK(gate_words(nullptr)[2].more.starts_with("Is it slower than physics allows?"));
  CHECK(gate_words(&slow)[3].more.starts_with("Did the counter"));
  CHECK(gate_words(&slow)[3].more.find("\n\nSectors per global load") != std::string::npos);
}

TEST_CASE("An act is a page and a key, or the shell's where the window has none", "[ui][words]") {
  CHECK(window_words("Compare it with the copy that " + Act{Verb::show_device} + " shows.") ==
        "Compare it with the copy that **Device** (Alt+0) shows.");
  CHECK(window_words(Act{Verb::hint, "coalescing"} + Advice(" gives the next hint.")) ==
        "**F2** gives the next hint.");
  CHECK(window_words("Run " + Act{Verb::record} + ".") == "Run `./klab course record`.");
  const std::string budget = window_words(Act{Verb::raise_budget});
  CHECK(budget.find(shell_words(Act{Verb::raise_budget})) != std::string::npos);
  CHECK(budget.find("`./klab check`") != std::string::npos);
  CHECK(window_words(make_error(ErrorCode::runner_failed, "It ended.")) ==
        "It ended. Look at **Device** (Alt+0); if it finds nothing, check again.");
}

TEST_CASE("Where there is one font no mark of markdown is left", "[ui][words]") {
  CHECK(plain_words("Other host memory is *pageable*.") == "Other host memory is pageable.");
  CHECK(plain_words("**Two** and *one*, (*both*)") == "Two and one, (both)");
  CHECK(plain_words("`*in` and `*out`: a * b * c") == "*in and *out: a * b * c");
  CHECK(plain_words("`float* a`, `float* b`") == "float* a, float* b");
}

TEST_CASE("Names become titles", "[ui][words]") {
  CHECK(for_window("`dram_copy` and `global_load_sectors_per_request`: <= 4 in 20 us") ==
        "**Copy within device memory** and **Sectors per global load request**: ≤ 4 in 20 µs");
  CHECK(plain_words("Call `launch`, then **F2**") == "Call launch, then F2");
}

TEST_CASE("Code that the window has no words for stays as it is", "[ui][words]") {
  const std::string kept = "Set `a <= b`, for us `./klab sweep x`:\n\n```sh\n./klab `hint`\n```\n`";
  CHECK(for_window(kept) == kept);
}

TEST_CASE("The worst gate of a name decides its cell", "[ui][gates]") {
  Run run = played("passed");
  run.result->gates.back().outcome = Outcome::inconclusive;
  CHECK(gate_words(&run)[4].outcome == Outcome::inconclusive);
  run.result->gates[run.result->gates.size() - 2].outcome = Outcome::fail;
  CHECK(gate_words(&run)[4].outcome == Outcome::fail);
}

TEST_CASE("Signs are set as in print, words are left alone", "[ui][gates]") {
  CHECK(typeset(">= 110 us") == "≥ 110 µs");
  CHECK(typeset("because us") == "because us");
  CHECK(typeset("it is useful") == "it is useful");
}

TEST_CASE("Highlighting covers the line and carries comments over", "[ui][code]") {
  bool in_comment = false;
  const std::string line = "__global__ void f(float* x) { x[0] = 1.5f; } // end";
  const auto tokens = highlight(line, in_comment);
  CHECK(tokens.front().kind == TokenKind::builtin);
  CHECK(tokens.back().kind == TokenKind::comment);
  std::uint32_t at = 0;
  for (const Token& token : tokens) {
    CHECK(token.begin == at);
    at = token.end;
  }
  CHECK(at == line.size());
  highlight("a /* open", in_comment);
  CHECK(in_comment);
  CHECK(highlight("still */ b", in_comment).front().kind == TokenKind::comment);
  CHECK_FALSE(in_comment);
  highlight("\"unterminated \\", in_comment);
}

TEST_CASE("Lines that both texts have stay side by side", "[ui][code]") {
  const auto rows = line_diff({"a", "o", "b ", "c"}, {"a", "x", "y", "b", "c", "d"});
  std::vector<std::pair<int, int>> pairs;
  for (const DiffRow& row : rows) pairs.emplace_back(row.left, row.right);
  CHECK(pairs ==
        std::vector<std::pair<int, int>>{{0, 0}, {1, 1}, {-1, 2}, {2, 3}, {3, 4}, {-1, 5}});
  CHECK(line_diff({}, {}).empty());
  CHECK(line_diff(std::vector<std::string>(3000, "x"), {"x"}).size() == 3000);
}

TEST_CASE("Ticks are round and cover the range", "[ui][plot]") {
  CHECK(nice_ticks(0, 1.42e-3, 5).back() >= 1.42e-3);
  CHECK(nice_ticks(0, 10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(nice_ticks(0, 0, 5).empty());
  CHECK(nice_ticks(0, 1.0 / 0.0, 5).empty());
  CHECK(nice_ticks(1, 1 + 1e-17, 5).empty());
}

TEST_CASE("A recording is written and read back the same", "[ui][recording]") {
  const Recording original = recording("passed");
  const SampleCourse folder;
  const auto path = folder.root() / "copy.jsonl";
  {
    std::ofstream file(path);
    file << recording_head(original.lab, original.note) << '\n';
    for (const RecordedEvent& event : original.events) file << encode_line(event) << '\n';
  }
  const auto copy = read_recording(path);
  REQUIRE(copy);
  CHECK(copy->lab == original.lab);
  REQUIRE(copy->events.size() == original.events.size());
  for (std::size_t i = 0; i < original.events.size(); ++i)
    CHECK(encode_line(copy->events[i]) == encode_line(original.events[i]));
}

TEST_CASE("A broken recording names its line and its file", "[ui][recording]") {
  const SampleCourse folder;
  const auto path = folder.root() / "bad.jsonl";
  const auto error_of = [&](const std::string& text) {
    std::ofstream(path) << text;
    const auto read = read_recording(path);
    REQUIRE_FALSE(read);
    return read.error().what;
  };
  CHECK(error_of("") == "Line 1 of the recording " + path.string() + " is followed by no events.");
  CHECK(error_of("").find("Line 1") == 0);
  CHECK(error_of("[]").find("Line 1") == 0);
  CHECK(error_of("{\"recording\":1}\n{\"at_s\":-1,\"kind\":\"record\"}").find("Line 2") == 0);
  CHECK(error_of("{\"recording\":1}\n{\"at_s\":0,\"kind\":\"explode\"}").find("explode") !=
        std::string::npos);
  CHECK(error_of("{\"recording\":1}\n{\"at_s\":0,\"kind\":\"" + std::string(100'000, 'x') + "\"}")
            .size() < 400);
  CHECK(error_of("{\"recording\":1}\n{\"at_s\":0,\"kind\":\"record\",\"record\":{}}")
            .find("Line 2") == 0);
  CHECK(error_of("{\"recording\":1}\n{\"at_s\":0,\"result\":{}}").find("Line 2") == 0);
  CHECK(error_of("{\"recording\":1}\n{\"at_s\":0,\"investigation\":[]}").find("Line 2") == 0);
  CHECK(error_of("{\"recording\":1}\n" + std::string(200'000, '[')).find("Line 2") == 0);
  CHECK_FALSE(read_recording(folder.root() / "absent.jsonl"));
}

TEST_CASE("What the next goal asks is told with its number", "[ui][words]") {
  const Run run = played("passed");
  const CheckResult& result = *run.result;
  const RungResult* next = next_rung(result.rungs);
  REQUIRE(next);
  CHECK(next->name == "as fast as a copy");
  CHECK(title_of_gate(next->gates.front()) == "Time: share of Copy within device memory");
  CHECK(seen_words(next->gates.front()) == "84.2 %, wanted ≥ 95 %");
  Gate unseen = next->gates.front();
  unseen.measured.reset();
  CHECK(seen_words(unseen).empty());
}

}  // namespace klab::ui
