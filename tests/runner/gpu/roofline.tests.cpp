// Rooflines on a real GPU, of a kernel whose operations and bytes are known by construction: the
// fixture lab Chain does 2 * depth operations for 4 bytes read and 4 written.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "core/investigate/investigation.hpp"
#include "core/investigate/roofline_rules.hpp"
#include "core/wire/runner_client.hpp"
#include "support/checking.hpp"
#include "support/in_full.hpp"

using namespace klab;
using Catch::Matchers::WithinRel;

namespace {

const std::filesystem::path fixtures = std::filesystem::path(KLAB_SOURCE_DIR) / "tests/fixtures";

/// The optimized chain at a size of our choice.
Investigation chain_roofline(std::int64_t elements, std::int64_t depth) {
  auto lab = load_lab(fixtures, "02_chain");
  REQUIRE(lab);
  lab->sizes.timing = {elements, depth};
  const std::atomic<bool> canceled = false;
  return investigate({.kind = InvestigationKind::roofline,
                      .tree = test::tree(),
                      .lab = *lab,
                      .variants = {{VariantName::optimized, lab->optimized()}},
                      .backend = Backend::gpu},
                     {}, canceled);
}

const Roofline& roofline_in(const Investigation& found) {
  for (const Error& error : found.errors) {
    if (error.code == ErrorCode::profiler_denied || error.code == ErrorCode::profiler_attached)
      SKIP(error.what);
    FAIL_CHECK(error.what << " " << error.detail);
  }
  REQUIRE(std::holds_alternative<Roofline>(found.found));
  const auto& roofline = std::get<Roofline>(found.found);
  for (const Advice& note : roofline.notes) UNSCOPED_INFO(shell_words(note));
  REQUIRE(roofline.kernels.size() == 1);
  return roofline;
}

}  // namespace

TEST_CASE("operations and bytes of a known kernel are counted at every level",
          "[runner][roofline][gpu]") {
  test::require_backend(Backend::gpu);
  // 1 GiB in and 1 GiB out, so that what stays in the L2 at the end is a small part.
  constexpr double n = 268435456;
  const Investigation found = chain_roofline(268435456, 16);
  const Roofline& roofline = roofline_in(found);
  const RooflineKernel& kernel = roofline.kernels[0];
  CHECK(kernel.flops.at(Arithmetic::fp32).value == 2 * 16 * n);
  CHECK(kernel.flops.at(Arithmetic::fp64).value == 0.0);
  CHECK(kernel.flops.at(Arithmetic::tensor).value == 0.0);
  CHECK(kernel.bytes.at(MemoryLevel::requested).value == 8 * n);
  CHECK_THAT(*kernel.bytes.at(MemoryLevel::dram).value, WithinRel(8 * n, 0.04));
  // From the L2 only what is read is counted. In the L1 a warp's load takes one pass of 128 bytes,
  // and so does its store.
  CHECK_THAT(*kernel.bytes.at(MemoryLevel::l2).value, WithinRel(4 * n, 0.05));
  CHECK_THAT(*kernel.bytes.at(MemoryLevel::l1).value, WithinRel(8 * n, 0.02));
  // Every thread writes one or two constants with HFMA2, each counted as four operations of FP16.
  CHECK(kernel.flops.at(Arithmetic::fp16).value.value_or(0) <= 8 * n);
  const double flops = 2 * 16 * n + kernel.flops.at(Arithmetic::fp16).value.value_or(0);
  CHECK_THAT(*intensity(kernel, MemoryLevel::dram), WithinRel(flops / (8 * n), 0.04));
  CHECK(roofline.least_bytes == 8 * n);

  // One float a thread has too little under way to reach the roof that it stands under.
  const Standing stands = standing(roofline, kernel);
  INFO(shell_words(stands.meaning) << " " << stands.position);
  REQUIRE(stands.binding);
  CHECK(stands.binding->level == MemoryLevel::dram);
  CHECK(stands.waste.empty());
}

TEST_CASE("a fused kernel stands at the roof of device memory", "[runner][roofline][gpu]") {
  test::require_backend(Backend::gpu);
  const auto lab = load_lab(KLAB_SOURCE_DIR, "04_fusion");
  REQUIRE(lab);
  const std::atomic<bool> canceled = false;
  const Investigation found = investigate({.kind = InvestigationKind::roofline,
                                           .tree = test::tree(),
                                           .lab = *lab,
                                           .variants = {{VariantName::optimized, lab->optimized()}},
                                           .backend = Backend::gpu},
                                          {}, canceled);
  const Roofline& roofline = roofline_in(found);
  const Standing stands = standing(roofline, roofline.kernels[0]);
  INFO(shell_words(stands.meaning) << " " << stands.position);
  CHECK(stands.kind == Standing::Kind::at_memory);
  REQUIRE(stands.binding);
  CHECK(stands.binding->level == MemoryLevel::dram);
  CHECK(stands.waste.empty());
}

TEST_CASE("a long chain of operations stands at the roof of FP32", "[runner][roofline][gpu]") {
  test::require_backend(Backend::gpu);
  const Investigation found = chain_roofline(16777216, 4096);
  const Roofline& roofline = roofline_in(found);
  const RooflineKernel& kernel = roofline.kernels[0];
  CHECK(kernel.flops.at(Arithmetic::fp32).value == 2.0 * 4096 * 16777216);
  const Standing stands = standing(roofline, kernel);
  INFO(shell_words(stands.meaning) << " " << stands.position);
  CHECK(stands.kind == Standing::Kind::at_arithmetic);
  REQUIRE(stands.binding);
  CHECK(stands.binding->arithmetic == Arithmetic::fp32);
}

TEST_CASE("ceilings grow from device memory to L2 to L1, and from FP64 to tensor cores",
          "[runner][roofline][gpu]") {
  test::require_backend(Backend::gpu);
  const PhaseOutcome outcome =
      run_phase(test::tree(), false, Request{.phase = Phase::ceilings}, 60);
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  const auto sets = outcome.all<record::CeilingSet>();
  REQUIRE(sets.size() == 1);
  const auto& values = sets[0].values;
  for (const auto& [name, value] : values) UNSCOPED_INFO(name << " = " << value);
  const auto facts = gpu_facts(test::tree());
  REQUIRE(facts);
  const bool alone = facts->gpus.value_or(1) < 2;
  for (const CeilingInfo& info : ceiling_catalogue())
    if (!info.name.starts_with("bf16_") && !(alone && info.name.starts_with("peer")))
      CHECK(values.contains(std::string(info.name)));
  const auto at = [&](const char* name) { return values.at(name); };
  CHECK(at("l2_read") > 1.1 * at("dram_read"));
  CHECK(at("l1_read") > 1.5 * at("l2_read"));
  CHECK(at("shared_memory") > 1.5 * at("l2_read"));
  CHECK(at("fp64_fma") < 1.1 * at("fp32_fma"));
  CHECK(at("fp16_fma") > 0.9 * at("fp32_fma"));
  const auto devices = outcome.all<record::Device>();
  if (!devices.empty() && devices[0].facts.compute_capability == ComputeCapability{9, 0})
    CHECK(at("fp16_fma") > 1.8 * at("fp32_fma"));  // both pipes for pairs
  if (values.contains("bf16_tensor")) CHECK(at("bf16_tensor") > at("fp16_fma"));
  if (values.contains("bf16_wgmma")) CHECK(at("bf16_wgmma") > 1.2 * at("bf16_tensor"));
}

TEST_CASE("on the simulator a roofline is counted intensity and nothing more",
          "[runner][roofline][sim]") {
  test::require_backend(Backend::simulator);
  auto lab = load_lab(fixtures, "02_chain");
  REQUIRE(lab);
  const std::atomic<bool> canceled = false;
  const Investigation found = investigate({.kind = InvestigationKind::roofline,
                                           .tree = test::tree(),
                                           .lab = *lab,
                                           .variants = {{VariantName::optimized, lab->optimized()}},
                                           .backend = Backend::simulator},
                                          {}, canceled);
  for (const Error& error : found.errors) FAIL_CHECK(error.what << error.detail);
  REQUIRE(std::holds_alternative<Roofline>(found.found));
  const auto& roofline = std::get<Roofline>(found.found);
  REQUIRE(roofline.kernels.size() == 1);
  const RooflineKernel& kernel = roofline.kernels[0];
  CHECK(kernel.flops.at(Arithmetic::fp32).value == 2.0 * 16 * 65536);
  CHECK(kernel.bytes.at(MemoryLevel::requested).value == 8.0 * 65536);
  CHECK(kernel.flops.at(Arithmetic::fp32).source ==
        Source::modelled);  // docs/agreement.md says why
  CHECK(intensity(kernel, MemoryLevel::requested) == 4.0);
  CHECK_FALSE(kernel.seconds);
  CHECK_FALSE(kernel.bytes.at(MemoryLevel::dram).value);
  CHECK_FALSE(flop_rate(kernel));
  CHECK(roofline.ceilings.values.empty());
  CHECK(roofline.least_bytes == 8.0 * 65536);
  CHECK(standing(roofline, kernel).kind == Standing::Kind::unknown);
}
