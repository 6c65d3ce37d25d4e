// Compiling and running programs of random kernels, and reading what they print.
#include "core/record/random_kernels.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "core/base/files.hpp"
#include "core/process/process.hpp"

namespace klab {

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

Result<std::filesystem::path> build_random_program(
    const Toolchain& toolchain, const std::filesystem::path& root,
    const std::filesystem::path& folder, std::uint64_t first, int count, int compute_capability,
    const std::atomic<bool>* canceled, MachineCode machine_code) {
  const bool as_written = machine_code == MachineCode::as_written;
  const auto program =
      folder / fmt::format("kernels_{}_{}{}", first, count, as_written ? "_as_written" : "");
  const auto source = program.string() + ".cu";
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  if (auto written = write_file(source, random_kernels_source(first, count)); !written)
    return written.error();
  const std::string code =
      compute_capability == 0
          ? std::string("arch=compute_90,code=compute_90")
          : fmt::format("arch=compute_{0},code=[compute_{0},sm_{0}]", compute_capability);
  // Products and sums are contracted nowhere, so that the host rounds as the device does.
  const auto run = run_process(
      {.command = {toolchain.nvcc.string(), "-std=c++20", "-O1", "-fmad=false", "-Xcompiler",
                   "-ffp-contract=off", "-Xptxas", as_written ? "-O0" : "-O3", "-gencode", code,
                   "-cudart", "shared", "-I", (root / "tests/simulator/agreement/random").string(),
                   "-o", program.string(), source},
       .time_limit_s = 900},
      {}, canceled);
  if (!run) return run.error();
  if (run->was_canceled) return make_error(ErrorCode::canceled, "The comparison was stopped.");
  if (run->exit_code != 0)
    return make_error(ErrorCode::build_failed, "The random kernels in " + source +
                                                   " do not compile: " + run->err.substr(0, 400));
  return program;
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
