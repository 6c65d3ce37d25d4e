// Roofline, sweep, device and occupancy pages with numbers of every kind, drawn without a display.
#include <imgui.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>

#include "ui/app/workbench_view.hpp"
#include "ui/look/plot_frame.hpp"
#include "ui/look/widgets.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"

namespace klab::ui {
namespace {

RooflineKernel kernel(const VariantName& variant, double seconds, double bytes, double flops) {
  RooflineKernel one{.variant = variant, .seconds = Interval{seconds, seconds, seconds}};
  one.bytes[MemoryLevel::dram] = {bytes};
  one.bytes[MemoryLevel::l2] = {2 * bytes};
  one.bytes[MemoryLevel::l1] = {
      std::nullopt, Source::measured, {MissingKind::not_on_chip, "TU102"}};
  one.flops[Arithmetic::fp32] = {flops};
  return one;
}

Roofline ordinary() {
  Roofline roofline;
  roofline.ceilings = {"Round GPU",
                       100,
                       "580.1",
                       "2026-01-01T00:00:00Z",
                       {{"dram_read", 1e12}, {"l2_read", 4e12}, {"fp32_fma", 20e12}}};
  roofline.kernels = {kernel(VariantName::flawed, 1.0, 9e11, 1e11),
                      kernel(VariantName::mine, 0.2, 1.5e11, 1e11),
                      kernel(VariantName::optimized, 0.1, 0.9e11, 1e11)};
  roofline.least_bytes = 0.9e11;
  roofline.least_flops = 1e11;
  roofline.notes = {"Timed in batches."};
  return roofline;
}

Roofline without_ceilings() {
  Roofline roofline = ordinary();
  roofline.ceilings = {};
  return roofline;
}

Roofline of_a_copy() {
  Roofline roofline = ordinary();
  for (RooflineKernel& one : roofline.kernels) one.flops[Arithmetic::fp32] = {0.0};
  return roofline;
}

Roofline impossible() {
  Roofline roofline = ordinary();
  roofline.kernels[1].seconds = Interval{1e-9, 1e-9, 1e-9};
  return roofline;
}

Roofline uncounted() {
  Roofline roofline = ordinary();
  for (RooflineKernel& one : roofline.kernels) one.bytes.clear(), one.flops.clear();
  return roofline;
}

Sweep swept(int points, bool timed) {
  Sweep sweep{
      .parameter = "size", .label = "rows", .variants = {VariantName::flawed, VariantName::mine}};
  sweep.metrics = {"flop_fp32"};
  for (int i = 0; i < points; ++i) {
    SweepPoint point{.value = std::int64_t{1} << i, .size = {std::int64_t{1} << i, 3}};
    const double ratio = 0.5 * (1 + i);
    if (timed) {
      point.seconds = {{VariantName::flawed, {ratio * 1e-5, ratio * 1e-5, ratio * 1.1e-5}},
                       {VariantName::mine, {1e-5, 1e-5, 1e-5}}};
      point.ratio[VariantName::mine] = {ratio, 0.98 * ratio, 1.02 * ratio};
    }
    point.counters[VariantName::flawed]["flop_fp32"] = {
        static_cast<double>(i), Source::counted, {}};
    sweep.points.push_back(point);
  }
  if (points > 1) sweep.points.back().error = make_error(ErrorCode::out_of_memory, "Too large.");
  sweep.notes = {"Larger sizes were left out."};
  return sweep;
}

/// A session whose open lab has been investigated.
template <class Found>
struct Shown {
  Shown(InvestigationKind kind, Found found, Backend backend, Page page)
      : session(course.tree(), launcher) {
    session.tick(0);
    session.apply(command::OpenLab{1});
    session.apply(command::Investigate{kind});
    Investigation investigation{.kind = kind, .lab = "02-coalescing", .backend = backend};
    investigation.device.name = "Round GPU";
    investigation.found = std::move(found);
    launcher.pending.push_back(investigation);
    session.tick(1);
    session.apply(command::ShowPage{page});
  }
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session;
};

/// Draws the page a few times while the pointer wanders over it, so that every hover is met.
void draw_everywhere(Session& session, float width, float height) {
  NullBackend null(width, height, 1, Appearance::dark);
  for (int frame = 0; frame < 120; ++frame) {
    const float x = width * static_cast<float>(frame % 12 + 1) / 13;
    const float y = height * static_cast<float>(frame / 12 + 1) / 11;
    ImGui::GetIO().AddMousePosEvent(x, y);
    Commands commands;
    const int vertices = null.frame([&] { draw_workbench(session.model(), commands); });
    if (frame > 0) CHECK(vertices > 500);  // cards find their height in the first
    CHECK(asks_nothing(commands));
    auto ids = drawn_controls();
    std::sort(ids.begin(), ids.end());
    CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
  }
}

}  // namespace

TEST_CASE("The roofline page draws whatever was found", "[ui][roofline]") {
  const auto found = GENERATE(0, 1, 2, 3, 4);
  const auto backend = GENERATE(Backend::gpu, Backend::simulator);
  CAPTURE(found, backend);
  const Roofline rooflines[] = {ordinary(), without_ceilings(), of_a_copy(), impossible(),
                                uncounted()};
  Shown shown(InvestigationKind::roofline, rooflines[found], backend, Page::roofline);
  draw_everywhere(shown.session, 1280, 800);
  if (found == 0) draw_everywhere(shown.session, 640, 480);
}

TEST_CASE("The sweep page draws one point, many, and points without a time", "[ui][sweep]") {
  const int points = GENERATE(0, 1, 14);
  const bool timed = GENERATE(true, false);
  CAPTURE(points, timed);
  Shown shown(InvestigationKind::sweep, swept(points, timed), backend_of(!timed), Page::sweep);
  draw_everywhere(shown.session, 1280, 800);
  if (points == 14) draw_everywhere(shown.session, 640, 480);
}

TEST_CASE("A replayed recording shows its own ceilings, never those of this machine",
          "[ui][device]") {
  Shown shown(InvestigationKind::roofline, ordinary(), Backend::gpu, Page::device);
  Model model = shown.session.model();
  model.machine.report.ceilings.values = {{"dram_read", 3e11}};
  CHECK(model.ceilings().value("dram_read") == 3e11);
  model.replaying = "Round GPU";
  CHECK(model.ceilings().value("dram_read") == 1e12);
  model.investigations.found.clear();
  CHECK(model.ceilings().values.empty());
}

TEST_CASE("The device page draws what the driver reports, and what it does not", "[ui][device]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  DeviceFacts facts{
      .name = "Round GPU", .compute_capability = ComputeCapability{9, 0}, .driver = "580.1"};
  session.apply(command::ShowPage{Page::device});
  draw_everywhere(session, 1280, 800);
  session.set_device(Chosen{false, facts});
  DeviceReport report;
  report.health = {healthy("driver", "There."),
                   unhealthy("counters", make_error(ErrorCode::profiler_denied, "Denied."))};
  session.take(report);
  draw_everywhere(session, 640, 480);
  record::DeviceSample sample{.at_s = 1, .sm_clock_mhz = 1980, .power_w = 312};
  sample.power_limit_w = 700;
  sample.throttle_reasons = {"power cap", "a reason of the future"};
  report.samples.assign(300, sample);
  report.samples.push_back({.at_s = 2, .held = true});
  report.ceilings = ordinary().ceilings;
  session.take(report);
  draw_everywhere(session, 1280, 800);
  report.problem = make_error(ErrorCode::unsupported, "NVML does not answer.");
  session.take(report);
  draw_everywhere(session, 1280, 800);
  facts.simulated = true;
  session.set_device(Chosen{true, facts});
  draw_everywhere(session, 1280, 800);
}

TEST_CASE("The device page measures the ceilings by a key, tells how far, and can be stopped",
          "[ui][device]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::ShowPage{Page::device});
  NullBackend null(1280, 800, 1, Appearance::light);
  const auto press = [&](ImGuiKey key) {
    for (const bool down : {true, false}) {
      ImGui::GetIO().AddKeyEvent(key, down);
      for (int frame = 0; frame < 2; ++frame) {
        Commands commands;
        null.frame([&] { draw_workbench(session.model(), commands); });
        for (const Command& command : commands) session.apply(command);
      }
    }
  };
  const Model& model = session.model();
  DeviceFacts gpu{.name = "Round GPU", .compute_capability = ComputeCapability{9, 0}};
  DeviceFacts simulated = gpu;
  simulated.simulated = true;
  session.set_device(Chosen{true, simulated});
  press(ImGuiKey_M);
  CHECK(launcher.measured.empty());  // there is nothing to measure

  session.set_device(Chosen{false, gpu});
  press(ImGuiKey_M);
  REQUIRE(launcher.measured.size() == 1);
  CHECK(launcher.measured.front().device.name == "Round GPU");
  REQUIRE(model.machine.measuring);
  CHECK(model.running());
  CHECK(window_title(model).find("measuring the ceilings") != std::string::npos);
  launcher.pending.push_back(
      CheckEvent{CheckEvent::Kind::phase_started, Phase::ceilings, {}, "measuring dram, 2 of 9"});
  session.tick(1);
  CHECK(model.machine.measuring->text == "measuring dram, 2 of 9");
  press(ImGuiKey_M);
  CHECK(launcher.measured.size() == 1);  // one at a time
  press(ImGuiKey_Escape);
  CHECK(launcher.canceled == 1);
  CHECK(model.machine.measuring->canceling);
  launcher.pending.push_back(Result<Ceilings>(make_error(ErrorCode::canceled, "Stopped.")));
  session.tick(2);
  CHECK_FALSE(model.running());
  CHECK_FALSE(model.machine.measuring_problem);  // it was the user's wish

  press(ImGuiKey_M);
  launcher.pending.push_back(Result<Ceilings>(make_error(ErrorCode::crash, "The runner died.")));
  session.tick(3);
  REQUIRE(model.machine.measuring_problem);
  press(ImGuiKey_M);
  CHECK_FALSE(model.machine.measuring_problem);
  launcher.pending.push_back(Result<Ceilings>(ordinary().ceilings));
  session.tick(4);
  CHECK(model.machine.report.ceilings.values.size() == 3);
  CHECK_FALSE(model.running());
}

TEST_CASE("Clusters and barriers are on the occupancy page from 9.0 on only", "[ui][occupancy]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.set_device(Chosen{false,
                            {.name = "Round GPU",
                             .compute_capability = ComputeCapability{9, 0},
                             .multiprocessors = 132}});
  session.apply(command::ShowPage{Page::occupancy});
  const auto controls = [&](ComputeCapability capability, std::optional<int> cluster) {
    OccupancyInput input;
    input.compute_capability = capability;
    input.cluster_blocks = cluster;
    session.apply(command::SetOccupancy{input});
    NullBackend null(1280, 1600, 1, Appearance::light);
    std::size_t drawn = 0;
    for (int frame = 0; frame < 3; ++frame) {
      Commands commands;
      null.frame([&] { draw_workbench(session.model(), commands); });
      CHECK(asks_nothing(commands));
      drawn = drawn_controls().size();
    }
    return drawn;
  };
  const std::size_t earlier = controls({8, 9}, std::nullopt);
  CHECK(controls({9, 0}, std::nullopt) == earlier + 2);  // two sliders more
  CHECK(controls({9, 0}, 8) == earlier + 3);             // and the curve of clusters
}

TEST_CASE("The last launch of a check fills in the block size", "[ui][occupancy]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  session.apply(command::StartLab{});
  session.apply(command::RunCheck{});
  session.apply(command::SettlePrediction{true});
  const auto tell = [&](const VariantName& variant, int threads) {
    launcher.pending.push_back(
        CheckEvent{.kind = CheckEvent::Kind::record,
                   .phase = Phase::counters,
                   .record = record::Launched{.variant = variant, .block_threads = threads}});
    session.tick(1);
  };
  CHECK_FALSE(session.model().occupancy.measured_launch);
  tell(VariantName::flawed, 64);
  CHECK_FALSE(session.model().occupancy.measured_launch);
  tell(VariantName::mine, 192);
  REQUIRE(session.model().occupancy.measured);
  CHECK(session.model().occupancy.measured->block_threads == 192);
  CHECK(session.model().occupancy.measured_launch);
  const OccupancyPage& page = session.model().occupancy;
  CHECK_FALSE(page.shows_kernel());
  const auto end = [&] {
    launcher.pending.push_back(std::get<CheckResult>(recording("passed").events.back().event));
    session.tick(2);
  };
  end();  // the calculator begins with what was found
  CHECK(page.shows_kernel());
  CHECK(page.input.block_threads == 192);
  CHECK(page.input.registers_per_thread == 24);
  OccupancyInput other = page.input;
  other.block_threads = 64;
  session.apply(command::SetOccupancy{other});
  session.apply(command::RunCheck{});
  end();
  CHECK(page.input.block_threads == 64);  // what was chosen stays
  session.apply(command::SetOccupancy{page.of_kernel()});
  CHECK(page.shows_kernel());
  CHECK_FALSE(page.chosen);
}

TEST_CASE("A sweep asks for what was chosen, and another lab begins anew", "[ui][sweep]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  session.apply(command::SetSweep{{.parameter = "block size", .values = {64}}});
  session.apply(command::Investigate{InvestigationKind::sweep});
  REQUIRE(launcher.investigated.size() == 1);
  CHECK(launcher.investigated[0].sweep.parameter == "block size");
  session.apply(command::OpenLab{0});
  CHECK(session.model().investigations.sweep.parameter == size_parameter);
}

TEST_CASE("Logarithmic axes cover their values with few ticks", "[ui][plot]") {
  CHECK(power_ticks(1, 1000, 10, 9) == std::vector<double>{1, 10, 100, 1000});
  CHECK(power_ticks(1, 1024, 2, 4).size() <= 4);
  CHECK(power_ticks(0, 10, 10, 4).empty());
  CHECK(power_ticks(10, 1, 10, 4).empty());
  const Axis axis = log_axis({0, -1, NAN, 4, 64}, 2, 9);
  CHECK(axis.low < 4);
  CHECK(axis.low > 2);
  CHECK(axis.high > 64);
  CHECK(axis.ticks == std::vector<double>{4, 8, 16, 32, 64});
  CHECK(straight_axis({4, 4, 4}, 4).high > 4);
  CHECK(straight_axis({0, 0}, 4).high == 1);
  CHECK(straight_axis({}, 4).high == 1);
  const Axis nothing = log_axis({}, 10, 5);
  CHECK(nothing.low > 0);
  CHECK(nothing.high > nothing.low);
}

}  // namespace klab::ui
