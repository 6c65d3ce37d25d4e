// The metric catalogue: complete rows, formulas that mean what they say, honest absence.
#include "core/measure/catalogue/metric_catalogue.hpp"

#include "core/measure/least_work.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "core/measure/formula.hpp"

using namespace klab;
using Catch::Approx;

namespace {

const Metric& metric(std::string_view name) {
  const Metric* found = find_metric(name);
  INFO(name);
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace

TEST_CASE("every metric has a name of its own, a label, a group and a meaning",
          "[core][metric_catalogue]") {
  const std::set<std::string_view> groups{"triage", "roofline", "coalescing", "memory",
                                          "shared", "local",    "divergence", "tensor",
                                          "stalls", "overhead", "compiler"};
  std::set<std::string_view> names;
  for (const Metric& m : metric_catalogue()) {
    INFO(m.name);
    CHECK(names.insert(m.name).second);
    CHECK_FALSE(m.label.empty());
    CHECK_FALSE(m.unit.empty());
    CHECK(m.meaning.ends_with('.'));
    CHECK((m.try_next.empty() || m.try_next.ends_with('.')));
    CHECK(groups.contains(m.group));
    CHECK(find_metric(m.name) == &m);
  }
  CHECK(find_metric("no_such_metric") == nullptr);
}

TEST_CASE("the metrics of a group stand together", "[core][metric_catalogue]") {
  std::vector<std::string_view> groups;
  for (const Metric& metric : metric_catalogue())
    if (groups.empty() || groups.back() != metric.group) groups.push_back(metric.group);
  CHECK(std::set<std::string_view>(groups.begin(), groups.end()).size() == groups.size());
}

TEST_CASE("every metric has at least one source, and every source is a formula",
          "[core][metric_catalogue]") {
  for (const Metric& m : metric_catalogue()) {
    INFO(m.name);
    int sources = 0;
    for (const auto formula : {m.cupti, m.simulator, m.compiler, m.trace}) {
      if (formula.empty()) continue;
      ++sources;
      CHECK_FALSE(formula_inputs(formula).empty());
    }
    // What a measurement reports beside the truth is no count, and comes with no other.
    CHECK((m.agreement ? sources == 0 : sources > 0));
  }
}

TEST_CASE("the default set is made of exactly 48 base metrics", "[core][metric_catalogue]") {
  std::set<std::string> inputs;
  for (const auto name : default_metrics()) {
    for (const auto& input : cupti_inputs(metric(name), "GH100")) inputs.insert(input);
  }
  CHECK(inputs.size() == 48);
}

TEST_CASE("a ratio of counters is evaluated from what was collected", "[core][metric_catalogue]") {
  const Metric& m = metric("global_load_sectors_per_request");
  const std::vector<BaseValue> values{{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1024},
                                      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 256}};
  CHECK(evaluate_cupti(m, "GH100", values, {}) == 4.0);
  CHECK(evaluate_simulator(
            m, std::vector<BaseValue>{{"global_load_sectors", 320}, {"global_load_requests", 10}},
            {}) == 32.0);
}

TEST_CASE("a counter that was not collected, or requests that never happened, give no value",
          "[core][metric_catalogue]") {
  const Metric& m = metric("global_load_sectors_per_request");
  CHECK_FALSE(evaluate_cupti(m, "GH100", {}, {}));
  CHECK_FALSE(evaluate_simulator(
      m, std::vector<BaseValue>{{"global_load_sectors", 0}, {"global_load_requests", 0}}, {}));
}

TEST_CASE("traffic relative to the least needs the lab's least bytes", "[core][metric_catalogue]") {
  const Metric& m = metric("dram_bytes_of_minimum");
  const std::vector<BaseValue> values{{"dram__bytes.sum", 3e9}};
  CHECK(evaluate_cupti(m, "GH100", values, 1e9) == 3.0);
  CHECK_FALSE(evaluate_cupti(m, "GH100", values, {}));
  CHECK_FALSE(evaluate_cupti(m, "GH100", values, 0));
  CHECK(cupti_inputs(m, "GH100") == std::vector<std::string>{"dram__bytes.sum"});
}

TEST_CASE("what a task asks for is counted for each KiB of it", "[core][metric_catalogue]") {
  const std::vector<BaseValue> values{
      {"global_atomics", 32}, {"shared_atomic_wavefronts", 100}, {"warp_instructions", 2048}};
  CHECK(evaluate_simulator(metric("global_atomics_per_kib"), values, 1024) == 32.0);
  CHECK(evaluate_simulator(metric("global_atomics_per_kib"), values, 4096) == 8.0);
  CHECK(evaluate_simulator(metric("shared_atomic_wavefronts_per_kib"), values, 1024) == 100.0);
  CHECK(evaluate_simulator(metric("warp_instructions_per_kib"), values, 2048) == 1024.0);
}

TEST_CASE("a device's share at work is a mean over its multiprocessors",
          "[core][metric_catalogue]") {
  const std::vector<BaseValue> cycles{{"sm__cycles_active.avg", 12},
                                      {"sm__cycles_elapsed.max", 96}};
  CHECK(evaluate_cupti(metric("sm_busy_pct"), "GH100", cycles, {}) == 12.5);
}

TEST_CASE("what a task takes at least is 1, in passes of shared memory and in instructions",
          "[core][metric_catalogue]") {
  // 1,024 floats in and 1,024 out: 32 passes to stage and 32 to fetch, or 8 loads and 8 stores of
  // 16 bytes a thread, by two blocks.
  const double least_bytes = 2 * 4096;
  std::vector<BaseValue> counted = {
      {"shared_load_wavefronts", 32},  {"shared_store_wavefronts", 32},
      {"shared_atomic_wavefronts", 0}, {"shared_copy_bank_conflicts", 0},
      {"cluster_sectors", 0},          {"global_load_requests", 8},
      {"global_store_requests", 8},    {"global_atomics", 0},
      {"texture_requests", 0},         {"bulk_requests", 0},
      {"blocks_launched", 2},
  };
  const auto value = [&](const char* name) {
    return evaluate_simulator(*find_metric(name), counted, least_bytes);
  };
  CHECK(value("shared_wavefronts_of_minimum") == 1);
  CHECK(value("requests_of_minimum") == 1);
  CHECK(value("bytes_per_block") == 4096);

  // No other way to the tile or to memory is free.
  const auto with_more = [&](std::string_view way, double more, const char* name) {
    const auto found = std::find_if(counted.begin(), counted.end(),
                                    [&](const BaseValue& count) { return count.name == way; });
    REQUIRE(found != counted.end());
    found->value += more;
    const auto seen = value(name);
    found->value -= more;
    return seen;
  };
  for (const char* way : {"shared_atomic_wavefronts", "shared_copy_bank_conflicts"})
    CHECK(with_more(way, 64, "shared_wavefronts_of_minimum") == 2);
  for (const char* way : {"global_atomics", "texture_requests", "bulk_requests"})
    CHECK(with_more(way, 16, "requests_of_minimum") == 2);
}

TEST_CASE("operations count a fused multiply-add twice", "[core][metric_catalogue]") {
  const std::vector<BaseValue> values{{"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 10},
                                      {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 5},
                                      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 100},
                                      {"gpu__time_duration.sum", 1000}};
  CHECK(evaluate_cupti(metric("flop_fp32"), "GH100", values, {}) == 215.0);
  CHECK(*evaluate_cupti(metric("flop_fp32_per_s"), "GH100", values, {}) == Approx(215e6));
}

TEST_CASE("the FP32 peak of an H200 follows from lanes and clock", "[core][metric_catalogue]") {
  // 132 multiprocessors of 128 lanes at 1.98 GHz: 66.9 Tflop/s.
  const std::vector<BaseValue> values{
      {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 132.0 * 128},
      {"sm__cycles_elapsed.avg.per_second", 1.98e9}};
  CHECK(*evaluate_cupti(metric("fp32_peak"), "GH100", values, {}) == Approx(66.9e12).epsilon(1e-3));
}

TEST_CASE("sectors beyond need are a share and never negative", "[core][metric_catalogue]") {
  const auto excess = [](double sectors, double bytes) {
    return evaluate_cupti(metric("global_load_excess_pct"), "GH100",
                          std::vector<BaseValue>{
                              {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors},
                              {"smsp__sass_data_bytes_mem_global_op_ld.sum", bytes}},
                          {});
  };
  CHECK(*excess(32, 128) == Approx(87.5));
  CHECK(*excess(4, 128) == Approx(0).margin(1e-12));
  CHECK(*excess(1, 128) == 0);  // all threads read one word
  CHECK_FALSE(excess(0, 0));
}

TEST_CASE("a chip family's own names are used", "[core][metric_catalogue]") {
  CHECK(cupti_inputs(metric("dram_bytes_read"), "GH100") ==
        std::vector<std::string>{"dram__bytes_read.sum"});
  CHECK(cupti_inputs(metric("dram_bytes_read"), "GB202") ==
        std::vector<std::string>{"dram__bytes_op_read.sum"});
  CHECK(cupti_inputs(metric("l1_bytes"), "AD102") ==
        std::vector<std::string>{"l1tex__lsu_writeback_active_mem_lg.sum"});
  CHECK(evaluate_cupti(metric("tensor_flop_fp16"), "GA100",
                       std::vector<BaseValue>{{"sm__ops_path_tensor_src_fp16_dst_fp16.sum", 2},
                                              {"sm__ops_path_tensor_src_fp16_dst_fp32.sum", 3}},
                       {}) == 5.0);
}

TEST_CASE("what a chip lacks has no inputs, no value and no command", "[core][metric_catalogue]") {
  const Metric& m = metric("wgmma_instructions");
  CHECK(cupti_inputs(m, "GA100").empty());
  CHECK(ncu_command(m, "GA100").empty());
  CHECK_FALSE(evaluate_cupti(
      m, "GA100", std::vector<BaseValue>{{"sm__inst_executed_pipe_tensor_op_gmma.sum", 7}}, {}));
  CHECK(cupti_inputs(m, "GH100").size() == 1);
}

TEST_CASE("spills are summed over kernels and registers are those of the largest",
          "[core][metric_catalogue]") {
  KernelReport first, second;
  first.registers = 32;
  first.spill_store_bytes = 1992;
  first.spill_load_bytes = 2348;
  second.registers = 80;
  second.stack_bytes = 16;
  const std::vector kernels{first, second};
  CHECK(evaluate_compiler(metric("spill_bytes"), kernels) == 4340.0);
  CHECK(evaluate_compiler(metric("registers_per_thread"), kernels) == 80.0);
  CHECK(evaluate_compiler(metric("stack_bytes"), kernels) == 16.0);
  CHECK(evaluate_compiler(metric("spill_bytes"), std::vector{second}) == 0.0);
  CHECK_FALSE(evaluate_compiler(metric("spill_bytes"), {}));
  CHECK_FALSE(evaluate_compiler(metric("dram_bytes"), kernels));
}

TEST_CASE("a hardware counter can be shown with ncu", "[core][metric_catalogue]") {
  CHECK(ncu_command(metric("global_load_sectors_per_request"), "GH100") ==
        "ncu --metrics l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,"
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum --cache-control all --clock-control base "
        "--launch-count 1 ./program");
  CHECK(ncu_command(metric("spill_bytes"), "GH100").empty());
}

TEST_CASE("the total of sectors counts every way to memory, and no average dilutes it",
          "[core][metric_catalogue]") {
  const Metric& total = metric("sectors_of_minimum");
  const double least_bytes = 3200;  // 100 sectors
  std::vector<BaseValue> counts{{"global_load_sectors", 50},  {"global_store_sectors", 50},
                                {"global_atomic_sectors", 0}, {"local_load_sectors", 0},
                                {"local_store_sectors", 0},   {"bulk_sectors", 0},
                                {"texture_sectors", 0}};
  CHECK(evaluate_simulator(total, counts, least_bytes) == 1.0);
  for (BaseValue& count : counts) {
    const double before = std::exchange(count.value, count.value + 300);
    CHECK(evaluate_simulator(total, counts, least_bytes) == 4.0);
    count.value = before;
  }
  CHECK_FALSE(evaluate_simulator(total, counts, {}));

  // On Hopper what passes the tag stage by is seen where it crosses to the multiprocessor.
  const auto on_gpu = [&](double requested, double bulk_read, double crossed) {
    return evaluate_cupti(
        total, "GH100",
        std::vector<BaseValue>{{"l1tex__t_sectors_pipe_lsu_mem_lg.sum", requested},
                               {"l1tex__t_sectors_pipe_tex.sum", 0},
                               {"l1tex__m_xbar2l1tex_read_sectors_pipe_tma.sum", bulk_read},
                               {"l1tex__m_l1tex2xbar_write_sectors_pipe_tma.sum", 0},
                               {"l1tex__m_xbar2l1tex_read_sectors.sum", crossed},
                               {"l1tex__m_l1tex2xbar_write_sectors.sum", 0}},
        least_bytes);
  };
  CHECK(on_gpu(400, 0, 110) == 4.0);    // half-used sectors that the L1 served
  CHECK(on_gpu(100, 100, 100) == 2.0);  // bulk copies beside loads
  CHECK(on_gpu(0, 0, 150) == 1.5);      // a way that neither counter knows
  // Before Hopper there are no bulk copies to count.
  const auto inputs = cupti_inputs(total, "GA100");
  CHECK_FALSE(inputs.empty());
  for (const std::string& input : inputs) CHECK(input.find("tma") == input.npos);
}

TEST_CASE("half-precision arithmetic on the tensor pipe is no tensor instruction",
          "[core][metric_catalogue]") {
  const std::vector<BaseValue> float_kernel{
      {"sm__inst_executed_pipe_tensor.sum", 7.9e5},
      {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", 7.9e5}};
  CHECK(evaluate_cupti(metric("tensor_instructions"), "GH100", float_kernel, {}) == 0.0);
}

TEST_CASE("sending one array again adds no bytes between host and device",
          "[core][metric_catalogue]") {
  const LeastWork least{{{Resource::to_device, 100}, {Resource::to_host, 80}}};
  CHECK(bytes_across(least, 100, 80) == 100);
  CHECK(bytes_across(least, 400, 320) == 100);
  CHECK(bytes_across(least, 0, 60) == 60);
  CHECK(bytes_across({}, 400, 320) == 400);  // the task's are not known
}
