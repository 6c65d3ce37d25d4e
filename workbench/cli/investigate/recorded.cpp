// Investigations of docs/results, so that a lab can be looked at without a GPU.
#include <nlohmann/json.hpp>

#include "cli/investigate/investigate.hpp"
#include "core/base/files.hpp"

namespace klab::cli {
namespace {

constexpr std::size_t longest_recording_bytes = 256u << 20;

/// The recordings of the window: JSON lines, some of which hold an investigation.
std::vector<std::filesystem::path> recordings(const Context& context) {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(context.tree.root / "docs" / "results", ignored))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::optional<Investigation> investigation_in(std::string_view line) {
  // Most lines are events; looking is cheaper than parsing.
  if (line.find("\"investigation\"") == std::string_view::npos) return std::nullopt;
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("investigation")) return std::nullopt;
  auto found = investigation_from(json["investigation"]);
  return found ? std::optional(std::move(*found)) : std::nullopt;
}

}  // namespace

Result<Investigation> recorded_investigation(const Context& context, const std::string& name,
                                             InvestigationKind kind) {
  const auto lab = lab_named(context, name);
  if (!lab) return lab.error();
  std::optional<Investigation> latest;
  for (const auto& path : recordings(context)) {
    const auto text = read_file(path, longest_recording_bytes);
    if (!text) return text.error();
    for (std::string_view rest = *text; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      auto found = investigation_in(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (found && found->lab == lab->id && found->kind == kind &&
          (!latest || found->date >= latest->date))
        latest = std::move(found);
    }
  }
  if (latest) return std::move(*latest);
  return make_error(ErrorCode::usage, "docs/results holds nothing of this kind of " + lab->id + ".",
                    "Leave out --recorded to run it here.");
}

}  // namespace klab::cli
