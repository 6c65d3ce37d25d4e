// The diagnosis page and the "why" of a result: drawn from a synthetic recording, driven by clicks.
#include <imgui.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <optional>
#include <stdexcept>

#include "core/base/sha256.hpp"
#include "ui/app/workbench_view.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/diagnosis_words.hpp"
#include "ui/pages/investigations/stall_bars.hpp"
#include "ui/pages/panels.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"

namespace klab::ui {
namespace {

using Catch::Matchers::ContainsSubstring;

Investigation synthetic() {
  for (const RecordedEvent& event : recording("stalls").events)
    if (const auto* found = std::get_if<Investigation>(&event.event)) return *found;
  throw std::runtime_error("no investigation in the recording");
}

/// The window on the diagnosis page of lab 2 with what was found.
struct DiagnosisPage {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session{course.tree(), launcher};
  NullBackend null;

  explicit DiagnosisPage(Investigation found, ImVec2 size = ImVec2(1280, 2400),
                         bool changed = false)
      : null(size.x, size.y, 1, Appearance::light) {
    session.apply(command::OpenLab{1});
    session.apply(command::StartLab{});
    session.apply(command::ShowPage{Page::diagnosis});
    session.apply(command::Investigate{InvestigationKind::stalls});
    found.source_digests[VariantName::mine] =
        changed ? "of other code" : sha256(session.model().page.kernels->mine.text);
    launcher.pending.push_back(std::move(found));
    session.tick(0.1);
  }
  /// What one frame asked for.
  Commands frame() {
    Commands commands;
    CHECK(null.frame([&] { draw_workbench(session.model(), commands); }) > 500);
    auto ids = drawn_controls();
    std::erase(ids, 0u);
    std::sort(ids.begin(), ids.end());
    CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
    return commands;
  }
};

template <class T>
const T* find_command(const Commands& commands) {
  for (const Command& command : commands)
    if (const T* match = std::get_if<T>(&command)) return match;
  return nullptr;
}

}  // namespace

TEST_CASE("the diagnosis page draws at every size, and with parts missing", "[ui][diagnosis]") {
  const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(1920, 1200), ImVec2(640, 480));
  Investigation found = synthetic();
  SECTION("complete") {}
  SECTION("without samples") { std::get<StallReport>(found.found).samples.clear(); }
  SECTION("without counters") {
    for (KernelFacts& facts : std::get<StallReport>(found.found).facts) facts.counters.clear();
  }
  SECTION("without facts") { std::get<StallReport>(found.found).facts.clear(); }
  SECTION("of an unknown reason and without lines") {
    for (StallSamples& samples : std::get<StallReport>(found.found).samples)
      for (StallPc& pc : samples.pcs) {
        pc.by_reason = {{"reason_of_tomorrow", 5}};
        pc.line.reset();
      }
  }
  SECTION("simulated") {
    for (KernelFacts& facts : std::get<StallReport>(found.found).facts) facts.simulated = true;
  }
  DiagnosisPage page(found, size);
  for (int i = 0; i < 4; ++i) CHECK(page.frame().empty());
}

TEST_CASE("a hot line of mine leads to the line in the editor, while the code is what was sampled",
          "[ui][diagnosis]") {
  const bool changed = GENERATE(false, true);
  CAPTURE(changed);
  DiagnosisPage page(synthetic(), ImVec2(1280, 2400), changed);
  for (int i = 0; i < 3; ++i) page.frame();
  // Clicked all the way down until a line answers.
  std::optional<int> line;
  for (float y = 200; y < 2380 && !line; y += 8) {
    ImGui::GetIO().AddMousePosEvent(1000, y);
    page.frame();
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    page.frame();
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    const Commands commands = page.frame();
    if (const auto* go = find_command<command::GoToLine>(commands)) line = go->line;
  }
  CHECK(line == (changed ? std::nullopt : std::optional(13)));  // the hottest one comes first
}

TEST_CASE("headings say what limits, and what is missing is told once by its reason",
          "[ui][diagnosis]") {
  Diagnosis diagnosis;
  CHECK_THAT(diagnosis_title(diagnosis), ContainsSubstring("cannot be told"));
  diagnosis.bottleneck = Bottleneck::memory;
  diagnosis.level = MemoryUnit::l2;
  CHECK(diagnosis_title(diagnosis) == "Limited by L2");
  CHECK(lacks_words(diagnosis).empty());
  diagnosis.lacks = {{"Time", "not measured"}, {"L1", "needs a GPU"}, {"L2", "needs a GPU"}};
  CHECK(lacks_words(diagnosis) == "Judged without: Time (not measured); L1, L2 (needs a GPU).");
}

}  // namespace klab::ui
