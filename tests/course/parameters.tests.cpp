// The parameters of the labs: each kernel that uses one is right at both ends of its range, and a
// sweep of them shows what the lab says.
#include "support/checking.hpp"
#include "support/course_under_test.hpp"
#include "support/dynamic_tests.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/build/plugin_builder.hpp"
#include "core/check/prepared_lab.hpp"
#include "core/course/parameter_ends.hpp"
#include "core/investigate/sweep.hpp"

using namespace klab;
using namespace klab::test;

namespace {

/// Each file that a sweep of the constant sets is right at this end, as the sweep builds it. Other
/// sizes, drawn and beyond 2^31, are no matter of the constant: the file's own check tries them.
void is_right(const PreparedLab& prepared, const ParameterEnd& end) {
  INFO(end.variant.name.shown() << " with " << end.parameter->define << " " << end.value);
  const std::atomic<bool> canceled = false;
  const auto built = build_plugin(prepared.tree, prepared.toolchain, prepared.lab, end.variant.name,
                                  end.variant.path, prepared.chosen.capability(), &canceled,
                                  Define{end.parameter->define, end.value});
  REQUIRE(built);
  Request request = prepared.request(Phase::verify);
  request.plugins = {{VariantName::mine, built->library.string()}};
  request.sizes = prepared.lab.sizes.checking;
  const PhaseOutcome outcome = prepared.run(request, {}, canceled);
  INFO((outcome.error ? outcome.error->what : ""));
  CHECK_FALSE(outcome.error);
  CHECK(outcome.all<record::Verified>().size() >= request.sizes.size());
  for (const auto& verified : outcome.all<record::Verified>()) {
    INFO(to_string(verified.problem));
    CHECK(verified.correct);
  }
  CHECK(outcome.all<record::Finding>().empty());
}

void is_right_at_both_ends(const Lab& lab, const Parameter& parameter) {
  require_runnable(lab, Backend::simulator);
  const std::atomic<bool> canceled = false;
  const auto prepared = prepare_lab(tree(), lab, {}, Backend::simulator, {}, canceled);
  REQUIRE(prepared);
  int files = 0;
  for (const ParameterEnd& end : parameter_ends(lab)) {
    if (end.parameter != &parameter) continue;
    ++files;
    is_right(*prepared, end);
  }
  CHECK(files > 0);
}

const bool parameters_registered = [] {
  for (const Lab& lab : course_under_test().labs)
    for (const Parameter& parameter : lab.parameters)
      add_test("sim: " + lab.id + ": right with the least and the largest " + parameter.name,
               "[course][sim]", [&] { is_right_at_both_ends(lab, parameter); });
  return true;
}();

}  // namespace

TEST_CASE("the default of a parameter is one of its values", "[course][structure]") {
  for (const Lab& lab : course_under_test().labs) {
    INFO(lab.id);
    for (const Parameter& parameter : lab.parameters)
      CHECK(std::count(parameter.values.begin(), parameter.values.end(), parameter.fallback) == 1);
  }
}

TEST_CASE("a sweep of the register limit shows the spills go, and what the simulator cannot see",
          "[course][sim]") {
  require_backend(Backend::simulator);
  const auto lab = load_lab(tree().root, "03_register_spill");
  REQUIRE(lab);
  const std::atomic<bool> canceled = false;
  const auto prepared = prepare_lab(tree(), *lab, {{VariantName::flawed, lab->flawed()}},
                                    Backend::simulator, {}, canceled);
  REQUIRE(prepared);
  const auto sweep =
      find_sweep(*prepared, {.parameter = "LIMIT", .values = {32, 128}}, {}, canceled);
  REQUIRE(sweep);
  REQUIRE(sweep->points.size() == 2);
  const Counters& tight = sweep->points[0].counters.at(VariantName::flawed);
  CHECK(tight.at("spill_bytes").value >= 200);
  CHECK_FALSE(tight.at("sectors_of_minimum").value);  // never a total without what was not seen
  const Counters& wide = sweep->points[1].counters.at(VariantName::flawed);
  CHECK(wide.at("spill_bytes").value == 0);
  CHECK(wide.at("sectors_of_minimum").value == 1.0);
}
