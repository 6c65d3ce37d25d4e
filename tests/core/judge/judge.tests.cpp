// The gates of the verdict, from evidence made by hand.
#include "core/judge/judge.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/measure/catalogue/metric_catalogue.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

namespace {

/// A lab with one counter, a speed-up and a ceiling, and the evidence of a candidate that passes
/// all of it.
struct Passing {
  Lab lab;
  Evidence evidence;

  Passing() {
    lab.slug = "coalescing";
    lab.sizes.checking = {{1}, {31}};
    lab.pass().causes = {{"global_load_sectors_per_request",
                          {Bound::Relation::at_most, 4.5},
                          {},
                          "neighbours share sectors"}};
    lab.pass().time.speedup = 5;
    lab.pass().time.ceiling = CeilingTarget{"dram_copy", 0.8};
    evidence.lab = &lab;
    evidence.verified = {{.variant = VariantName::mine, .size = {1}, .correct = true},
                         {.variant = VariantName::mine, .size = {31}, .correct = true}};
    evidence.timed =
        record::Timed{"interval narrow enough", {}, 1, {{{Resource::device_memory, 4e9}}}};
    evidence.timing.variants[VariantName::mine].seconds = Interval{1.1e-3, 1.09e-3, 1.11e-3};
    evidence.timing.variants[VariantName::flawed].seconds = Interval{8.8e-3, 8.7e-3, 8.9e-3};
    evidence.timing.ratio = Interval{8, 7.9, 8.1};
    evidence.counters["global_load_sectors_per_request"] = {4.0, Source::measured, {}};
    evidence.ceilings = Ceilings{.device = "test", .values = {{"dram_copy", 4e12}}};
  }
  Gate gate(GateName name, std::string_view subject = {}) const {
    const auto gates = judge(evidence).gates;
    const auto found = std::find_if(gates.begin(), gates.end(), [&](const Gate& g) {
      return g.name == name && (subject.empty() || g.subject == subject);
    });
    REQUIRE(found != gates.end());
    return *found;
  }
};

}  // namespace

TEST_CASE("right, for the taught reason and fast enough passes every gate", "[core][judge]") {
  const Passing passing;
  const auto gates = judge(passing.evidence).gates;
  CHECK(gates.size() == 6);
  for (const Gate& gate : gates) {
    INFO(to_string(gate.name) << " " << gate.subject << ": " << gate.detail);
    CHECK(gate.outcome == Outcome::pass);
    CHECK(gate.advice.empty());
  }
}

TEST_CASE("an interval that straddles the target is inconclusive, one below it fails",
          "[core][judge]") {
  Passing passing;
  passing.evidence.timing.ratio = Interval{5.1, 4.9, 5.3};
  CHECK(passing.gate(GateName::time, "speedup").outcome == Outcome::inconclusive);
  passing.evidence.timing.ratio = Interval{4.0, 3.9, 4.1};
  CHECK(passing.gate(GateName::time, "speedup").outcome == Outcome::fail);
  CHECK_FALSE(passing.gate(GateName::time, "speedup").advice.empty());
}

TEST_CASE("a wrong element is shown with index, values, size and seed", "[core][judge]") {
  Passing passing;
  record::Verified wrong{.variant = VariantName::mine,
                         .size = {31},
                         .seed = 99,
                         .problem = ResultProblem::wrong_value,
                         .buffer = "out"};
  wrong.index = 30;
  wrong.got_text = "nan";
  wrong.want = 2.5;
  wrong.tolerance = 1e-6;
  wrong.wrong = 1;
  wrong.total = 31;
  passing.evidence.verified.push_back(wrong);
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(gate.detail, ContainsSubstring("[30]") && ContainsSubstring("nan") &&
                              ContainsSubstring("2.5") && ContainsSubstring("seed 99") &&
                              ContainsSubstring("size 31"));
}

TEST_CASE("work that nobody joined is told by its place, without values that were not compared",
          "[core][judge]") {
  Passing passing;
  passing.evidence.verified.push_back({.variant = VariantName::mine,
                                       .size = {31},
                                       .correct = false,
                                       .problem = ResultProblem::unjoined_stream,
                                       .buffer = "out",
                                       .index = 7});
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(gate.detail,
             ContainsSubstring("not joined, first seen at out[7]") && !ContainsSubstring("want"));
}

TEST_CASE("a result that is wrong only after timing fails as well", "[core][judge]") {
  Passing passing;
  passing.evidence.verified_timed = {{.variant = VariantName::mine,
                                      .size = {1024},
                                      .correct = false,
                                      .problem = ResultProblem::wrong_value}};
  CHECK(passing.gate(GateName::correct).outcome == Outcome::fail);
  CHECK_THAT(passing.gate(GateName::correct).detail,
             ContainsSubstring("In a launch that was timed"));
}

TEST_CASE("faster than the device can move the bytes is rejected with likely reasons",
          "[core][judge]") {
  Passing passing;
  passing.evidence.timing.variants[VariantName::mine].seconds = Interval{0.5e-3, 0.49e-3, 0.51e-3};
  const Gate gate = passing.gate(GateName::same_work);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(shell_words(gate.advice), ContainsSubstring("another stream"));
}

TEST_CASE("an unmeasured ceiling is a state with a remedy, never a number", "[core][judge]") {
  Passing passing;
  passing.evidence.ceilings.reset();
  for (const Gate& gate :
       {passing.gate(GateName::same_work), passing.gate(GateName::time, "dram_copy")}) {
    CHECK(gate.outcome == Outcome::not_checkable);
    CHECK_FALSE(gate.measured);
    CHECK_THAT(shell_words(gate.advice), ContainsSubstring("klab device --measure"));
  }
}

TEST_CASE("counters that were refused leave the cause open and the other gates alone",
          "[core][judge]") {
  Passing passing;
  passing.evidence.counters["global_load_sectors_per_request"] = {
      {}, Source::measured, "Counters need a permission."};
  const Gate gate = passing.gate(GateName::cause);
  CHECK(gate.outcome == Outcome::not_checkable);
  CHECK_FALSE(gate.measured);
  CHECK_THAT(gate.detail, ContainsSubstring("permission"));
  CHECK(passing.gate(GateName::time, "speedup").outcome == Outcome::pass);
  CHECK(combine(judge(passing.evidence).gates) == Outcome::not_checkable);
}

TEST_CASE("a failing cause tells the symptom, and leaves what to do about it to the hints",
          "[core][judge]") {
  Passing passing;
  passing.evidence.counters["global_load_sectors_per_request"] = {32.0, Source::measured, {}};
  const Gate gate = passing.gate(GateName::cause);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(shell_words(gate.advice), ContainsSubstring("`./klab hint coalescing`"));
  const Metric* metric = find_metric("global_load_sectors_per_request");
  REQUIRE(metric);
  CHECK_THAT(shell_words(gate.detail + gate.advice),
             !ContainsSubstring(std::string(metric->try_next)));
}

TEST_CASE("without a GPU the cause can be proven and the time says what it needs",
          "[core][judge]") {
  Passing passing;
  passing.evidence.simulated = true;
  passing.evidence.timed.reset();
  passing.evidence.timing = {};
  passing.evidence.counters["global_load_sectors_per_request"] = {4.0, Source::counted, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
  CHECK(passing.gate(GateName::cause).source == Source::counted);
  CHECK(passing.gate(GateName::time, "speedup").outcome == Outcome::not_checkable);
  CHECK_THAT(passing.gate(GateName::time, "speedup").detail, ContainsSubstring("needs a GPU"));
}

TEST_CASE("a kernel that does not build leaves nothing else judged", "[core][judge]") {
  Passing passing;
  passing.evidence.build_error = make_error(ErrorCode::build_failed, "mine.cu:3: expected a ;");
  const auto gates = judge(passing.evidence).gates;
  CHECK(gates.front().outcome == Outcome::fail);
  CHECK_THAT(gates.front().detail, ContainsSubstring("mine.cu:3"));
  for (std::size_t i = 1; i < gates.size(); ++i) CHECK(gates[i].outcome == Outcome::not_checkable);
}

TEST_CASE("a hang or a crash is the kernel's fault, a full GPU is not", "[core][judge]") {
  Passing passing;
  passing.evidence.verified.clear();
  for (const ErrorCode code :
       {ErrorCode::hang, ErrorCode::crash, ErrorCode::device_fault, ErrorCode::bad_plugin}) {
    passing.evidence.verify_error = make_error(code, "It broke.");
    CHECK(passing.gate(GateName::correct).outcome == Outcome::fail);
  }
  passing.evidence.verify_error = make_error(ErrorCode::out_of_memory, "The GPU is full.");
  CHECK(passing.gate(GateName::correct).outcome == Outcome::not_checkable);
}

TEST_CASE("a cause that was not counted says why, and asks for a GPU only where one helps",
          "[core][judge]") {
  Passing passing;
  passing.evidence.simulated = true;
  passing.evidence.timed.reset();
  passing.evidence.timing = {};
  passing.evidence.counters.clear();
  Gate gate = passing.gate(GateName::cause);
  CHECK(gate.outcome == Outcome::not_checkable);
  CHECK_THAT(gate.detail, ContainsSubstring("an earlier gate did not pass"));
  CHECK(gate.advice.empty());
  // A ratio whose divisor is zero: no machine could say more.
  auto& counter = passing.evidence.counters["global_load_sectors_per_request"];
  counter.reason = nothing_counted;
  gate = passing.gate(GateName::cause);
  CHECK_FALSE(gate.measured);
  CHECK(shell_words(gate.advice).find("GPU") == std::string::npos);
  counter.reason = "Only a GPU can show this counter.";
  CHECK(passing.gate(GateName::cause).advice == "Check it on a machine with a GPU.");
}

namespace {

Rung stretch(std::string name, double speedup) {
  return {.name = std::move(name), .time = {.speedup = speedup}};
}

}  // namespace

TEST_CASE("a rung is reached with all rungs before it, and not beyond one that is not",
          "[core][judge]") {
  Passing passing;
  passing.lab.pass().name = "the pass";
  passing.lab.rungs.push_back(stretch("more", 7));
  passing.lab.rungs.push_back(stretch("most", 20));
  auto rungs = judge(passing.evidence).rungs;
  REQUIRE(rungs.size() == 3);
  CHECK(rungs[0].name == "the pass");
  CHECK(rungs[0].outcome == Outcome::pass);
  CHECK(rungs[0].gates.size() == 3);
  CHECK(rungs[1].outcome == Outcome::pass);
  CHECK(rungs[2].outcome == Outcome::fail);
  REQUIRE(rungs[2].gates.size() == 1);
  CHECK(rungs[2].gates[0].measured == 8);
  CHECK(format_target(rungs[2].gates[0].target) == ">= 20x");

  passing.evidence.counters["global_load_sectors_per_request"].value = 5;
  rungs = judge(passing.evidence).rungs;
  CHECK(rungs[1].gates[0].outcome == Outcome::pass);
  CHECK(rungs[1].outcome == Outcome::fail);
}

TEST_CASE("stretch goals leave the verdict alone", "[core][judge]") {
  Passing passing;
  const auto before = judge(passing.evidence).gates;
  passing.lab.rungs.push_back(stretch("most", 20));
  const auto gates = judge(passing.evidence).gates;
  CHECK(gates.size() == before.size());
  CHECK(combine(gates) == Outcome::pass);
}

TEST_CASE("the score runs from the flawed kernel's time to the measured roof", "[core][judge]") {
  Passing passing;
  const auto timed = [&](double seconds) {
    passing.evidence.timing.variants[VariantName::mine].seconds =
        Interval{seconds, seconds, seconds};
    return judge(passing.evidence).score;
  };
  // 4 GB at 4 TB/s take 1 ms; the flawed kernel takes 8.8 ms.
  CHECK_THAT(timed(4.9e-3).value_or(-1), WithinAbs(50, 1e-9));
  CHECK(timed(9e-3) == 0.0);
  CHECK(timed(1e-3) == 100.0);
}

TEST_CASE("without a time, a roof or a right result there is no score", "[core][judge]") {
  CHECK(judge(Passing().evidence).score);
  Passing untimed;
  untimed.evidence.timing = {};
  CHECK_FALSE(judge(untimed.evidence).score);
  Passing unmeasured;
  unmeasured.evidence.ceilings.reset();
  CHECK_FALSE(judge(unmeasured.evidence).score);
  Passing wrong;
  wrong.evidence.verified_timed = {{.variant = VariantName::mine, .size = {1}, .correct = false}};
  CHECK_FALSE(judge(wrong.evidence).score);
  Passing already_there;
  already_there.evidence.timing.variants[VariantName::flawed].seconds =
      Interval{0.9e-3, 0.9e-3, 0.9e-3};
  CHECK_FALSE(judge(already_there.evidence).score);
}

TEST_CASE("what the simulator sees after a pass on a GPU fails, with its line", "[core][judge]") {
  Passing passing;
  passing.evidence.second_look = SecondLook{};
  passing.evidence.second_look->findings = {{.variant = VariantName::mine,
                                             .kind = "shared_race",
                                             .message = "Two threads write one word.",
                                             .file = "mine.cu",
                                             .line = 7}};
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::fail);
  CHECK(gate.subject == "shared_race");
  CHECK_THAT(gate.detail, ContainsSubstring("Right on this GPU") && ContainsSubstring("mine.cu:7"));
}

TEST_CASE("a wrong value is advised upon by what the simulator saw", "[core][judge]") {
  Passing passing;
  passing.evidence.verified = {{.variant = VariantName::mine,
                                .size = {31},
                                .correct = false,
                                .problem = ResultProblem::wrong_value}};
  CHECK_THAT(shell_words(passing.gate(GateName::correct).advice), ContainsSubstring("by hand"));
  passing.evidence.findings = {{.variant = VariantName::mine,
                                .kind = "shared_race",
                                .message = "Two threads write one word.",
                                .file = "mine.cu",
                                .line = 7}};
  CHECK_THAT(shell_words(passing.gate(GateName::correct).advice),
             ContainsSubstring("mine.cu:7: Two threads write one word."));
}

TEST_CASE("a gate tells each kind and line once, and a race of warps before one within a warp",
          "[core][judge]") {
  Passing passing;
  const auto race = [](const char* kind, int line, const char* message) {
    return record::Finding{VariantName::mine, kind, message, "k", "mine.cu", line};
  };
  passing.evidence.findings = {
      race("warp_race", 5, "In warp 0."), race("warp_race", 9, "In warp 1."),
      race("shared_race", 9, "At offset 0."), race("shared_race", 9, "At offset 4.")};
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.subject == "shared_race");
  CHECK(gate.measured == 2);
  CHECK(gate.detail == "mine.cu:9: At offset 0. (Seen in 2 runs.)\nmine.cu:5: In warp 0.");

  for (int line = 20; line < 26; ++line)
    passing.evidence.findings.push_back(race("misaligned", line, "Odd."));
  CHECK(passing.gate(GateName::correct).measured == 8);
  CHECK_THAT(passing.gate(GateName::correct).detail, ContainsSubstring("\nAnd 3 more."));
}

TEST_CASE("the target of a cause has the unit and separators of its value", "[core][judge]") {
  Passing passing;
  passing.lab.pass().causes = {{"host_synchronizations", {Bound::Relation::at_most, 1200}, {}, ""}};
  CHECK(format_target(passing.gate(GateName::cause).target) == "<= 1,200 calls");
}

TEST_CASE("what the simulator cannot look at leaves the pass, and is said", "[core][judge]") {
  Passing passing;
  passing.evidence.second_look = SecondLook{.not_looked = "it knows no `tcgen05`."};
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::pass);
  CHECK_THAT(gate.detail, ContainsSubstring("did not look") && ContainsSubstring("`tcgen05`."));
  passing.evidence.second_look = SecondLook{};
  CHECK_THAT(passing.gate(GateName::correct).detail, ContainsSubstring("saw no race"));
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
      set.values[name] = {0, Source::counted, {}};
    set.values["tensor_flop"] = {tensor, Source::counted, {}};
    passing.evidence.second_look = SecondLook{.counted = set};
    return passing.gate(GateName::same_work, "floating-point operations");
  };
  CHECK(simulated(1e6).outcome == Outcome::pass);
  CHECK(simulated(0.5e6).outcome == Outcome::fail);
  CHECK(simulated(0.5e6).source == Source::counted);
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
    written.values[name] = {0, Source::counted, {}};
  written.values["flop_fp32"] = {0.8e6, Source::counted, {}};
  passing.evidence.second_look = SecondLook{.counted = written};
  CHECK(passing.gate(GateName::same_work, "floating-point operations").outcome == Outcome::fail);
}

TEST_CASE("operations that no counter shows are not held to be missing", "[core][judge]") {
  const auto gates_of = [](const char* name, double value) {
    Passing passing;
    passing.evidence.counted_least = LeastWork{{{Resource::fp32, 1e9}}};
    for (const char* counter : {"flop_fp32", "flop_fp64", "flop_fp16", "tensor_flop_fp16",
                                "tensor_flop_bf16", "tensor_flop_tf32"})
      passing.evidence.counters[counter] = {0, Source::measured, {}};
    passing.evidence.counters[name] = {value, Source::measured, {}};
    const auto gates = judge(passing.evidence).gates;
    return std::count_if(gates.begin(), gates.end(),
                         [](const Gate& gate) { return gate.subject == operations_subject; });
  };
  CHECK(gates_of("flop_fp32", 0) == 1);
  CHECK(gates_of("graph_launches", 1) == 0);      // no counter sees its kernels
  CHECK(gates_of("tensor_flop_fp16", 1e6) == 0);  // how much these do is not settled
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

TEST_CASE("a flawed kernel slowed down beside the file matters where it could decide",
          "[core][judge]") {
  Passing passing;
  passing.evidence.timed->watches = {{VariantName::flawed, 7e-3, 0}, {VariantName::mine, {}, 0}};
  CHECK(passing.gate(GateName::time, "speedup").outcome == Outcome::pass);  // 8x of at least 5x
  passing.evidence.timing.ratio = Interval{6, 5.9, 6.1};
  const Gate gate = passing.gate(GateName::time, "speedup");
  CHECK(gate.outcome == Outcome::inconclusive);
  CHECK_THAT(gate.detail, ContainsSubstring("beside this file"));
  CHECK(passing.gate(GateName::time, "dram_copy").outcome == Outcome::pass);
}

TEST_CASE("work that the simulator finds unjoined is wrong, however right it looks on a GPU",
          "[core][judge]") {
  Passing passing;
  record::Verified late{.variant = VariantName::mine};
  late.size = {1, 1};
  late.buffer = "out";
  late.index = 0;
  late.problem = ResultProblem::unjoined_stream;
  passing.evidence.second_look = SecondLook{.unjoined = late};
  const Gate gate = passing.gate(GateName::correct);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(gate.detail, ContainsSubstring("Right on this GPU") && ContainsSubstring("1 x 1"));
}

TEST_CASE("counters of a launch that took another time than the timed ones prove no cause",
          "[core][judge]") {
  Passing passing;
  passing.evidence.counters["profiled_duration"] = {1.6e-3, Source::measured, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
  for (const double seconds : {0.3e-3, 5e-3}) {
    passing.evidence.counters["profiled_duration"] = {seconds, Source::measured, {}};
    const Gate gate = passing.gate(GateName::cause);
    CHECK(gate.outcome == Outcome::inconclusive);
    CHECK_THAT(gate.detail, ContainsSubstring("1.1 ms"));
  }
  // What allocates may take longer when it is timed, and no shorter.
  passing.evidence.counters["pool_allocation_calls"] = {2.0, Source::traced, {}};
  passing.evidence.counters["profiled_duration"] = {0.4e-3, Source::measured, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
  passing.evidence.counters["profiled_duration"] = {2.5e-3, Source::measured, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::inconclusive);
  passing.lab.timing = TimingMode::wall;
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
}

namespace {

/// A benchmark that passes, as a GPU saw it.
struct Measuring : Passing {
  Measuring() {
    lab.kind = LabKind::measurement;
    lab.pass().causes = {
        {"reported_error_pct", {Bound::Relation::at_most, 3}, {}, "held against our clock"}};
    lab.pass().time = {.at_most_s = 2.0};
    evidence.timing = {};
    evidence.timed.reset();
    evidence.counters = {{"reported_error_pct", {0.7, Source::measured, {}}},
                         {"job_runs", {16.0, Source::counted, {}}},
                         {"benchmark_seconds", {0.05, Source::measured, {}}}};
  }
};

}  // namespace

TEST_CASE("a benchmark that tells the truth of every job in time passes", "[core][judge]") {
  const Measuring measuring;
  CHECK(combine(judge(measuring.evidence).gates) == Outcome::pass);
  CHECK(measuring.gate(GateName::same_work).subject == "runs of each job");
}

TEST_CASE("a benchmark fails by what it reports, by what it never ran, and by how long it takes",
          "[core][judge]") {
  Measuring off, idle, slow;
  off.evidence.counters["reported_error_pct"].value = 8;
  CHECK(off.gate(GateName::cause).outcome == Outcome::fail);
  idle.evidence.counters["job_runs"].value = 0;
  CHECK(idle.gate(GateName::same_work).outcome == Outcome::fail);
  slow.evidence.counters["benchmark_seconds"].value = 9.5;
  CHECK(slow.gate(GateName::time).outcome == Outcome::fail);
  CHECK_THAT(format_target(slow.gate(GateName::time).target), ContainsSubstring("2 s"));
}

TEST_CASE("without a GPU a benchmark's agreement is modelled, and real time is named as missing",
          "[core][judge]") {
  Measuring simulated;
  simulated.evidence.simulated = true;
  simulated.evidence.counters["reported_error_pct"].source = Source::modelled;
  simulated.evidence.counters["benchmark_seconds"] = {std::nullopt, Source::measured,
                                                      "needs a GPU"};
  CHECK(simulated.gate(GateName::cause).source == Source::modelled);
  CHECK(simulated.gate(GateName::time).outcome == Outcome::not_checkable);
  CHECK_THAT(simulated.gate(GateName::time).detail, ContainsSubstring("cold caches"));
  CHECK(passes_provisionally(judge(simulated.evidence).gates));
}

TEST_CASE("a benchmark that does not end fails as a hang", "[core][judge]") {
  Measuring endless;
  endless.evidence.counters.clear();
  endless.evidence.time_error = make_error(ErrorCode::hang, "It did not finish.");
  CHECK(endless.gate(GateName::correct).outcome == Outcome::fail);
}
