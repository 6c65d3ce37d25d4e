// The simulator's second look, at real kernel files.
#include "core/check/second_look.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/build/plugin_builder.hpp"
#include "core/check/small_device.hpp"
#include "core/course/sizes/first_sizes.hpp"
#include "core/course/sizes/sizes_alike.hpp"
#include "support/checking.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;

namespace {

/// Of lab 05 at its timed size: two sums for each cell and step.
constexpr double timed_flops = 2.0 * 65536 * 200;
/// What is seen is tried here, on any machine; how long it takes is for `klab bench --guards`.
constexpr LookLimits patient{
    .looking = 300, .beyond = 100, .counting = 100, .counting_timed = 100, .side_by_side = true};

/// What a look at a file of the lab's solutions sees, at the sizes that every check tries.
SecondLook look_at(const std::string& lab_folder, const std::string& name, const Tree& tree,
                   bool count = false, const std::vector<Size>& huge = {},
                   std::optional<int> multiprocessors = {}, const std::vector<Size>& beyond = {}) {
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
  const Request verify{.phase = Phase::verify,
                       .lab = lab->id,
                       .workload = workload->library.string(),
                       .plugins = {{VariantName::mine, built->library.string()}},
                       .sizes = looked_sizes(*lab),
                       .beyond = beyond,
                       .huge = huge,
                       .alike = sizes_alike(*lab, 1)};
  std::vector<Request> requests{verify};
  if (multiprocessors) requests.push_back(on_small_device(verify, lab->sizes, *multiprocessors));
  SecondLook look = second_look(tree, requests, canceled, patient);
  if (!count) return look;
  WorkToCount work{verify, lab->sizes.timing, timed_flops};
  work.request.phase = Phase::counters;
  work.request.sizes = {lab->sizes.large(true)};
  work.request.metrics = {"flop_fp32", "flop_fp64", "flop_fp16", "tensor_flop",
                          "warp_instructions"};
  work.request.full_checks = false;
  count_work(tree, work, look, canceled, patient);
  return look;
}

}  // namespace

TEST_CASE("a second look sees a race, and where", "[runner][second-look]") {
  const SecondLook look = look_at("01_divergence", "wrong_race", test::tree());
  REQUIRE_FALSE(look.findings.empty());
  CHECK(look.findings.front().line);
  CHECK(look.not_looked == "");
}

TEST_CASE("a second look sees what a block does wrong from its second tile on",
          "[runner][second-look][whole]") {
  const char* const file = "wrong_length_of_the_first";
  CHECK(look_at("01_divergence", file, test::tree()).findings.empty());
  const SecondLook look = look_at("01_divergence", file, test::tree(), false, {}, 8);
  REQUIRE_FALSE(look.findings.empty());
  CHECK(look.findings.front().kind == FindingKind::out_of_bounds);
  CHECK(look.findings.front().message.find("says to have 8 multiprocessors") != std::string::npos);
}

TEST_CASE("a second look at a right kernel sees nothing", "[runner][second-look]") {
  const SecondLook look = look_at("02_coalescing", "optimized", test::tree());
  CHECK(look.findings.empty());
  CHECK(look.not_looked == "");
}

TEST_CASE("a second look sees work that nobody joined", "[runner][second-look][whole]") {
  const SecondLook look = look_at("23_pinned_overlap", "wrong_not_joined", test::tree());
  REQUIRE(look.unjoined);
  CHECK(look.unjoined->problem == ResultProblem::unjoined_stream);
  CHECK_FALSE(look_at("23_pinned_overlap", "fair_three_streams", test::tree()).unjoined);
}

TEST_CASE("a second look tells of memory that is kept, also where a cause of the lab does",
          "[runner][second-look][whole]") {
  const auto found = look_at("22_alloc_in_loop", "wrong_kept_each_time", test::tree()).findings;
  CHECK(std::ranges::any_of(found, [](const record::Finding& finding) {
    return finding.kind == FindingKind::memory_leak;
  }));
}

TEST_CASE("a second look tells of the host's memory that each launch takes and keeps",
          "[runner][second-look][whole]") {
  const auto kinds = [](const std::string& name) {
    std::vector<FindingKind> kinds;
    for (const record::Finding& finding : look_at("17_block_size", name, test::tree()).findings)
      kinds.push_back(finding.kind);
    return kinds;
  };
#ifndef __SANITIZE_ADDRESS__  // has an allocator of its own, which nobody can listen to
  CHECK(std::ranges::count(kinds("wrong_plan_for_each_launch"), FindingKind::memory_leak) > 0);
#endif
  CHECK(std::ranges::count(kinds("wrong_registers_each_time"), FindingKind::object_leak) > 0);
  CHECK(kinds("fair_plans_of_the_host").empty());
}

TEST_CASE("a second look goes on to sizes beyond the usual ones", "[runner][second-look][whole]") {
  const auto findings = [](const std::vector<Size>& beyond) {
    return look_at("22_alloc_in_loop", "wrong_room_for_4096_steps", test::tree(), false, {}, {},
                   beyond)
        .findings;
  };
  CHECK(findings({}).empty());
  CHECK_FALSE(findings({{257, 5000}}).empty());
}

TEST_CASE("a second look takes what comes out wrong there", "[runner][second-look]") {
  const SecondLook look = look_at("02_coalescing", "wrong_last_words_twice", test::tree());
  REQUIRE(look.wrong);
  // Among the inputs that the seed draws may be infinities, which it loses.
  CHECK(look.wrong->problem != ResultProblem::none);
}

TEST_CASE("a second look tries sizes alike, which have the same addresses on no GPU",
          "[runner][second-look][whole]") {
  const SecondLook wrong = look_at("04_fusion", "wrong_plan_by_blocks", test::tree());
  CHECK((wrong.wrong || !wrong.findings.empty()));
  const SecondLook fair = look_at("04_fusion", "fair_modern_cpp", test::tree());
  CHECK((!fair.wrong && fair.findings.empty()));
}

TEST_CASE("steps of a graph are counted at the size that is timed, some of its blocks for all",
          "[runner][second-look][whole]") {
  const auto counted = [](const std::string& lab, const std::string& name) {
    return look_at(lab, name, test::tree(), true);
  };
  const SecondLook all = counted("05_sync_heavy", "fair_graph");
  REQUIRE(all.counted_timed);
  CHECK(all.share_of_blocks == 1);
  CHECK_FALSE(
      counted_work(all.counted_timed->least, all.counted_timed->values).front().falls_short());
  const SecondLook mean = counted("05_sync_heavy", "deceit_mean_of_a_long_ring");
  REQUIRE(mean.counted);
  REQUIRE(mean.counted_timed);
  CHECK_FALSE(counted_work(mean.counted->least, mean.counted->values).front().falls_short());
  CHECK(counted_work(mean.counted_timed->least, mean.counted_timed->values).front().falls_short());
}

TEST_CASE("a second look sees each huge size in a process of its own",
          "[runner][second-look][whole]") {
  const std::vector<Size> huge = {{70000001, 1}, {2147486051, 1}};
  const SecondLook right = look_at("22_alloc_in_loop", "optimized", test::tree(), false, huge);
  CHECK(right.not_looked == "");
  CHECK(right.findings.empty());
  CHECK_FALSE(right.wrong);
  const SecondLook wrong =
      look_at("22_alloc_in_loop", "wrong_int_places", test::tree(), false, huge);
  CHECK(wrong.not_looked == "");
  CHECK((wrong.wrong || !wrong.findings.empty()));
}

TEST_CASE("a second look without a simulator says so", "[runner][second-look]") {
  const test::TemporaryFolder folder;
  Tree elsewhere = test::tree();
  elsewhere.build = folder.path();
  const SecondLook look = look_at("02_coalescing", "optimized", elsewhere);
  CHECK(look.findings.empty());
  CHECK(look.not_looked == "it is not built here");
}

TEST_CASE("a second look at a size beyond 32-bit indices finds a loop that begins anew there",
          "[runner][second-look][whole]") {
  const SecondLook look =
      look_at("04_fusion", "wrong_unsigned_turns", test::tree(), false, {{12884902391}});
  REQUIRE_FALSE(look.findings.empty());
  CHECK(look.not_looked == "");
}

TEST_CASE("a second look finds a grid that is too large for the largest sizes alone",
          "[runner][second-look][whole]") {
  const std::vector<Size> huge = {{65535, 32771}, {1, 1000000}};
  const SecondLook wrong =
      look_at("24_small_batch", "wrong_bodies_in_y", test::tree(), false, huge);
  REQUIRE(wrong.refused);
  CHECK(wrong.refused->what.find("This is at the size 1 x 1,000,000.") != std::string::npos);
  CHECK_FALSE(look_at("24_small_batch", "optimized", test::tree(), false, huge).refused);
}

TEST_CASE("a second look finds an extent that has fewer bits than the largest sizes take",
          "[runner][second-look][whole]") {
  const SecondLook look = look_at("21_launch_graph", "wrong_packed_lengths", test::tree(), false,
                                  {{70001, 30701}, {70001, 184069}, {1, 12884902391}});
  CHECK_FALSE(look.findings.empty());
}
