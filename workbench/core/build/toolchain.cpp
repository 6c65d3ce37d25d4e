// Looking for nvcc and asking it for its version.
#include "core/build/toolchain.hpp"

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/text/json_text.hpp"
#include "core/process/process.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

/// The launcher writes toolkit.json into the build folder that holds all build trees.
void add_recorded(const Tree& tree, std::vector<fs::path>& roots) {
  for (const fs::path& folder : {tree.build, tree.build.parent_path()}) {
    const auto text = read_file(folder / "toolkit.json", 1 << 16);
    if (!text) continue;
    const auto json = json_from(*text);
    if (json.is_object() && json.contains("root") && json["root"].is_string())
      roots.emplace_back(json["root"].get<std::string>());
  }
}

std::vector<fs::path> candidate_roots(const Tree& tree) {
  std::vector<fs::path> roots;
  add_recorded(tree, roots);
  if (!tree.toolkit.empty()) roots.emplace_back(tree.toolkit);
  std::error_code ignored;
  for (const fs::path& nvcc : programs_called("nvcc"))
    roots.push_back(fs::canonical(nvcc, ignored).parent_path().parent_path());
  roots.emplace_back("/usr/local/cuda");
  roots.emplace_back("/usr/local/cuda-13.0");
  return roots;
}

/// "13.0.88" from `nvcc --version`; empty if it does not answer.
std::string version_of(const fs::path& nvcc) {
  const auto answer = run_process({.command = {nvcc.string(), "--version"}, .time_limit_s = 20});
  if (!answer || answer->exit_code != 0) return {};
  const std::size_t at = answer->out.rfind(", V");
  if (at == std::string::npos) return {};
  const std::string rest = answer->out.substr(at + 3);
  return rest.substr(0, rest.find_first_not_of("0123456789."));
}

}  // namespace

Result<Toolchain> find_toolchain(const Tree& tree) {
  static std::mutex mutex;
  static std::map<std::string, Toolchain> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(tree.build.string()); found != known.end())
    return found->second;

  std::string seen;
  for (const fs::path& root : candidate_roots(tree)) {
    const fs::path nvcc = root / "bin" / "nvcc";
    std::error_code ignored;
    if (!fs::exists(nvcc, ignored)) continue;
    const std::string version = version_of(nvcc);
    if (version.starts_with("13."))
      return known[tree.build.string()] = Toolchain{root, nvcc, version};
    if (!version.empty()) seen += (seen.empty() ? "" : ", ") + nvcc.string() + " is " + version;
  }
  return make_error(ErrorCode::no_toolkit, seen.empty()
                                               ? "No CUDA toolkit was found."
                                               : "No CUDA 13 toolkit was found; " + seen + ".");
}

}  // namespace klab
