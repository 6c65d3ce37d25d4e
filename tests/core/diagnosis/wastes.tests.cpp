// Wastes: what a kernel does that its task does not need, by the counters that show it.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "diagnosis_facts.hpp"

using namespace klab;
using namespace klab::test;

TEST_CASE("each waste is found at its threshold and not below", "[core][diagnosis]") {
  using namespace thresholds;
  const auto found = [](const rules::Ruled<Waste>& ruled) { return ruled.found.has_value(); };
  CHECK(found(rules::divergence(with({{"threads_per_instruction", least_threads - 1}}))));
  CHECK_FALSE(found(rules::divergence(with({{"threads_per_instruction", least_threads + 1}}))));

  const auto sectors = [&](double excess, double dram) {
    return found(rules::excess_sectors(
        with({{"global_load_excess_pct", excess}, {"dram_throughput_pct", dram}})));
  };
  CHECK(sectors(excess_sectors_pct + 1, 50));
  CHECK_FALSE(sectors(excess_sectors_pct - 1, 50));
  CHECK_FALSE(sectors(excess_sectors_pct + 1, memory_matters_pct - 1));

  // One word for a whole warp, or a few threads at work, leave most of a sector; nothing moves
  // less.
  const auto broadcast = [&](const char* access) {
    const std::string name = std::string("global_") + access;
    const KernelFacts facts = with({{name + "_excess_pct", 86.8},
                                    {name + "_sectors_per_request", full_warp_sectors - 0.1},
                                    {"l1_throughput_pct", 97},
                                    {"instruction_throughput_pct", 58},
                                    {"dram_throughput_pct", 5},
                                    {"l2_throughput_pct", 5}});
    const auto memory = rules::memory(facts).found;
    REQUIRE(memory);
    return found(rules::excess_sectors(facts)) ||
           std::any_of(memory->evidence.begin(), memory->evidence.end(),
                       [](const EvidenceRow& row) { return row.says == "not asked for"; });
  };
  CHECK_FALSE(broadcast("load"));
  CHECK_FALSE(broadcast("store"));
  CHECK(found(rules::excess_sectors(
      with({{"global_load_excess_pct", 86.8}, {"global_load_sectors_per_request", 30}}))));

  const auto conflicts = [&](double count) {
    return found(rules::bank_conflicts(with({{"shared_bank_conflicts", count},
                                             {"shared_load_wavefronts", 60},
                                             {"shared_store_wavefronts", 40}})));
  };
  CHECK(conflicts(bank_conflicts_pct + 1));
  CHECK_FALSE(conflicts(bank_conflicts_pct - 1));

  // What hardly works wastes no time: as in lab 01's and lab 05's optimized kernels on an H200.
  CHECK_FALSE(found(rules::bank_conflicts(with({{"shared_bank_conflicts", 18},
                                                {"shared_load_wavefronts", 60},
                                                {"shared_store_wavefronts", 40},
                                                {"l1_throughput_pct", 2}}))));
  CHECK_FALSE(found(rules::imbalance(with({{"sm_imbalance_pct", 14},
                                           {"sm_active_cycles", 3e4},
                                           {"profiled_duration", 6e-5},
                                           {"sm_clock", 2e9}}))));
  CHECK(found(rules::imbalance(with({{"sm_imbalance_pct", imbalance_pct + 1}}))));
  CHECK_FALSE(found(rules::imbalance(with({{"sm_imbalance_pct", imbalance_pct - 1}}))));

  const auto waits = [&](double count, double kernels) {
    return found(
        rules::host_waits(with({{"host_synchronizations", count}, {"kernels_executed", kernels}})));
  };
  CHECK(waits(10, 10));
  CHECK_FALSE(waits(9, 1));
  CHECK_FALSE(waits(10, 100));
}

TEST_CASE("double precision is waste only beside single precision", "[core][diagnosis]") {
  std::map<std::string, double> counters{
      {"flop_fp64", 2e9}, {"flop_fp32", 1e9}, {"fp64_peak", 1e13}, {"profiled_duration", 1e-3}};
  CHECK(rules::fp64(with(counters)).found);
  counters["flop_fp32"] = 0;
  CHECK_FALSE(rules::fp64(with(counters)).found);
  counters["flop_fp32"] = 1e9;
  counters["flop_fp64"] = 1e9;  // 10 % of the peak
  CHECK_FALSE(rules::fp64(with(counters)).found);
  counters.erase("fp64_peak");
  const auto unknown = rules::fp64(with(counters));
  CHECK_FALSE(unknown.found);
  REQUIRE(unknown.lacks.size() == 1);
  CHECK(unknown.lacks.front().what == "FP64 peak at this clock");
}

TEST_CASE("an array in local memory is not called a spill", "[core][diagnosis]") {
  const double many = thresholds::spilled_bytes + 1, few = thresholds::spilled_bytes - 1;
  const auto spill = rules::spills(with({{"spill_bytes", many}, {"local_load_sectors", 100}}));
  REQUIRE(spill.found);
  CHECK_FALSE(rules::spills(with({{"spill_bytes", few}, {"local_load_sectors", 100}})).found);
  CHECK(spill.found->name == "register spills");
  const auto array = rules::spills(with({{"spill_bytes", 0}, {"local_load_sectors", 100}}));
  REQUIRE(array.found);
  CHECK(array.found->name == "local memory");
  CHECK_FALSE(rules::spills(with({{"spill_bytes", 0}, {"local_load_sectors", 0}})).found);
  CHECK(rules::spills({}).lacks.size() == 2);
}
