// Agreement on random kernels: what differs, why, and how it is kept.
#include "core/record/random/agreement.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/files.hpp"
#include "support/checking.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* loads = "global_load_requests";
constexpr const char* threads = "threads_per_instruction";
constexpr const char* load_bytes = "global_load_bytes";

AgreementPlan example_plan(RandomKind kind = RandomKind::usual) {
  AgreementPlan plan;
  plan.metrics = {{loads, Promise::equal},
                  {threads, Promise::within_10_pct},
                  {"kernel_launches", Promise::equal},
                  {"warp_instructions", Promise::none}};
  return random_plan(plan, kind);
}

RandomSide side(double load_count, double thread_count, const std::string& digest = "00ff",
                double bytes = 100) {
  RandomSide made;
  made.result = RandomResult{5, digest, "host"};
  made.counters[loads] = {load_count, Source::counted, {}};
  made.counters[threads] = {thread_count, Source::modelled, {}};
  made.counters[load_bytes] = {bytes, Source::modelled, {}};
  return made;
}

RandomAgreement compared(const RandomSide& simulator, const RandomSide& gpu) {
  RandomAgreement agreement;
  compare_random(example_plan(), 5, simulator, &gpu, agreement);
  return agreement;
}

}  // namespace

TEST_CASE("a random kernel is compared in its results and in every promised count",
          "[core][agreement][random]") {
  // What a launch does not show of itself, and what is not promised, is left out.
  CHECK(random_metrics(example_plan()) == std::vector<std::string>{loads, threads, load_bytes});

  const RandomAgreement same = compared(side(12, 20), side(12, 21));
  CHECK(same.kernels == 1);
  CHECK(same.same_results == 1);
  CHECK(same.differences.empty());
  REQUIRE(same.metrics.size() == 3);
  CHECK(same.metrics[0].counted == 1);
  CHECK(same.metrics[0].kept == 1);

  const RandomAgreement other = compared(side(12, 20), side(13, 23, "0000"));
  CHECK(other.same_results == 0);
  REQUIRE(other.differences.size() == 3);
  CHECK(other.differences[0].subject == random_results);
  CHECK(other.differences[1].simulator.count == 12);
  CHECK(other.differences[1].gpu.count == 13);
  CHECK(other.metrics[0].kept == 0);
  CHECK(unexplained(other).size() == 3);
}

TEST_CASE("none on both sides is no count that was kept", "[core][agreement][random]") {
  const RandomAgreement none = compared(side(0, 20), side(0, 20));
  CHECK(none.metrics[0].compared == 1);
  CHECK(none.metrics[0].counted == 0);
  CHECK(none.metrics[0].kept == 0);
  CHECK(none.differences.empty());
}

TEST_CASE("a count that the GPU does not give is a difference", "[core][agreement][random]") {
  RandomSide gpu = side(12, 20);
  gpu.counters.clear();
  gpu.result.reset();
  const RandomAgreement agreement = compared(side(12, 20), gpu);
  REQUIRE(agreement.differences.size() == 4);
  CHECK(agreement.differences[0].gpu.result == "did not run");
  CHECK(agreement.differences[1].gpu.text() == "absent");
  CHECK(unexplained(agreement).size() == 4);
}

TEST_CASE("spills that the simulator cannot see are a reason, a phase that failed is none",
          "[core][agreement][random]") {
  RandomSide ours = side(12, 20);
  ours.counters[loads] = {std::nullopt, Source::modelled, missing_from("The runner ended.")};
  CHECK(unexplained(compared(ours, side(12, 20))).size() == 1);
  ours.counters[loads].reason = {MissingKind::unseen_spills};
  const RandomAgreement spilled = compared(ours, side(12, 20));
  CHECK(unexplained(spilled).empty());
  REQUIRE(spilled.differences.size() == 1);
  CHECK(spilled.differences[0].reason == RandomReason::unseen_spills);
  CHECK_THAT(words_of(spilled.differences[0].reason), ContainsSubstring("The compiler spills"));

  RandomSide gpu = side(12, 20);
  gpu.counters[loads] = {std::nullopt, Source::counted, missing_from("The runner ended.")};
  const auto open = unexplained(compared(side(12, 20), gpu));
  REQUIRE(open.size() == 1);
  CHECK_THAT(open[0], ContainsSubstring("absent: The runner ended."));
}

TEST_CASE("without a GPU a random kernel is compared with the host alone",
          "[core][agreement][random]") {
  RandomAgreement agreement;
  RandomSide wrong = side(1, 2);
  wrong.result->verdict = "u0 of thread 3 is 1, on the host 2";
  compare_random(example_plan(), 5, wrong, nullptr, agreement);
  REQUIRE(agreement.differences.size() == 1);
  CHECK_THAT(unexplained(agreement)[0], ContainsSubstring("u0 of thread 3"));
  CHECK(agreement.metrics.empty());
}

TEST_CASE("a difference has the reason of the form in which it is gone",
          "[core][agreement][random]") {
  const AgreementPlan plan = example_plan();
  const RandomAgreement other = compared(side(12, 20, "a"), side(13, 23, "b"));
  RandomDifference results = other.differences[0], count = other.differences[1];

  // A form that counts differently too explains nothing.
  explain_random(plan, {.optimized = false}, side(12, 20), side(13, 20, "a", 104), count);
  CHECK(count.reason == RandomReason::none);
  // Nor does the usual form, in which they differ.
  explain_random(plan, {}, side(12, 20), side(12, 20, "a", 104), count);
  CHECK(count.reason == RandomReason::none);
  // One that agrees does, and what is explained stays so.
  explain_random(plan, {.optimized = false}, side(12, 20), side(12, 20), count);
  CHECK(count.reason == RandomReason::optimizer);
  explain_random(plan, {.divides = false}, side(12, 20), side(12, 20), count);
  CHECK(count.reason == RandomReason::optimizer);

  // Other arithmetic says nothing of results.
  explain_random(plan, {.divides = false}, side(1, 1), side(1, 1), results);
  CHECK(results.reason == RandomReason::none);
  explain_random(plan, {.optimized = false}, side(1, 1), side(1, 1), results);
  CHECK(results.reason == RandomReason::optimizer);
}

TEST_CASE("lanes that are only taken together otherwise are a reason",
          "[core][agreement][random]") {
  const AgreementPlan plan = example_plan();
  const auto reasons = [&](const RandomForm& form, const RandomSide& ours,
                           const RandomSide& theirs) {
    RandomDifference requests{5, loads, {}, {}, {}}, lanes{5, threads, {}, {}, {}};
    explain_random(plan, form, ours, theirs, requests);
    explain_random(plan, form, ours, theirs, lanes);
    return std::pair(requests.reason, lanes.reason);
  };
  using enum RandomReason;
  CHECK(reasons({}, side(12, 20), side(13, 9)) == std::pair(grouping, grouping));
  CHECK(reasons({.optimized = false}, side(12, 20), side(13, 9)) ==
        std::pair(grouping_behind_optimizer, grouping_behind_optimizer));
  // Where threads access more, or nothing at all, it is not known.
  CHECK(reasons({}, side(12, 20), side(13, 9, "a", 104)) == std::pair(none, none));
  CHECK(reasons({}, side(0, 20, "a", 0), side(1, 9, "a", 0)) == std::pair(none, none));
  // Nor is it shown that lanes part where every access is the same.
  CHECK(reasons({}, side(12, 20), side(12, 9)).second == none);
}

TEST_CASE("lanes that part and come together alike leave the weight of instructions as a reason",
          "[core][agreement][random]") {
  const auto reason = [](double load_count, double theirs_part, double ours_part) {
    RandomSide ours = side(12, 20), theirs = side(load_count, 15);
    ours.counters["divergent_branches"] = {ours_part, Source::counted, {}};
    theirs.counters["divergent_branches"] = {theirs_part, Source::counted, {}};
    RandomDifference lanes{5, threads, {}, {}, {}};
    explain_random(example_plan(RandomKind::masked), {.optimized = false}, ours, theirs, lanes);
    return lanes.reason;
  };
  CHECK(reason(12, 7, 7) == RandomReason::translation);
  CHECK(reason(12, 8, 7) == RandomReason::none);  // they part at other places
  CHECK(reason(12, 0, 0) == RandomReason::none);  // nowhere: then each instruction has all
  CHECK(reason(13, 7, 7) == RandomReason::grouping_behind_optimizer);
}

TEST_CASE("what both sides count is kept of kernels that stay without a reason",
          "[core][agreement][random]") {
  RandomAgreement agreement = compared(side(12, 20), side(13, 20, "00ff", 104));
  note_look({.optimized = false}, 5, side(11, 20), side(12, 20), agreement);
  note_look({.optimized = false}, 6, side(11, 20), side(12, 20), agreement);
  forget_explained(agreement);
  REQUIRE(agreement.looks.size() == 3);
  CHECK(agreement.looks[0].seed == 5);
  CHECK(agreement.looks[0].form == "_as_written");
  agreement.device.name = "NVIDIA H200";
  agreement.last_seed = 1;
  const TemporaryFolder folder;
  REQUIRE(write_random_agreement(folder.path() / "a.json", agreement));
  CHECK(read_random_agreement(folder.path() / "a.json")->looks.size() == 3);
  for (RandomDifference& difference : agreement.differences)
    difference.reason = RandomReason::optimizer;
  forget_explained(agreement);
  CHECK(agreement.looks.empty());
}

TEST_CASE("other seeds are another generator to a recording", "[core][agreement][random]") {
  const TemporaryFolder folder;
  const auto agreement = folder.path() / "tests/simulator/agreement";
  for (const char* file :
       {"random/arithmetic.cuh", "random/more_arithmetic.cuh", "random/more_arithmetic_host.cuh",
        "random/thread.cuh", "random/device_side.cuh", "random/host_side.cuh", "random/support.cuh",
        "random/program.cu", "labs/02_random/contract.cuh"})
    REQUIRE(write_file(agreement / file, "// nothing\n"));
  CHECK_FALSE(generator_digest(folder.path(), {1}));  // the workload is missing
  REQUIRE(write_file(agreement / "labs/02_random/workload.cu", "// nothing\n"));
  const auto one = generator_digest(folder.path(), {1});
  REQUIRE(one);
  CHECK(*one == *generator_digest(folder.path(), {1}));
  CHECK(*one != *generator_digest(folder.path(), {1, 2}));
  REQUIRE(write_file(agreement / "random/thread.cuh", "// another\n"));
  CHECK(*one != *generator_digest(folder.path(), {1}));
}

TEST_CASE("a comparison goes on behind what was written down of it", "[core][agreement][random]") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "tests/simulator");
  std::filesystem::copy(tree().root / "tests/simulator/agreement",
                        folder.path() / "tests/simulator/agreement",
                        std::filesystem::copy_options::recursive);
  RandomAgreement fresh;
  fresh.device.name = "NVIDIA H200";
  fresh.device.driver = "580.159.04";
  fresh.simulator = "digest of the simulator";
  fresh.first_seed = 5;
  fresh.last_seed = 4;
  RandomAgreement half = fresh;
  half.add(compared(side(12, 20), side(13, 23)));
  half.last_seed = 5;
  half.generator = *generator_digest(folder.path(), half.seeds());
  const auto path = folder.path() / "random.json";
  const auto begun = [&](std::uint64_t last_seed) {
    return begun_random_agreement(folder.path(), example_plan(), path, fresh, last_seed);
  };
  CHECK_FALSE(begun(8));  // there is no file
  REQUIRE(write_random_agreement(path, half));
  REQUIRE(begun(8));
  CHECK(begun(8)->last_seed == 5);
  CHECK(begun(8)->differences.size() == 2);
  CHECK_FALSE(begun(5));  // complete: it is compared anew

  const auto is_another = [&](auto change) {
    RandomAgreement other = half;
    change(other);
    REQUIRE(write_random_agreement(path, other));
    return !begun(8);
  };
  CHECK_FALSE(is_another([](RandomAgreement&) {}));
  CHECK(is_another([](RandomAgreement& a) { a.device.driver = "1"; }));
  CHECK(is_another([](RandomAgreement& a) { a.simulator = "of another"; }));
  CHECK(is_another([](RandomAgreement& a) { a.generator = "of other kernels"; }));
  CHECK(is_another([](RandomAgreement& a) { a.metrics.pop_back(); }));
  CHECK(is_another([](RandomAgreement& a) { a.first_seed = 4; }));
}

TEST_CASE("a random kernel that faults leaves those behind it to another run",
          "[core][agreement][random]") {
  const TemporaryFolder folder;
  const auto program = folder.path() / "program";
  REQUIRE(write_file(program,
                     "#!/bin/sh\n"
                     "case $1 in\n"
                     "0) printf '1 aa host\\n2 - an illegal memory access was encountered\\n';;\n"
                     "2) printf '3 bb host\\n4 - unspecified launch failure\\n';;\n"
                     "esac\n"));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const auto results = run_random_program(program, {});
  REQUIRE(results);
  REQUIRE(results->size() == 4);
  CHECK((*results)[2].verdict == "host");
  CHECK((*results)[3].digest == "-");
}

TEST_CASE("parts of the seeds add up", "[core][agreement][random]") {
  RandomAgreement all;
  all.add(compared(side(12, 20), side(13, 20)));
  all.add(compared(side(12, 20), side(12, 20)));
  CHECK(all.kernels == 2);
  CHECK(all.same_results == 2);
  CHECK(all.metrics[0].compared == 2);
  CHECK(all.metrics[0].kept == 1);
  CHECK(all.differences.size() == 1);
}

TEST_CASE("a recording of random kernels comes back as it was written, and becomes a table",
          "[core][agreement][random]") {
  const TemporaryFolder folder;
  RandomAgreement agreement = compared(side(12, 20), side(13, 23));
  agreement.device.name = "NVIDIA H200";
  agreement.device.driver = "580.159.04";
  agreement.device.toolkit = "13.0.88";
  agreement.date = "2026-11-21T03:00:00Z";
  agreement.last_seed = 1;
  agreement.generator = "digest";
  agreement.differences[0].reason = RandomReason::division;
  const auto path = random_agreement_file(folder.path(), agreement.device);
  CHECK(path.filename() == "random-nvidia-h200.json");
  REQUIRE(write_random_agreement(path, agreement));
  // The recording of the other kernels is not mistaken for it, nor it for one.
  const auto others = load_agreements(folder.path());
  REQUIRE(others);
  CHECK(others->empty());
  const auto back = load_random_agreements(folder.path());
  REQUIRE(back);
  REQUIRE(back->size() == 1);
  const RandomAgreement& read = back->front();
  CHECK(read.kernels == 1);
  CHECK(read.generator == "digest");
  CHECK(read.device.driver == "580.159.04");
  REQUIRE(read.differences.size() == 2);
  CHECK(read.differences[0].reason == RandomReason::division);
  CHECK(read.metrics[1].kept == 0);

  const std::string text = random_agreement_markdown(example_plan(), *back);
  CHECK_THAT(text, ContainsSubstring("1 kernels, of the seeds 1 to 1: 1 give the same bits"));
  CHECK_THAT(text, ContainsSubstring("| Global load requests | equal | 1 | 0 | 1 | 0 |"));
  CHECK_THAT(text, ContainsSubstring(
                       "| Active threads per warp instruction | within 10 % | 1 | 0 | 0 | 1 |"));
  CHECK_THAT(text, ContainsSubstring("| 5 | Active threads per warp instruction | 20 | 23 |"));

  // A range that no comparison has is not walked through.
  agreement.last_seed = ~std::uint64_t{0};
  REQUIRE(write_random_agreement(path, agreement));
  CHECK_FALSE(read_random_agreement(path));
  REQUIRE(write_file(path, "{\"format\": 1}"));
  CHECK_FALSE(load_random_agreements(folder.path()));
  REQUIRE(write_file(path, "[]"));
  CHECK_FALSE(read_random_agreement(path));
}

TEST_CASE("each kind of random kernels has promises of its own", "[core][agreement][random]") {
  const auto promised = [](RandomKind kind) {
    return random_plan({.metrics = {{threads, Promise::within_10_pct}}}, kind).metrics;
  };
  using Metrics = std::vector<std::pair<std::string, Promise>>;
  CHECK(promised(RandomKind::usual) == Metrics{{threads, Promise::within_10_pct}});
  CHECK(promised(RandomKind::memory) == Metrics{{threads, Promise::none},
                                                {"divergent_branches", Promise::none},
                                                {"shared_bank_conflicts", Promise::equal}});
  CHECK(promised(RandomKind::masked).front().second == Promise::within_10_pct);
}

TEST_CASE("a count that is only shown is no difference", "[core][agreement][random]") {
  const AgreementPlan plan = example_plan(RandomKind::memory);
  const RandomSide ours = side(12, 20), theirs = side(12, 23);
  RandomAgreement agreement;
  agreement.kind = RandomKind::memory;
  compare_random(plan, 5, ours, &theirs, agreement);
  REQUIRE(agreement.metrics.size() >= 2);
  CHECK(agreement.metrics[1].metric == threads);
  CHECK(agreement.metrics[1].counted == 1);
  CHECK(agreement.metrics[1].kept == 0);
  CHECK(reasons_of(agreement, threads).none == 0);
  agreement.device.name = "NVIDIA H200";
  CHECK_THAT(
      random_agreement_markdown(example_plan(), {agreement}),
      ContainsSubstring("Random kernels of the kind memory on NVIDIA H200") &&
          ContainsSubstring("| Active threads per warp instruction | none | 1 | 0 | – | – |"));
}

TEST_CASE("a recording says of which kind its kernels are", "[core][agreement][random]") {
  const TemporaryFolder folder;
  for (const RandomKind kind : random_kinds) {
    CHECK(random_kind_from(name_of(kind)) == kind);
    RandomAgreement agreement = compared(side(12, 20), side(13, 20));
    agreement.device.name = "NVIDIA H200";
    agreement.kind = kind;
    agreement.last_seed = 1;
    const auto path = random_agreement_file(folder.path(), agreement.device, kind);
    CHECK_FALSE(std::filesystem::exists(path));
    REQUIRE(write_random_agreement(path, agreement));
    const auto read = read_random_agreement(path);
    REQUIRE(read);
    CHECK(read->kind == kind);
    CHECK(read->differences.front().simulator.count == 12);
    CHECK(read->differences.front().gpu.count == 13);
    // Another kind is another comparison, which does not go on behind this one.
    RandomAgreement fresh = *read;
    fresh.kind = kind == RandomKind::usual ? RandomKind::memory : RandomKind::usual;
    CHECK_FALSE(begun_random_agreement(tree().root, example_plan(), path, fresh, 8));
  }
  CHECK_FALSE(random_kind_from("unusual"));
}
