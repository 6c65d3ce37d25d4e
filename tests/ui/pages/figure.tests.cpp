// Figures of a lesson in the window: every kind, any width, with and without counts.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "core/course/workbook.hpp"
#include "ui/session/library.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"
#include "ui/text/figure_plot.hpp"

namespace klab::ui {
namespace {

LessonFigure figure_of(FigureKind kind, std::optional<double> value) {
  LessonFigure figure{.kind = kind, .title = "A title that says what the picture shows"};
  figure.recorded = "Flawed and optimized: recorded on a test, 2026-01-01.";
  figure.parts = {{.metric = "global_load_sectors_per_request",
                   .label = "Sectors per global load request",
                   .unit = "sectors",
                   .target = "<= 16.5",
                   .target_value = 16.5,
                   .full = 32,
                   .rows = {{VariantName::flawed, value, 12.5}, {VariantName::mine, value, {}}}}};
  return figure;
}

int vertices_of(NullBackend& null, const LessonFigure& figure, float width) {
  return null.frame([&] {
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("figure", nullptr, ImGuiWindowFlags_NoDecoration);
    draw_figure(figure, width);
    ImGui::End();
  });
}

/// The figure of the open lesson; the test fails if there is none.
const LessonFigure& figure_in(const Model& model) {
  for (const markdown::Block& block : model.page.lesson)
    if (block.kind == markdown::Block::Kind::figure) return block.figure.value();
  throw std::runtime_error("the lesson has no figure");
}

}  // namespace

TEST_CASE("A figure of any kind draws more where there is something to show", "[ui][figure]") {
  const FigureKind kind = GENERATE(FigureKind::bars, FigureKind::lanes, FigureKind::sectors);
  const float width = GENERATE(120.0f, 560.0f, 720.0f);
  CAPTURE(static_cast<int>(kind), width);
  NullBackend null(1280, 800, 1, Appearance::dark);
  vertices_of(null, figure_of(kind, 1), width);  // the window's first frame is empty
  const int missing = vertices_of(null, figure_of(kind, std::nullopt), width);
  const int little = vertices_of(null, figure_of(kind, 0), width);
  const int much = vertices_of(null, figure_of(kind, 32), width);
  CHECK(little > missing);
  CHECK(much > little);
  CHECK(vertices_of(null, figure_of(kind, 1e30), width) < 20'000);
}

TEST_CASE("The figure of a lesson follows the learner's attempts", "[ui][figure]") {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session(course.tree(), launcher);
  session.apply(command::OpenLab{1});
  const Model& model = session.model();
  REQUIRE(model.lab()->id == "02-coalescing");
  CHECK(figure_in(model).recorded.starts_with("No recorded run"));
  CHECK(figure_in(model).own.empty());
  JournalEntry entry;
  entry.lab = "02-coalescing";
  entry.variant = VariantName::mine;
  entry.device = "a test";
  entry.gates = {
      {.name = GateName::cause, .subject = "global_load_sectors_per_request", .measured = 7.5}};
  REQUIRE(Journal(workbook_folder(course.root())).append(entry));
  session.tick(10);
  REQUIRE(figure_in(model).parts[0].rows.size() == 3);
  CHECK(figure_in(model).parts[0].rows[1].value == 7.5);
  CHECK(figure_in(model).own.starts_with("Mine: your last attempt, on a test."));
}

}  // namespace klab::ui
