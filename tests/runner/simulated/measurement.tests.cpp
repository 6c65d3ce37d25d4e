// What the simulator makes of a benchmark that a learner wrote.
#include <catch2/catch_test_macros.hpp>

#include "core/build/plugin_builder.hpp"
#include "core/wire/runner_client.hpp"
#include "support/checking.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;

namespace {

/// The error of the job that is reported worst, in per cent; `table` says how many jobs' times the
/// file keeps apart.
double error_pct(const std::string& table) {
  test::require_backend(Backend::simulator);
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "kernel.cu";
  REQUIRE(write_file(file, R"(#include <vector>
#include "contract.cuh"
void launch(const Args& args, cudaStream_t stream) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  const std::int64_t places = )" +
                               table + R"(;
  std::vector<double> seconds(places);
  for (std::int64_t job = 0; job < args.jobs; ++job) {
    for (int run = 0; run < 8; ++run) {
      args.forget(stream);
      cudaEventRecord(start, stream);
      args.run(static_cast<int>(job), stream);
      cudaEventRecord(stop, stream);
    }
    cudaStreamSynchronize(stream);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start, stop);
    seconds[job % places] = milliseconds * 1e-3;
  }
  for (std::int64_t job = 0; job < args.jobs; ++job) args.seconds[job] = seconds[job % places];
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
)"));
  const auto lab = load_lab(KLAB_SOURCE_DIR, "29_benchmark_liar");
  const auto toolchain = find_toolchain(test::tree());
  REQUIRE(lab);
  REQUIRE(toolchain);
  const auto workload = build_workload(test::tree(), *toolchain, *lab, default_compute_capability);
  const auto built = build_plugin(test::tree(), *toolchain, *lab, VariantName::mine, file,
                                  default_compute_capability);
  REQUIRE(workload);
  REQUIRE(built);
  std::vector<Size> sizes{lab->sizes.large(true)};
  sizes.insert(sizes.end(), lab->sizes.beyond.begin(), lab->sizes.beyond.end());
  const Request request{.phase = Phase::agreement,
                        .lab = lab->id,
                        .workload = workload->library.string(),
                        .plugins = {{VariantName::mine, built->library.string()}},
                        .sizes = sizes};
  const auto outcome = run_local_phase(test::tree().runner(true), request, 300, {}, nullptr);
  const auto sets = outcome.all<record::CounterSet>();
  REQUIRE(sets.size() == 1);
  return sets.front().values.at("reported_error_pct").value.value_or(-1);
}

}  // namespace

TEST_CASE("a benchmark is right about many jobs, too, or it is not right",
          "[runner][measurement][whole]") {
  CHECK(error_pct("args.jobs") < 1);
  CHECK(error_pct("8") > 50);
  CHECK(error_pct("256") > 50);  // as a ring of some hundred events holds
}
