// Running nvcc, and keeping its results by digest, so that nothing stale is ever run.
#include "core/build/plugin_builder.hpp"

#include <map>

#include "core/base/sha256.hpp"
#include "core/build/calls/forbidden_calls.hpp"
#include "core/build/nvcc.hpp"
#include "core/build/plugin_report.hpp"
#include "core/process/scratch_folder.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

/// A header, a kernel file or a library; what is longer is none of these.
constexpr std::size_t longest_input_bytes = 256u << 20;

struct Recipe {
  fs::path source;
  fs::path folder;               ///< where the library goes
  std::string name;              ///< its variant
  std::vector<fs::path> inputs;  ///< what names the build, the source first; see PluginReport
  std::vector<fs::path> include_folders;
  std::vector<std::string> flags;
  bool is_learners = false;  ///< what it may call is looked at before it is loaded
};

/// What nvcc generates. PTX is for the simulator, which has no generation's own features: then the
/// device's code is compiled twice, side by side.
std::vector<std::string> generated(const Architecture& architecture) {
  const std::string name = to_string(architecture);
  if (!architecture.own_features)
    return {"-gencode", "arch=compute_" + name + ",code=[compute_" + name + ",sm_" + name + "]"};
  const std::string plain = to_string(Architecture{architecture.capability});
  return {"-gencode",  "arch=compute_" + name + ",code=sm_" + name,
          "-gencode",  "arch=compute_" + plain + ",code=compute_" + plain,
          "--threads", "2"};
}

/// The toolkit's libraries that a lab names, found again when its plugin is loaded.
Result<std::vector<std::string>> link_flags(const Toolchain& toolchain, const Lab& lab) {
  std::error_code ignored;
  const fs::path wide = toolchain.root / "lib64";
  const fs::path folder = fs::exists(wide, ignored) ? wide : toolchain.root / "lib";
  std::vector<std::string> flags;
  for (const std::string& name : lab.build.link) {
    if (!fs::exists(folder / ("lib" + name + ".so"), ignored))
      return make_error(ErrorCode::no_toolkit,
                        "This lab links lib" + name + ", which the CUDA toolkit in " +
                            toolchain.root.string() + " does not have.",
                        "Install NVIDIA's whole toolkit, or the package of that library.");
    flags.push_back("-l" + name);
  }
  if (!flags.empty())
    flags.insert(flags.end(), {"-L" + folder.string(), "-Xlinker", "-rpath=" + folder.string()});
  return flags;
}

/// The language of kernel files, in builds and in drafts alike. The last is what examples of CUB
/// and Thrust expect, constexpr functions of the host's library; run_nvcc() adds lambdas for the
/// device where a file has them.
const std::vector<std::string> language = {"-std=c++20", "-O3", "-lineinfo",
                                           "--expt-relaxed-constexpr"};

/// Flags common to kernel files and workloads. One shared library serves the GPU (machine code) and
/// the simulator (plain PTX). -fno-gnu-unique: without it, kernels of the same name in templates
/// would share one launch handle across libraries, and the candidate would launch the flawed
/// kernel. One file's device code leaves nothing to link: --no-device-link saves that step.
Result<std::vector<std::string>> common_flags(const Toolchain& toolchain, const Lab& lab,
                                              ComputeCapability capability) {
  std::vector<std::string> flags = language;
  flags.insert(flags.end(),
               {"--compress-mode=none", "-cudart", "shared", "-shared", "--no-device-link",
                "-Xptxas", "-v", "-Xcompiler", "-fPIC,-fno-gnu-unique"});
  const auto generate = generated(architecture_for(lab, capability));
  flags.insert(flags.end(), generate.begin(), generate.end());
  const auto link = link_flags(toolchain, lab);
  if (!link) return link.error();
  flags.insert(flags.end(), link->begin(), link->end());
  return flags;
}

/// By the folder that it lies in: a course that is reached by several ways, such as the links of a
/// learner's own copy, is built once. The file keeps its name.
fs::path at_home(const fs::path& file) {
  std::error_code failure;
  const fs::path folder = fs::canonical(file.parent_path(), failure);
  return failure ? file : folder / file.filename();
}

/// The workbench folder that holds the workload interface: beside the labs, above them for a course
/// kept in a subfolder, or in the repository that this program was built in.
fs::path workbench_of(const fs::path& course) {
  std::error_code ignored;
  for (fs::path folder : {course, fs::read_symlink("/proc/self/exe", ignored)})
    for (; folder.has_relative_path(); folder = folder.parent_path())
      if (fs::exists(folder / "workbench" / "runner" / "workload" / "workload.hpp", ignored))
        return folder / "workbench";
  return "workbench";
}

void take_report(BuiltPlugin& built, const ProcessResult& run) {
  built.seconds = run.seconds;
  built.kernels = parse_ptxas_report(run.err + run.out);
  for (CompilerMessage& message : parse_compiler_messages(run.err + run.out))
    if (message.severity == Severity::warning) built.warnings.push_back(std::move(message));
}

/// Empty for what cannot be read.
std::string digest_of(const fs::path& path) {
  const auto bytes = read_file(path, longest_input_bytes);
  return bytes ? sha256(*bytes) : std::string();
}

/// What was built before under this name, if it is whole and nothing that went into it has changed.
std::optional<BuiltPlugin> kept_build(const fs::path& library) {
  BuiltPlugin kept{.library = library, .from_cache = true, .held = hold(library)};
  if (!kept.held) return std::nullopt;
  const auto text = read_file(report_of(library));
  auto report = text ? decode_plugin_report(*text) : std::nullopt;
  if (!report || digest_of(library) != report->library_digest) return std::nullopt;
  for (const auto& [path, digest] : report->inputs)
    if (digest_of(path) != digest) return std::nullopt;
  kept.kernels = std::move(report->kernels);
  note_use(library);
  return kept;
}

/// Digests of all that nvcc read beyond its own toolkit, whose version is part of every build's
/// name.
std::map<std::string, std::string> digests_of(const fs::path& dependencies,
                                              const Toolchain& toolchain) {
  std::error_code failure;
  const fs::path toolkit = fs::canonical(toolchain.nvcc, failure).parent_path().parent_path() / "";
  std::map<std::string, std::string> digests;
  const auto text = read_file(dependencies);
  if (!text) return digests;
  for (const fs::path& named : parse_dependencies(*text)) {
    const fs::path path = fs::weakly_canonical(fs::absolute(named, failure), failure);
    const bool is_toolkits = !toolkit.empty() && path.string().starts_with(toolkit.string());
    if (!failure && !is_toolkits) digests[path.string()] = digest_of(path);
  }
  return digests;
}

/// What a recipe makes of its inputs as they are now.
struct Plan {
  BuiltPlugin built;  ///< its library's name and its source's digest
  std::string key;
};

Result<Plan> plan_of(const Toolchain& toolchain, const Recipe& recipe) {
  Plan plan{.key = toolchain.nvcc.string() + toolchain.version};
  if (recipe.is_learners) plan.key += std::to_string(forbidden_calls_version);
  for (const std::string& flag : recipe.flags) plan.key += '\0' + flag;
  for (const fs::path& folder : recipe.include_folders) plan.key += '\0' + folder.string();
  for (const fs::path& input : recipe.inputs) {
    auto text = read_file(input);
    if (!text) return text.error();
    const std::string digest = sha256(*text);
    if (&input == &recipe.inputs.front()) plan.built.source_digest = digest;
    plan.key += '\0' + input.string() + digest;
  }
  plan.built.library = recipe.folder / (recipe.name + "-" + sha256(plan.key).substr(0, 16) + ".so");
  return plan;
}

Result<BuiltPlugin> build(const Toolchain& toolchain, const Recipe& recipe,
                          const std::atomic<bool>* canceled, int attempts = 3) {
  auto plan = plan_of(toolchain, recipe);
  if (!plan) return plan.error();
  BuiltPlugin& built = plan->built;
  if (auto kept = kept_build(built.library)) {
    kept->source_digest = built.source_digest;
    return std::move(*kept);
  }
  // On the same file system, so that a whole library takes its place in one step.
  const auto scratch = ScratchFolder::make(recipe.folder);
  if (!scratch) return scratch.error();
  const fs::path finished = scratch->path() / built.library.filename();
  const fs::path dependencies = scratch->path() / "inputs.d";
  std::vector<std::string> flags = recipe.flags;
  flags.insert(flags.end(), {"-MMD", "-MF", dependencies.string()});
  const auto run =
      run_nvcc(toolchain, recipe.source, recipe.include_folders, flags, finished, canceled);
  if (!run) return run.error();
  // Saved anew while nvcc read it: what was built is neither the old text nor the new one.
  const auto after = plan_of(toolchain, recipe);
  if (!after) return after.error();
  if (after->key != plan->key) {
    if (attempts > 1) return build(toolchain, recipe, canceled, attempts - 1);
    return make_error(ErrorCode::io, recipe.source.string() + " changes while it is being built.",
                      "Check again once it is saved.");
  }
  if (recipe.is_learners)
    if (auto misused = misuse_in(finished)) return *misused;
  take_report(built, *run);
  auto held = put(finished, built.library,
                  encode({built.kernels, digest_of(finished), digests_of(dependencies, toolchain)}),
                  [&] { return kept_build(built.library).has_value(); });
  if (!held) return held.error();
  built.held = std::move(*held);
  keep_within(recipe.folder.parent_path(), plugin_cache_bytes);
  return std::move(built);
}

}  // namespace

Architecture architecture_for(const Lab& lab, ComputeCapability capability) {
  const auto& needed = lab.build.architecture;
  return needed && needed->capability == capability ? *needed : Architecture{capability};
}

Result<BuiltPlugin> build_plugin(const Tree& tree, const Toolchain& toolchain, const Lab& lab,
                                 const VariantName& variant, const fs::path& source,
                                 ComputeCapability capability, const std::atomic<bool>* canceled,
                                 const std::optional<Define>& define) {
  Recipe recipe{
      .source = at_home(source), .folder = tree.plugins() / lab.folder, .name = variant.shown()};
  for (char& letter : recipe.name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '_') letter = '_';
  recipe.inputs = {recipe.source, at_home(lab.contract())};
  auto flags = common_flags(toolchain, lab, capability);
  if (!flags) return flags.error();
  recipe.flags = std::move(*flags);
  recipe.is_learners = true;
  // NVTX, which CUB brings along, loads a profiler by name, and some features of CUDA are functions
  // of the driver alone; the runner answers in their place (runner/main/injection.cpp), so that no
  // kernel file finds its way to other functions. std::atomic waits by a system call of its own.
  std::vector<std::string> answered = {"dlopen",
                                       "dlsym",
                                       "dlclose",
                                       "syscall",
                                       "cudaGetDriverEntryPointByVersion",
                                       "cudaGetDriverEntryPointByVersion_ptsz"};
  // What measures reads the runner's clocks (runner/main/clocks.cpp).
  if (lab.kind == LabKind::measurement)
    answered.insert(answered.end(),
                    {"clock_gettime", "gettimeofday", "_ZNSt6chrono3_V212steady_clock3nowEv",
                     "_ZNSt6chrono3_V212system_clock3nowEv"});
  for (const std::string& name : answered)
    recipe.flags.insert(recipe.flags.end(), {"-Xlinker", "--wrap=" + name});
  recipe.include_folders = {recipe.inputs.back().parent_path()};
  if (define) recipe.flags.push_back("-D" + define->name + "=" + std::to_string(define->value));
  return build(toolchain, recipe, canceled);
}

Result<BuiltPlugin> build_workload(const Tree& tree, const Toolchain& toolchain, const Lab& lab,
                                   ComputeCapability capability,
                                   const std::atomic<bool>* canceled) {
  const fs::path workbench = workbench_of(lab.root);
  Recipe recipe{
      .source = at_home(lab.workload()), .folder = tree.plugins() / lab.folder, .name = "workload"};
  recipe.inputs = {recipe.source, at_home(lab.contract())};
  auto flags = common_flags(toolchain, lab, capability);
  if (!flags) return flags.error();
  recipe.flags = std::move(*flags);
  recipe.include_folders = {at_home(workbench / "runner").parent_path(),
                            recipe.inputs.back().parent_path()};
  return build(toolchain, recipe, canceled);
}

Result<BuiltPlugin> build_cubin(const Toolchain& toolchain, const Lab& lab, const fs::path& source,
                                ComputeCapability capability, const fs::path& cubin,
                                const std::atomic<bool>* canceled) {
  const std::string architecture = to_string(architecture_for(lab, capability));
  std::vector<std::string> flags = language;
  flags.insert(flags.end(),
               {"-Xptxas", "-v", "-gencode",
                "arch=compute_" + architecture + ",code=sm_" + architecture, "-cubin"});
  BuiltPlugin built;
  const auto run = run_nvcc(toolchain, source, {lab.lab_folder()}, flags, cubin, canceled);
  if (!run) return run.error();
  take_report(built, *run);
  return built;
}

}  // namespace klab
