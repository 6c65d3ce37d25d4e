// Roofline rules with known answers: a machine of round numbers, and kernels whose place on it is
// plain.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "core/investigate/investigation.hpp"
#include "core/investigate/roofline_rules.hpp"

using namespace klab;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

/// 1 TB/s from device memory, 4 from the L2, 10 from the L1; 20 Tflop/s FP32, 200 on tensor cores.
Ceilings machine() {
  return {"Round GPU",
          100,
          "580.1",
          "2026-01-01T00:00:00Z",
          {{"dram_copy", 0.9e12},
           {"dram_read", 1e12},
           {"dram_triad", 0.95e12},
           {"l2_read", 4e12},
           {"l1_read", 8e12},
           {"shared_memory", 10e12},
           {"fp32_fma", 20e12},
           {"fp16_fma", 40e12},
           {"bf16_tensor", 200e12}}};
}

struct Numbers {
  double seconds = 1;
  double dram = 0, l2 = 0, l1 = 0;
  double fp32 = 0, tensor = 0;
};

RooflineKernel kernel(const Numbers& n) {
  RooflineKernel one{.variant = VariantName::mine,
                     .seconds = Interval{n.seconds, n.seconds, n.seconds}};
  one.bytes[MemoryLevel::dram] = {n.dram};
  one.bytes[MemoryLevel::l2] = {n.l2};
  one.bytes[MemoryLevel::l1] = {n.l1};
  one.flops[Arithmetic::fp32] = {n.fp32};
  one.flops[Arithmetic::fp16] = {0.0};
  one.flops[Arithmetic::fp64] = {0.0};
  one.flops[Arithmetic::tensor] = {n.tensor};
  return one;
}

Roofline roofline(const RooflineKernel& one) {
  Roofline all;
  all.ceilings = machine();
  all.kernels = {one};
  return all;
}

Standing stand(const Numbers& n) {
  const RooflineKernel one = kernel(n);
  return standing(roofline(one), one);
}

}  // namespace

TEST_CASE("roofs are the fastest ceilings measured, and ridges where two of them meet",
          "[core][roofline]") {
  const Ceilings c = machine();
  CHECK(memory_roof(c, MemoryLevel::dram).rate == 1e12);
  CHECK(memory_roof(c, MemoryLevel::dram).ceiling == "dram_read");
  CHECK(memory_roof(c, MemoryLevel::l1).ceiling == "shared_memory");
  CHECK_FALSE(memory_roof(c, MemoryLevel::requested).rate);
  CHECK(ridge(c, MemoryLevel::dram, Arithmetic::fp32) == 20.0);
  CHECK(ridge(c, MemoryLevel::l2, Arithmetic::fp32) == 5.0);
  CHECK(ridge(c, MemoryLevel::dram, Arithmetic::tensor) == 200.0);
  CHECK_FALSE(ridge(c, MemoryLevel::dram, Arithmetic::fp64));  // not measured, not 0
  CHECK(attainable(c, MemoryLevel::dram, Arithmetic::fp32, 2) == 2e12);
  CHECK(attainable(c, MemoryLevel::dram, Arithmetic::fp32, 100) == 20e12);
}

TEST_CASE("a copy has intensity 0, no rate of operations, and stands at the memory roof",
          "[core][roofline]") {
  const Numbers copy{.dram = 0.95e12, .l2 = 0.5e12, .l1 = 0.5e12};
  CHECK(intensity(kernel(copy), MemoryLevel::dram) == 0.0);
  CHECK(flop_rate(kernel(copy)) == 0.0);
  CHECK_FALSE(main_arithmetic(machine(), kernel(copy)));
  const Standing found = stand(copy);
  CHECK(found.kind == Standing::Kind::at_memory);
  REQUIRE(found.binding);
  CHECK(found.binding->level == MemoryLevel::dram);
  CHECK(found.binding->percent == Approx(95));
  CHECK_THAT(found.position, ContainsSubstring("no floating-point operations"));
  CHECK_THAT(shell_words(found.meaning), ContainsSubstring("moving fewer"));
}

TEST_CASE("a chain of FMAs in registers stands at the roof of arithmetic", "[core][roofline]") {
  const Standing found = stand({.dram = 1e9, .l2 = 1e9, .l1 = 1e9, .fp32 = 19e12});
  CHECK(found.kind == Standing::Kind::at_arithmetic);
  REQUIRE(found.binding);
  CHECK(found.binding->arithmetic == Arithmetic::fp32);
  CHECK(found.binding->percent == Approx(95));
  CHECK_THAT(found.position, ContainsSubstring("right of the ridge at 20"));
}

TEST_CASE("matrix instructions are held against the tensor ceiling", "[core][roofline]") {
  const Numbers matrix{.dram = 0.1e12, .l2 = 1e12, .l1 = 2e12, .fp32 = 1e12, .tensor = 180e12};
  CHECK(main_arithmetic(machine(), kernel(matrix)) == Arithmetic::tensor);
  CHECK(total_flops(kernel(matrix)) == 181e12);
  CHECK(stand(matrix).binding->arithmetic == Arithmetic::tensor);
}

TEST_CASE("the roof that binds is the one used most, at whatever level", "[core][roofline]") {
  CHECK(stand({.dram = 0.3e12, .l2 = 3.6e12, .l1 = 4e12}).binding->level == MemoryLevel::l2);
  CHECK(stand({.dram = 0.3e12, .l2 = 1e12, .l1 = 9e12}).binding->level == MemoryLevel::l1);
  CHECK_THAT(shell_words(stand({.dram = 0.3e12, .l2 = 1e12, .l1 = 9e12}).meaning),
             ContainsSubstring("bank conflicts"));
}

TEST_CASE("where no roof is near, the kernel is said to wait", "[core][roofline]") {
  CHECK(stand({.dram = 0.6e12, .fp32 = 1e9}).kind == Standing::Kind::between);
  const Standing found = stand({.dram = 0.1e12, .fp32 = 1e9});
  CHECK(found.kind == Standing::Kind::far);
  CHECK_THAT(shell_words(found.meaning), ContainsSubstring("waits"));
  CHECK_THAT(found.position, ContainsSubstring("left of the ridge"));
}

TEST_CASE("a point above a roof is a wrong measurement, not a fast kernel", "[core][roofline]") {
  const Standing found = stand({.dram = 1.2e12, .fp32 = 1e9});
  CHECK(found.kind == Standing::Kind::impossible);
  CHECK_THAT(shell_words(found.meaning), ContainsSubstring("cannot be"));
  // Ceilings repeat within a few percent.
  CHECK(stand({.dram = 1.04e12}).kind == Standing::Kind::at_memory);
  // The tensor ceiling is one of mma.sync; Hopper's wgmma may be above it.
  const RooflineKernel fast = kernel({.tensor = 240e12});
  Roofline hopper = roofline(fast);
  CHECK(standing(hopper, fast).kind == Standing::Kind::impossible);
  hopper.wgmma = true;
  CHECK(standing(hopper, fast).kind == Standing::Kind::at_arithmetic);
}

TEST_CASE("traffic beyond the task's least is named as waste", "[core][roofline]") {
  const RooflineKernel one = kernel({.dram = 0.8e12, .fp32 = 1e9});
  Roofline all = roofline(one);
  CHECK(standing(all, one).waste.empty());
  all.least_bytes = 0.1e12;
  CHECK_THAT(standing(all, one).waste, ContainsSubstring("8x"));
  all.least_bytes = 0.7e12;
  CHECK(standing(all, one).waste.empty());
}

TEST_CASE("what was not measured gives no number and says why", "[core][roofline]") {
  RooflineKernel one = kernel({.dram = 1e9, .fp32 = 1e9});
  Roofline all = roofline(one);
  all.ceilings.values.clear();
  CHECK(standing(all, one).kind == Standing::Kind::unknown);
  CHECK_THAT(shell_words(standing(all, one).meaning), ContainsSubstring("klab device --measure"));
  all = roofline(one);
  one.seconds.reset();
  CHECK_FALSE(flop_rate(one));
  CHECK(roof_shares(all.ceilings, one).empty());
  CHECK_THAT(shell_words(standing(all, one).meaning), ContainsSubstring("Without a time"));
  CHECK(intensity(one, MemoryLevel::dram) == 1.0);
  one.flops.clear();
  CHECK_FALSE(total_flops(one));
  CHECK_FALSE(intensity(one, MemoryLevel::dram));
  one.bytes[MemoryLevel::dram] = {0.0};
  CHECK_FALSE(intensity(one, MemoryLevel::dram));
}

TEST_CASE("a roofline reads back as it was written, and conclusions are computed anew",
          "[core][roofline]") {
  RooflineKernel one = kernel({.dram = 0.95e12, .l2 = 1e12, .l1 = 1e12, .fp32 = 1e12});
  one.bytes[MemoryLevel::requested] = {
      std::nullopt, Source::measured, {MissingKind::not_on_chip, "TU102"}};
  Investigation written{.kind = InvestigationKind::roofline, .lab = "02-coalescing"};
  Roofline all = roofline(one);
  all.wgmma = all.host_clock = true;
  all.least_bytes = 0.5e12;
  all.notes = {"A note."};
  written.found = all;
  const nlohmann::json json = nlohmann::json::parse(to_json(written).dump());
  CHECK(json["found"]["conclusions"][0]["standing"] == "at a memory roof");
  CHECK(json["found"]["ridges_flop_per_byte"]["dram"]["fp64"].is_null());
  const auto read = investigation_from(json);
  REQUIRE(read);
  const auto& back = std::get<Roofline>(read->found);
  REQUIRE(back.kernels.size() == 1);
  CHECK(back.ceilings.values == all.ceilings.values);
  CHECK(back.kernels[0].bytes.at(MemoryLevel::dram).value == 0.95e12);
  CHECK_FALSE(back.kernels[0].bytes.at(MemoryLevel::requested).value);
  CHECK(back.kernels[0].bytes.at(MemoryLevel::requested).reason ==
        MissingReason{MissingKind::not_on_chip, "TU102"});
  CHECK(back.kernels[0].seconds->median == 1);
  CHECK(back.least_bytes == 0.5e12);
  CHECK(back.wgmma);
  CHECK(to_json(back) == to_json(all));
}

TEST_CASE("a record that is no roofline gives an error or nothing, never a crash",
          "[core][roofline]") {
  for (const char* text :
       {R"({"kernels":3})", R"({})", R"([])", R"({"kernels":{}})", R"(null)", R"(7)"})
    CHECK_FALSE(roofline_from(nlohmann::json::parse(text)));
  for (const char* text :
       {R"({"kernels":[1,"x",null,[]]})", R"({"kernels":[{"bytes":[],"flops":7,"seconds":"no"}]})",
        R"({"kernels":[{"bytes":{"dram":{"value":"much"},"moon":{"value":1}}}],"ceilings":[],
            "notes":{"a":1},"least_bytes":"x"})"}) {
    const auto read = roofline_from(nlohmann::json::parse(text));
    REQUIRE(read);
    for (const RooflineKernel& one : read->kernels) CHECK_FALSE(total_flops(one));
    CHECK_FALSE(read->least_bytes);
  }
}
