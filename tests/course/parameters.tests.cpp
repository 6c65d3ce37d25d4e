// The parameters of the labs: each kernel that uses one is right at both ends of its range, and a
// sweep of them shows what the lab says.
#include "support/checking.hpp"
#include "support/course_under_test.hpp"
#include "support/dynamic_tests.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/base/files.hpp"
#include "core/check/prepared_lab.hpp"
#include "core/investigate/sweep.hpp"

using namespace klab;
using namespace klab::test;

namespace {

namespace fs = std::filesystem;

/// Checks flawed and optimized with the constant set as a sweep sets it. Each file keeps its place
/// among the test's results, so that the next run finds its library built.
void is_right_at_both_ends(const Lab& lab, const Parameter& parameter) {
  require_runnable(lab, Backend::simulator);
  const fs::path folder = fs::path(KLAB_BINARY_DIR) / "tests" / "parameters" / lab.folder;
  fs::create_directories(folder);
  int users = 0;
  for (const Variant& variant : variants(lab)) {
    const auto text = read_file(variant.path);
    REQUIRE(text);
    if (text->find("#ifndef " + parameter.define + "\n") == std::string::npos) continue;
    ++users;
    for (const std::int64_t value : {parameter.values.front(), parameter.values.back()}) {
      const std::string define = parameter.define + " " + std::to_string(value);
      const fs::path tried = folder / (variant.name.name() + " " + define + ".cu");
      REQUIRE(write_file(tried, "#define " + define + "\n" + *text));
      const CheckResult result = run_check(lab, {VariantName("tried"), tried}, Backend::simulator);
      INFO(variant.name.name() << " with " << parameter.define << " " << value << "\n"
                               << describe(result));
      CHECK(outcome_of(result, GateName::correct) == Outcome::pass);
    }
  }
  CHECK(users > 0);
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
