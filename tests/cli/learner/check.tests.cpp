// check, and what it says of kernels that are wrong, that print, or that cannot be tried here.
#include "core/check/check.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>

#include "cli/kernel_check.hpp"
#include "core/build/toolchain.hpp"
#include "core/check/machine.hpp"
#include "support/sanitized.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;

TEST_CASE("checking a lab that is not started says how to start it", "[cli][check]") {
  const Program klab;
  const auto result = klab.run({"check", "2"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Says("klab start coalescing"));
  const auto json = klab.run({"check", "2", "--json"});
  CHECK(json.exit_code == 2);
  CHECK(parse(json.out)["error"]["code"] == "not_started");
}

TEST_CASE("an empty name of a file is no name, and not the learner's own file", "[cli][check]") {
  const Program klab;
  for (const std::string verb :
       {"check", "compare", "diagnose", "stalls", "roofline", "sweep", "trace"}) {
    const auto result = klab.run({verb, "2", "--file", ""});
    CAPTURE(verb);
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, Says("--file must be the name of a file"));
  }
}

TEST_CASE("an unknown variant, backend or file is exit code 2", "[cli][check]") {
  const Program klab;
  const auto variant = klab.run({"check", "2", "--variant", "wrong-man"});
  CHECK(variant.exit_code == 2);
  CHECK_THAT(variant.err, Says("wrong_nan"));
  CHECK(klab.run({"check", "2", "--variant", "flawed", "--backend", "cloud"}).exit_code == 2);
  CHECK(klab.run({"check", "2", "--file", "/nowhere/x.cu"}).exit_code == 2);
}

TEST_CASE("a near name of a variant is suggested alone", "[cli][check]") {
  const Program klab;
  const auto result = klab.run({"check", "2", "--variant", "optimised"});
  CHECK_THAT(result.err, Says("Did you mean optimized?") && !Says("wrong_nan"));
}

TEST_CASE("a comparison without its optimized kernel is an error, not an empty table",
          "[cli][check]") {
  const Program klab;
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  std::filesystem::remove_all(klab.folder.path() / "solutions");
  const auto result = klab.run({"compare", "2"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Says("optimized.cu") && Says("git restore") && !Says("disk"));
  CHECK(result.out.empty());
}

TEST_CASE("what lies in the place of a kernel is said with how to begin anew", "[cli][check]") {
  const Program klab;
  const auto place = klab.folder.path() / "workbook/02_coalescing.cu";
  std::filesystem::create_directories(place);
  for (const char* verb : {"start", "check", "watch", "facts", "compare"}) {
    const auto result = klab.run({verb, "2"});
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, Says("is a folder, not a file") && Says("klab reset coalescing"));
  }
  CHECK(klab.run({"reset", "2"}).exit_code == 0);
  CHECK(std::filesystem::is_regular_file(place));
}

TEST_CASE("the causes of a mystery have no name until they are predicted", "[cli][check]") {
  const Program klab;
  write_lab(klab.folder, "28_mystery", "kind = \"mystery\"\n" + example_lab_toml);
  REQUIRE(klab.run({"start", "28"}).exit_code == 0);
  const auto cause = [&] {
    const auto checked = parse(klab.run({"check", "28", "--backend", "gpu", "--json"}).out);
    for (const auto& gate : checked["gates"])
      if (gate["name"] == "cause") return gate;
    return nlohmann::json();
  };
  CHECK(cause()["subject"] == "hidden cause 1");
  CHECK(cause()["target"] == "");
  REQUIRE(klab.run({"predict", "28", "--answer", "2"}).exit_code == 0);
  CHECK(cause()["subject"] == "global_load_sectors_per_request");
}

TEST_CASE("a lab for two GPUs says so before the start, and is not checkable on fewer",
          "[cli][check]") {
  const Program klab;
  write_lab(
      klab.folder, "26_multi_gpu",
      replaced(replaced(example_lab_toml, "gpus = 1", "gpus = 2"), "simulator = [256, 128]\n", ""));
  std::filesystem::create_directories(klab.build + "/bin");
  std::filesystem::create_symlink("/bin/true", klab.build + "/bin/klab-runner-sim");
  const auto started = klab.run({"start", "26"});
  CHECK(started.exit_code == 0);
  CHECK_THAT(started.err, Says("This lab needs 2 GPUs"));
  CHECK(klab.run({"start", "2"}).err.empty());
  const auto checked = klab.run({"check", "26", "--backend", "sim"});
  CHECK(checked.exit_code == 4);
  CHECK_THAT(checked.out, Says("This lab needs 2 GPUs: the simulator cannot run it."));
}

TEST_CASE("without a GPU a check on it is not checkable here, in words and as JSON",
          "[cli][check]") {
  // A build tree without runner: whatever the machine has, nothing can be run.
  const Program klab;
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  const auto shown = klab.run({"check", "2", "--backend", "gpu"});
  CHECK(shown.exit_code == 4);
  CHECK_THAT(shown.out, Says("not here"));
  CHECK(shown.out.find("✔") == std::string::npos);

  const auto result = klab.run({"check", "2", "--backend", "gpu", "--seed", "7", "--json"});
  CHECK(result.exit_code == 4);
  const auto json = parse(result.out);
  for (const char* key : {"lab", "variant", "backend", "verdict", "gates", "times", "ratio",
                          "counters", "device", "seed"})
    CHECK(json.contains(key));
  CHECK(json["lab"] == "02-coalescing");
  CHECK(json["variant"] == "mine");
  CHECK(json["seed"] == 7);
  CHECK(json["verdict"] == "not checkable here");
  CHECK(json["ratio"].is_null());
  std::set<std::string> names;
  for (const auto& gate : json["gates"]) {
    names.insert(gate["name"].get<std::string>());
    CHECK(gate["measured"].is_null());
  }
  CHECK(names == std::set<std::string>{"built", "correct", "same work", "cause", "time"});
  CHECK(parse(klab.run({"list", "--json"}).out)[1]["status"] == "started");
}

TEST_CASE("on the simulator the exit code is the verdict, and no time is ever shown",
          "[cli][check]") {
  const std::string runner = std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim";
  if (!std::filesystem::exists(runner)) SKIP("the simulator's runner is not built");
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const auto check = [&](const std::string& variant) {
    auto result = run_process(
        {.command = {Program::program(), "--root", std::string(KLAB_SOURCE_DIR) + "/tests/fixtures",
                     "check", "scale", "--variant", variant, "--backend", "sim", "--json"},
         .time_limit_s = 300});
    REQUIRE(result);
    return *result;
  };
  const auto flawed = check("flawed");
  CHECK(flawed.exit_code == 1);
  CHECK(parse(flawed.out)["verdict"] == "fail");
  CHECK(parse(flawed.out)["backend"] == "sim");
  const auto optimized = check("optimized");
  CHECK(optimized.exit_code == 4);
  const auto json = parse(optimized.out);
  CHECK(json["times"]["variants"].empty());
  CHECK(json["ratio"].is_null());
  const auto broken = check("wrong-compile-error");
  CHECK(broken.exit_code == 1);
  CHECK(parse(broken.out)["gates"][0]["verdict"] == "fail");
  CHECK_THAT(parse(broken.out)["gates"][0]["detail"].get<std::string>(),
             Says("wrong_compile_error.cu:"));
}

namespace {

const std::string printing_kernel = R"(#include <cstdio>
#include "contract.cuh"
__global__ void scale(Args args) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i == 0) printf("device says %lld\n", args.n);
  if (i < args.n) args.out[i] = 2 * args.in[i];
}
extern "C" void launch(const Args& args, cudaStream_t stream) {
  std::printf("host says \033[2J%lld\n", args.n);
  scale<<<(args.n + 255) / 256, 256, 0, stream>>>(args);
}
)";

/// Without a barrier between the write and the read of a neighbour's word.
const std::string racing_kernel = R"(#include "contract.cuh"
__global__ void scale(Args args) {
  __shared__ float row[256];
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  row[threadIdx.x] = i < args.n ? args.in[i] : 0;
  const float mine = row[threadIdx.x], next = row[(threadIdx.x + 1) % 256];
  if (i < args.n) args.out[i] = 2 * mine + 0 * next;
}
extern "C" void launch(const Args& args, cudaStream_t stream) {
  scale<<<(args.n + 255) / 256, 256, 0, stream>>>(args);
}
)";

}  // namespace

TEST_CASE("what the checker found stands at the gate, and was printed by nobody", "[cli][check]") {
  if (!std::filesystem::exists(std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const Program klab;
  const auto shown = check_source(klab, "check", racing_kernel, {"--backend", "sim"});
  CAPTURE(shown.out);
  CHECK(shown.exit_code == 1);
  CHECK(shown.out.find("It printed") == std::string::npos);
  CHECK_THAT(shown.out, Says("Race on shared memory") && Says("with no __syncthreads() between"));
  CHECK_THAT(shown.out, !Says("__syncwarp()"));
}

TEST_CASE("a size that the simulator leaves half done is nobody's fault, and nothing is said of it",
          "[cli][check][whole]") {
  skip_if_sanitized();
  if (!std::filesystem::exists(std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  // Few threads stride through 2^31 elements.
  const auto shown =
      run_process({.command = {Program::program(), "--root", KLAB_SOURCE_DIR, "check", "17",
                               "--variant", "slow_a_warp_each", "--backend", "sim"},
                   .time_limit_s = 300});
  REQUIRE(shown);
  CAPTURE(shown->out, shown->err);
  CHECK(shown->exit_code == 4);
  CHECK(shown->out.find("It printed") == std::string::npos);
}

TEST_CASE("an endless kernel is told of once, by kernel and line", "[cli][check]") {
  if (!std::filesystem::exists(std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const Program klab;
  const std::string endless = R"(#include "contract.cuh"
__global__ void scale(Args args) {
  while (args.in[0] < 1e30f) __syncthreads();
  args.out[0] = 0;
}
extern "C" void launch(const Args& args, cudaStream_t stream) {
  scale<<<(args.n + 255) / 256, 256, 0, stream>>>(args);
}
)";
  const auto shown =
      check_source(klab, "check", endless, {"--backend", "sim", "--budget", "100000"});
  CAPTURE(shown.out);
  CHECK(shown.exit_code == 1);
  CHECK_THAT(shown.out, Says("after its budget of 100,000 warp instructions"));
  CHECK_THAT(shown.out, Says("give it more: `--budget"));
  CHECK(shown.out.find("It printed") == std::string::npos);
  CHECK(shown.out.find("candidate") == std::string::npos);
  CHECK(shown.out.find("was stopped") == shown.out.rfind("was stopped"));
}

TEST_CASE("what host code does to device memory stands at the gate, though the process dies of it",
          "[cli][check]") {
  if (!std::filesystem::exists(std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const Program klab;
  const std::string start = "extern \"C\" void launch(const Args& args, cudaStream_t stream) {\n";
  std::string reading = racing_kernel;
  reading.insert(reading.find(start) + start.size(), "  if (args.in[0] == 77) return;\n");
  const auto read = check_source(klab, "check", reading);
  CHECK(read.exit_code == 1);
  CHECK_THAT(read.out, Says("Host code reads device memory"));
  std::string freed = racing_kernel;
  freed.insert(freed.find(start) + start.size(),
               "  float* own = nullptr;\n  cudaMalloc(&own, 4);\n  cudaFree(own);\n"
               "  if (*own == 77) return;\n");
  CHECK_THAT(check_source(klab, "check", freed).out, Says("Host code reads freed memory"));
}

TEST_CASE("what host and kernel print is shown, and is in the JSON", "[cli][check]") {
  if (!std::filesystem::exists(std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const Program klab;
  const auto shown = check_source(klab, "check", printing_kernel);
  CHECK_THAT(shown.out,
             Says("It printed\n") && Says("    host says \\x1b[2J1\n") && Says("device says 1\n"));
  const auto json =
      parse(check_source(klab, "check", printing_kernel, {"--backend", "sim", "--json"}).out);
  CHECK_THAT(json["printed"]["text"].get<std::string>(), Says("device says"));
}

TEST_CASE("a quick check asks no more than whether it is right, and counts all that was printed",
          "[cli][check][whole]") {
  if (!std::filesystem::exists(std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const Program klab;
  std::string flood = printing_kernel;
  const std::string start = "cudaStream_t stream) {\n";
  flood.insert(flood.find(start) + start.size(),
               "  static int launches = 0;\n"
               "  if (launches++ == 0) std::printf(\"%0*d\\n\", 3'000'000, 1);\n");
  const auto result = check_source(klab, "check", flood, {"--backend", "sim", "--quick", "--json"});
  CHECK(result.exit_code == 0);
  const auto json = parse(result.out);
  CHECK(json["printed"]["left_out_bytes"].get<double>() > 2'900'000);
  CHECK_THAT(json["conclusion"].get<std::string>(), Says("a quick check asks no more"));
}

TEST_CASE("an error of the compiler without a line is told, and facts shows no draft's path",
          "[cli][check]") {
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  if (!std::filesystem::exists(std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  const Program klab;
  const std::string open = "#include \"contract.cuh\"\nvoid f() {\n";
  const auto unfinished = check_source(klab, "check", open);
  CHECK(unfinished.exit_code == 1);
  CHECK_THAT(unfinished.out, Says("At end of source: expected a \"}\""));
  CHECK(unfinished.out.find(":0:") == std::string::npos);
  const auto unfinished_facts = check_source(klab, "facts", open, {});
  CHECK_THAT(unfinished_facts.err, Says("error: At end of source: expected a \"}\""));
  CHECK(unfinished_facts.out.empty());  // what the compiler says is said once
  const auto facts = check_source(klab, "facts", "#include \"contract.cuh\"\nint x = y;\n", {});
  CHECK(facts.exit_code == 1);
  CHECK_THAT(facts.out + facts.err, Says("kernel.cu:2"));
  CHECK((facts.out + facts.err).find("/cache/") == std::string::npos);
}
