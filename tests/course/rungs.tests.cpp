// The rungs of the course's labs, held against its recorded runs.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/record/results.hpp"

using namespace klab;

namespace {

/// Another day's run, or another GPU of the kind, differs by less.
constexpr double margin = 0.03;

bool holds_with_margin(const Bound& bound, double value) {
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
    const auto& counters = run.counters.at("candidate");
    const auto counter = counters.find(cause.metric);
    INFO(cause.metric);
    REQUIRE(counter != counters.end());
    REQUIRE(counter->second.value);
    CHECK(holds_with_margin(cause.target, *counter->second.value));
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

}  // namespace

TEST_CASE("the recorded solution reaches every rung of its lab with a margin", "[course]") {
  const AllResults recorded = load_results(KLAB_SOURCE_DIR);
  const Course course = load_course(KLAB_SOURCE_DIR);
  std::size_t held = 0;
  for (const RecordedResults& results : recorded.good)
    for (const Lab& lab : course.labs)
      if (const CheckResult* run = find_run(results, lab.id, "optimized")) {
        reaches_its_rungs(results, lab, *run);
        ++held;
      }
  CHECK(held > 0);
}
