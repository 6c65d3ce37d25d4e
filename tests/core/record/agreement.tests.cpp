// Agreement with a GPU: what is promised, what has changed, and how it is kept.
#include "core/record/agreement.hpp"
#include "core/record/random/agreement.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/files.hpp"
#include "core/record/results.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

namespace {

AgreementPlan example_plan() {
  AgreementPlan plan;
  plan.metrics = {{"global_load_requests", Promise::equal},
                  {"threads_per_instruction", Promise::within_10_pct},
                  {"warp_instructions", Promise::none}};
  plan.known.push_back(
      {"tiled product", std::nullopt, "global_load_requests", "ptxas merges loads."});
  return plan;
}

AgreementKernel kernel_of(const std::string& name, double requests, double gpu_requests) {
  AgreementKernel kernel{name, pattern_variant, {3}};
  kernel.sources["patterns.cu"] = "digest";
  kernel.simulator_digest = kernel.gpu_digest = "same";
  kernel.simulator_correct = kernel.gpu_correct = true;
  kernel.rows = {{"global_load_requests", Source::counted, requests, gpu_requests, {}},
                 {"threads_per_instruction", Source::modelled, 20.08, 18.7, {}},
                 {"warp_instructions", Source::modelled, 6337.0, 6003.0, {}}};
  return kernel;
}

Agreement example() {
  Agreement agreement;
  agreement.device.name = "NVIDIA H200";
  agreement.device.driver = "580.159.04";
  agreement.device.toolkit = "13.0.88";
  agreement.date = "2026-11-21T03:00:00Z";
  agreement.kernels = {kernel_of("saxpy", 626, 626), kernel_of("tiled product", 100, 75)};
  return agreement;
}

}  // namespace

TEST_CASE("a difference without a known reason is named, and one with a reason is not",
          "[core][agreement]") {
  const AgreementPlan plan = example_plan();
  Agreement agreement = example();
  CHECK(unexplained(plan, agreement).size() == 1);
  explain(plan, agreement);
  CHECK(agreement.kernels[1].rows[0].reason == "ptxas merges loads.");
  CHECK(unexplained(plan, agreement).empty());

  agreement.kernels[0].rows[0].gpu = 627;
  agreement.kernels[0].rows[1].gpu = 18.2;
  agreement.kernels[0].rows[2].gpu = 1;
  agreement.kernels[1].gpu_digest = "other";
  agreement.kernels[1].simulator_correct = false;
  const auto found = unexplained(plan, agreement);
  REQUIRE(found.size() == 4);
  CHECK(found[0] == "saxpy: global_load_requests is 626 on the simulator and 627 on the GPU.");
  CHECK_THAT(found[1], ContainsSubstring("threads_per_instruction"));
  CHECK(found[2] == "tiled product is not right on the simulator.");
  CHECK_THAT(found[3], ContainsSubstring("other results"));
}

TEST_CASE("a value that one side lacks is no agreement", "[core][agreement]") {
  const AgreementPlan plan = example_plan();
  Agreement agreement = example();
  agreement.kernels.pop_back();
  agreement.kernels[0].rows[0].gpu.reset();
  CHECK(unexplained(plan, agreement).size() == 1);
  agreement.kernels[0].rows[0].reason = "the counter is not available on GA102";
  CHECK(unexplained(plan, agreement).empty());
  explain(plan, agreement);
  CHECK_FALSE(agreement.kernels[0].rows[0].reason.empty());
}

TEST_CASE("whatever changed on the simulator's side is listed", "[core][agreement]") {
  CHECK(changes(example(), example()).empty());
  Agreement now = example();
  now.kernels[0].rows[0].gpu.reset();  // the GPU's side is not run here
  CHECK(changes(example(), now).empty());

  now.kernels[0].rows[0].simulator = 625;
  now.kernels[0].rows[2].label = Source::counted;
  now.kernels[1] = kernel_of("diverge", 1, 1);
  const auto changed = changes(example(), now);
  REQUIRE(changed.size() == 4);
  CHECK(changed[0] == "saxpy: global_load_requests was 626 and is 625 now.");
  CHECK_THAT(changed[1], ContainsSubstring("was labelled modelled"));
  CHECK(changed[2] == "diverge is not recorded.");
  // A lab that was never compared has nothing that could change.
  AgreementKernel lab = kernel_of("06-transpose", 1, 1);
  lab.variant = VariantName::flawed;
  now.kernels.push_back(lab);
  CHECK(changes(example(), now).size() == 4);
  CHECK(changed[3] == "tiled product is recorded but no longer compared.");

  // Of another source nothing else is said.
  now = example();
  now.kernels[0].sources["patterns.cu"] = "another";
  now.kernels[0].rows[0].simulator = 625;
  CHECK(changes(example(), now) ==
        std::vector<std::string>{"patterns.cu has changed since it was compared."});

  now = example();
  now.kernels[0].simulator_digest = "new";
  now.kernels[0].rows.pop_back();
  CHECK(changes(example(), now).size() == 2);
}

TEST_CASE("a lab that counts at another size since is run at the recorded one",
          "[core][agreement]") {
  Agreement recorded = example();
  recorded.kernels[0].size = {4};
  const std::vector<Comparand> all{{.kernel = "saxpy", .variant = pattern_variant, .size = {1}},
                                   {.kernel = "new", .variant = pattern_variant, .size = {2}}};
  const auto at = at_recorded_sizes(all, recorded);
  CHECK(at[0].size == Size{4});
  CHECK(at[1].size == Size{2});
}

TEST_CASE("a recording comes back as it was written", "[core][agreement]") {
  const TemporaryFolder folder;
  Agreement agreement = example();
  agreement.kernels[0].rows[2].gpu.reset();
  agreement.kernels[0].rows[2].reason = "needs a GPU";
  const auto path = agreement_file(folder.path(), agreement.device);
  CHECK(path == folder.path() / "docs/results/agreement/nvidia-h200.json");
  REQUIRE(write_agreement(path, agreement));
  const auto read = read_agreement(path);
  REQUIRE(read);
  CHECK(changes(agreement, *read).empty());
  CHECK(read->device.driver == "580.159.04");
  CHECK(read->date == agreement.date);
  CHECK(read->kernels[1].rows[0].gpu == 75.0);
  CHECK_FALSE(read->kernels[0].rows[2].gpu);
  CHECK(read->kernels[0].rows[2].reason == "needs a GPU");
  CHECK(load_agreements(folder.path())->size() == 1);
}

TEST_CASE("a file that is no recorded agreement is refused with the reason", "[core][agreement]") {
  const TemporaryFolder folder;
  for (const std::string& text :
       {std::string("not json"), std::string("[]"), std::string("{\"format\":2}"),
        std::string("{\"format\":1,\"device\":{},\"date\":\"\",\"kernels\":[]}"),
        std::string("{\"format\":1,\"device\":{\"name\":\"x\"},\"date\":\"\",\"kernels\":[7]}"),
        std::string(100000, '[')}) {
    CAPTURE(text.substr(0, 60));
    const auto read = read_agreement(folder.write("a.json", text));
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ErrorCode::io);
  }
}

TEST_CASE("the tables show both sides, the difference and the reason", "[core][agreement]") {
  Agreement agreement = example();
  explain(example_plan(), agreement);
  agreement.kernels[0].rows[2] = {"divergent_branches", Source::counted, 0.0, 0.0, {}};
  const std::string text = agreement_markdown(example_plan(), {agreement});
  CHECK_THAT(text,
             ContainsSubstring("## NVIDIA H200, driver 580.159.04, CUDA 13.0.88, 2026-11-21"));
  CHECK_THAT(text,
             ContainsSubstring("Of 4 promised values that are not 0 on both sides, 3 are kept."));
  CHECK_THAT(text, ContainsSubstring("| 100 | 75 | +25 (33.3 %) | ptxas merges loads. |"));
  CHECK_THAT(text, ContainsSubstring("| saxpy | bit-equal |"));
  CHECK_THAT(text, ContainsSubstring("| saxpy | Global load requests | counted | 626 | 626 | 0 |"));
  CHECK_THAT(text, !ContainsSubstring("Divergent branches"));
}

TEST_CASE("the plan of this repository names known metrics and as many patterns as there are",
          "[core][agreement]") {
  const auto plan = load_agreement_plan(KLAB_SOURCE_DIR);
  REQUIRE(plan);
  const auto all = comparands(*plan, load_course(KLAB_SOURCE_DIR));
  CHECK(all.size() >= 30 + 2);
  for (const Comparand& comparand : all) CHECK(std::filesystem::exists(comparand.source));
  for (const KnownDifference& known : plan->known) CHECK(known.reason.ends_with('.'));
}

TEST_CASE("docs/agreement.md holds the tables of the recordings", "[core][agreement]") {
  const std::filesystem::path root = KLAB_SOURCE_DIR;
  const auto plan = load_agreement_plan(root);
  const auto recordings = load_agreements(root);
  const auto random = load_random_agreements(root);
  const auto document = read_file(root / "docs/agreement.md");
  REQUIRE((plan && recordings && random && document));
  const auto fresh = with_results(*document, agreement_markdown(*plan, *recordings) +
                                                 random_agreement_markdown(*plan, *random));
  REQUIRE(fresh);
  CHECK(*fresh == *document);  // if not: ./klab course agree --report
  for (const Agreement& recorded : *recordings)
    for (const std::string& line : unexplained(*plan, recorded)) FAIL_CHECK(line);
}
