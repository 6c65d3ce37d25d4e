// The labs of the course beside what was recorded of them; one that never was is skipped by name.
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/record/results.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/base/files.hpp"
#include "core/lesson/figure.hpp"
#include "core/record/agreement.hpp"
#include "support/course_under_test.hpp"
#include "support/dynamic_tests.hpp"

using namespace klab;
using namespace klab::test;

namespace {

/// Another day's run, or another GPU of the kind, differs by less.
constexpr double margin = 0.03;

bool holds_with_margin(const CauseTarget& cause, double value) {
  const Bound& bound = cause.target;
  // Nothing is better than the best there is: all 32 threads of a warp, say.
  const Metric* metric = find_metric(cause.metric);
  if (metric && metric->ideal && value == *metric->ideal) return true;
  switch (bound.relation) {
    case Bound::Relation::at_most:
      return value <= bound.value * (1 - margin);
    case Bound::Relation::at_least:
      return value >= bound.value * (1 + margin);
    case Bound::Relation::equal:
      break;
  }
  return value == bound.value;
}

/// The share of a ceiling that the run was judged by, as a fraction.
std::optional<double> share_of(const CheckResult& run, const std::string& ceiling) {
  std::vector<Gate> gates = run.gates;
  for (const RungResult& rung : run.rungs)
    gates.insert(gates.end(), rung.gates.begin(), rung.gates.end());
  for (const Gate& gate : gates)
    if (gate.subject == ceiling && gate.measured) return *gate.measured / 100;
  return std::nullopt;
}

void reaches(const CheckResult& run, const Rung& rung) {
  INFO(run.lab << ": " << rung.name);
  for (const CauseTarget& cause : rung.causes) {
    const auto& counters = run.counters.at(VariantName::mine);
    const auto counter = counters.find(cause.metric);
    INFO(cause.metric);
    if (counter == counters.end()) {
      WARN(run.lab << ": " << cause.metric << " was not asked for when this was recorded");
      continue;
    }
    REQUIRE(counter->second.value);
    CHECK(holds_with_margin(cause, *counter->second.value));
  }
  if (rung.time.speedup) {
    REQUIRE(run.timing.ratio);
    CHECK(run.timing.ratio->low >= *rung.time.speedup * (1 + margin));
  }
  if (rung.time.ceiling) {
    const auto share = share_of(run, rung.time.ceiling->of);
    REQUIRE(share);
    CHECK(*share >= rung.time.ceiling->at_least * (1 + margin));
  }
}

/// The last rung of a lab with a stretch file is that file's to reach.
void reaches_its_rungs(const RecordedResults& results, const Lab& lab, const CheckResult& run) {
  std::vector<Rung> due = lab.rungs;
  for (const Variant& variant : variants(lab)) {
    if (!variant.name.starts_with("stretch_")) continue;
    if (const CheckResult* stretch = find_run(results, lab.id, variant.name))
      reaches(*stretch, due.back());
    due.pop_back();
    break;
  }
  for (const Rung& rung : due) reaches(run, rung);
}

const AllResults& recordings() {
  static const AllResults read = load_results(tree().root);
  return read;
}

/// Skips unless some recording has the lab.
void require_recorded(const Lab& lab) {
  if (std::none_of(recordings().good.begin(), recordings().good.end(),
                   [&](const RecordedResults& results) { return is_recorded(results, lab); }))
    SKIP(lab.id + " was never recorded on a GPU: ./klab course record " + lab.id);
}

void solution_reaches_all(const Lab& lab) {
  require_recorded(lab);
  for (const RecordedResults& results : recordings().good)
    if (const CheckResult* run = find_run(results, lab.id, VariantName::optimized))
      reaches_its_rungs(results, lab, *run);
}

/// A figure without a count is an empty picture.
void figures_were_counted(const Lab& lab) {
  require_recorded(lab);
  for (const auto& path : {lab.lesson(), lab.explanation()}) {
    const auto text = read_file(path);
    REQUIRE(text);
    const auto figures = figures_in(path.filename().string(), *text);
    REQUIRE(figures);
    for (const FigureRequest& request : *figures) {
      const LessonFigure figure = make_figure(request, lab, recordings().good);
      for (const FigurePart& part : figure.parts)
        for (const FigureRow& row : part.rows) {
          INFO(path.filename() << ", \"" << request.title << "\", " << part.metric << ", "
                               << row.variant.name());
          CHECK(row.value);
          if (figure.kind == FigureKind::sectors) CHECK(row.used_pct);
        }
    }
  }
}

/// Of this lab alone.
void digests_match(const Lab& lab) {
  require_recorded(lab);
  Course alone;
  alone.labs = {lab};
  for (const RecordedResults& results : recordings().good) {
    RecordedResults its = results;
    std::erase_if(its.runs, [&](const CheckResult& run) { return run.lab != lab.id; });
    for (const std::string& line : stale_runs(its, alone)) FAIL_CHECK(line);
  }
}

void counts_were_compared(const Lab& lab) {
  if (!lab.sizes.simulator) SKIP(lab.id + " cannot run on the simulator");
  if (lab.kind == LabKind::measurement) SKIP(lab.id + " is about times, which are not compared");
  const auto compared = load_agreements(tree().root);
  REQUIRE(compared);
  if (std::none_of(compared->begin(), compared->end(),
                   [&](const Agreement& one) { return is_recorded(one, lab.id); }))
    SKIP(lab.id + " was never compared with a GPU: ./klab course agree");
}

const bool records_registered = [] {
  for (const Lab& lab : course_under_test().labs) {
    const std::string prefix = "recorded: " + lab.id + ": ";
    add_test(prefix + "its kernels are those that were recorded", "[course][recorded]",
             [&lab] { digests_match(lab); });
    add_test(prefix + "the solution reaches every rung with a margin", "[course][recorded]",
             [&lab] { solution_reaches_all(lab); });
    add_test(prefix + "every counter of a figure was recorded", "[course][recorded]",
             [&lab] { figures_were_counted(lab); });
    add_test(prefix + "the simulator's counts were compared with a GPU's", "[course][recorded]",
             [&lab] { counts_were_compared(lab); });
  }
  return true;
}();

}  // namespace

TEST_CASE("the recordings can be read, and hold no lab that is gone", "[course][recorded]") {
  REQUIRE(records_registered);
  for (const Error& error : recordings().broken) FAIL_CHECK(error.what);
  for (const RecordedResults& results : recordings().good)
    for (const std::string& line : stale_runs(results, course_under_test()))
      if (line.ends_with("no longer in the course.")) FAIL_CHECK(line);
}

TEST_CASE("no recording names a folder of the machine that it was made on", "[course][recorded]") {
  for (const RecordedResults& results : recordings().good)
    for (const CheckResult& run : results.runs)
      for (const Gate& gate : run.gates)
        for (const char* folder : {"/solutions/", "/kernels/", "/workbook/"}) {
          INFO(run.lab << ", " << run.variant.name());
          CHECK(gate.detail.find(folder) == std::string::npos);
        }
}
