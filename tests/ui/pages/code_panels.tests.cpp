// The code page in every state, drawn without a display.
#include <imgui.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <chrono>
#include <fstream>
#include <thread>

#include "core/build/draft/compile_facts.hpp"
#include "ui/app/workbench_view.hpp"
#include "ui/look/widgets.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"
#include "ui/support/scripted_services.hpp"

namespace klab::ui {
TEST_CASE("Flawed and mine are drawn side by side, and after a pass optimized too",
          "[ui][panels]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  session.apply(command::ShowCode{CodeChoice::side_by_side});
  CHECK(session.model().page.shown_code ==
        CodeChoice::mine);  // nothing of the learner's to compare
  session.apply(command::StartLab{});
  session.apply(command::ShowCode{CodeChoice::side_by_side});
  CHECK(session.model().page.shown_code == CodeChoice::side_by_side);
  NullBackend null(1280, 800, 1, Appearance::dark);
  const auto vertices = [&] {
    int count = 0;
    for (int frame = 0; frame < 4; ++frame) {
      Commands commands;
      count = null.frame([&] { draw_workbench(session.model(), commands); });
      CHECK_FALSE(has_duplicates(drawn_controls()));
    }
    return count;
  };
  session.apply(command::ShowPage{Page::code});
  const int two = vertices();
  session.apply(command::RunCheck{});
  session.apply(command::SettlePrediction{true});
  launcher.pending.push_back(std::get<CheckResult>(recording("passed").events.back().event));
  session.tick(1);
  session.apply(command::ShowPage{Page::code});
  session.apply(command::ShowCode{CodeChoice::side_by_side});
  CHECK(vertices() != two);
  CHECK(session.model().page.kernels->optimized.absent.empty());
}

TEST_CASE("The code page draws each state of facts, listings, costs and finding", "[ui][panels]") {
  const ImVec2 size = GENERATE(ImVec2(1280, 800), ImVec2(1920, 1080), ImVec2(640, 480));
  const std::string state =
      GENERATE(as<std::string>{}, "asked", "known", "several", "broken", "no toolkit",
               "listing asked", "listed", "no nvdisasm", "costs", "finding", "going to a line");
  CAPTURE(size.x, state);
  SampleCourse course;
  ScriptedLauncher launcher;
  ScriptedServices services;
  Session session(course.tree(), launcher);
  session.use(services.both());
  session.apply(command::OpenLab{1});
  session.apply(command::StartLab{});
  session.tick(1);
  CompileFacts facts{.number = 1, .compute_capability = ComputeCapability{9, 0}};
  const auto kernel = [](int registers, std::int64_t spilled) {
    return DraftKernel{.report = {.kernel = "(anonymous namespace)::k(Args)",
                                  .registers = registers,
                                  .spill_store_bytes = spilled},
                       .block_threads = 256,
                       .dynamic_shared_bytes = 1024};
  };
  facts.kernels = {kernel(40, state == "several" ? 400 : 0)};
  if (state == "several") facts.kernels.push_back(kernel(20, 0));
  add_occupancy(facts);
  const auto fails = [&](ErrorCode code) {
    facts.kernels.clear();
    facts.error = make_error(code, "A sentence on what is wrong with it.");
    facts.messages = {{"02_coalescing.cu", 7, Severity::error, "identifier \"x\" is undefined"}};
  };
  if (state == "broken") fails(ErrorCode::build_failed);
  if (state == "no toolkit") fails(ErrorCode::no_toolkit);
  if (state != "asked") services.answers.push_back(facts);
  CodeView view;
  if (state.find("list") == 0 || state == "no nvdisasm") view.listing = ListingKind::sass;
  view.line = 4;
  view.finding = state == "finding";
  view.going_to_line = state == "going to a line";
  if (view.finding) view.needle = "row";
  session.apply(command::SetCodeView{view});
  session.tick(2);
  if (state == "listed")
    services.listed.push_back({services.listings.at(0).key,
                               CodeListing{ListingKind::sass,
                                           {{"k:", {}, true},
                                            {"        /*0010*/      @!P0 LDG.E R5, [R4] ;", 4},
                                            {".L_x_1:", {}}}}});
  if (state == "no nvdisasm")
    services.listed.push_back(
        {services.listings.at(0).key, make_error(ErrorCode::no_toolkit, "No nvdisasm.")});
  if (state == "costs") {
    session.apply(command::RunCheck{});
    session.apply(command::SettlePrediction{true});
    launcher.pending.push_back(CheckEvent{
        CheckEvent::Kind::record, Phase::counters,
        Record(record::LineCosts{
            VariantName::mine,
            {{VariantName::mine, "02_coalescing.cu", 4, 10, "sectors", Source::counted, {}}}}),
        ""});
  }
  session.tick(3);
  session.apply(command::ShowPage{Page::code});
  NullBackend null(size.x, size.y, 1, Appearance::light);
  for (int frame = 0; frame < 4; ++frame) {
    Commands commands;
    CHECK(null.frame([&] { draw_workbench(session.model(), commands); }) > 500);
    CHECK_FALSE(has_duplicates(drawn_controls()));
    CHECK(asks_nothing(commands));
  }
}

TEST_CASE("What nvcc makes of the shown text comes to the page", "[ui][panels][code]") {
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  FactsWorker facts({.root = KLAB_SOURCE_DIR, .build = KLAB_BINARY_DIR}, {});
  ScriptedLauncher launcher;
  Session session(Tree{.root = KLAB_SOURCE_DIR}, launcher);
  session.use({&facts, nullptr});
  session.apply(command::OpenLab{1});
  session.apply(command::ShowPage{Page::code});
  session.apply(command::ShowCode{CodeChoice::flawed});
  const FactsState& state = session.model().page.state.facts;
  for (int i = 0; i < 6000 && !state.found; ++i) {
    session.tick(1 + 0.01 * i);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  REQUIRE(state.found);
  CHECK_FALSE(state.found->error);
  REQUIRE(state.found->kernels.size() == 1);
  CHECK(state.found->kernels[0].occupancy);
  NullBackend null(1280, 800, 1, Appearance::light);
  watch_clipped_texts(true);
  for (int frame = 0; frame < 4; ++frame) draw_and_apply(null, session);
  CHECK(clipped_texts().empty());
  watch_clipped_texts(false);
}

TEST_CASE("A click on a line of the listing shows its source line", "[ui][panels]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  ScriptedServices services;
  Session session(course.tree(), launcher);
  session.use(services.both());
  session.apply(command::OpenLab{1});
  session.apply(command::ShowPage{Page::code});
  session.apply(command::ShowCode{CodeChoice::flawed});
  CodeView view;
  view.listing = ListingKind::ptx;
  session.apply(command::SetCodeView{view});
  session.tick(1);
  CodeListing listing;
  for (int line = 1; line <= 200; ++line) listing.lines.push_back({"ld.global.f32;", 5});
  services.listed.push_back({services.listings.at(0).key, listing});
  session.tick(2);
  NullBackend null(1280, 800, 1, Appearance::light);
  const auto draw = [&] { draw_and_apply(null, session); };
  draw();
  click(1000, 650, draw);
  CHECK(session.model().page.state.view.line == 5);
  CHECK(session.model().page.goto_line == 5);
  click(500, 650, draw);  // the source, left of it
  CHECK(session.model().page.state.view.line > 5);
}

}  // namespace klab::ui
