// The simulator's second look, at real kernel files.
#include "core/check/second_look.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/build/plugin_builder.hpp"
#include "support/checking.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;

namespace {

/// What a look at a file of the lab's solutions sees, at the sizes that every check tries.
SecondLook look_at(const std::string& lab_folder, const std::string& name, const Tree& tree) {
  test::require_backend(Backend::simulator);
  const auto lab = load_lab(KLAB_SOURCE_DIR, lab_folder);
  const auto toolchain = find_toolchain(test::tree());
  REQUIRE(lab);
  REQUIRE(toolchain);
  const auto workload = build_workload(test::tree(), *toolchain, *lab, default_compute_capability);
  const auto built = build_plugin(test::tree(), *toolchain, *lab, VariantName(name),
                                  lab->solutions() / (name + ".cu"), default_compute_capability);
  REQUIRE(workload);
  REQUIRE(built);
  const std::atomic<bool> canceled = false;
  return second_look(tree,
                     {.phase = Phase::verify,
                      .lab = lab->id,
                      .workload = workload->library.string(),
                      .plugins = {{VariantName::mine, built->library.string()}},
                      .sizes = lab->sizes.checking},
                     {}, {}, canceled);
}

}  // namespace

TEST_CASE("a second look sees a race, and where", "[runner][second-look]") {
  const SecondLook look = look_at("01_divergence", "wrong_race", test::tree());
  REQUIRE_FALSE(look.findings.empty());
  CHECK(look.findings.front().line);
  CHECK(look.not_looked == "");
}

TEST_CASE("a second look at a right kernel sees nothing", "[runner][second-look]") {
  const SecondLook look = look_at("02_coalescing", "optimized", test::tree());
  CHECK(look.findings.empty());
  CHECK(look.not_looked == "");
}

TEST_CASE("a second look sees work that nobody joined", "[runner][second-look]") {
  const SecondLook look = look_at("23_pinned_overlap", "wrong_not_joined", test::tree());
  REQUIRE(look.unjoined);
  CHECK(look.unjoined->problem == ResultProblem::unjoined_stream);
  CHECK_FALSE(look_at("23_pinned_overlap", "fair_three_streams", test::tree()).unjoined);
}

TEST_CASE("a second look without a simulator says so", "[runner][second-look]") {
  const test::TemporaryFolder folder;
  Tree elsewhere = test::tree();
  elsewhere.build = folder.path();
  const SecondLook look = look_at("02_coalescing", "optimized", elsewhere);
  CHECK(look.findings.empty());
  CHECK(look.not_looked == "it is not built here");
}
