// Compiling and running programs of random kernels, and reading what they print.
#include "core/record/random/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/side_by_side.hpp"
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
  const std::string of_kind =
      kind == RandomKind::usual ? std::string() : "_" + std::string(name_of(kind));
  return of_kind + (optimized ? "" : "_as_written") + (divides ? "" : "_without_division");
}

namespace {

/// Of one file: more are compiled one after the other, fewer read the same headers more often.
constexpr std::size_t most_kernels_a_file = 32;

/// Runs nvcc on the files of one program.
class RandomCompiler {
 public:
  RandomCompiler(const Toolchain& toolchain, const fs::path& root,
                 std::optional<ComputeCapability> gpu, const RandomForm& form,
                 const std::atomic<bool>* canceled)
      : toolchain_(toolchain), canceled_(canceled) {
    const std::string generated = to_string(Architecture{gpu.value_or(default_compute_capability)});
    const std::string code =
        "arch=compute_" + generated + ",code=" +
        (gpu ? "[compute_" + generated + ",sm_" + generated + "]" : "compute_" + generated);
    const fs::path agreement = root / "tests/simulator/agreement";
    // Products and sums are contracted nowhere, so that the host rounds as the device does. The
    // host's code runs once: to optimize it takes longer.
    compile_ = {"-c",         "-std=c++20",
                "-O0",        "-fmad=false",
                "-Xcompiler", "-ffp-contract=off,-fPIC,-fno-strict-aliasing",
                "-Xptxas",    form.optimized ? "-v,-O3" : "-v,-O0",
                "-gencode",   code,
                "-I",         (agreement / "random").string(),
                "-I",         (agreement / "labs/02_random").string()};
    if (!form.divides) compile_.push_back("-DWITHOUT_DIVISION");
  }

  /// nvcc's report of what it compiled.
  Result<std::string> compile(const fs::path& source, const fs::path& object) const {
    std::vector<std::string> arguments = compile_;
    for (const std::string& word : {std::string("-o"), object.string(), source.string()})
      arguments.push_back(word);
    return nvcc(std::move(arguments), source);
  }
  Result<std::string> link(const char* kind, const std::vector<fs::path>& objects,
                           const fs::path& output) const {
    std::vector<std::string> arguments = {kind, "-cudart", "shared", "-o", output.string()};
    for (const fs::path& object : objects) arguments.push_back(object.string());
    return nvcc(std::move(arguments), output);
  }

 private:
  Result<std::string> nvcc(std::vector<std::string> arguments, const fs::path& file) const {
    arguments.insert(arguments.begin(), toolchain_.nvcc.string());
    const auto run = run_process({.command = arguments, .time_limit_s = 1800}, {}, canceled_);
    if (!run) return run.error();
    if (run->was_canceled) return make_error(ErrorCode::canceled, "The comparison was stopped.");
    if (run->timed_out)
      return make_error(ErrorCode::hang,
                        "nvcc did not get through " + file.string() + " in half an hour.",
                        "Run it again when less else runs on this machine.");
    if (run->exit_code != 0)
      return make_error(ErrorCode::build_failed, "The random kernels in " + file.string() +
                                                     " do not compile: " + run->err.substr(0, 400));
    return run->out + run->err;
  }

  const Toolchain& toolchain_;
  const std::atomic<bool>* canceled_;
  std::vector<std::string> compile_;
};

/// Writes the kernels into files, as many as there are processors or more.
Result<std::vector<fs::path>> write_sources(const fs::path& folder, const Seeds& seeds,
                                            RandomKind kind) {
  const std::size_t a_file = std::clamp((seeds.size() + processors() - 1) / processors(),
                                        std::size_t{1}, most_kernels_a_file);
  std::vector<fs::path> sources;
  for (std::size_t at = 0; at < seeds.size(); at += a_file) {
    const auto begin = seeds.begin() + static_cast<std::ptrdiff_t>(at);
    const Seeds part(begin,
                     begin + static_cast<std::ptrdiff_t>(std::min(a_file, seeds.size() - at)));
    sources.push_back(folder / fmt::format("from_{}.cu", part.front()));
    if (auto written = write_file(sources.back(), random_kernels_source(part, kind)); !written)
      return written.error();
  }
  return sources;
}

}  // namespace

Result<RandomBuild> build_random_kernels(const Toolchain& toolchain, const fs::path& root,
                                         const fs::path& folder, const Seeds& seeds,
                                         std::optional<ComputeCapability> gpu,
                                         const RandomForm& form,
                                         const std::atomic<bool>* canceled) {
  const fs::path own =
      folder / fmt::format("kernels_{}_{}{}", seeds.front(), seeds.size(), form.suffix());
  RandomBuild build{own, own / "program", own / "kernels.so", {}};
  std::error_code ignored;
  fs::remove_all(own, ignored);
  fs::create_directories(own, ignored);
  auto sources = write_sources(own, seeds, form.kind);
  if (!sources) return sources.error();
  sources->push_back(root / "tests/simulator/agreement/random/program.cu");

  const RandomCompiler compiler(toolchain, root, gpu, form, canceled);
  std::vector<fs::path> objects;
  for (const fs::path& source : *sources)
    objects.push_back(own / source.filename().replace_extension(".o"));
  std::vector<Result<std::string>> reports(objects.size(), std::string());
  side_by_side(objects.size(), processors(),
               [&](std::size_t i) { reports[i] = compiler.compile((*sources)[i], objects[i]); });
  for (const Result<std::string>& report : reports) {
    if (!report) return report.error();
    for (const KernelReport& kernel : parse_ptxas_report(*report))
      build.spilling[seed_of(kernel.kernel)] =
          kernel.spill_store_bytes + kernel.spill_load_bytes > 0;
  }
  for (const auto& [kind, output] :
       {std::pair("-shared", build.library), std::pair("-Xcompiler=-pie", build.program)})
    if (auto linked = compiler.link(kind, objects, output); !linked) return linked.error();
  for (const fs::path& object : objects) fs::remove(object, ignored);
  return build;
}

Result<std::vector<RandomResult>> run_random_program(const fs::path& program,
                                                     const fs::path& runtime_folder,
                                                     const std::atomic<bool>* canceled) {
  std::vector<RandomResult> results;
  // A kernel that faults ends the program: the next run begins behind it.
  for (bool ended_early = true; ended_early;) {
    const std::uint64_t behind = results.empty() ? 0 : results.back().seed;
    const auto run = run_process({.command = {program.string(), std::to_string(behind)},
                                  .environment = {{"LD_LIBRARY_PATH", runtime_folder.string()}},
                                  .time_limit_s = 600},
                                 {}, canceled);
    if (!run) return run.error();
    if (run->was_canceled) return make_error(ErrorCode::canceled, "The comparison was stopped.");
    const auto some = parse_random_results(run->out);
    results.insert(results.end(), some.begin(), some.end());
    ended_early = !some.empty() && some.back().digest == "-";
  }
  return results;
}

std::filesystem::path toolkit_runtime_folder(const Toolchain& toolchain) {
  for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib"})
    if (std::filesystem::exists(toolchain.root / folder / "libcudart.so.13"))
      return toolchain.root / folder;
  return {};
}

}  // namespace klab
