// Building kernel files: where it may be done, and what it leaves.
#include "core/build/plugin_builder.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>

#include "core/build/plugin_cache.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace std::string_literals;
using Catch::Matchers::ContainsSubstring;
using klab::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// A course in a folder of any name, and a compiler that only notes where its files go.
struct Bench {
  explicit Bench(const std::string& place) : course(folder.path() / place) {
    folder.write(place + "/labs/01_lab/contract.cuh", "");
    lab.root = course;
    lab.folder = "01_lab";
    tree.root = course;
    tree.build = folder.path() / "build";
    toolchain.nvcc = folder.write(
        "nvcc", "#!/bin/sh\ntouch \"$TMPDIR/left.o\"\nls \"$TMPDIR\" >\"" +
                    (folder.path() / "seen").string() + "\"\necho \"$@\" >\"" +
                    (folder.path() / "asked").string() +
                    "\"\nwhile [ \"$1\" != -o ]; do shift; done\ncase \"$3\" in *wrong*) exit 1;; "
                    "esac\necho library >\"$2\"\n");
    fs::permissions(toolchain.nvcc, fs::perms::owner_all);
  }
  Result<BuiltPlugin> build(const std::string& file, const std::string& text = "text") {
    return build_plugin(tree, toolchain, lab, VariantName::mine, folder.write(file, text), {9, 0});
  }
  /// Everything in the folder of the lab's plugins.
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(tree.plugins() / lab.folder))
      names.push_back(entry.path().extension().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryFolder folder;
  fs::path course;
  Lab lab;
  Tree tree;
  Toolchain toolchain;
};

}  // namespace

TEST_CASE("A build leaves its library and report, a failed one nothing", "[core][builder]") {
  Bench bench("course");
  REQUIRE_FALSE(bench.build("wrong.cu"));
  CHECK(bench.left().empty());
  const auto built = bench.build("right.cu");
  REQUIRE(built);
  CHECK(bench.left() == std::vector<std::string>{".json", ".so"});
  // The compiler's own files went to the build's folder, which is gone.
  CHECK(bench.folder.read("seen") == "left.o\n");
}

TEST_CASE(
    "Builds and drafts know constexpr functions of the host, and lambdas for the device where "
    "the file has them",
    "[core][builder]") {
  Bench bench("course");
  const auto asked_for = [&](const std::string& flag) {
    return bench.folder.read("asked").find(flag) != std::string::npos;
  };
  const std::string lambda = "auto f = [=] __device__ (int i) { return i; };";
  for (const std::string& text :
       {lambda, "[&]\n    __host__ __device__ (int i) {}"s, "a[i] + b[i];"s}) {
    CAPTURE(text);
    const bool has_one = text.find("__") != std::string::npos;
    REQUIRE(bench.build("right.cu", text));
    CHECK(asked_for("--expt-relaxed-constexpr"));
    CHECK(asked_for("--extended-lambda") == has_one);
    fs::create_directories(bench.folder.path() / "draft");
    bench.folder.write("asked", "");
    static_cast<void>(build_cubin(bench.toolchain, bench.lab, bench.folder.path() / "right.cu",
                                  {9, 0}, bench.folder.path() / "draft" / "draft.cubin"));
    CHECK(asked_for("--expt-relaxed-constexpr"));
    CHECK(asked_for("--extended-lambda") == has_one);
  }
}

TEST_CASE("A kernel file is built as CUDA, whatever its name ends in", "[core][builder]") {
  Bench bench("course");
  const auto asked = [&] { return bench.folder.read("asked").find("-x cu ") != std::string::npos; };
  for (const char* name : {"mine.cpp", "mine.cu.txt", "mine"}) {
    CAPTURE(name);
    REQUIRE(bench.build(name));
    CHECK(asked());
  }
  REQUIRE(bench.build("mine.cu"));
  CHECK_FALSE(asked());
}

TEST_CASE("The real nvcc takes lambdas that a macro marks, and what its headers bring along",
          "[core][builder][whole]") {
  Bench bench("course");
  const auto real = find_toolchain(find_tree());
  REQUIRE(real);
  bench.toolchain = *real;
  CHECK(bench.build("marked.cu",
                    "#define BOTH __host__ __device__\n"
                    "template <class F> __global__ void apply(F f, int* p) { *p = f(*p); }\n"
                    "void launch(int* p, int n) { apply<<<1, 1>>>([=] BOTH(int i) { return i + n; "
                    "}, p); }\n"));
  CHECK(bench.build("brought.cu", "int first(const std::vector<int>& v) { return v.at(0); }\n"));
  for (const char* text :
       {"float zeta() { return std::riemann_zeta(2.f); }\n"
        "float least() { return std::numeric_limits<float>::min(); }\n"
        "using namespace std;\nint most() { return numeric_limits<int>::max(); }\n",
        "#include <cmath>\n#include <bits/stdc++.h>\n"
        "float root(float x) { return std::sqrt(x); }\n"
        "double bessel() { return std::cyl_bessel_j(0, 1.); }\n"}) {
    CAPTURE(text);
    CHECK(bench.build("named.cu", text));
  }
}

TEST_CASE("What nvcc's tools say of a function is told by the name that the source has",
          "[core][builder]") {
  Bench bench("course");
  bench.toolchain.nvcc = bench.folder.write(
      "nvcc",
      "#!/bin/sh\necho \"ptxas fatal   : Unresolved extern function '_Z4lostf'\" >&2\nexit 1");
  fs::permissions(bench.toolchain.nvcc, fs::perms::owner_all);
  const auto built = bench.build("a.cu");
  REQUIRE_FALSE(built);
  CHECK_THAT(built.error().what, ContainsSubstring("lost(float)"));
  CHECK_THAT(built.error().detail, ContainsSubstring("lost(float)") && !ContainsSubstring("_Z"));
}

TEST_CASE("Of a file in UTF-16 that is said, and nothing is run", "[core][builder]") {
  Bench bench("course");
  for (const std::string& text : {"\xFF\xFEi\0"s, "\xFE\xFF\0i"s, "i\0n\0"s, "\0i\0n"s}) {
    const auto built = bench.build("kernel.cu", text);
    REQUIRE_FALSE(built);
    CHECK(built.error().code == ErrorCode::build_failed);
    CHECK_THAT(built.error().what, ContainsSubstring("UTF-16"));
    CHECK_THAT(shell_words(built.error().remedy), ContainsSubstring("UTF-8"));
  }
  CHECK_FALSE(fs::exists(bench.folder.path() / "asked"));
  CHECK(bench.build("kernel.cu", "\xEF\xBB\xBF// UTF-8 with a mark\r\n"));
  CHECK(bench.build("empty.cu", ""));
}

TEST_CASE("Of an error in a library's header the line is told that asked for it",
          "[core][builder]") {
  Bench bench("course");
  bench.toolchain.nvcc = bench.folder.write(
      "strict_nvcc",
      "#!/bin/sh\nfor last; do :; done\necho '/usr/include/cub/agent.cuh(720): error: not "
      "allowed.'\necho '  instantiation of \"at\" at line 12 of /usr/include/cub/agent.cuh'\n"
      "echo \"  instantiation of sort<A> at line 42 of $last\"\nexit 1\n");
  fs::permissions(bench.toolchain.nvcc, fs::perms::owner_all);
  const auto built = bench.build("mine.cu");
  REQUIRE_FALSE(built);
  CHECK_THAT(built.error().what,
             ContainsSubstring("agent.cuh:720: not allowed. It is line 42 of ") &&
                 ContainsSubstring("mine.cu that asks for this."));
}

TEST_CASE("A course that is reached by a link is not built again, and its files keep their names",
          "[core][builder]") {
  Bench bench("course");
  const auto first = bench.build("course/kernels/flawed.cu");
  REQUIRE(first);
  const fs::path link = bench.folder.path() / "link";
  fs::create_directory(link);
  for (const char* part : {"labs", "kernels"})
    fs::create_directory_symlink(bench.course / part, link / part);
  bench.lab.root = bench.tree.root = link;
  const auto build = [&](const std::string& file) {
    return build_plugin(bench.tree, bench.toolchain, bench.lab, VariantName::mine, link / file,
                        {9, 0});
  };
  const auto again = build("kernels/flawed.cu");
  REQUIRE(again);
  CHECK(again->from_cache);
  CHECK(again->library == first->library);
  // A learner's file may be a link itself: messages and lines are told by the name that it has
  // here.
  fs::create_symlink(bench.course / "kernels/flawed.cu", link / "mine.cu");
  const auto mine = build("mine.cu");
  REQUIRE(mine);
  CHECK_FALSE(mine->from_cache);
  CHECK_THAT(bench.folder.read("asked"), ContainsSubstring("/link/mine.cu"));
}

TEST_CASE("The compiler may wait as long as the machine is busy, but not compute for ever",
          "[core][builder]") {
  Bench bench("course");
  const auto compile_with = [&](const std::string& script) {
    bench.folder.write("nvcc", "#!/bin/sh\n" + script);
    return bench.build("kernel.cu");
  };
  (void)compile_with("ulimit -S -t >'" + (bench.folder.path() / "seen").string() + "'; exit 1\n");
  CHECK(bench.folder.read("seen") == "120\n");
  for (const std::string end :
       {"kill -s XCPU $$\n", "echo \"nvcc error   : 'cicc' died due to signal 24\" >&2; exit 1\n",
        "echo 'g++: fatal error: CPU time limit exceeded signal terminated program cc1plus'; exit 1"
        "\n"}) {
    const auto built = compile_with(end);
    REQUIRE_FALSE(built);
    CHECK(built.error().code == ErrorCode::hang);
    CHECK_THAT(built.error().what, ContainsSubstring("computed for two minutes"));
    CHECK_THAT(shell_words(built.error().remedy), ContainsSubstring("grow without bound"));
  }
}

TEST_CASE("Paths that nvcc can read build, with blanks and brackets and letters of any script",
          "[core][builder]") {
  Bench bench("my course (2026) & größe #1");
  CHECK(bench.build("here, there/it's mine.cu"));
}

TEST_CASE("A generation's own features are built for where the GPU has them, beside plain PTX",
          "[core][builder]") {
  Bench bench("course");
  bench.lab.build.architecture = architecture_from("90a");
  REQUIRE(bench.build("mine.cu"));
  CHECK_THAT(bench.folder.read("asked"),
             ContainsSubstring("-gencode arch=compute_90a,code=sm_90a "
                               "-gencode arch=compute_90,code=compute_90 "));
  CHECK(architecture_for(bench.lab, {10, 0}) == Architecture{{10, 0}});
  bench.lab.build.architecture.reset();
  CHECK(architecture_for(bench.lab, {9, 0}) == Architecture{{9, 0}});
}

TEST_CASE("A lab links the libraries that it names, where the toolkit has them",
          "[core][builder]") {
  Bench bench("course");
  bench.toolchain.root = bench.folder.path();
  bench.lab.build.link = {"cublas"};
  const auto missing = bench.build("mine.cu");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::no_toolkit);
  CHECK_THAT(missing.error().what, ContainsSubstring("libcublas"));
  bench.folder.write("lib/libcublas.so", "");
  REQUIRE(bench.build("mine.cu"));
  const std::string folder = (bench.folder.path() / "lib").string();
  CHECK_THAT(bench.folder.read("asked"),
             ContainsSubstring("-lcublas -L" + folder + " -Xlinker -rpath=" + folder));
}

TEST_CASE("The real nvcc builds in such a folder", "[core][builder]") {
  Bench bench("my course (2026) & größe #1; 100% [x]");
  bench.folder.write("my course (2026) & größe #1; 100% [x]/labs/01_lab/contract.cuh",
                     "constexpr float one = 1;\n");
  const auto real = find_toolchain(find_tree());
  REQUIRE(real);
  bench.toolchain = *real;
  const auto source = bench.folder.write("here, there/it's mine.cu",
                                         "#include \"contract.cuh\"\n"
                                         "__global__ void fill(float* a) { a[0] = one; }\n");
  const auto built =
      build_plugin(bench.tree, bench.toolchain, bench.lab, VariantName::mine, source, {9, 0});
  REQUIRE(built);
  CHECK(built->kernels.size() == 1);
  CHECK(bench.left() == std::vector<std::string>{".json", ".so"});
}

TEST_CASE("A name too long for nvcc's own files is said before it is tried", "[core][builder]") {
  Bench bench("course");
  const auto built = bench.build(std::string(240, 'x') + ".cu");
  REQUIRE_FALSE(built);
  CHECK(built.error().code == ErrorCode::usage);
  CHECK_THAT(shell_words(built.error().remedy), ContainsSubstring("shorter name"));
}

TEST_CASE("Of a path that nvcc cannot read that is said, and nothing is run", "[core][builder]") {
  for (const std::string place : {"a'b", "a\"b", "a$b", "a`b", "a,b"}) {
    CAPTURE(place);
    Bench bench(place);
    const auto built = bench.build("kernel.cu");
    REQUIRE_FALSE(built);
    CHECK(built.error().code == ErrorCode::usage);
    CHECK_THAT(built.error().what, ContainsSubstring(std::string("has a ") + place[1]));
    CHECK_THAT(shell_words(built.error().remedy), ContainsSubstring("Rename"));
    CHECK_FALSE(fs::exists(bench.folder.path() / "seen"));
  }
  for (const std::string file : {"a\"b.cu", "a$b.cu", "a`b.cu", "a,b.cu"}) {
    CAPTURE(file);
    Bench bench("course");
    CHECK_FALSE(bench.build(file));
    CHECK_FALSE(fs::exists(bench.folder.path() / "seen"));
  }
}

TEST_CASE("The libraries that were not used for longest make room, with their reports",
          "[core][builder]") {
  const TemporaryFolder folder;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "0" + std::to_string(i % 2) + "_lab/v" + std::to_string(i) + ".so";
    const fs::path library = folder.write(name, std::string(1000, 'x'));
    fs::last_write_time(library, fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
    folder.write(name + ".json", "[]");
  }
  note_use(folder.path() / "00_lab/v0.so");
  keep_within(folder.path(), 3000);
  CHECK(fs::exists(folder.path() / "00_lab/v0.so"));
  CHECK_FALSE(fs::exists(folder.path() / "01_lab/v1.so"));
  CHECK_FALSE(fs::exists(folder.path() / "01_lab/v1.so.json"));
  CHECK_FALSE(fs::exists(folder.path() / "00_lab/v2.so"));
  CHECK(fs::exists(folder.path() / "01_lab/v3.so"));
  CHECK(fs::exists(folder.path() / "00_lab/v4.so.json"));
}
