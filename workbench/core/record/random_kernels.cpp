// Compiling and running programs of random kernels, and reading what they print.
#include "core/record/random_kernels.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <utility>

#include "core/base/files.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/process/process.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

/// 12 of "kernel_12(unsigned int const*)".
std::uint64_t seed_of(std::string_view kernel) {
  std::uint64_t seed = 0;
  const std::size_t at = kernel.find_first_of("0123456789");
  if (at != std::string_view::npos)
    std::from_chars(kernel.data() + at, kernel.data() + kernel.size(), seed);
  return seed;
}

}  // namespace

std::vector<RandomResult> parse_random_results(std::string_view output) {
  std::vector<RandomResult> results;
  std::istringstream lines{std::string(output)};
  for (std::string line; std::getline(lines, line);) {
    RandomResult result;
    const char* end = line.data() + line.size();
    const auto number = std::from_chars(line.data(), end, result.seed);
    if (number.ec != std::errc{} || number.ptr == end || *number.ptr != ' ') continue;
    const std::string rest(number.ptr + 1, end);
    const std::size_t gap = rest.find(' ');
    if (gap == std::string::npos) continue;
    result.digest = rest.substr(0, gap);
    result.verdict = rest.substr(gap + 1);
    results.push_back(std::move(result));
  }
  return results;
}

std::string RandomForm::suffix() const {
  return std::string(optimized ? "" : "_as_written") + (divides ? "" : "_without_division");
}

Result<RandomBuild> build_random_kernels(const Toolchain& toolchain,
                                         const std::filesystem::path& root,
                                         const std::filesystem::path& folder, const Seeds& seeds,
                                         std::optional<ComputeCapability> gpu,
                                         const RandomForm& form,
                                         const std::atomic<bool>* canceled) {
  const std::string name =
      fmt::format("kernels_{}_{}{}", seeds.front(), seeds.size(), form.suffix());
  const std::string source = (folder / (name + ".cu")).string();
  const std::string object = (folder / (name + ".o")).string();
  RandomBuild build{source, folder / name, folder / (name + ".so"), {}};
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  if (auto written = write_file(source, random_kernels_source(seeds)); !written)
    return written.error();
  const auto nvcc = [&](std::vector<std::string> arguments) -> Result<std::string> {
    arguments.insert(arguments.begin(), toolchain.nvcc.string());
    const auto run = run_process({.command = arguments, .time_limit_s = 1800}, {}, canceled);
    if (!run) return run.error();
    if (run->was_canceled) return make_error(ErrorCode::canceled, "The comparison was stopped.");
    if (run->timed_out)
      return make_error(ErrorCode::hang, "nvcc did not get through " + source + " in half an hour.",
                        "Run it again when less else runs on this machine.");
    if (run->exit_code != 0)
      return make_error(ErrorCode::build_failed, "The random kernels in " + source +
                                                     " do not compile: " + run->err.substr(0, 400));
    return run->out + run->err;
  };
  const std::string generated = to_string(Architecture{gpu.value_or(default_compute_capability)});
  const std::string code =
      "arch=compute_" + generated + ",code=" +
      (gpu ? "[compute_" + generated + ",sm_" + generated + "]" : "compute_" + generated);
  const fs::path agreement = root / "tests/simulator/agreement";
  // Products and sums are contracted nowhere, so that the host rounds as the device does.
  std::vector<std::string> compile = {"-c",         "-std=c++20",
                                      "-O1",        "-fmad=false",
                                      "-Xcompiler", "-ffp-contract=off,-fPIC,-fno-strict-aliasing",
                                      "-Xptxas",    form.optimized ? "-v,-O3" : "-v,-O0",
                                      "-gencode",   code,
                                      "-I",         (agreement / "random").string(),
                                      "-I",         (agreement / "labs/02_random").string(),
                                      "-o",         object,
                                      source};
  if (!form.divides) compile.push_back("-DWITHOUT_DIVISION");
  const auto report = nvcc(compile);
  if (!report) return report.error();
  for (const KernelReport& kernel : parse_ptxas_report(*report))
    build.spilling[seed_of(kernel.kernel)] = kernel.spill_store_bytes + kernel.spill_load_bytes > 0;
  for (const auto& [kind, output] :
       {std::pair("-shared", build.library), std::pair("-Xcompiler=-pie", build.program)})
    if (auto linked = nvcc({kind, "-cudart", "shared", "-o", output.string(), object}); !linked)
      return linked.error();
  fs::remove(object, ignored);
  return build;
}

Result<std::vector<RandomResult>> run_random_program(const std::filesystem::path& program,
                                                     const std::filesystem::path& runtime_folder,
                                                     const std::atomic<bool>* canceled) {
  const auto run = run_process({.command = {program.string()},
                                .environment = {{"LD_LIBRARY_PATH", runtime_folder.string()}},
                                .time_limit_s = 600},
                               {}, canceled);
  if (!run) return run.error();
  if (run->was_canceled) return make_error(ErrorCode::canceled, "The comparison was stopped.");
  return parse_random_results(run->out);
}

std::filesystem::path toolkit_runtime_folder(const Toolchain& toolchain) {
  for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib"})
    if (std::filesystem::exists(toolchain.root / folder / "libcudart.so.13"))
      return toolchain.root / folder;
  return {};
}

}  // namespace klab
