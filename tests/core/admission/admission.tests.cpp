// Whether a lab is fit for the course: each rule finds its fault.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/admission/conduct.hpp"
#include "core/admission/expectation.hpp"
#include "core/admission/skeleton.hpp"
#include "core/base/files.hpp"
#include "support/example_lab.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A lab without a fault, to be spoilt.
struct Fit {
  Fit() {
    write_lab(folder, "02_coalescing");
    folder.write("kernels/02_coalescing/flawed.cu",
                 "#include \"contract.cuh\"\n// TODO: mend it\n");
    folder.write("solutions/02_coalescing/wrong_nan.cu", "// Rejected by: correct — NaN\n");
    folder.write("solutions/02_coalescing/wrong_race.cu",
                 "// Rejected by: hang or cause — waits\n");
    folder.write("solutions/02_coalescing/slow_copy.cu", "// Right, but fails: time — copies\n");
    for (const char* plain : {"rows", "tiles"})
      folder.write(std::string("solutions/02_coalescing/fair_") + plain + ".cu",
                   "// Ends in: pass — as hint 3 says\n");
  }
  Lab lab() const {
    auto loaded = load_lab(folder.path(), "02_coalescing");
    REQUIRE(loaded);
    return *loaded;
  }
  TemporaryFolder folder;
};

std::string joined(const Faults& faults) {
  std::string text;
  for (const std::string& fault : faults) text += fault + "\n";
  return text;
}

Gate gate(GateName name, Outcome outcome) { return {.name = name, .outcome = outcome}; }

/// A check's result with these gates.
CheckResult result_of(std::vector<Gate> gates, bool simulated = true) {
  CheckResult result;
  result.device.simulated = simulated;
  result.verdict = combine(gates);
  result.gates = std::move(gates);
  return result;
}

}  // namespace

TEST_CASE("a lab that keeps the rules has no fault", "[core][admission]") {
  CHECK(structure_faults(Fit().lab()) == Faults());
}

TEST_CASE("a new lab begins as another one, and all that is to be said is named",
          "[core][admission]") {
  const Fit fit;
  const auto made = make_skeleton(fit.lab(), 30, "shared-atomics");
  REQUIRE(made);
  CHECK(made->size() == 12);
  const auto lab = load_lab(fit.folder.path(), "30_shared_atomics");
  REQUIRE(lab);
  CHECK(lab->sizes.checking == fit.lab().sizes.checking);
  CHECK(lab->pass().causes[0].metric == fit.lab().pass().causes[0].metric);
  CHECK(lab->pass().time.ceiling->at_least == 0.8);
  CHECK(read_file(lab->contract())->find("#pragma once") != std::string::npos);
  // The marks are all that is wrong with it.
  CHECK(structure_faults(*lab) == Faults());
  const std::string faults = joined(unwritten(*lab));
  CHECK_THAT(faults,
             ContainsSubstring("labs/30_shared_atomics/lab.toml:1: TODO(author): the symptom"));
  for (const std::filesystem::path& path : *made)
    CHECK_THAT(faults, ContainsSubstring(path.string() + ":"));
  CHECK(unwritten(fit.lab()) == Faults());
}

TEST_CASE("a new lab tries all the sizes that its model tries", "[core][admission]") {
  const Fit fit;
  Lab like = fit.lab();
  const std::size_t dimensions = like.dimensions.size();
  const auto square = [&](std::int64_t extent) { return Size(dimensions, extent); };
  like.sizes.drawn = SizeRange{square(1), square(70'000), 4'000'000, 100'000};
  like.sizes.beyond = {square(66'000)};
  like.sizes.huge = {square(90'001), square(100'003)};
  REQUIRE(make_skeleton(like, 30, "wide"));
  const auto lab = load_lab(fit.folder.path(), "30_wide");
  REQUIRE(lab);
  REQUIRE(lab->sizes.drawn);
  CHECK(lab->sizes.drawn->highest == like.sizes.drawn->highest);
  CHECK(lab->sizes.drawn->most_elements == 4'000'000);
  CHECK(lab->sizes.drawn->most_simulated_elements == 100'000);
  CHECK(lab->sizes.beyond == like.sizes.beyond);
  CHECK(lab->sizes.huge == like.sizes.huge);
}

TEST_CASE("a new lab takes no number and no name that is taken or impossible",
          "[core][admission]") {
  const Fit fit;
  for (const auto& [number, slug] :
       {std::pair{2, "other"}, std::pair{30, "coalescing"}, std::pair{0, "x"}, std::pair{100, "x"},
        std::pair{30, "../x"}, std::pair{30, "Upper"}, std::pair{30, ""}}) {
    CAPTURE(number, slug);
    const auto made = make_skeleton(fit.lab(), number, slug);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ErrorCode::usage);
  }
}

TEST_CASE("every rule of the files names the file that breaks it", "[core][admission]") {
  const Fit fit;
  const auto expect = [&](const std::string& file, const std::string& text,
                          const std::string& fault) {
    const std::string before = fit.folder.read(file);
    fit.folder.write(file, text);
    CAPTURE(file, text);
    CHECK_THAT(joined(structure_faults(fit.lab())), ContainsSubstring(fault));
    fit.folder.write(file, before);
  };
  const std::string flawed = "kernels/02_coalescing/flawed.cu";
  expect(flawed, "// TODO\n" + std::string(40, '\n'), "has 41 lines");
  expect(flawed, "int x;\n", "has no TODO");
  expect(flawed, "#include \"core/x.hpp\" // TODO\n", "includes more of ours");
  const std::string gallery = "solutions/02_coalescing/";
  expect(gallery + "wrong_nan.cu", "// wrong\n", "wrong_nan.cu: the first line must say");
  expect(gallery + "fair_rows.cu", "// right\n",
         "fair_rows.cu: the first line must say how it ends");
  expect(gallery + "wrong_nan.cu", "// Rejected by: luck — x\n", "there is no gate \"luck\"");
  expect(gallery + "slow_copy.cu", "// Fails: cause — x\n", "by the gate time first");
  expect(gallery + "fair_rows.cu", "// Rejected by: time — x\n", "a fair_ file ends in pass");
  expect("labs/02_coalescing/lesson.md", "{{nothing}}\n", "lesson.md:1");
  const std::string toml = "labs/02_coalescing/lab.toml";
  const std::string step = "\n[[step]]\nname = \"a\"\nwhy = \"b\"\nfile = ";
  expect(toml, example_lab_toml + step + "\"fair_gone\"\n", "holds no such file");
  expect(toml, example_lab_toml + step + "\"wrong_nan\"\n", "which is not right");
  const std::string measuring = "kind = \"measurement\"\n" + example_lab_toml;
  expect(toml, measuring, "holds reported_error_pct against the truth");
  expect(toml, measuring, "bounded by `at_most_s` alone");
  expect(toml, replaced(example_lab_toml, "speedup = 5.0", "at_most_s = 2"),
         "`at_most_s` is for measurements");
  expect(toml, replaced(example_lab_toml, "[[1, 1], [31, 33]]", "[[2, 2], [31, 33]]"),
         "no size of 1");
  expect(toml, replaced(example_lab_toml, "flawed = \">= 16\"\n", ""),
         "what the flawed kernel must show");
  expect(toml, replaced(example_lab_toml, "\"Strided reads\"", "\"Divergence\""),
         "offers one choice twice");
}

TEST_CASE("a lab without workload, contract or solution is not fit", "[core][admission]") {
  for (const char* file : {"labs/02_coalescing/workload.cu", "labs/02_coalescing/contract.cuh",
                           "solutions/02_coalescing/optimized.cu"}) {
    const Fit fit;
    std::filesystem::remove(fit.folder.path() / file);
    CHECK_THAT(joined(structure_faults(fit.lab())),
               ContainsSubstring(std::string(file) + " is missing."));
  }
}

TEST_CASE("a field of the contract that the workload leaves out is named", "[core][admission]") {
  const Fit fit;
  fit.folder.write("labs/02_coalescing/contract.cuh",
                   "struct Args {\n"
                   "  const float*\n      in;  ///< [n]; any floats, in rows\n"
                   "  float low, high;\n"
                   "  int table[4];\n"
                   "  void (*run)(int job, cudaStream_t stream);\n"
                   "  float* out;\n"
                   "};\n");
  const auto faults = [&](const std::string& workload) {
    fit.folder.write("labs/02_coalescing/workload.cu", workload);
    return structure_faults(fit.lab());
  };
  const std::string most =
      "input<&Args::in>(n); value<&Args::low>(1); drawn<&Args::high>(x); value<&Args::table>(t);\n"
      "value<&Args::run>(f);\n";
  CHECK(faults(most + "fields.output<&Args::out>(n);") == Faults());
  CHECK(faults(most + "output<&Args::outer>(n); answer.compare<&Args::out>(f)") ==
        Faults{"labs/02_coalescing/workload.cu does not say what Args::out holds."});
  CHECK(faults("").size() == 6);
}

TEST_CASE("what could not be built proves nothing of a kernel, and the reason is told",
          "[core][admission]") {
  const Fit fit;
  const Lab lab = fit.lab();
  Gate unbuilt = gate(GateName::built, Outcome::not_checkable);
  unbuilt.detail = "workload.cu:15: identifier \"Unifrom\" is undefined";
  const CheckResult result = result_of({unbuilt, gate(GateName::correct, Outcome::not_checkable)});
  for (const Variant& variant : variants(lab)) {
    CAPTURE(variant.name.name());
    CHECK_THAT(joined(conduct_of(lab, variant, result).faults), ContainsSubstring("Unifrom"));
  }
  // What the simulator cannot execute is told as well.
  Gate unknown = gate(GateName::correct, Outcome::not_checkable);
  unknown.detail = "no wgmma here";
  CHECK_THAT(joined(conduct_of(lab, {VariantName::optimized, lab.optimized()},
                               result_of({gate(GateName::built, Outcome::pass), unknown}))
                        .faults),
             ContainsSubstring("no wgmma here"));
}

TEST_CASE("a first line gives its gates; ways to fail are the gate correct", "[core][admission]") {
  const TemporaryFolder folder;
  const auto of = [&](const std::string& line) {
    return expectation_of(folder.write("x.cu", line));
  };
  CHECK(of("// Rejected by: hang or cause, time — why\n").gates ==
        std::vector{GateName::correct, GateName::cause, GateName::time});
  CHECK(of("// Ends in: pass — why\n").passes);
  CHECK(of("// Rejected by: chance — why\n").no_gates == std::vector<std::string>{"chance"});
  CHECK(of("// Rejected by: correct — why\n").reason == "why");
  CHECK_FALSE(of("// nothing\n").stated());
}

TEST_CASE("the solution must reach every rung, a plain fix the first one", "[core][admission]") {
  const Fit fit;
  const Lab lab = fit.lab();
  const Variant solution{VariantName::optimized, lab.optimized()};
  const Variant fair{VariantName("fair_rows"), lab.solutions() / "fair_rows.cu"};
  CheckResult result = result_of(
      {gate(GateName::correct, Outcome::pass), gate(GateName::cause, Outcome::pass)}, false);
  result.rungs = {{"the pass", Outcome::pass, {}},
                  {"more", Outcome::fail, {gate(GateName::time, Outcome::fail)}}};
  CHECK_THAT(joined(conduct_of(lab, solution, result).faults),
             ContainsSubstring("before \"more\""));
  CHECK(conduct_of(lab, fair, result).faults.empty());
  // What the simulator cannot time is beyond it; a GPU must have the last word.
  result.rungs[1].outcome = Outcome::not_checkable;
  CHECK_FALSE(conduct_of(lab, solution, result).faults.empty());
  result.device.simulated = true;
  CHECK(conduct_of(lab, solution, result).faults.empty());
}

TEST_CASE("a last rung may be left to a stretch file, which must reach it", "[core][admission]") {
  const Fit fit;
  const auto file = fit.folder.write("solutions/02_coalescing/stretch_hopper.cu",
                                     "// Ends in: pass — on one GPU alone\n");
  const Lab lab = fit.lab();
  CHECK(structure_faults(lab) == Faults());
  const Variant solution{VariantName::optimized, lab.optimized()},
      stretch{VariantName("stretch_hopper"), file};
  CheckResult result = result_of(
      {gate(GateName::correct, Outcome::pass), gate(GateName::cause, Outcome::pass)}, false);
  const RungResult pass{"the pass", Outcome::pass, {}}, last{"more", Outcome::fail, {}};
  result.rungs = {pass, last};
  CHECK(conduct_of(lab, solution, result).faults.empty());
  CHECK_FALSE(conduct_of(lab, stretch, result).faults.empty());
  result.rungs = {pass, last, last};  // only the last one is left to it
  CHECK_FALSE(conduct_of(lab, solution, result).faults.empty());
  result.device.simulated = true;
  CHECK_THAT(conduct_of(lab, stretch, result).beyond, ContainsSubstring("Only a GPU"));
}

TEST_CASE("a kernel of the gallery must end at the gate that it names", "[core][admission]") {
  const Fit fit;
  const Lab lab = fit.lab();
  const Variant wrong{VariantName("wrong_nan"),
                      fit.folder.path() / "solutions/02_coalescing/wrong_nan.cu"};
  const Variant slow{VariantName("slow_copy"),
                     fit.folder.path() / "solutions/02_coalescing/slow_copy.cu"};
  const Gate right = gate(GateName::correct, Outcome::pass),
             failing = gate(GateName::correct, Outcome::fail);
  CHECK(conduct_of(lab, wrong, result_of({failing})).faults.empty());
  CHECK_FALSE(conduct_of(lab, wrong, result_of({right})).faults.empty());
  // On a GPU another gate may refuse it first; what only a size behind a pass shows is not reached.
  CheckResult slow_too = result_of({right, gate(GateName::time, Outcome::fail)}, false);
  slow_too.verdict = Outcome::fail;
  CHECK_FALSE(conduct_of(lab, wrong, slow_too).faults.empty());
  CHECK(faults_on_gpu(lab, wrong, slow_too).empty());
  slow_too.verdict = Outcome::pass;
  CHECK_FALSE(faults_on_gpu(lab, wrong, slow_too).empty());
  // Right on the GPU and wrong on the simulator: no pass either.
  const Gate disputed = gate(GateName::correct, Outcome::inconclusive);
  CHECK(conduct_of(lab, wrong, result_of({disputed}, false)).faults.empty());
  // Its time is beyond the simulator; on a GPU there is no excuse.
  const Gate unknown = gate(GateName::time, Outcome::not_checkable);
  const Conduct here = conduct_of(lab, slow, result_of({right, unknown}));
  CHECK(here.faults.empty());
  CHECK_THAT(here.beyond, ContainsSubstring("Only a GPU"));
  CHECK_FALSE(conduct_of(lab, slow, result_of({right, unknown}, false)).faults.empty());
  CHECK_FALSE(conduct_of(lab, slow, result_of({failing, unknown})).faults.empty());
}

TEST_CASE("a kernel of the gallery that does not build is a fault wherever it is tried",
          "[core][admission]") {
  const Fit fit;
  const Lab lab = fit.lab();
  const auto in = [&](const std::string& name, const std::string& line) {
    return Variant{VariantName(name),
                   fit.folder.write("solutions/02_coalescing/" + name + ".cu", line)};
  };
  const Gate unbuilt = gate(GateName::built, Outcome::fail);
  for (const GateName named : {GateName::correct, GateName::time})
    for (const char* name : {"wrong_one", "slow_one", "deceit_one", "stretch_one"}) {
      const Variant variant = in(name, "// Rejected by: " + to_string(named) + " — so\n");
      CAPTURE(name, to_string(named));
      const Gate unreached = gate(named, Outcome::not_checkable);
      CHECK_THAT(joined(conduct_of(lab, variant, result_of({unbuilt, unreached})).faults),
                 ContainsSubstring("does not build"));
      CHECK_FALSE(faults_on_gpu(lab, variant, result_of({unbuilt, unreached}, false)).empty());
    }
  const Variant meant = in("deceit_link", "// Rejected by: correct or built — links\n");
  CHECK(conduct_of(lab, meant, result_of({unbuilt})).faults.empty());
  CHECK(faults_on_gpu(lab, meant, result_of({unbuilt}, false)).empty());
}

TEST_CASE("what another gate refuses is not left to a GPU", "[core][admission]") {
  const Fit fit;
  const Lab lab = fit.lab();
  const Variant wrong{VariantName("wrong_jobs"),
                      fit.folder.write("solutions/02_coalescing/wrong_jobs.cu",
                                       "// Rejected by: same work — one for all\n")};
  const Gate unknown = gate(GateName::same_work, Outcome::not_checkable);
  const auto ends = [&](Outcome correct) {
    return conduct_of(lab, wrong, result_of({gate(GateName::correct, correct), unknown}));
  };
  CHECK_THAT(ends(Outcome::pass).beyond, ContainsSubstring("Only a GPU"));
  CHECK_FALSE(ends(Outcome::fail).faults.empty());
}

TEST_CASE("what deceives is refused by a gate that cannot tell as well as by one that can",
          "[core][admission]") {
  const Fit fit;
  const auto file = fit.folder.write("solutions/02_coalescing/deceit_thread.cu",
                                     "// Rejected by: time — works behind the clock\n");
  const Lab lab = fit.lab();
  const Variant deceit{VariantName("deceit_thread"), file};
  const Gate right = gate(GateName::correct, Outcome::pass);
  for (const Outcome outcome : {Outcome::fail, Outcome::inconclusive})
    CHECK(conduct_of(lab, deceit, result_of({right, gate(GateName::time, outcome)}, false))
              .faults.empty());
  CHECK_FALSE(
      conduct_of(lab, deceit, result_of({right, gate(GateName::time, Outcome::pass)}, false))
          .faults.empty());
}

TEST_CASE("what is wrong or deceives is refused as well by results that are wrong, by no other end",
          "[core][admission]") {
  const Fit fit;
  const auto file = fit.folder.write("solutions/02_coalescing/deceit_kept.cu",
                                     "// Rejected by: cause or time — keeps what it wrote\n");
  const Lab lab = fit.lab();
  const Variant deceit{VariantName("deceit_kept"), file};
  Gate wrong = gate(GateName::correct, Outcome::fail);
  CHECK_FALSE(conduct_of(lab, deceit, result_of({wrong}, false)).faults.empty());  // a crash, say
  wrong.unit = "wrong elements";
  wrong.measured = 1;
  for (const bool simulated : {true, false}) {
    const Conduct conduct = conduct_of(lab, deceit, result_of({wrong}, simulated));
    CHECK(conduct.faults.empty());
    CHECK(conduct.beyond == "");
  }
  const Variant mistaken{VariantName("wrong_kept"), file};
  CHECK(conduct_of(lab, mistaken, result_of({wrong})).faults.empty());
  const Variant slow{VariantName("slow_kept"), file};
  CHECK_FALSE(conduct_of(lab, slow, result_of({wrong}, false)).faults.empty());
}

TEST_CASE("the flawed kernel must show its flaw, the optimized one must pass",
          "[core][admission]") {
  const Fit fit;
  const Lab lab = fit.lab();
  const Gate right = gate(GateName::correct, Outcome::pass),
             cause = gate(GateName::cause, Outcome::fail);
  CheckResult flawed = result_of({right, cause});
  CHECK_FALSE(
      conduct_of(lab, {VariantName::flawed, {}}, flawed).faults.empty());  // nothing was counted
  auto& counter = flawed.counters[VariantName::mine]["global_load_sectors_per_request"];
  counter.value = 32;
  CHECK(conduct_of(lab, {VariantName::flawed, {}}, flawed).faults.empty());
  counter.value = 4;
  CHECK_THAT(joined(conduct_of(lab, {VariantName::flawed, {}}, flawed).faults),
             ContainsSubstring("the flaw shows at"));

  const Gate met = gate(GateName::cause, Outcome::pass),
             untimed = gate(GateName::time, Outcome::not_checkable);
  CHECK(conduct_of(lab, {VariantName::optimized, {}}, result_of({right, met, untimed}))
            .faults.empty());
  CHECK_FALSE(conduct_of(lab, {VariantName::optimized, {}}, result_of({right, met, untimed}, false))
                  .faults.empty());
  CHECK_FALSE(
      conduct_of(lab, {VariantName::optimized, {}}, result_of({right, cause})).faults.empty());
}
