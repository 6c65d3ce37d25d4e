// The diagnosis: what an expert says about the recorded runs, and about runs that lack a counter.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "core/diagnosis/diagnosis.hpp"
#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/record/results.hpp"
#include "diagnosis_facts.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const RecordedResults& recorded() {
  static const RecordedResults results = [] {
    auto read = read_results(std::filesystem::path(KLAB_SOURCE_DIR) / "docs" / "results" /
                             "nvidia-h200.json");
    REQUIRE(read);
    return std::move(*read);
  }();
  return results;
}

/// The recorded facts of "flawed" or "optimized" of a lab on an H200.
KernelFacts facts_of(const std::string& lab, const VariantName& variant) {
  const CheckResult* run = find_run(recorded(), lab, VariantName::flawed);
  REQUIRE(run);
  REQUIRE(run->counters.contains(variant));
  return facts_from(*run, variant);
}

std::vector<std::string> names(const std::vector<Waste>& wastes) {
  std::vector<std::string> result;
  for (const Waste& waste : wastes) result.push_back(waste.name);
  return result;
}

/// A kernel that keeps a device busy for long, with arithmetic and device memory used this much.
KernelFacts busy(double arithmetic, double dram) {
  return with({{"instruction_throughput_pct", arithmetic},
               {"dram_throughput_pct", dram},
               {"l2_throughput_pct", 5},
               {"l1_throughput_pct", 5},
               {"gpu_idle_pct", 0},
               {"sm_active_cycles", 1e6},
               {"profiled_duration", 1e-3},
               {"sm_clock", 1e9}});
}

}  // namespace

TEST_CASE("recorded kernels get the class that an expert gives them", "[core][diagnosis]") {
  struct Expected {
    const char* lab;
    VariantName variant;
    Bottleneck bottleneck;
    std::optional<MemoryUnit> level;
    std::vector<std::string> wastes;
  };
  const std::vector<Expected> all = {
      {"01-divergence", VariantName::flawed, Bottleneck::compute, {}, {"divergence"}},
      {"01-divergence", VariantName::optimized, Bottleneck::compute, {}, {}},
      {"02-coalescing",
       VariantName::flawed,
       Bottleneck::memory,
       MemoryUnit::device_memory,
       {"excess sectors", "repeated traffic"}},
      {"02-coalescing", VariantName::optimized, Bottleneck::memory, MemoryUnit::device_memory, {}},
      {"03-register-spill",
       VariantName::flawed,
       Bottleneck::memory,
       MemoryUnit::device_memory,
       {"register spills", "repeated traffic"}},
      {"03-register-spill", VariantName::optimized, Bottleneck::compute, {}, {}},
      {"04-fusion",
       VariantName::flawed,
       Bottleneck::memory,
       MemoryUnit::device_memory,
       {"repeated traffic"}},
      {"04-fusion", VariantName::optimized, Bottleneck::memory, MemoryUnit::device_memory, {}},
      {"16-occupancy-trap", VariantName::flawed, Bottleneck::memory, MemoryUnit::l1_and_shared, {}},
      {"05-sync-heavy", VariantName::flawed, Bottleneck::overhead, {}, {"host waits"}},
      {"05-sync-heavy", VariantName::optimized, Bottleneck::overhead, {}, {}}};
  for (const Expected& expected : all) {
    INFO(expected.lab << " " << expected.variant.name());
    const Diagnosis diagnosis = diagnose(facts_of(expected.lab, expected.variant));
    INFO(diagnosis.sentence << " " << diagnosis.distance);
    REQUIRE(diagnosis.bottleneck);
    CHECK(to_string(*diagnosis.bottleneck) == to_string(expected.bottleneck));
    CHECK(diagnosis.level == expected.level);
    CHECK(names(diagnosis.wastes) == expected.wastes);
    CHECK(diagnosis.confidence);
    CHECK_FALSE(diagnosis.sentence.empty());
    CHECK(diagnosis.experiments.size() == 2);
    CHECK(diagnosis.evidence.size() >= 2);
    for (const EvidenceRow& evidence : diagnosis.evidence) {
      INFO(evidence.label);
      CHECK(evidence.value);
      CHECK_FALSE(evidence.label.empty());
    }
  }
}

TEST_CASE("every number of the evidence is one of the facts or follows from them",
          "[core][diagnosis]") {
  const KernelFacts facts = facts_of("02-coalescing", VariantName::flawed);
  const Diagnosis diagnosis = diagnose(facts);
  const auto is_counter = [&](const EvidenceRow& evidence) {
    return std::any_of(facts.counters.begin(), facts.counters.end(), [&](const auto& counter) {
      return counter.second.value == evidence.value && counter.second.source == evidence.source;
    });
  };
  for (const EvidenceRow& evidence : diagnosis.evidence) CHECK(is_counter(evidence));
  for (const Waste& waste : diagnosis.wastes)
    for (const EvidenceRow& evidence : waste.evidence) CHECK(is_counter(evidence));
}

TEST_CASE("without any counter nothing is told, and what is needed is named", "[core][diagnosis]") {
  const Diagnosis diagnosis = diagnose({.variant = VariantName::mine});
  CHECK_FALSE(diagnosis.bottleneck);
  CHECK_FALSE(diagnosis.confidence);
  CHECK(diagnosis.evidence.empty());
  CHECK(diagnosis.wastes.empty());
  CHECK(diagnosis.experiments.empty());
  CHECK(diagnosis.unchecked.size() == 8);
  CHECK_THAT(diagnosis.sentence, ContainsSubstring("cannot be told"));
  const auto lacks = [&](const char* what) {
    return std::any_of(diagnosis.lacks.begin(), diagnosis.lacks.end(),
                       [&](const Lack& lack) { return lack.what == what; });
  };
  CHECK(lacks("Device memory throughput"));
  CHECK(lacks("Cost of an empty launch"));
  CHECK(lacks("Time of one run"));
  CHECK(summary(diagnosis).empty());
}

TEST_CASE("a missing counter is named with its own reason", "[core][diagnosis]") {
  KernelFacts facts = busy(30, 30);
  facts.counters["dram_throughput_pct"] = {std::nullopt, Source::measured,
                                           missing_from("the driver said no")};
  const Diagnosis diagnosis = diagnose(facts);
  CHECK_FALSE(diagnosis.bottleneck);
  REQUIRE_FALSE(diagnosis.lacks.empty());
  const Lack wanted{"Device memory throughput", "the driver said no"};
  CHECK(std::count(diagnosis.lacks.begin(), diagnosis.lacks.end(), wanted) == 1);
}

TEST_CASE("idle arithmetic and memory are latency only if both are known to be idle",
          "[core][diagnosis]") {
  CHECK(diagnose(busy(30, 30)).bottleneck == Bottleneck::latency);
  KernelFacts facts = busy(30, 30);
  facts.counters.erase("l2_throughput_pct");
  CHECK_FALSE(diagnose(facts).bottleneck);
}

TEST_CASE("the thresholds decide where they say they do", "[core][diagnosis]") {
  using namespace thresholds;
  CHECK(diagnose(busy(busy_pct + 1, 20)).bottleneck == Bottleneck::compute);
  CHECK(diagnose(busy(busy_pct - 1, 20)).bottleneck == Bottleneck::latency);
  CHECK(diagnose(busy(20, busy_pct + 1)).bottleneck == Bottleneck::memory);
  CHECK(diagnose(busy(20, busy_pct - 1)).bottleneck == Bottleneck::latency);
  CHECK(diagnose(busy(80, 80 - balanced_points + 1)).bottleneck == Bottleneck::balanced);
  CHECK(diagnose(busy(80, 80 - balanced_points - 1)).bottleneck == Bottleneck::compute);
}

TEST_CASE("confidence is the distance to the threshold", "[core][diagnosis]") {
  CHECK(diagnose(busy(61, 20)).confidence == Confidence::low);
  CHECK(diagnose(busy(67, 20)).confidence == Confidence::medium);
  CHECK(diagnose(busy(90, 20)).confidence == Confidence::high);
}

TEST_CASE("the launch-cost test compares one kernel with an empty one", "[core][diagnosis]") {
  KernelFacts facts = busy(80, 20);
  facts.counters["kernels_executed"] = {10, Source::traced, {}};
  facts.ceilings["empty_launch"] = 2e-6;
  facts.seconds = 10 * 4e-6;  // two empty launches for each kernel
  const Diagnosis overhead = diagnose(facts);
  CHECK(overhead.bottleneck == Bottleneck::overhead);
  CHECK(overhead.lacks.empty());
  REQUIRE_FALSE(overhead.evidence.empty());
  CHECK(overhead.evidence.front().value == 2.0);
  facts.seconds = 10 * 8e-6;
  CHECK(diagnose(facts).bottleneck == Bottleneck::compute);
  // Without the launch's cost the class stands, with the reservation named.
  facts.ceilings.clear();
  const Diagnosis unsure = diagnose(facts);
  CHECK(unsure.bottleneck == Bottleneck::compute);
  REQUIRE(unsure.lacks.size() == 1);
  CHECK(unsure.lacks.front().what == "Cost of an empty launch");
  CHECK_THAT(shell_words(unsure.lacks.front().why), ContainsSubstring("device --measure"));
}

TEST_CASE("one kernel on few multiprocessors is too small a launch, not a slow kernel",
          "[core][diagnosis]") {
  KernelFacts facts = busy(10, 10);
  facts.counters["kernels_executed"] = {1, Source::traced, {}};
  facts.counters["sm_active_cycles"] = {1e4, Source::measured, {}};  // of 1e6
  const Diagnosis diagnosis = diagnose(facts);
  CHECK(diagnosis.bottleneck == Bottleneck::overhead);
  CHECK_THAT(diagnosis.sentence, ContainsSubstring("too small"));
}

TEST_CASE("one kernel that fills the device is not called a small launch", "[core][diagnosis]") {
  KernelFacts facts = busy(10, 10);
  facts.counters["kernels_executed"] = {1, Source::traced, {}};
  facts.ceilings["empty_launch"] = 2e-6;
  facts.seconds = 4e-6;  // every multiprocessor has work all the time, but it is soon over
  const Diagnosis brief = diagnose(facts);
  CHECK(brief.bottleneck == Bottleneck::overhead);
  CHECK_THAT(brief.sentence, ContainsSubstring("starting the kernel"));
  facts.seconds = 1e-3;
  facts.counters["gpu_idle_pct"] = {70, Source::traced, {}};
  const Diagnosis waiting = diagnose(facts);
  CHECK(waiting.bottleneck == Bottleneck::overhead);
  CHECK_THAT(waiting.sentence, ContainsSubstring("The device waits"));
  for (const Diagnosis& diagnosis : {brief, waiting})
    CHECK_THAT(diagnosis.sentence, !ContainsSubstring("multiprocessors"));
}

TEST_CASE("a unit is called the limit only from the line at which it is saturated",
          "[core][diagnosis]") {
  using namespace thresholds;
  const auto sentence = [](double arithmetic, double dram) {
    return diagnose(busy(arithmetic, dram)).sentence;
  };
  CHECK_THAT(sentence(saturated_pct + 1, 20), ContainsSubstring("is the limit"));
  CHECK_THAT(sentence(saturated_pct - 1, 20), ContainsSubstring("not at its limit"));
  CHECK_THAT(sentence(20, saturated_pct + 1), ContainsSubstring("is the limit"));
  CHECK_THAT(sentence(20, saturated_pct - 1), ContainsSubstring("not at its limit"));
  // Below saturation more bytes under way are worth a try; at it, only fewer bytes are.
  CHECK_THAT(shell_words(diagnose(busy(20, 70)).experiments.front().act),
             ContainsSubstring("16 bytes"));
  CHECK_THAT(shell_words(diagnose(busy(20, 90)).experiments.front().act),
             ContainsSubstring("Halve the bytes"));
}

TEST_CASE("before the first hint a diagnosis keeps what to try to itself", "[core][diagnosis]") {
  const Diagnosis whole = diagnose(facts_of("02-coalescing", VariantName::flawed));
  const Diagnosis told = without_experiments(whole, "coalescing");
  CHECK(told.experiments.empty());
  CHECK_THAT(shell_words(told.withheld), ContainsSubstring("`./klab hint coalescing`"));
  CHECK(told.sentence == whole.sentence);
  CHECK(told.wastes.size() == whole.wastes.size());
  CHECK(without_experiments(Diagnosis{}, "coalescing").withheld.empty());
}

TEST_CASE("device memory is judged by the measured copy where there is one", "[core][diagnosis]") {
  KernelFacts facts = busy(10, 50);
  facts.counters["dram_bytes_per_s"] = {3.5e12, Source::measured, {}};
  CHECK(diagnose(facts).bottleneck == Bottleneck::latency);
  facts.ceilings["dram_copy"] = 4e12;
  const Diagnosis diagnosis = diagnose(facts);
  CHECK(diagnosis.bottleneck == Bottleneck::memory);
  CHECK(diagnosis.evidence.front().value == 87.5);
}

TEST_CASE("on the simulator no class is told, but what it counts is judged", "[core][diagnosis]") {
  KernelFacts facts = with({{"global_load_sectors_per_request", 31.9},
                            {"global_store_sectors_per_request", 32},
                            {"threads_per_instruction", 31},
                            {"kernels_executed", 1},
                            {"host_synchronizations", 0}});
  facts.simulated = true;
  for (auto& [name, counter] : facts.counters) counter.source = Source::counted;
  const Diagnosis diagnosis = diagnose(facts);
  CHECK_FALSE(diagnosis.bottleneck);
  CHECK_THAT(diagnosis.sentence, ContainsSubstring("Only a GPU can tell"));
  REQUIRE(names(diagnosis.wastes) == std::vector<std::string>{"excess sectors"});
  for (const EvidenceRow& evidence : diagnosis.wastes.front().evidence)
    CHECK(evidence.source == Source::counted);
  CHECK_FALSE(summary(diagnosis).empty());
}

TEST_CASE("of a simulated run nothing is expected or missed that only a GPU's clock shows",
          "[core][diagnosis]") {
  KernelFacts facts = with({{"threads_per_instruction", 8},
                            {"shared_bank_conflicts", 900},
                            {"shared_load_wavefronts", 1000},
                            {"shared_store_wavefronts", 0},
                            {"host_synchronizations", 400},
                            {"kernels_executed", 200}});
  const auto told_of_time = [](const Diagnosis& diagnosis) {
    return std::any_of(
        diagnosis.experiments.begin(), diagnosis.experiments.end(), [](const auto& experiment) {
          return experiment.expect.find("time") != std::string::npos || !experiment.timed.empty();
        });
  };
  CHECK(told_of_time(diagnose(facts)));
  facts.simulated = true;
  const Diagnosis diagnosis = diagnose(facts);
  CHECK(diagnosis.experiments.size() == 2);
  CHECK_FALSE(told_of_time(diagnosis));
  CHECK(diagnosis.lacks.empty());
  facts.counters.erase("threads_per_instruction");
  CHECK_FALSE(told_of_time(diagnose(facts)));
}

TEST_CASE("latency names what the warps wait for, and tries that first", "[core][diagnosis]") {
  KernelFacts facts = busy(20, 20);
  facts.stalls_pct = {{"barrier", 55}, {"selected", 40}, {"wait", 5}};
  const Diagnosis diagnosis = diagnose(facts);
  CHECK(diagnosis.bottleneck == Bottleneck::latency);
  CHECK_THAT(diagnosis.sentence, ContainsSubstring("barrier"));
  REQUIRE(diagnosis.experiments.size() == 2);
  CHECK_THAT(shell_words(diagnosis.experiments.front().act), ContainsSubstring("barriers"));
}

TEST_CASE("facts and diagnosis survive JSON, and foreign JSON is harmless", "[core][diagnosis]") {
  KernelFacts facts = facts_of("02-coalescing", VariantName::flawed);
  facts.ceilings["dram_copy"] = 4.1e12;
  facts.stalls_pct["long_scoreboard"] = 70;
  const nlohmann::json json = to_json(facts);
  const KernelFacts again = facts_from(json);
  CHECK(to_json(again) == json);
  CHECK(to_json(diagnose(again)) == to_json(diagnose(facts)));
  CHECK(to_json(diagnose(facts)).at("class") == "memory");
  for (const char* text :
       {"[]", "null", "{\"counters\": 3, \"ceilings\": [1], \"seconds\": \"x\"}"})
    CHECK_FALSE(diagnose(facts_from(nlohmann::json::parse(text))).bottleneck);
}
