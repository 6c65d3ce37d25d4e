// Random kernels: the simulator makes of each what the host does.
#include "core/record/random/kernels.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <numeric>

#include "core/base/sha256.hpp"
#include "core/record/random/agreement.hpp"
#include "core/wire/protocol.hpp"
#include "support/checking.hpp"
#include "support/in_full.hpp"
#include "support/passed_before.hpp"
#include "support/sanitized.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::test;

namespace {

/// What kernels of seeds that never change make follows from these.
PassedBefore with_seeds_of(const std::string& test, const Toolchain& toolchain) {
  const Tree here = tree();
  return PassedBefore(Inputs()
                          .text(test + ' ' + toolchain.version)
                          .sources(here.root / "tests" / "simulator" / "agreement",
                                   [](const auto&) { return true; })
                          .built("/proc/self/exe")
                          .built(here.runner(true))
                          .built(here.build / "simulator" / "libcudart.so.13"));
}

}  // namespace

TEST_CASE("A seed always makes the same kernel", "[simulator][random]") {
  const std::string one = random_kernels_source({7});
  CHECK(one == random_kernels_source({7}));
  CHECK(one != random_kernels_source({8}));
  // Whatever stands before it: a difference is looked at again without its neighbours.
  const std::string both = random_kernels_source({3, 7});
  const std::string kernel =
      one.substr(one.find("body_7"), one.find("host_7") - one.find("body_7"));
  CHECK(both.find(kernel) != std::string::npos);
}

TEST_CASE("Wide seeds leave the kernels of other seeds as they were", "[simulator][random]") {
  CHECK(sha256(random_kernels_source({1, 5024, first_wide_seed - 1})) ==
        "9c7acaf00568d42dd2cfc4c346516cd608c46923850bb24457e586b2381e1b28");
  CHECK(random_kernels_source({first_wide_seed + 1}).find("signed_field") != std::string::npos);
}

TEST_CASE("Each kind of random kernels makes of a seed what it always made",
          "[simulator][random]") {
  const auto digest = [](RandomKind kind) {
    return sha256(random_kernels_source({1, 2, 77}, kind));
  };
  CHECK(digest(RandomKind::structured) ==
        "6409918a8b044601e52c15f25da300eae3a67fdcdfdb2dc07467ecb665ba19fa");
  CHECK(digest(RandomKind::masked) ==
        "c628baac54c166c5a32a9e80513f6a999176d2b4caaaedbebbe26cb742ad8536");
  CHECK(digest(RandomKind::memory) ==
        "ca2962048060da13cebbab3adee7d89e7749deaf60883e470516fd42ddef595e");
  for (const RandomKind kind : {RandomKind::structured, RandomKind::masked, RandomKind::memory}) {
    INFO(name_of(kind));
    CHECK_FALSE(random_kernel_divides(3, kind));
    // Where a function that is called meets is written in masked kernels alone.
    const bool calls =
        random_kernels_source({1, 2, 77}, kind).find("__noinline__") != std::string::npos;
    CHECK(calls == (kind == RandomKind::masked));
  }
}

TEST_CASE("Kernels that say where lanes meet make what the host does, and the same of a seed",
          "[simulator][random][agreement]") {
  skip_if_sanitized();
  require_backend(Backend::simulator);
  const auto toolchain = find_toolchain(tree());
  if (!toolchain) SKIP("nvcc is not installed");
  const PassedBefore before = with_seeds_of("masks", *toolchain);
  if (before.said()) {
    SUCCEED("It passed with the same files before.");
    return;
  }
  before.note_if_passed();
  const TemporaryFolder folder;
  Seeds seeds{1, 2, 6, 17};  // in two of them lanes wait at a barrier of some and at one of all
  std::vector<std::vector<std::string>> digests;
  for (const RandomKind kind : {RandomKind::structured, RandomKind::masked, RandomKind::memory}) {
    INFO(name_of(kind));
    const auto build = build_random_kernels(*toolchain, tree().root, folder.path(), seeds,
                                            std::nullopt, {.kind = kind});
    if (!build) FAIL(klab::test::in_full(build.error()));
    const auto results = run_random_program(build->program, tree().build / "simulator");
    REQUIRE(results);
    REQUIRE(results->size() == seeds.size());
    for (const RandomResult& result : *results) {
      INFO("seed " << result.seed);
      CHECK(result.verdict == "host");
      digests.resize(digests.size() + (result.seed == seeds.front()));
      digests.back().push_back(result.digest);
    }
  }
  // Masks say which lanes are on their way together and change nothing of what they compute.
  CHECK(digests[0] == digests[1]);
  CHECK(digests[0] != digests[2]);
}

TEST_CASE("What a program of random kernels prints is read line by line", "[simulator][random]") {
  const auto results = parse_random_results(
      "simulator: some message\n12 00ff host\n13 abcd u0 of thread 3 is 1, on the host 2\n14 - "
      "an illegal memory access was encountered\n15\n");
  REQUIRE(results.size() == 3);
  CHECK(results[0].seed == 12);
  CHECK(results[0].digest == "00ff");
  CHECK(results[0].verdict == "host");
  CHECK(results[1].verdict == "u0 of thread 3 is 1, on the host 2");
  CHECK(results[2].digest == "-");
}

TEST_CASE("Random kernels make what the host does, and are counted one by one",
          "[simulator][random][agreement]") {
  skip_if_sanitized();
  require_backend(Backend::simulator);
  const auto toolchain = find_toolchain(tree());
  if (!toolchain) SKIP("nvcc is not installed");
  const PassedBefore before = with_seeds_of("usual", *toolchain);
  if (before.said()) {
    SUCCEED("It passed with the same files before.");
    return;
  }
  before.note_if_passed();
  const auto plan = load_agreement_plan(tree().root);
  REQUIRE(plan);
  const TemporaryFolder folder;
  Seeds seeds(12);
  std::iota(seeds.begin(), seeds.end(), 1);
  seeds.push_back(5024);  // lanes come to one exchange with different things left to do behind it
  for (int i = 0; i < 4; ++i) seeds.push_back(first_wide_seed + 10 + static_cast<unsigned>(i));
  const auto build =
      build_random_kernels(*toolchain, tree().root, folder.path(), seeds, std::nullopt);
  if (!build) FAIL(klab::test::in_full(build.error()));
  const auto results = run_random_program(build->program, tree().build / "simulator");
  REQUIRE(results);
  CHECK(results->size() == seeds.size());
  // `./klab course agree --random 1 --seed S` repeats one.
  for (const RandomResult& result : *results) {
    INFO("seed " << result.seed);
    CHECK(result.verdict == "host");
  }

  const auto workload = build_random_workload(tree(), *toolchain, default_compute_capability);
  if (!workload) FAIL(klab::test::in_full(workload.error()));
  const auto metrics = random_metrics(random_plan(*plan, RandomKind::usual));
  const auto counted =
      count_random_kernels(tree(), true, workload->library, *build, seeds, metrics);
  if (!counted) FAIL(klab::test::in_full(counted.error()));
  CHECK(counted->size() == seeds.size());
  for (const std::string& metric : metrics) {
    INFO(metric);
    CHECK(std::any_of(counted->begin(), counted->end(), [&](const auto& kernel) {
      return kernel.second.at(metric).value.value_or(0) > 0;
    }));
  }
  // The same kernel counts the same whatever is counted before it.
  const auto last = count_random_kernels(tree(), true, workload->library, *build, {12}, metrics);
  REQUIRE(last);
  for (const std::string& metric : metrics) {
    INFO(metric);
    CHECK(last->at(12).at(metric).value == counted->at(12).at(metric).value);
  }
  // However many there are: a request names no more than so many.
  const Seeds many(most_sizes + 1, 12);
  const auto all =
      count_random_kernels(tree(), true, workload->library, *build, many, {metrics.front()});
  if (!all) FAIL(klab::test::in_full(all.error()));
  CHECK(all->size() == 1);
}
