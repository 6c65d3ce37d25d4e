// What a machine can check of a lab follows from the sources of its counters.
#include "core/check/checkable.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

Lab lab_of(std::vector<std::string> metrics) {
  Lab lab;
  lab.sizes.simulator = Size{1};
  for (std::string& metric : metrics) lab.pass().causes.push_back({.metric = std::move(metric)});
  return lab;
}

CheckingMachine gpu() {
  return {.device =
              DeviceFacts{.name = "Fixture GPU", .compute_capability = ComputeCapability{9, 0}}};
}
CheckingMachine simulator() {
  return {.device = DeviceFacts{
              .name = "sim", .compute_capability = ComputeCapability{9, 0}, .simulated = true}};
}
CheckingMachine refused() {
  CheckingMachine machine = gpu();
  machine.counter_obstacle = make_error(ErrorCode::profiler_denied, "Refused.", "Permit it.");
  return machine;
}

const Lab coalescing = lab_of({"global_load_sectors_per_request"});
const Lab spills = lab_of({"spill_bytes", "l2_hit_pct"});
const Lab syncs = lab_of({"host_synchronizations"});
const Lab hits = lab_of({"l2_hit_pct"});

}  // namespace

TEST_CASE("a GPU checks everything, the simulator causes only", "[core][checkable]") {
  CHECK(what_can_be_checked(coalescing, gpu()).words == "time and counters");
  CHECK(what_can_be_checked(coalescing, simulator()).words == "cause only, no time");
  CHECK(what_can_be_checked(spills, simulator()).words == "part of the cause");
  CHECK(what_can_be_checked(hits, simulator()).words == "results only");
}

TEST_CASE("refused counters leave the time and what needs no permission", "[core][checkable]") {
  CHECK(what_can_be_checked(coalescing, refused()).words == "time only");
  CHECK(what_can_be_checked(spills, refused()).words == "time, part of the cause");
  CHECK(what_can_be_checked(syncs, refused()).words == "time and cause");
  CHECK_THAT(shell_words(what_can_be_checked(coalescing, refused()).why),
             ContainsSubstring("Permit it."));
}

TEST_CASE("a benchmark's agreement needs no counters, and without a GPU a clock that counts",
          "[core][checkable]") {
  Lab benchmark = lab_of({"reported_error_pct"});
  benchmark.kind = LabKind::measurement;
  CHECK(what_can_be_checked(benchmark, refused()).words == "time and cause");
  CHECK(what_can_be_checked(benchmark, simulator()).words == "cause only, no time");
  CHECK_THAT(shell_words(what_can_be_checked(benchmark, simulator()).why),
             ContainsSubstring("caches"));
}

TEST_CASE("a lab of two GPUs, or of what one generation has, is told where it cannot run",
          "[core][checkable]") {
  Lab pair = coalescing;
  pair.gpus = 2;
  pair.sizes.simulator.reset();
  CHECK(what_can_be_checked(pair, simulator()).words == "needs 2 GPUs");
  CHECK(what_can_be_checked(pair, gpu()).why == "This lab needs 2 GPUs; this machine has 1.");
  CheckingMachine two = gpu();
  two.device->gpus = 2;
  CHECK(can_check(what_can_be_checked(pair, two)));

  Lab hopper = coalescing;
  hopper.build.architecture = Architecture{{9, 0}, true};
  hopper.minimum_compute_capability = {9, 0};
  CHECK(can_check(what_can_be_checked(hopper, gpu())));
  CheckingMachine newer = gpu();
  newer.device->compute_capability = ComputeCapability{10, 0};
  CHECK(what_can_be_checked(hopper, newer).words == "needs another GPU");
  CHECK_THAT(shell_words(what_can_be_checked(hopper, newer).why),
             ContainsSubstring("only compute capability 9.0 has"));
  // A lab for older GPUs too does without, on any other one.
  hopper.minimum_compute_capability = {8, 0};
  CHECK(can_check(what_can_be_checked(hopper, newer)));
}

TEST_CASE("where nothing can be checked the reason is told", "[core][checkable]") {
  CheckingMachine none;
  CHECK(what_can_be_checked(coalescing, none).words.empty());
  CHECK_FALSE(can_check(what_can_be_checked(coalescing, none)));
  none.no_device = make_error(ErrorCode::no_device, "There is no GPU.");
  CHECK(what_can_be_checked(coalescing, none).why == "There is no GPU.");
  CHECK_FALSE(can_check(what_can_be_checked(coalescing, none)));
  Lab newer = coalescing;
  newer.minimum_compute_capability = {10, 0};
  const Checkable refused_lab = what_can_be_checked(newer, gpu());
  CHECK_FALSE(can_check(refused_lab));
  CHECK_THAT(shell_words(refused_lab.why), ContainsSubstring("10.0"));
  CHECK(can_check(what_can_be_checked(coalescing, refused())));
}
