// CodeGutter: costs from the last check (simulator) or from samples (GPU), drawn alike.
#include "ui/code_gutter.hpp"

#include <algorithm>

#include "core/format.hpp"
#include "ui/widgets.hpp"

namespace klab::ui {
namespace {

constexpr float bar_width = 58;
/// From the sharpest evidence to the broadest.
constexpr const char* unit_order[] = {"samples", "sectors", "instructions", "bank conflicts",
                                      "divergent branches"};

std::string runner_variant(const std::string& shown) {
  return shown == "mine" ? "candidate" : shown;
}

bool is_of(const LineHeat& line, const CodeFile& file) {
  return line.line > 0 && std::filesystem::path(line.file).filename() == file.path.filename();
}

/// Everything known about the lines of the file.
std::vector<const LineHeat*> costs_of(const Model& model, const CodeFile& file) {
  std::vector<const LineHeat*> costs;
  const Run* run = model.run();
  if (!run) return costs;
  const auto counted = run->lines.find(runner_variant(file.variant));
  if (counted == run->lines.end()) return costs;
  for (const LineHeat& line : counted->second)
    if (is_of(line, file)) costs.push_back(&line);
  return costs;
}

std::size_t rank(const std::string& unit) {
  return static_cast<std::size_t>(std::find(std::begin(unit_order), std::end(unit_order), unit) -
                                  std::begin(unit_order));
}

/// Whole percents: a bar has no room for more, and more would mean nothing.
std::string percent_words(double percent) {
  if (percent < 0.5) return "< 1 %";
  return std::to_string(static_cast<int>(percent + 0.5)) + " %";
}

}  // namespace

std::vector<std::string> heat_units(const Model& model, const CodeFile& file) {
  std::vector<std::string> units;
  for (const LineHeat* line : costs_of(model, file))
    if (std::find(units.begin(), units.end(), line->unit) == units.end())
      units.push_back(line->unit);
  std::sort(units.begin(), units.end(),
            [](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return units;
}

HeatColumn heat_column(const Model& model, const CodeFile& file) {
  HeatColumn heat{.variant = runner_variant(file.variant)};
  const std::vector<std::string> units = heat_units(model, file);
  if (units.empty()) return heat;
  const CodeState& state = model.page.state;
  const bool chosen = std::find(units.begin(), units.end(), state.view.heat_unit) != units.end();
  heat.unit = chosen ? state.view.heat_unit : units.front();
  std::map<int, const LineHeat*> checked;
  for (const LineHeat* line : costs_of(model, file)) {
    if (line->unit != heat.unit) continue;
    heat.source = line->source;
    heat.total += line->value;
    heat.most = std::max(heat.most, line->value);
    checked[line->line] = line;
  }
  if (file.variant != "mine" || state.checked_lines.empty()) {
    heat.lines = std::move(checked);
    return heat;
  }
  // The text changed since: a line keeps its cost where it is still the same line.
  for (std::size_t i = 0; i < state.checked_lines.size(); ++i)
    if (const auto at = checked.find(state.checked_lines[i]); at != checked.end())
      heat.lines[static_cast<int>(i) + 1] = at->second;
  return heat;
}

float heat_width(const HeatColumn& heat) {
  return heat.unit.empty() ? 0 : theme().px(bar_width + 10);
}

void draw_heat(ImDrawList& list, const HeatColumn& heat, int number, ImVec2 at, float height) {
  const auto found = heat.lines.find(number);
  if (found == heat.lines.end() || heat.most <= 0) return;
  const Theme& t = theme();
  const LineHeat& line = *found->second;
  const float share = static_cast<float>(line.value / heat.most);
  const float width = t.px(bar_width);
  const ImU32 ink = t.of_variant(heat.variant);
  const ImVec2 from(at.x + width * (1 - share), at.y + t.px(2));
  list.AddRectFilled(from, ImVec2(at.x + width, at.y + height - t.px(2)),
                     faded(ink, 0.20f + 0.35f * share), t.px(2));
  const std::string words = percent_words(100 * line.value / heat.total);
  draw_text(list, t.font.small,
            ImVec2(at.x + width - text_width(t.font.small, words) - t.px(4),
                   at.y + (height - t.font.small->FontSize) / 2),
            t.color.text, words);
  if (!ImGui::IsMouseHoveringRect(at, ImVec2(at.x + width, at.y + height))) return;
  std::string detail = format_count(line.value) + " " + heat.unit + ", " + words +
                       " of the file's, " + std::string(to_string(line.source));
  for (const auto& [reason, value] : line.by_reason)
    detail += "\n" + format_count(value) + "  " + reason;
  ImGui::SetTooltip("%s", detail.c_str());
}

std::string heat_words(const Model& model, const HeatColumn& heat) {
  if (!heat.unit.empty()) {
    const bool changed = heat.variant == "candidate" && !model.page.state.checked_lines.empty();
    return std::string(to_string(heat.source)) + (changed ? ", before your last change" : "");
  }
  const Run* run = model.run();
  if (run && run->device && !run->device->simulated)
    return "What each line costs: sample it on the Diagnosis page, or check on the simulator "
           "(--backend sim).";
  return "What each line costs appears here after a check on the simulator.";
}

}  // namespace klab::ui
