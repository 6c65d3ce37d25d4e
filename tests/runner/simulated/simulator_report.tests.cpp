// The simulator's report as counts, labels and findings.
#include <catch2/catch_test_macros.hpp>

#include "runner/device/runner_error.hpp"
#include "runner/simulated/counter_source_simulator.hpp"
#include "runner/simulated/simulator_link.hpp"

using namespace klab;
using namespace klab::runner;

namespace {

const std::string text = R"({
  "kernels": [
    {"name": "a", "launches": 2,
     "counts": {"global_load_requests": 10, "global_load_sectors": 40, "warp_instructions": 5}},
    {"name": "b", "launches": 1,
     "counts": {"global_load_requests": 10, "global_load_sectors": 280, "warp_instructions": 7},
     "lines": [{"file": "k.cu", "line": 7, "counts": {"global_load_sectors": 280, "warp_instructions": 4,
                                                      "global_store_sectors": 20}},
               {"file": "k.cu", "line": 9, "counts": {"warp_instructions": 3}}]}],
  "labels": {"global_load_requests": "counted", "global_load_sectors": "counted",
             "local_load_sectors": "modelled", "local_store_sectors": "modelled",
             "global_store_sectors": "counted", "global_atomic_sectors": "counted",
             "bulk_sectors": "counted", "texture_sectors": "modelled", "warp_instructions": "modelled"},
  "host": {"kernel_launches": 3, "host_synchronizations": 2, "synchronous_copies": 1,
           "allocation_calls": 4, "free_calls": 5},
  "findings": [{"kind": "out_of_bounds", "message": "A sentence.", "kernel": "a", "file": "x.cu",
                "line": 12}, {"kind": "shared_race", "message": "Another."}],
  "unsupported": [{"what": "wgmma", "message": "It cannot execute wgmma."}]
})";

}  // namespace

TEST_CASE("counts are summed over kernels before any ratio is formed", "[runner][simulator]") {
  const SimulatorReport report = parse_simulator_report(text);
  const CounterValue sectors = simulated_value("global_load_sectors_per_request", report, 0);
  CHECK(sectors.value == 16);
  CHECK(sectors.source == Source::counted);
}

TEST_CASE("a value that rests on a modelled count is labelled modelled", "[runner][simulator]") {
  const SimulatorReport report = parse_simulator_report(text);
  CHECK(simulated_value("warp_instructions", report, 0).value == 12);
  CHECK(simulated_value("warp_instructions", report, 0).source == Source::modelled);
}

TEST_CASE("a modelled count of none beside exact counts takes nothing from them",
          "[runner][simulator]") {
  SimulatorReport report = parse_simulator_report(text);
  CHECK(simulated_value("sectors_of_minimum", report, 32 * 320).value == 1);
  CHECK(simulated_value("sectors_of_minimum", report, 32 * 320).source == Source::counted);
  CHECK(simulated_value("local_load_sectors", report, 0).source == Source::modelled);
  for (BaseValue& count : report.counts)
    if (count.name == "local_load_sectors") count.value = 320;
  CHECK(simulated_value("sectors_of_minimum", report, 32 * 320).value == 2);
  CHECK(simulated_value("sectors_of_minimum", report, 32 * 320).source == Source::modelled);
}

TEST_CASE("what was watched and did not happen is 0; what is unknown is absent",
          "[runner][simulator]") {
  const SimulatorReport report = parse_simulator_report(text);
  CHECK(simulated_value("local_load_sectors", report, 0).value == 0);
  const CounterValue clock = simulated_value("sm_clock", report, 0);
  CHECK_FALSE(clock.value);
  CHECK(clock.reason.kind == MissingKind::needs_gpu);
  CHECK_FALSE(simulated_value("no_such_metric", report, 0).value);
}

TEST_CASE("blocking copies and frees count as the trace counts them", "[runner][simulator]") {
  const SimulatorReport report = parse_simulator_report(text);
  CHECK(simulated_value("host_synchronizations", report, 0).value == 3);
  CHECK(simulated_value("allocation_calls", report, 0).value == 9);
  CHECK(simulated_value("kernel_launches", report, 0).value == 3);
}

TEST_CASE("findings keep their place, as far as they have one", "[runner][simulator]") {
  const SimulatorReport report = parse_simulator_report(text);
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[0].kind == FindingKind::out_of_bounds);
  CHECK(report.findings[0].line == 12);
  CHECK_FALSE(report.findings[1].line);
  CHECK(report.unsupported == std::vector<std::string>{"It cannot execute wgmma."});
}

TEST_CASE("lines cost what their counts say, each with its label", "[runner][simulator]") {
  const SimulatorReport report = parse_simulator_report(text);
  REQUIRE(report.lines.size() == 3);
  CHECK(report.lines[0].line == 7);
  CHECK(report.lines[0].unit == "instructions");
  CHECK(report.lines[0].source == Source::modelled);
  CHECK(report.lines[1].unit == "sectors");
  CHECK(report.lines[1].value == 300);
  CHECK(report.lines[1].source == Source::counted);
  CHECK(report.lines[1].by_reason.at("global_store_sectors") == 20);
  CHECK(report.lines[2].line == 9);
  CHECK(report.lines[2].file == "k.cu");
}

TEST_CASE("a report that is none is refused", "[runner][simulator]") {
  CHECK_THROWS_AS(parse_simulator_report("not json"), RunnerError);
  CHECK_THROWS_AS(parse_simulator_report("{}"), RunnerError);
  CHECK_THROWS_AS(parse_simulator_report(R"({"kernels": 3})"), RunnerError);
}
