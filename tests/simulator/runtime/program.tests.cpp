// `klab sim`: programs of their own on the simulated GPU.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/process/process.hpp"
#include "support/sanitized.hpp"
#include "support/says.hpp"

using Catch::Matchers::ContainsSubstring;
using klab::test::Says;
namespace fs = std::filesystem;

namespace {

std::string program(const std::string& name) {
  const fs::path path = fs::path(KLAB_SIM_PLUGINS) / name;
  if (!fs::exists(path)) SKIP("no nvcc");
  return path.string();
}

klab::ProcessResult sim(std::vector<std::string> arguments) {
  klab::skip_if_sanitized();
  std::vector<std::string> command = {std::string(KLAB_BINARY_DIR) + "/bin/klab", "sim"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  auto result = klab::run_process({.command = command, .time_limit_s = 60});
  REQUIRE(result);
  UNSCOPED_INFO(result->out);
  UNSCOPED_INFO(result->err);
  return *result;
}

}  // namespace

TEST_CASE("klab sim runs a program with its arguments and counts its kernels",
          "[simulator][program]") {
  const auto run = sim({program("scale"), "0", "--json"});
  CHECK(run.exit_code == 0);
  CHECK(run.out == "sum 2000, 2 arguments\n");
  CHECK_THAT(run.err, Says("scale(int, float*), 1 launch"));
  CHECK_THAT(run.err, Says("global load sectors"));
  CHECK_THAT(run.err, ContainsSubstring("counted"));
}

TEST_CASE("klab sim --json prints one object, and nothing of the program's",
          "[simulator][program]") {
  const auto run = sim({"--json", program("scale"), "3"});
  CHECK(run.exit_code == 1);
  CHECK_THAT(run.err, Says("sum 2000"));
  const auto json = nlohmann::json::parse(run.out, nullptr, false);
  REQUIRE(json.is_object());
  CHECK(json.at("status") == 3);
  CHECK(json.at("complete") == true);
  CHECK(json.at("kernels").at(0).at("counts").at("global_load_sectors") == 125);
  CHECK(json.at("host").at("host_to_device_bytes") == 4000);
}

TEST_CASE("klab sim says of a kernel stopped at its budget which option gives it more",
          "[simulator][program]") {
  const auto run = sim({"--budget", "1", program("scale"), "0"});
  CHECK(run.exit_code == 1);
  CHECK_THAT(run.err, Says("--budget of klab sim"));
}

TEST_CASE("klab sim --check finds what a program gets away with, and says where",
          "[simulator][program]") {
  const auto unchecked = sim({program("race")});
  CHECK(unchecked.exit_code == 0);
  const auto run = sim({"--check", program("race")});
  CHECK(run.exit_code == 1);
  CHECK(run.out == "cudaSuccess\n");
  CHECK_THAT(run.err, Says("race.cu:7: Race on shared memory"));
  // Once: what the runtime finds stands in the account alone.
  const std::string said = klab::test::one_line(run.err), race = "Race on shared memory";
  CHECK(said.find(race) == said.rfind(race));
}

TEST_CASE("Where the system allows too little address space, the limit is named",
          "[simulator][program]") {
  klab::skip_if_sanitized();
  const auto run = klab::run_process(
      {.command = {"sh", "-c", "ulimit -v 3000000; exec \"$@\"", "sh",
                   std::string(KLAB_BINARY_DIR) + "/bin/klab", "sim", program("scale"), "0"},
       .time_limit_s = 60});
  REQUIRE(run);
  CHECK(run->exit_code == 1);
  CHECK_THAT(run->err, Says("ulimit -v"));
}

TEST_CASE("klab sim tells what was found in a program that did not live to its end",
          "[simulator][program]") {
  const auto run = sim({"--check", program("race"), "abort"});
  CHECK(run.exit_code == 1);
  CHECK_THAT(run.err, Says("Race on shared memory"));
  CHECK_THAT(run.err, Says("signal 6"));
}

TEST_CASE("A graph's conditional nodes run their bodies as its kernels say",
          "[simulator][program]") {
  for (const std::string how : {"--budget=1000000", "--check"}) {
    const auto run = sim({how, program("conditional")});
    CHECK(run.exit_code == 0);
    CHECK(run.out ==
          "value 0: 4 turns, 8 inside, sum 110\nvalue 2: 4 turns, 8 inside, sum 301\n"
          "value 3: 4 turns, 8 inside, sum 1\ncudaErrorNotSupported\ncudaErrorNotSupported\n"
          "cudaSuccess\n");
    CHECK_THAT(run.err, Says("A graph with conditional nodes may be instantiated once at a time"));
    CHECK_THAT(run.err, Says("The body of a graph's conditional node may hold"));
  }
}

TEST_CASE("klab sim runs what a program waits for by no call", "[simulator][program]") {
  for (const auto& [how, seen] : {std::pair{"flag", "5\n"}, std::pair{"graph", "5\n"},
                                  std::pair{"condition", "5\n"}, std::pair{"fence", "7\n"}})
    for (const std::string checks : {"--budget=1000000", "--check"}) {
      const auto run = sim({checks, program("unseen_waits"), how});
      CAPTURE(how, checks);
      CHECK(run.exit_code == 0);
      CHECK(run.out == seen);
    }
  // A copy says nothing of when it is there: what the host looks for may come in parts.
  const auto run = sim({"--check", program("unseen_waits"), "copy"});
  CHECK(run.exit_code == 1);
  CHECK(run.out == "5\n");
  CHECK_THAT(run.err, Says("no call has waited for it"));
}

TEST_CASE("Who asks until work is done has waited for it, and who gives up asking has not",
          "[simulator][program]") {
  for (const std::string how : {"until", "event", "often", "once"}) {
    const bool to_its_end = how == "until" || how == "event";
    const auto unchecked = sim({"--budget=1000000", program("polls"), how});
    CHECK(unchecked.out == "4 of 4\n");  // work is done when it is asked for
    const auto run = sim({"--check", program("polls"), how});
    CAPTURE(how);
    CHECK((run.exit_code == 0) == to_its_end);
    CHECK((run.out == "4 of 4\n") == to_its_end);
    CHECK((run.err.find("no call has waited for it") == std::string::npos) == to_its_end);
  }
}

TEST_CASE("klab sim says which kernel nobody waited for", "[simulator][program]") {
  for (const std::string how : {"--budget=1000000", "--check"}) {
    const auto early = sim({how, program("ends"), "early"});
    const auto well = sim({how, program("ends"), "well"});
    CHECK_THAT(early.err, Says("Nothing has waited for kernel fill(int*)"));
    CHECK(well.err.find("Nothing has waited") == std::string::npos);
    const auto astray = sim({how, program("ends"), "astray"});  // what it did is looked at, too
    CHECK(astray.exit_code == 1);
    CHECK_THAT(astray.err, Says("Out-of-bounds global write"));
  }
}

TEST_CASE("klab sim --check lays nothing of CUB's to whom calls it", "[simulator][program]") {
  const auto run = sim({"--check", program("merge_sort")});
  CHECK(run.exit_code == 0);
  CHECK(run.out == "cudaSuccess\n0 wrong\n");
}

TEST_CASE("Textures give what the programming guide says, of arrays and of memory",
          "[simulator][program]") {
  for (const std::string how : {"--budget=1000000", "--check"}) {
    const auto run = sim({how, program("textures")});
    CHECK(run.exit_code == 0);
    CHECK(run.out ==
          "cudaSuccess\ncudaSuccess\npoint 0 11 23 20 3\nborder 0 0 0 23\n"
          "linear 0 5.5 0 11.75 23\nlinear border 5 6.5 10.5\nwrap 0 0 3 12\nmirror 0 3 0 0\n"
          "linear wrap 1.5 1.5\nwrap needs parts 3 20\ncudaSuccess\ncudaSuccess\n"
          "line 20 20.5 23\ncudaSuccess\nback 12 13 22 23\ncudaSuccess\n32 2 4 3 0 0\n"
          "cudaErrorInvalidValue\ncudaSuccess\ncudaSuccess\ncudaSuccess\ncudaSuccess\n"
          "depth 101 55.5\ncudaSuccess\ncudaSuccess\ndepth 1 101 101\nbytes 0 51 102 255\n"
          "shares 0 0.2 0.4 1\ncudaErrorInvalidFilterSetting\ncudaSuccess\nindices 0 0 1 2 0\n"
          "cudaErrorInvalidValue\ncudaSuccess\npitched 5.5 12\ncudaSuccess\n"
          "shorts -2 -32768\n");
    CHECK_THAT(run.err, !ContainsSubstring("Not freed"));
  }
  const auto gone = sim({program("textures"), "gone"});
  CHECK(gone.exit_code == 1);
  CHECK_THAT(gone.out, ContainsSubstring("cudaErrorIllegalAddress"));
  CHECK_THAT(gone.err, Says("A texture is read whose object does not exist"));
}

TEST_CASE("Fetches give what the guide's formulas give, at every place, mode and filter",
          "[simulator][program]") {
  const auto run = sim({program("fetches")});
  CHECK(run.exit_code == 0);
  CHECK(run.out ==
        "0 wrong\n1 5 1 5\n1 5 1 5\n1 0.5 0.5 0.5\n0.75 0.5 0.5 0.5\n"
        "cudaSuccess cudaSuccess\n");
}

TEST_CASE("A fetch that fits neither the object nor its texels is told, and nothing is converted",
          "[simulator][program]") {
  const std::string texels = "A texture of 2 x 2 x 1 texels is read by a fetch of ";
  const std::pair<std::string, std::string> all[] = {
      {"line", texels + "one dimension."},
      {"layer", texels + "two dimensions and a layer."},
      {"read", "A surface object is read as a texture."},
      {"write", "A texture object is used as a surface."},
      {"beside", "A surface is used by fewer dimensions than its array has"}};
  for (const auto& [what, sentence] : all) {
    const auto run = sim({program("mistaken_fetches"), what});
    CHECK(run.out == "cudaErrorIllegalAddress\n");
    CHECK_THAT(run.err, Says(sentence));
    CHECK_THAT(run.err, Says("mistaken_fetches.cu line"));
  }
  CHECK(sim({program("mistaken_fetches"), "bits"}).out == "7fa12345 cudaSuccess\n");
}

TEST_CASE(
    "Variables of the device taken for the host's, sizes beyond them and a full heap are named",
    "[simulator][program]") {
  const std::string shadow = "in the place of the device's variable table, and no address of it";
  const std::pair<std::string, std::string> all[] = {
      {"shadow", shadow},
      {"copy", shadow},
      {"copy back", shadow},
      {"memset", shadow},
      {"size", "A copy of 256 bytes does not fit the variable weights, which has 16 bytes"},
      {"offset", "A copy of 8 bytes from byte 12 on does not fit the variable weights"},
      {"malloc", "returned null, since 67,108,864 bytes did not fit"}};
  for (const auto& [what, sentence] : all) {
    INFO(what);
    const auto run = sim({program("mistaken_symbols"), what});
    CHECK(run.out != "cudaSuccess\n");
    CHECK_THAT(run.err, Says(sentence));
  }
  const auto right = sim({"--check", program("mistaken_symbols"), "right"});
  CHECK(right.out == "cudaSuccess\n");
  CHECK_THAT(right.err, !Says(shadow));
}

TEST_CASE("What textures and surfaces move counts by sectors of 32 bytes, each once a warp",
          "[simulator][program]") {
  const auto run = sim({"--json", program("texture_sectors")});
  const auto json = nlohmann::json::parse(run.out, nullptr, false);
  REQUIRE(json.is_object());
  const std::map<std::string, int> expected = {
      {"row", 4}, {"column", 32}, {"between", 8}, {"put", 4}};
  REQUIRE(json.at("kernels").size() == expected.size());
  for (const auto& kernel : json.at("kernels")) {
    const std::string name = kernel.at("name");
    CHECK(kernel.at("counts").at("texture_sectors") == expected.at(name.substr(0, name.find('('))));
  }
}

TEST_CASE("Surfaces are read and written by the byte, as far as their array goes",
          "[simulator][program]") {
  for (const std::string how : {"--budget=1000000", "--check"}) {
    const auto run = sim({how, program("surfaces")});
    CHECK(run.exit_code == 0);
    CHECK(run.out ==
          "247,11 251,7 255,3 3,0 4,0 5,0 \ncudaSuccess 0 1 10 11 100 101 110 111\n"
          "-7 -6 -5 -4\nedges 1 8 0\ncudaSuccess\nno surface\n");
    CHECK_THAT(run.err, Says("A surface needs an array that was made with"));
  }
  const auto beyond = sim({program("surfaces"), "14"});
  CHECK(beyond.exit_code == 1);
  CHECK_THAT(beyond.out, ContainsSubstring("cudaErrorIllegalAddress"));
  CHECK_THAT(beyond.err, Says("A surface is written outside of its array, at byte 14 of row 0"));
}

TEST_CASE("klab sim names what it refuses, with the line", "[simulator][program]") {
  const auto run = sim({program("gather")});
  CHECK(run.exit_code == 4);
  CHECK_THAT(run.err, ContainsSubstring("tld4.r.2d"));
  CHECK_THAT(run.err, ContainsSubstring("gather.cu:5"));
  CHECK(run.err.find("gather.cu:5") == run.err.rfind("gather.cu:5"));
}

TEST_CASE("Whatever klab sim refuses, it names kernel, place and remedy, and ends with 4",
          "[simulator][program]") {
  const std::string other = "another way to do the same", otherwise = "write this place in another";
  const std::vector<std::string> all[] = {
      {"width",
       "other.cu:12: kernel broken uses add.u32 as line 10 of the PTX has it (Operand "
       "'%rd1' of 'add.u32' has the wrong width.)",
       other},
      {"name", "other.cu:12: kernel broken uses add.u32", "'%r77' is not declared", other},
      {"label", "other.cu:12: kernel broken can't be decoded: The label '$NOWHERE' does not exist",
       otherwise},
      {"text", "The PTX of this program can't be read: ", "(line 13 of the PTX)",
       "build the program with that, or run it on a GPU"},
      {"graph", "cudaGraphInstantiateFlagDeviceLaunch", "launch it from the host"},
      // Of one that ends by an exception that nobody catches, too.
      {"process", "cudaIpcGetEventHandle is not part", "Let one process do the work", "signal 6"}};
  for (const auto& sentences : all) {
    const auto run = sim({program("refusals"), sentences[0]});
    CHECK(run.exit_code == 4);
    for (std::size_t i = 1; i < sentences.size(); ++i) CHECK_THAT(run.err, Says(sentences[i]));
  }
}

TEST_CASE("klab sim says how to build a program that it cannot take", "[simulator][program]") {
  const auto missing = sim({"/nowhere/at/all"});
  CHECK(missing.exit_code == 2);
  CHECK_THAT(missing.err, Says("There is no program"));
  // What a program with CUDA's runtime inside looks like.
  const fs::path path = fs::path(KLAB_SIM_PLUGINS) / "static_runtime";
  std::ofstream(path) << "\x7f"
                         "ELF and .nv_fatbin";
  fs::permissions(path, fs::perms::owner_all);
  const auto inside = sim({path.string()});
  CHECK(inside.exit_code == 2);
  CHECK_THAT(inside.err, Says("holds CUDA's runtime itself"));
  CHECK_THAT(inside.err, Says("-cudart shared"));
  std::ofstream(path) << "\x7f"
                         "ELF and .nv_fatbin and libcudart.so.13"
                      << '\0' << "libasan.so.8";
  const auto sanitized = sim({path.string()});
  CHECK(sanitized.exit_code == 2);
  CHECK_THAT(sanitized.err, Says("was built with -fsanitize=address"));
  const auto none = sim({"/bin/true"});
  CHECK(none.exit_code == 0);
  CHECK_THAT(none.err, Says("did not use CUDA's runtime"));
}

TEST_CASE("klab sim fails where a kernel was stopped, also if the program never asks",
          "[simulator][program]") {
  const auto recursion = sim({program("ends"), "recursion"});
  CHECK(recursion.exit_code == 1);
  CHECK_THAT(recursion.err, Says("The call of 'deeper(int, int*)' at"));
  CHECK_THAT(recursion.err, Says("ends.cu line 13 overflows the stack"));
  const auto trap = sim({program("ends"), "trap"});
  CHECK(trap.exit_code == 1);
  CHECK_THAT(trap.err, Says("trap() can't be launched with 2000 x 1 x 1 threads a block"));
  CHECK_THAT(trap.err,
             Says("with a grid of 1 x 70,000 x 1 blocks: at least 1 each way, and at most "
                  "2,147,483,647 x 65,535 x 65,535 are allowed"));
  CHECK_THAT(trap.err, Says("The kernel executed a trap instruction (__trap, or"));
  const auto grid = sim({program("ends"), "grid"});
  CHECK(grid.exit_code == 1);
  CHECK_THAT(grid.err, Says("as grid.sync() does in an ordinary launch: launch the kernel with "
                            "cudaLaunchCooperativeKernel"));
}

TEST_CASE("klab sim says that a program left without an account", "[simulator][program]") {
  const auto run = sim({program("ends"), "leave"});
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.err, Says("Nothing was counted: the program left by _exit"));
}

TEST_CASE("klab sim --check tells what was not freed", "[simulator][program]") {
  const auto run = sim({"--check", program("ends"), "well"});
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.err, Says("Not freed: 1 allocation, 4 bytes."));
  CHECK(sim({program("ends"), "well"}).err.find("Not freed") == std::string::npos);
}

TEST_CASE("klab sim runs a program of several files that nvcc linked on the device",
          "[simulator][program]") {
  const auto run = sim({program("linked")});
  CHECK(run.exit_code == 0);
  CHECK(run.out ==
        "first hello\nsecond world\nwrong 0, calls 2005, visits 1000, number 7, cudaSuccess\n");
  CHECK_THAT(run.err, Says("Not reached, and not simulated: call "));
}

TEST_CASE("klab sim refuses what kernels launch, where they do it", "[simulator][program]") {
  const auto run = sim({program("linked"), "really"});
  CHECK(run.exit_code == 4);
  CHECK_THAT(run.out, ContainsSubstring("wrong 0, calls 2005, visits 1000, number 0, "
                                        "cudaErrorNotSupported"));
  CHECK_THAT(run.err, Says("main.cu:26: kernel launches(int*, bool) uses call "));
}

TEST_CASE("klab sim refuses calls into libraries that reach for a GPU by themselves",
          "[simulator][program]") {
  // A program that names such a library and its call, as the linker writes it.
  const auto with = [](const char* name, const std::string& more) {
    const fs::path path = fs::path(KLAB_SIM_PLUGINS) / name;
    fs::copy_file(program("ends"), path, fs::copy_options::overwrite_existing);
    std::ofstream(path, std::ios::app) << std::string(1, '\0') << more << std::string(1, '\0');
    return path.string();
  };
  const std::string library = "libcublas.so.13", zero(1, '\0');
  const auto calling = sim({with("calling", library + zero + "cublasCreate_v2"), "well"});
  CHECK(calling.exit_code == 4);
  CHECK_THAT(calling.err, Says("The program calls cublasCreate_v2: libcublas holds machine code"));
  CHECK(sim({with("ends_with_cublas", library), "well"}).exit_code == 0);
}
