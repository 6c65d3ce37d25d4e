// Tests of the gate same work.
#include "core/judge/judge.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <optional>
#include <utility>

#include "support/passing_check.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;
using klab::test::Passing;

TEST_CASE("faster than the device can move the bytes is rejected with likely reasons",
          "[core][judge]") {
  Passing passing;
  passing.evidence.timing.variants[VariantName::mine].seconds = Interval{0.5e-3, 0.49e-3, 0.51e-3};
  const Gate gate = passing.gate(GateName::same_work);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(shell_words(gate.advice), ContainsSubstring("another stream"));
}

TEST_CASE("fewer operations than the task's steps take is not the same work", "[core][judge]") {
  Passing passing;
  passing.evidence.counted_least = LeastWork{{{Resource::fp32, 1e9}}};
  for (const char* name : {"flop_fp16", "tensor_flop_fp16", "tensor_flop_bf16", "tensor_flop_tf32"})
    passing.evidence.counters[name] = {0, Source::measured, {}};
  const auto counted = [&](double fp32, double fp64) {
    passing.evidence.counters["flop_fp32"] = {fp32, Source::measured, {}};
    passing.evidence.counters["flop_fp64"] = {fp64, Source::measured, {}};
    return passing.gate(GateName::same_work, "floating-point operations");
  };
  CHECK(counted(0.96e9, 0).outcome == Outcome::pass);
  CHECK(counted(0.5e9, 0.5e9).outcome == Outcome::pass);
  const Gate gate = counted(0.8e9, 0);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(gate.detail, ContainsSubstring("800,000,000 floating") &&
                              ContainsSubstring("1,000,000,000 at least"));
  CHECK(format_target(gate.target) == ">= 950,000,000");
  CHECK_FALSE(gate.advice.empty());
  CHECK(combine(judge(passing.evidence).gates) == Outcome::fail);
}

TEST_CASE("operations with half the bits are no steps of a task in float", "[core][judge]") {
  const auto gate_of = [](Resource task) {
    Passing passing;
    passing.evidence.counted_least = LeastWork{{{task, 1e9}}};
    for (const char* name :
         {"flop_fp64", "tensor_flop_fp16", "tensor_flop_bf16", "tensor_flop_tf32"})
      passing.evidence.counters[name] = {0, Source::measured, {}};
    passing.evidence.counters["flop_fp32"] = {0.6e9, Source::measured, {}};
    passing.evidence.counters["flop_fp16"] = {0.6e9, Source::measured, {}};
    return passing.gate(GateName::same_work, "floating-point operations");
  };
  CHECK(gate_of(Resource::fp32).outcome == Outcome::fail);
  CHECK(gate_of(Resource::fp16).outcome == Outcome::pass);
}

TEST_CASE("operations of tensor cores are those that the simulator counted", "[core][judge]") {
  Passing passing;
  passing.evidence.counted_least = LeastWork{{{Resource::tensor_half, 1e9}}};
  for (const char* name : {"flop_fp32", "flop_fp64", "flop_fp16", "tensor_flop_fp16",
                           "tensor_flop_bf16", "tensor_flop_tf32"})
    passing.evidence.counters[name] = {1e6, Source::measured, {}};
  const auto simulated = [&](double tensor) {
    record::CounterSet set{.least = {{{Resource::tensor_half, 1e6}}}};
    for (const char* name : {"flop_fp32", "flop_fp64", "flop_fp16"})
      set.values[name] = {0, Source::modelled, {}};
    set.values["tensor_flop"] = {tensor, Source::counted, {}};
    passing.evidence.second_look = SecondLook{.counted = set};
    return passing.gate(GateName::same_work, "floating-point operations");
  };
  CHECK(simulated(1e6).outcome == Outcome::pass);
  CHECK(simulated(0.5e6).outcome == Outcome::fail);
  CHECK(simulated(0.5e6).source == Source::modelled);
}

TEST_CASE("inner steps of divisions do not make up for steps that were left out", "[core][judge]") {
  Passing passing;
  passing.evidence.counted_least = LeastWork{{{Resource::fp32, 1e9}}};
  for (const char* name :
       {"flop_fp64", "flop_fp16", "tensor_flop_fp16", "tensor_flop_bf16", "tensor_flop_tf32"})
    passing.evidence.counters[name] = {0, Source::measured, {}};
  passing.evidence.counters["flop_fp32"] = {2.4e9, Source::measured, {}};
  CHECK(passing.gate(GateName::same_work, "floating-point operations").outcome == Outcome::pass);
  // The simulator counts what is written, and takes a division for one step.
  record::CounterSet written{.least = {{{Resource::fp32, 1e6}}}};
  for (const char* name : {"flop_fp64", "flop_fp16", "tensor_flop"})
    written.values[name] = {0, Source::modelled, {}};
  written.values["flop_fp32"] = {0.8e6, Source::modelled, {}};
  passing.evidence.second_look = SecondLook{.counted = written};
  CHECK(passing.gate(GateName::same_work, "floating-point operations").outcome == Outcome::fail);
}

namespace {

/// The gate about operations of a task that names some, where this counter says that the GPU's do
/// not tell them; `look` is what the simulator did.
Gate untold(const char* counter, std::optional<SecondLook> look) {
  Passing passing;
  passing.evidence.counted_least = LeastWork{{{Resource::fp32, 1e9}}};
  for (const char* name : {"flop_fp32", "flop_fp64", "flop_fp16", "tensor_flop_fp16",
                           "tensor_flop_bf16", "tensor_flop_tf32"})
    passing.evidence.counters[name] = {0, Source::measured, {}};
  passing.evidence.counters[counter] = {1, Source::measured, {}};
  passing.evidence.second_look = std::move(look);
  return passing.gate(GateName::same_work, std::string(operations_subject));
}

record::CounterSet on_simulator(double least, double share) {
  record::CounterSet set{.least = {{{Resource::fp32, least}}}};
  for (const char* name : {"flop_fp64", "flop_fp16", "tensor_flop"})
    set.values[name] = {0, Source::counted, {}};
  set.values["flop_fp32"] = {share * least, Source::counted, {}};
  return set;
}

}  // namespace

TEST_CASE("steps that are left out at another size than the one that is counted are left out",
          "[core][judge]") {
  Passing passing;
  passing.evidence.counted_least = LeastWork{{{Resource::fp32, 1e9}}};
  for (const char* name :
       {"flop_fp64", "flop_fp16", "tensor_flop_fp16", "tensor_flop_bf16", "tensor_flop_tf32"})
    passing.evidence.counters[name] = {0, Source::measured, {}};
  passing.evidence.counters["flop_fp32"] = {1e9, Source::measured, {}};
  const auto gate = [&] {
    return passing.gate(GateName::same_work, std::string(operations_subject));
  };
  const record::CounterSet there = on_simulator(1e6, 0.1);
  const record::FewerSteps fewer{VariantName::mine, there.values, there.least, {4099, 150}};
  CHECK(gate().outcome == Outcome::pass);
  SECTION("on the simulator") { passing.evidence.fewer_steps = {fewer}; }
  SECTION("in its second look") {
    passing.evidence.second_look = SecondLook{.fewer_steps = {fewer}};
  }
  CHECK(gate().outcome == Outcome::fail);
  CHECK_THAT(gate().detail, ContainsSubstring("At the size 4,099 x 150 its launch") &&
                                ContainsSubstring("100,000 floating"));
}

TEST_CASE("operations that nobody could count are no pass, and the reason is said",
          "[core][judge]") {
  for (const char* counter : {"graph_launches", "tensor_flop_fp16"}) {
    CHECK(untold(counter, {}).outcome == Outcome::inconclusive);
    const Gate gate = untold(counter, SecondLook{.not_counted = "it knows no such call"});
    CHECK(gate.outcome == Outcome::inconclusive);
    CHECK_THAT(gate.detail, ContainsSubstring("it knows no such call."));
    CHECK_FALSE(gate.advice.empty());
  }
  // How much tensor instructions do does not depend on the size; what is in a graph may.
  CHECK(untold("tensor_flop_fp16", SecondLook{.counted = on_simulator(1e6, 1)}).outcome ==
        Outcome::pass);
}

TEST_CASE("operations of a graph have to be counted at the size that is timed", "[core][judge]") {
  SecondLook look{.counted = on_simulator(1e6, 1), .not_counted = "it took too long"};
  const Gate gate = untold("graph_launches", look);
  CHECK(gate.outcome == Outcome::inconclusive);
  CHECK_THAT(gate.detail, ContainsSubstring("size that is timed: it took too long."));
  look.counted_timed = on_simulator(1e9, 1);
  CHECK(untold("graph_launches", look).outcome == Outcome::pass);
  look.counted_timed = on_simulator(1e9, 0.9);
  CHECK(untold("graph_launches", look).outcome == Outcome::fail);
}

TEST_CASE("a little less in blocks drawn at random may be their luck, far less is not",
          "[core][judge]") {
  SecondLook look{.counted = on_simulator(1e6, 1), .share_of_blocks = 0.1};
  look.counted_timed = on_simulator(1e9, 0.9);
  const Gate gate = untold("graph_launches", look);
  CHECK(gate.outcome == Outcome::inconclusive);
  CHECK_THAT(gate.detail, ContainsSubstring("10 % of the blocks"));
  look.counted_timed = on_simulator(1e9, 0.1);
  CHECK(untold("graph_launches", look).outcome == Outcome::fail);
  look.counted_timed = on_simulator(1e9, 1);
  CHECK(untold("graph_launches", look).outcome == Outcome::pass);
}

TEST_CASE("fewer bytes than the task has to move is not the same work", "[core][judge]") {
  Passing passing;
  passing.evidence.counted_least = LeastWork{{{Resource::device_memory, 4e9}}};
  passing.evidence.counters["sectors_of_minimum"] = {0.5, Source::measured, {}};
  CHECK(passing.gate(GateName::same_work, "bytes of memory").outcome == Outcome::fail);
  // What a copy within the device moves is read and written, too.
  passing.evidence.counters["device_to_device_bytes"] = {1e9, Source::traced, {}};
  CHECK(passing.gate(GateName::same_work, "bytes of memory").outcome == Outcome::pass);
}

TEST_CASE("what is sent to the host is no work of the device, unless the task sends it",
          "[core][judge]") {
  Passing passing;
  passing.evidence.counters["sectors_of_minimum"] = {0, Source::counted, {}};
  passing.evidence.counters["device_to_host_bytes"] = {4e9, Source::counted, {}};
  passing.evidence.counted_least = LeastWork{{{Resource::device_memory, 4e9}}};
  CHECK(passing.gate(GateName::same_work, "bytes of memory").outcome == Outcome::fail);
  passing.evidence.counted_least->amounts[Resource::to_host] = 4e9;
  CHECK(passing.gate(GateName::same_work, "bytes of memory").outcome == Outcome::pass);
}
