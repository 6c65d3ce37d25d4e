// The compiler's facts of a draft: equal to nvcc's, soon, and robust.
#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <chrono>
#include <cstdlib>

#include "core/base/files.hpp"
#include "core/build/draft/compile_facts_client.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using klab::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

Tree real_tree() { return {.root = KLAB_SOURCE_DIR, .build = KLAB_BINARY_DIR}; }

Lab lab_numbered(std::size_t index) {
  Course course = load_course(KLAB_SOURCE_DIR);
  REQUIRE(course.labs.size() > index);
  return course.labs[index];
}

std::string text_of(const fs::path& path) {
  auto text = read_file(path);
  REQUIRE(text);
  return *text;
}

CompileFacts facts_of(CompileFactsClient& client, const Lab& lab, std::string source) {
  client.ask({lab, "draft.cu", std::move(source)});
  return client.wait();
}

const DraftKernel* kernel_named(const CompileFacts& facts, const std::string& name) {
  for (const DraftKernel& kernel : facts.kernels)
    if (kernel.report.kernel == name) return &kernel;
  return nullptr;
}

std::string needed = "#include \"contract.cuh\"\n";

/// A tree whose klab-compile-facts is a shell script.
class FakeTree {
 public:
  explicit FakeTree(const std::string& script) {
    const fs::path program = folder_.path() / "bin" / "klab-compile-facts";
    REQUIRE(write_file(program, "#!/bin/sh\n" + script + "\n"));
    ::chmod(program.c_str(), 0755);
  }
  Tree tree() const { return {.root = KLAB_SOURCE_DIR, .build = folder_.path()}; }
  fs::path path(const char* name) const { return folder_.path() / name; }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("facts while typing equal nvcc's report of the built file",
          "[core][compile_facts][slow]") {
  const auto index = GENERATE(as<std::size_t>{}, 0, 1, 2, 3, 4);
  const Lab lab = lab_numbered(index);
  const auto toolchain = find_toolchain(real_tree());
  REQUIRE(toolchain);
  CompileFactsClient client(real_tree(), {});
  for (const auto& [variant, path] : {std::pair{VariantName::flawed, lab.flawed()},
                                      std::pair{VariantName::optimized, lab.optimized()}}) {
    INFO(lab.id << " " << variant.name());
    const auto built = build_plugin(real_tree(), *toolchain, lab, variant, path, {9, 0});
    REQUIRE(built);
    const CompileFacts soon = facts_of(client, lab, text_of(path));
    const CompileFacts exact = client.wait(true);
    CHECK_FALSE(soon.error);
    CHECK_FALSE(exact.error);
    REQUIRE_FALSE(built->kernels.empty());
    CHECK(soon.kernels.size() == built->kernels.size());
    CHECK(exact.kernels.size() == built->kernels.size());
    for (const KernelReport& want : built->kernels) {
      INFO(want.kernel);
      for (const CompileFacts* facts : {&soon, &exact}) {
        const DraftKernel* got = kernel_named(*facts, want.kernel);
        REQUIRE(got);
        // Addresses of shared memory take NVRTC a register more each: see CompileFacts::exact.
        const int tolerated = facts->exact || want.static_shared_bytes == 0 ? 0 : 4;
        CHECK(std::abs(got->report.registers - want.registers) <= tolerated);
        CHECK(got->report.stack_bytes == want.stack_bytes);
        CHECK(got->report.spill_store_bytes == want.spill_store_bytes);
        CHECK(got->report.spill_load_bytes == want.spill_load_bytes);
        CHECK(got->report.static_shared_bytes == want.static_shared_bytes);
        CHECK(got->block_threads);
        CHECK(got->occupancy);
      }
    }
  }
}

TEST_CASE("messages point at the learner's lines", "[core][compile_facts]") {
  const Lab lab = lab_numbered(1);
  CompileFactsClient client(real_tree(), {});
  const CompileFacts facts =
      facts_of(client, lab,
               needed +
                   "#include <vector>\nstd::vector<int> host;\nint help() { return 1; }\n"
                   "__global__ void k(Args a) {\n  a.out[0] = missing;\n  a.out[1] = help();\n}\n"
                   "void launch(const Args& a, cudaStream_t s) { k<<<1, 1, 0, s>>>(a); }\n");
  REQUIRE(facts.error);
  CHECK(facts.error->code == ErrorCode::build_failed);
  CHECK(facts.kernels.empty());
  REQUIRE(facts.messages.size() == 2);
  CHECK(facts.messages[0].file == "draft.cu");
  CHECK(facts.messages[0].line == 6);
  CHECK(facts.messages[0].severity == "error");
  CHECK(facts.messages[1].line == 7);
  CHECK(facts.messages[1].text.find("runs on the host") != std::string::npos);
}

TEST_CASE("what NVRTC cannot take is said, not guessed", "[core][compile_facts]") {
  const Lab lab = lab_numbered(1);
  CompileFactsClient client(real_tree(), {});
  const CompileFacts facts =
      facts_of(client, lab, needed + "#include <nobody/has_this.h>\n__global__ void k() {}\n");
  REQUIRE(facts.error);
  CHECK(facts.error->code == ErrorCode::unsupported);
  CHECK_FALSE(facts.error->remedy.empty());
  CHECK(facts.kernels.empty());
  const CompileFacts exact = client.wait(true);
  REQUIRE(exact.error);
  CHECK(exact.error->code == ErrorCode::build_failed);
}

TEST_CASE("templates, shared memory, assert and the library on the device are taken",
          "[core][compile_facts]") {
  const Lab lab = lab_numbered(1);
  CompileFactsClient client(real_tree(), {});
  const CompileFacts facts = facts_of(
      client, lab,
      needed +
          "#include <cassert>\n#include <limits>\n#include <cooperative_groups.h>\n"
          "template <int N> __global__ void k(Args a) {\n  __shared__ float tile[N];\n"
          "  assert(a.rows > 0);\n  tile[threadIdx.x] = std::numeric_limits<float>::max();\n"
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

TEST_CASE("the latest text is answered and its forerunners are not", "[core][compile_facts]") {
  const Lab lab = lab_numbered(1);
  int woken = 0;
  std::mutex mutex;
  CompileFactsClient client(real_tree(), [&] {
    const std::lock_guard lock(mutex);
    ++woken;
  });
  std::int64_t last = 0;
  for (int i = 1; i <= 20; ++i)
    last = client.ask({lab, "draft.cu",
                       needed + "__global__ void k() { __shared__ volatile char room[" +
                           std::to_string(100 + i) + "]; room[threadIdx.x] = 1; }\n"});
  const CompileFacts facts = client.wait();
  CHECK(facts.number == last);
  REQUIRE(facts.kernels.size() == 1);
  CHECK(facts.kernels[0].report.static_shared_bytes == 120);
  const std::lock_guard lock(mutex);
  CHECK(woken <= 3);
}

TEST_CASE("a crash of the compiler is an answer, and the next question starts it again",
          "[core][compile_facts]") {
  const FakeTree fake("echo x >> \"$0.starts\"\nread line\nkill -SEGV $$");
  const Lab lab = lab_numbered(1);
  CompileFactsClient client(fake.tree(), {});
  for (int i = 0; i < 2; ++i) {
    const CompileFacts facts = facts_of(client, lab, "");
    REQUIRE(facts.error);
    CHECK(facts.error->code == ErrorCode::crash);
    CHECK(facts.error->what.find("signal 11") != std::string::npos);
  }
  CHECK(text_of(fake.path("bin/klab-compile-facts.starts")) == "x\nx\n");
}

TEST_CASE("a compiler that never ends is left for the next text", "[core][compile_facts][slow]") {
  const FakeTree fake("sleep 1000");
  const Lab lab = lab_numbered(1);
  CompileFactsClient client(fake.tree(), {});
  client.ask({lab, "draft.cu", "first"});
  {
    CompileFactsClient other(fake.tree(), {});
    other.ask({lab, "draft.cu", "first"});
  }  // ends although its child does not: otherwise the test would last as long
  CHECK_FALSE(client.take());
}

TEST_CASE("nonsense from the program is refused", "[core][compile_facts]") {
  const FakeTree fake("while read line; do echo '{\"version\":1,\"number\":\"x\"}'; done");
  const Lab lab = lab_numbered(1);
  CompileFactsClient client(fake.tree(), {});
  const CompileFacts facts = facts_of(client, lab, "");
  REQUIRE(facts.error);
  CHECK(facts.error->code == ErrorCode::protocol_mismatch);
}

TEST_CASE("without the program the state names the package", "[core][compile_facts]") {
  TemporaryFolder empty;
  const Lab lab = lab_numbered(1);
  CompileFactsClient client({.root = KLAB_SOURCE_DIR, .build = empty.path()}, {});
  const CompileFacts facts = facts_of(client, lab, "");
  REQUIRE(facts.error);
  CHECK(facts.error->code == ErrorCode::no_toolkit);
  CHECK(shell_words(facts.error->remedy).find("nvrtc") != std::string::npos);
}

TEST_CASE("requests and facts survive the way there and back", "[core][compile_facts]") {
  const FactsRequest request{7, "a.cu", "x \xff\n", "c", {"/a", "/b"}, {12, 0}, {{12, 0}, true}};
  const auto back = decode_facts_request(encode(request));
  REQUIRE(back);
  CHECK(back->number == 7);
  CHECK(back->include.size() == 2);
  CHECK(back->compute_capability == ComputeCapability{12, 0});
  CHECK(back->architecture == request.architecture);
  CompileFacts facts{.number = 3, .compute_capability = ComputeCapability{9, 0}};
  facts.kernels.push_back({.report = {"k", 10, 1, 2, 3, 4}, .block_threads = 64});
  facts.messages.push_back({"a.cu", 3, "error", "bad"});
  facts.left_out = {"t"};
  facts.compile_time = std::chrono::duration<double, std::milli>(12.5);
  const auto again = decode_compile_facts(encode(facts));
  REQUIRE(again);
  CHECK(again->kernels[0].report.spill_load_bytes == 3);
  CHECK(again->kernels[0].block_threads == 64);
  CHECK_FALSE(again->kernels[0].dynamic_shared_bytes);
  CHECK(again->messages[0].text == "bad");
  CHECK(again->left_out == facts.left_out);
  CHECK(again->compile_time == facts.compile_time);
  for (const char* line : {"", "[]", "{", "{\"version\":1}", "{\"version\":2,\"number\":1}"}) {
    CHECK_FALSE(decode_compile_facts(line));
    CHECK_FALSE(decode_facts_request(line));
  }
}
