// The simulator's side of the comparison with a GPU, run again: by the real runner, from the real
// plan.
#include "core/record/agreement.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

#include "core/base/files.hpp"
#include "core/check/machine.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "simulator/base/counts.hpp"
#include "support/checking.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::test;

namespace {

Result<std::vector<AgreementSide>> sides_of(const Tree& tree, const AgreementPlan& plan,
                                            const std::vector<Comparand>& comparands,
                                            bool simulator, ComputeCapability capability) {
  const auto toolchain = find_toolchain(tree);
  REQUIRE(toolchain);
  return run_sides(tree, *toolchain, plan, comparands, simulator, capability);
}

}  // namespace

TEST_CASE("The simulator's side of every recorded agreement is unchanged",
          "[simulator][agreement][whole]") {
  require_backend(Backend::simulator);
  const auto plan = load_agreement_plan(tree().root);
  const auto recordings = load_agreements(tree().root);
  REQUIRE((plan && recordings));
  if (recordings->empty()) SKIP("no GPU has been compared yet");
  for (const Agreement& recorded : *recordings) {
    Agreement now;
    const auto all = at_recorded_sizes(comparands(*plan, load_course(tree().root)), recorded);
    const auto ours =
        sides_of(tree(), *plan, all, true,
                 recorded.device.compute_capability.value_or(default_compute_capability));
    REQUIRE(ours);
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto kernel = compared(*plan, tree().root, all[i], (*ours)[i], {});
      REQUIRE(kernel);
      now.kernels.push_back(std::move(*kernel));
    }
    // If not: `./klab course agree` on that GPU, then `./klab course agree --report`.
    for (const std::string& line : changes(recorded, now))
      if (line.ends_with(source_has_changed))
        WARN(line);
      else
        FAIL_CHECK(line);
  }
}

TEST_CASE("What is labelled as counted is promised to be equal to what a GPU counts",
          "[simulator][agreement]") {
  const auto plan = load_agreement_plan(tree().root);
  REQUIRE(plan);
  for (std::size_t i = 0; i < sim::metric_count; ++i) {
    const sim::MetricInfo& count = sim::describe(static_cast<sim::Metric>(i));
    CAPTURE(count.name);
    CHECK_FALSE(count.meaning.empty());
    const auto promise =
        std::find_if(plan->metrics.begin(), plan->metrics.end(),
                     [&](const auto& metric) { return metric.first == count.name; });
    // What no single counter of a GPU shows cannot be promised.
    const Metric* shown = find_metric(count.name);
    if (count.label == sim::Label::counted && shown != nullptr && !shown->cupti.empty())
      CHECK((promise != plan->metrics.end() && promise->second == Promise::equal));
  }
}

TEST_CASE("Every pattern runs, and counts and writes the same again",
          "[simulator][agreement][whole]") {
  require_backend(Backend::simulator);
  const auto plan = load_agreement_plan(tree().root);
  REQUIRE(plan);
  // A second simulator in the GPU's place: the whole way from plan to verdict, without a GPU.
  const TemporaryFolder folder;
  Tree twins = tree();
  twins.build = folder.path();
  std::filesystem::create_directories(folder.path() / "bin");
  for (const bool simulator : {true, false})
    std::filesystem::create_symlink(tree().runner(true), twins.runner(simulator));
  std::filesystem::create_directory_symlink(tree().plugins(), twins.plugins());

  Agreement agreement;
  const auto all = comparands(*plan, {});
  const auto ours = sides_of(twins, *plan, all, true, default_compute_capability);
  const auto theirs = sides_of(twins, *plan, all, false, default_compute_capability);
  REQUIRE((ours && theirs));
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i].kernel);
    CHECK((*ours)[i].correct);
    CHECK((*ours)[i].digest.size() == 64);
    auto kernel = compared(*plan, tree().root, all[i], (*ours)[i], (*theirs)[i]);
    REQUIRE(kernel);
    const auto executed = (*ours)[i].counters.at("kernels_executed").value;
    CHECK(executed.value_or(0) >= 1);
    agreement.kernels.push_back(std::move(*kernel));
  }
  for (const std::string& line : unexplained(*plan, agreement)) FAIL_CHECK(line);
}

TEST_CASE("The kernels of a lab share a process, and run alone where that fails",
          "[simulator][agreement][whole]") {
  require_backend(Backend::simulator);
  const auto plan = load_agreement_plan(tree().root);
  REQUIRE(plan);
  auto some = comparands(*plan, {});
  some.resize(3);
  const TemporaryFolder folder;
  Tree counted = tree();
  counted.build = folder.path();
  std::filesystem::create_directories(folder.path() / "bin");
  std::filesystem::create_directory_symlink(tree().plugins(), counted.plugins());
  const std::string log = (folder.path() / "starts").string();
  const auto run = [&](const std::string& first) {
    std::filesystem::remove(log);
    const auto runner = counted.runner(true);
    REQUIRE(write_file(runner, "#!/bin/sh\necho >> " + log + "\n" + first + "exec " +
                                   tree().runner(true).string() + " \"$@\"\n"));
    std::filesystem::permissions(runner, std::filesystem::perms::owner_all);
    const auto sides = sides_of(counted, *plan, some, true, default_compute_capability);
    REQUIRE(sides);
    for (const AgreementSide& side : *sides) {
      CHECK(side.correct);
      CHECK(side.counters.at("kernels_executed").value.value_or(0) >= 1);
    }
    return read_file(log)->size();
  };
  CHECK(run("") == 2);                                            // results, counters
  CHECK(run("[ $(wc -l < " + log + ") = 1 ] && exit 1\n") == 5);  // the first process ends early
}
