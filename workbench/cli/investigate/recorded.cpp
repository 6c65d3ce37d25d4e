// Investigations of docs/results, so that a lab can be looked at without a GPU.
#include <nlohmann/json.hpp>

#include "cli/investigate/investigate.hpp"
#include "core/base/files.hpp"
#include "core/base/text/json_text.hpp"

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
  const auto json = json_from(line);
  if (!json.is_object() || !json.contains("investigation")) return std::nullopt;
  auto found = investigation_from(json["investigation"]);
  return found ? std::optional(std::move(*found)) : std::nullopt;
}

const Sweep* sweep_of(const Investigation& found) { return std::get_if<Sweep>(&found.found); }

bool asks_the_same(const Investigation& one, const Investigation& other) {
  if (one.lab != other.lab || one.kind != other.kind) return false;
  const Sweep *mine = sweep_of(one), *theirs = sweep_of(other);
  return !mine || !theirs ||
         (mine->parameter == theirs->parameter && mine->variants == theirs->variants);
}

bool is_over(const Investigation& found, const SweepPlan& plan) {
  const Sweep* sweep = sweep_of(found);
  return !sweep || plan.parameter == size_parameter || sweep->parameter == plan.parameter;
}

/// Calls act(line) for each line of `text`, without its end.
template <class Act>
void for_each_line(std::string_view text, const Act& act) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    act(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

Result<Investigation> recorded_investigation(const Context& context, const std::string& name,
                                             InvestigationKind kind, const SweepPlan& sweep) {
  const auto lab = lab_named(context, name);
  if (!lab) return lab.error();
  std::optional<Investigation> latest;
  for (const auto& path : recordings(context)) {
    const auto text = read_file(path, longest_recording_bytes);
    if (!text) return text.error();
    for_each_line(*text, [&](std::string_view line) {
      auto found = investigation_in(line);
      if (found && found->lab == lab->id && found->kind == kind && is_over(*found, sweep) &&
          (!latest || found->date >= latest->date))
        latest = std::move(found);
    });
  }
  if (latest) return std::move(*latest);
  return make_error(ErrorCode::usage, "docs/results holds nothing of this kind of " + lab->id + ".",
                    "Leave out --recorded to run it here.");
}

Result<> keep_investigation(const std::filesystem::path& path, const Investigation& found) {
  std::string text;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    const auto old = read_file(path, longest_recording_bytes);
    if (!old) return old.error();
    for_each_line(*old, [&](std::string_view line) {
      const auto earlier = investigation_in(line);
      if (!earlier || !asks_the_same(*earlier, found)) (text += line) += '\n';
    });
  }
  text += json_text(nlohmann::json{{"investigation", to_json(found)}}) + "\n";
  return write_file(path, text);
}

}  // namespace klab::cli
