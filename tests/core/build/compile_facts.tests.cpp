// The compiler's facts of a draft: equal to what a build says.
#include "core/build/draft/compile_facts.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "core/base/files.hpp"

using namespace klab;
namespace fs = std::filesystem;

namespace {

Tree tree_of_facts() { return {.root = KLAB_SOURCE_DIR, .build = KLAB_BINARY_DIR}; }

Lab lab_numbered(std::size_t index) {
  Course course = load_course(KLAB_SOURCE_DIR);
  REQUIRE(course.labs.size() > index);
  return course.labs[index];
}

CompileFacts facts_of(const Lab& lab, std::string source) {
  return compile_facts(tree_of_facts(),
                       {lab, "draft.cu", std::move(source), ComputeCapability{9, 0}, 7});
}

const DraftKernel* kernel_named(const CompileFacts& facts, const std::string& name) {
  for (const DraftKernel& kernel : facts.kernels)
    if (kernel.report.kernel == name) return &kernel;
  return nullptr;
}

std::string needed = "#include \"contract.cuh\"\n";

}  // namespace

TEST_CASE("facts of a draft equal nvcc's report of the built file",
          "[core][compile_facts][slow][whole]") {
  const auto index = GENERATE(as<std::size_t>{}, 0, 1, 2, 3, 4);
  const Lab lab = lab_numbered(index);
  const auto toolchain = find_toolchain(tree_of_facts());
  REQUIRE(toolchain);
  for (const auto& [variant, path] : {std::pair{VariantName::flawed, lab.flawed()},
                                      std::pair{VariantName::optimized, lab.optimized()}}) {
    INFO(lab.id << " " << variant.name());
    const auto built = build_plugin(tree_of_facts(), *toolchain, lab, variant, path, {9, 0});
    const auto text = read_file(path);
    REQUIRE(built);
    REQUIRE(text);
    const CompileFacts facts = facts_of(lab, *text);
    CHECK_FALSE(facts.error);
    CHECK(facts.number == 7);
    CHECK(facts.compile_time.count() > 0);
    REQUIRE_FALSE(built->kernels.empty());
    CHECK(facts.kernels.size() == built->kernels.size());
    for (const KernelReport& want : built->kernels) {
      INFO(want.kernel);
      const DraftKernel* got = kernel_named(facts, want.kernel);
      REQUIRE(got);
      CHECK(got->report.registers == want.registers);
      CHECK(got->report.stack_bytes == want.stack_bytes);
      CHECK(got->report.spill_store_bytes == want.spill_store_bytes);
      CHECK(got->report.spill_load_bytes == want.spill_load_bytes);
      CHECK(got->report.static_shared_bytes == want.static_shared_bytes);
      CHECK(got->block_threads);
      CHECK(got->occupancy);
    }
  }
}

TEST_CASE("messages point at the learner's lines", "[core][compile_facts]") {
  const CompileFacts facts =
      facts_of(lab_numbered(1),
               needed +
                   "#include <vector>\nstd::vector<int> host;\nint help() { return 1; }\n"
                   "__global__ void k(Args a) {\n  a.out[0] = missing;\n  a.out[1] = help();\n}\n"
                   "void launch(const Args& a, cudaStream_t s) { k<<<1, 1, 0, s>>>(a); }\n");
  REQUIRE(facts.error);
  CHECK(facts.error->code == ErrorCode::build_failed);
  CHECK(facts.kernels.empty());
  REQUIRE_FALSE(facts.messages.empty());
  CHECK(facts.messages[0].file == "draft.cu");
  CHECK(facts.messages[0].line == 6);
  CHECK(facts.messages[0].severity == Severity::error);
}

TEST_CASE("a kernel's template arguments, shared memory and block are known of a draft",
          "[core][compile_facts]") {
  const CompileFacts facts =
      facts_of(lab_numbered(1),
               needed +
                   "#include <cassert>\n#include <cooperative_groups.h>\n"
                   "template <int N> __global__ void k(Args a) {\n  __shared__ float tile[N];\n"
                   "  assert(a.rows > 0);\n  tile[threadIdx.x] = 1;\n"
                   "  cooperative_groups::this_thread_block().sync();\n"
                   "  a.out[threadIdx.x] = tile[(threadIdx.x + 1) % N];\n}\n"
                   "void launch(const Args& a, cudaStream_t s) { constexpr int n = 128;\n"
                   "  k<n><<<1, n, 0, s>>>(a); }\n");
  INFO((facts.error ? facts.error->what + facts.error->detail : ""));
  REQUIRE_FALSE(facts.error);
  REQUIRE(facts.kernels.size() == 1);
  CHECK(facts.kernels[0].report.static_shared_bytes == 512);
  CHECK(facts.kernels[0].block_threads == 128);
  CHECK(facts.kernels[0].occupancy);
}

TEST_CASE("a draft that is overtaken is given up", "[core][compile_facts]") {
  const std::atomic<bool> overtaken = true;
  const CompileFacts facts = compile_facts(
      tree_of_facts(), {lab_numbered(1), "draft.cu", needed, ComputeCapability{9, 0}}, &overtaken);
  REQUIRE(facts.error);
  CHECK(facts.error->code == ErrorCode::canceled);
}
