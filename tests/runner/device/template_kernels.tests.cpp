// Two kernel files with template kernels of one name stay apart when both are loaded.
#include <catch2/catch_test_macros.hpp>
#include <sstream>
#include <string>

#include "core/build/plugin_builder.hpp"
#include "core/course/lab.hpp"
#include "core/process/process.hpp"
#include "core/wire/runner_client.hpp"
#include "support/checking.hpp"
#include "support/in_full.hpp"

using namespace klab;

namespace {

const std::filesystem::path source = KLAB_SOURCE_DIR;

Lab scale_lab() {
  auto lab = load_lab(source / "tests" / "fixtures", "01_scale");
  REQUIRE(lab);
  return *lab;
}

/// Built as a learner's file is: the flags are part of what is tested.
std::filesystem::path built(const Lab& lab, const std::string& name, ComputeCapability capability) {
  const Tree tree = test::tree();
  const auto toolchain = find_toolchain(tree);
  REQUIRE(toolchain);
  const auto plugin =
      build_plugin(tree, *toolchain, lab, VariantName(name),
                   source / "tests" / "runner" / "fixtures" / (name + ".cu"), capability);
  if (!plugin) FAIL(klab::test::in_full(plugin.error()));
  return plugin->library;
}

/// The kinds (as `nm` letters) of the library's symbols, exported or not.
std::string symbol_kinds(const std::filesystem::path& library) {
  std::string kinds;
  for (const char* which : {"--defined-only", "--dynamic"}) {
    const auto nm = run_process({.command = {"nm", "-P", which, library.string()}});
    REQUIRE(nm);
    REQUIRE(nm->exit_code == 0);
    std::istringstream lines(nm->out);
    std::string name, kind;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream(line) >> name >> kind;
      kinds += kind;
    }
  }
  return kinds;
}

}  // namespace

TEST_CASE("no symbol of a kernel file is shared by the loader among libraries",
          "[runner][template_kernels]") {
  // A `u` (GNU unique) symbol, such as a template kernel's launch handle, would be one for all
  // libraries of the process, even with RTLD_LOCAL: the second file would launch the first's
  // kernel.
  const std::string kinds = symbol_kinds(built(scale_lab(), "twin_right", ComputeCapability{9, 0}));
  CHECK_FALSE(kinds.empty());
  CHECK(kinds.find('u') == std::string::npos);
}

TEST_CASE("two loaded files launch each their own kernel of the same name",
          "[runner][template_kernels][gpu]") {
  test::require_backend(Backend::gpu);
  const Tree tree = test::tree();
  const Lab lab = scale_lab();
  const ComputeCapability capability = built_for(tree);
  const auto workload = build_workload(tree, *find_toolchain(tree), lab, capability);
  REQUIRE(workload);
  Request request;
  request.phase = Phase::verify;
  request.workload = workload->library.string();
  request.plugins = {{VariantName("right"), built(lab, "twin_right", capability).string()},
                     {VariantName("sevens"), built(lab, "twin_sevens", capability).string()}};
  request.sizes = {{1001}};
  const PhaseOutcome outcome = run_phase(tree, false, request, 60);
  const auto verified = outcome.all<record::Verified>();
  REQUIRE(verified.size() == 2);
  CHECK(verified[0].correct);
  CHECK_FALSE(verified[1].correct);
  CHECK(verified[1].got == 7.0);
}
