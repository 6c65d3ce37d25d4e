// What the cache of built libraries hands out is whole, of the present sources, and stays while it
// is in use.
#include "core/build/plugin_cache.hpp"

#include <sys/stat.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>
#include <vector>

#include "core/build/plugin_builder.hpp"
#include "core/build/plugin_report.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using klab::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// A lab, and a compiler that copies the source to the library and names what it "included".
struct CacheBench {
  CacheBench() {
    folder.write("labs/01_lab/contract.cuh", "#pragma once\n");
    header = folder.write("labs/01_lab/types.cuh", "// one\n");
    lab.root = folder.path();
    lab.folder = "01_lab";
    tree.root = folder.path();
    tree.build = folder.path() / "build";
    compiler("");
  }
  /// `act` is a line of shell that runs while it compiles.
  void compiler(const std::string& act) {
    toolchain.nvcc = folder.write("toolkit/bin/nvcc",
                                  "#!/bin/sh\nfor word; do source=$word; done\n"
                                  "while [ \"$1\" != -MF ]; do shift; done; inputs=$2\n"
                                  "while [ \"$1\" != -o ]; do shift; done\n"
                                  "cat \"$source\" >\"$2\"\n" +
                                      act + "\nprintf 'x : %s \\\\\\n    %s\\n' \"$source\" '" +
                                      header.string() + "' >\"$inputs\"\n");
    fs::permissions(toolchain.nvcc, fs::perms::owner_all);
  }
  Result<BuiltPlugin> build(const std::string& file, const std::string& text) {
    const fs::path source = folder.write(file, text);
    return build_plugin(tree, toolchain, lab, VariantName(source.filename().string()), source,
                        {9, 0});
  }
  BuiltPlugin built(const std::string& file, const std::string& text) {
    auto result = build(file, text);
    REQUIRE(result);
    return *result;
  }

  TemporaryFolder folder;
  fs::path header;
  Lab lab;
  Tree tree;
  Toolchain toolchain;
};

std::string content(const fs::path& file) {
  const auto text = read_file(file);
  return text ? *text : text.error().what;
}

}  // namespace

TEST_CASE("Files of one name that are built at once each keep a library of their own",
          "[core][cache]") {
  CacheBench bench;
  constexpr int files = 20;
  std::vector<std::optional<BuiltPlugin>> plugins(files);
  std::vector<std::thread> threads;
  for (int i = 0; i < files; ++i)
    threads.emplace_back([&, i] {
      const std::string name = std::to_string(i);
      if (auto built = bench.build(name + "/x.cu", name)) plugins[i] = *built;
      // What others have room for is nothing.
      keep_within(bench.tree.plugins(), 0);
    });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < files; ++i) {
    REQUIRE(plugins[i]);
    CHECK(content(plugins[i]->library) == std::to_string(i));
  }
  plugins.clear();
  keep_within(bench.tree.plugins(), 0);
  CHECK(fs::is_empty(bench.tree.plugins() / "01_lab"));
}

TEST_CASE("A library that two build at once is one file for both: a closed room lets in no other",
          "[core][cache]") {
  CacheBench bench;
  const std::string here = bench.folder.path().string();
  bench.compiler("touch '" + here + "'/compiles.$$\nwhile [ $(ls '" + here +
                 "' | grep -c compiles) -lt 2 ]; do sleep 0.01; done");
  bench.folder.write("x.cu", "kernel");
  std::array<ino_t, 2> files{};
  std::vector<std::thread> threads;
  for (ino_t& file : files)
    threads.emplace_back([&] {
      const auto built = build_plugin(bench.tree, bench.toolchain, bench.lab, VariantName("x"),
                                      bench.folder.path() / "x.cu", {9, 0});
      struct stat facts {};
      if (built && ::stat(built->library.c_str(), &facts) == 0) file = facts.st_ino;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(files[0] != 0);
  CHECK(files[0] == files[1]);
}

TEST_CASE("A library that was used in the future makes room first, whatever the clock says",
          "[core][cache]") {
  CacheBench bench;
  for (const std::string text : {"future 1", "future 2"})
    fs::last_write_time(bench.built("x.cu", text).library,
                        fs::file_time_type::clock::now() + std::chrono::hours(100'000));
  const fs::path now = bench.built("x.cu", "now").library;
  keep_within(bench.tree.plugins(), 3);
  CHECK(content(now) == "now");
  CHECK(std::distance(fs::directory_iterator(now.parent_path()), {}) == 2);  // and its report
}

TEST_CASE("A library that was cut, emptied or changed is built anew", "[core][cache]") {
  CacheBench bench;
  const fs::path library = bench.built("x.cu", "kernel").library;
  CHECK(bench.built("x.cu", "kernel").from_cache);
  for (const std::string broken : {"", "ker", "Kernel"}) {
    CAPTURE(broken);
    std::ofstream(library, std::ios::trunc) << broken;
    CHECK_FALSE(bench.built("x.cu", "kernel").from_cache);
    CHECK(content(library) == "kernel");
    CHECK(bench.built("x.cu", "kernel").from_cache);
  }
}

TEST_CASE("A report that is none of ours is written anew", "[core][cache]") {
  CacheBench bench;
  const fs::path report = report_of(bench.built("x.cu", "kernel").library);
  const std::string good = content(report);
  for (const std::string& broken :
       {std::string(), std::string("[]"), std::string("{"), good.substr(0, good.size() / 2),
        std::string(R"({"inputs":{},"kernels":[{"kernel":5}],"library":"x"})"),
        std::string(R"({"inputs":{"a":1},"kernels":[],"library":"x"})"),
        std::string(R"({"inputs":[],"kernels":{},"library":null})")}) {
    CAPTURE(broken);
    REQUIRE(write_file(report, broken));
    CHECK_FALSE(bench.built("x.cu", "kernel").from_cache);
    CHECK(content(report) == good);
  }
}

TEST_CASE("A header that a kernel file includes belongs to its build", "[core][cache]") {
  CacheBench bench;
  (void)bench.built("x.cu", "kernel");
  CHECK(bench.built("x.cu", "kernel").from_cache);
  bench.folder.write("labs/01_lab/types.cuh", "// two\n");
  CHECK_FALSE(bench.built("x.cu", "kernel").from_cache);
  CHECK(bench.built("x.cu", "kernel").from_cache);
  fs::remove(bench.header);
  CHECK_FALSE(bench.built("x.cu", "kernel").from_cache);
}

TEST_CASE("A file that is saved while it is built is built as it was saved last", "[core][cache]") {
  CacheBench bench;
  bench.compiler(
      "[ -e \"$source.saved\" ] || { touch \"$source.saved\"; printf new >\"$source\"; }");
  const BuiltPlugin built = bench.built("x.cu", "old");
  CHECK(content(built.library) == "new");
  bench.compiler("printf x >>\"$source\"");
  const auto endless = bench.build("y.cu", "old");
  REQUIRE_FALSE(endless);
  CHECK(endless.error().what.find("changes while it is being built") != std::string::npos);
}

TEST_CASE("Dependencies are read as make writes them", "[core][cache]") {
  CHECK(parse_dependencies("a.so : a.cu \\\n    with\\ blank.cuh \\\n  /x/$$y.cuh b\\#c\n") ==
        std::vector<fs::path>{"a.cu", "with blank.cuh", "/x/$y.cuh", "b#c"});
  CHECK(parse_dependencies("").empty());
  CHECK(parse_dependencies("none at all").empty());
}
