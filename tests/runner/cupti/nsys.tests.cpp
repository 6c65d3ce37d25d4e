// What Nsight Systems shows of a runner: the real nsys with the command of `klab profile`, where it
// is installed. Tracing ranges needs no GPU.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/course/lab.hpp"
#include "core/process/process.hpp"
#include "core/record/profiler_command.hpp"
#include "core/wire/protocol.hpp"
#include "support/checking.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Prints each range of the domain klab below its parents, as "time: LAB > sample: V > launch: V".
/// The layout of the SQLite export is the one that newer versions promise to keep.
constexpr const char* print_ranges = R"(
import sqlite3, sys
events = sqlite3.connect(sys.argv[1]).execute(
    "select start, end, coalesce(text, (select value from StringIds where id = textId)) "
    "from NVTX_EVENTS where end is not null order by start, end desc")
open_ranges = []
for start, end, text in events:
    while open_ranges and start >= open_ranges[-1][0]:
        open_ranges.pop()
    open_ranges.append((end, text))
    print(" > ".join(name for _, name in open_ranges))
)";

bool is_installed(const std::string& program) {
  const auto found = run_process({.command = {"sh", "-c", "command -v " + program}});
  return found && found->exit_code == 0;
}

Request request_for(Phase phase, bool simulated) {
  const Tree tree = test::tree();
  const auto lab = load_lab(KLAB_SOURCE_DIR, "02_coalescing");
  REQUIRE(lab);
  const auto toolchain = find_toolchain(tree);
  REQUIRE(toolchain);
  const ComputeCapability capability = simulated ? default_compute_capability : built_for(tree);
  const auto workload = build_workload(tree, *toolchain, *lab, capability);
  const auto plugin =
      build_plugin(tree, *toolchain, *lab, VariantName::optimized, lab->optimized(), capability);
  REQUIRE(workload);
  REQUIRE(plugin);
  return {.phase = phase,
          .lab = lab->id,
          .workload = workload->library.string(),
          .plugins = {{VariantName::mine, plugin->library.string()}},
          .sizes = {lab->sizes.large(simulated)},
          .seed = 1,
          .time_cap_s = 0.2,
          .metrics = {"global_load_sectors_per_request"}};
}

/// The ranges of a phase under nsys, one a line with its parents. Skips where nsys is missing.
std::string ranges_of(Phase phase, bool simulated) {
  for (const char* program : {"nsys", "python3"})
    if (!is_installed(program)) SKIP(std::string(program) + " is not installed");
  const test::TemporaryFolder folder;
  const std::string report = (folder.path() / "report").string();
  std::vector<std::string> command = profiler_command("nsys", report);
  command.insert(command.end(), {test::tree().runner(simulated).string(), "--records-fd", "3"});
  const auto run = [](std::vector<std::string> words, const std::string& input = {}) {
    const auto result = run_process({.command = std::move(words),
                                     .input = input,
                                     .time_limit_s = 100,
                                     .with_records = !input.empty()});
    REQUIRE(result);
    INFO(result->out << result->err);
    REQUIRE(result->exit_code == 0);
    return result->out;
  };
  run(command, encode(request_for(phase, simulated)) + "\n");
  run({"nsys", "export", "--type=sqlite", "--output=" + report + ".sqlite", report + ".nsys-rep"});
  return run({"python3", "-c", print_ranges, report + ".sqlite"});
}

}  // namespace

TEST_CASE("nsys shows the verification with its launches", "[runner][nsys]") {
  test::require_backend(Backend::simulator);
  const std::string ranges = ranges_of(Phase::verify, true);
  CHECK_THAT(ranges,
             ContainsSubstring("verify: 02-coalescing > verify: candidate > launch: candidate\n"));
}

TEST_CASE("nsys shows the counting with its launches", "[runner][nsys]") {
  test::require_backend(Backend::simulator);
  const std::string ranges = ranges_of(Phase::counters, true);
  CHECK_THAT(ranges, ContainsSubstring(
                         "counters: 02-coalescing > counters: candidate > launch: candidate\n"));
}

TEST_CASE("nsys shows the timing by samples with their launches", "[runner][nsys][gpu]") {
  test::require_backend(Backend::gpu);
  const std::string ranges = ranges_of(Phase::time, false);
  CHECK_THAT(ranges,
             ContainsSubstring("time: 02-coalescing > sample: candidate > launch: candidate\n"));
  CHECK_THAT(ranges, ContainsSubstring("time: 02-coalescing > warm-up: candidate > "
                                       "sample: candidate > launch: candidate\n"));
}
