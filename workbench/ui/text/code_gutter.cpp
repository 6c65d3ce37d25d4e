// CodeGutter: costs from the last check (simulator) or from samples (GPU), drawn alike.
#include "ui/text/code_gutter.hpp"

#include <algorithm>

#include "core/base/sha256.hpp"
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"

namespace klab::ui {
namespace {

constexpr float bar_width = 58;
/// The unit of line_heat().
constexpr const char* sampled = "samples";
/// From the sharpest evidence to the broadest.
constexpr const char* unit_order[] = {sampled, "sectors", "instructions", "bank conflicts",
                                      "divergent branches"};

bool is_of(const LineHeat& line, const CodeFile& file) {
  return line.line > 0 && std::filesystem::path(line.file).filename() == file.path.filename();
}

/// The samples of `file` in the last diagnosis of this lab; nullptr if there are none.
const StallSamples* samples_of(const Model& model, const CodeFile& file) {
  const Investigation* stalls = model.investigation(InvestigationKind::stalls);
  const auto* report = stalls ? std::get_if<StallReport>(&stalls->found) : nullptr;
  if (!report) return nullptr;
  // The learner's file changes all the time, and its lines are followed; of another one the samples
  // of another version say nothing.
  if (const auto digest = stalls->source_digests.find(file.variant);
      file.variant != VariantName::mine && digest != stalls->source_digests.end() &&
      digest->second != sha256(file.text))
    return nullptr;
  return report->samples_of(file.variant);
}

/// Everything known about the lines of the file: what the last check counted and what the last
/// diagnosis sampled.
std::vector<LineHeat> costs_of(const Model& model, const CodeFile& file) {
  std::vector<LineHeat> costs;
  const auto take = [&](const std::vector<LineHeat>& lines) {
    for (const LineHeat& line : lines)
      if (is_of(line, file)) costs.push_back(line);
  };
  if (const Run* run = model.run())
    if (const auto* counted = costs_in(*run, file.variant)) take(*counted);
  if (const StallSamples* samples = samples_of(model, file)) take(line_heat(*samples));
  return costs;
}

/// Where the lines of the shown text were when their cost in this unit was found.
const std::vector<int>& lines_then(const Model& model, const std::string& unit) {
  const CodeState& state = model.page.state;
  return (unit == sampled ? state.since_sampling : state.since_check).lines;
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
  for (const LineHeat& line : costs_of(model, file))
    if (std::find(units.begin(), units.end(), line.unit) == units.end()) units.push_back(line.unit);
  std::sort(units.begin(), units.end(),
            [](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return units;
}

HeatColumn heat_column(const Model& model, const CodeFile& file) {
  HeatColumn heat{.variant = file.variant};
  const std::vector<std::string> units = heat_units(model, file);
  if (units.empty()) return heat;
  const CodeState& state = model.page.state;
  const bool chosen = std::find(units.begin(), units.end(), state.view.heat_unit) != units.end();
  heat.unit = chosen ? state.view.heat_unit : units.front();
  const Run* run = model.run();
  heat.former = run && heat.unit != sampled && are_former(*run, file.variant);
  std::map<int, LineHeat> checked;
  for (const LineHeat& line : costs_of(model, file)) {
    if (line.unit != heat.unit) continue;
    heat.source = line.source;
    heat.total += line.value;
    heat.most = std::max(heat.most, line.value);
    checked[line.line] = line;
  }
  // Of all samples, as on the Diagnosis page: some fall into headers.
  if (const StallSamples* samples = samples_of(model, file); samples && heat.unit == sampled)
    heat.total = static_cast<double>(samples->samples());
  const std::vector<int>& then = lines_then(model, heat.unit);
  if (file.variant != VariantName::mine || then.empty()) {
    heat.lines = std::move(checked);
    return heat;
  }
  // The text changed since: a line keeps its cost where it is still the same line.
  for (std::size_t i = 0; i < then.size(); ++i)
    if (const auto at = checked.find(then[i]); at != checked.end())
      heat.lines[static_cast<int>(i) + 1] = at->second;
  return heat;
}

float heat_width(const HeatColumn& heat) {
  return heat.unit.empty() ? 0 : theme().px(bar_width + 10);
}

std::optional<HeatBar> heat_bar(const HeatColumn& heat, int number) {
  const auto found = heat.lines.find(number);
  if (found == heat.lines.end() || heat.most <= 0) return std::nullopt;
  const double value = found->second.value;
  return HeatBar{static_cast<float>(value / heat.most), percent_words(100 * value / heat.total)};
}

void draw_heat(ImDrawList& list, const HeatColumn& heat, int number, ImVec2 at, float height) {
  const auto bar = heat_bar(heat, number);
  if (!bar) return;
  const Theme& t = theme();
  const LineHeat& line = heat.lines.at(number);
  const auto& [share, words] = *bar;
  const float width = t.px(bar_width);
  const ImU32 ink = faded(t.of_variant(heat.variant), heat.former ? 0.5f : 1);
  const ImVec2 from(at.x + width * (1 - share), at.y + t.px(2));
  list.AddRectFilled(from, ImVec2(at.x + width, at.y + height - t.px(2)),
                     faded(ink, 0.20f + 0.35f * share), t.px(2));
  draw_text(list, t.font.small,
            ImVec2(at.x + width - text_width(t.font.small, words) - t.px(4),
                   at.y + (height - t.font.small->FontSize) / 2 - t.px(1)),
            heat.former ? t.color.faint : t.color.text, words);
  if (pointer_rests() || !ImGui::IsMouseHoveringRect(at, ImVec2(at.x + width, at.y + height)))
    return;
  std::string detail = format_count(line.value) + " " + heat.unit + ", " + words + " of " +
                       (heat.unit == sampled ? "all, " : "the file's, ") +
                       std::string(to_string(line.source));
  for (const auto& [reason, value] : line.by_reason)
    detail += "\n" + format_count(value) + "  " + reason;
  ImGui::SetTooltip("%s", detail.c_str());
}

std::string heat_words(const Model& model, const HeatColumn& heat) {
  if (!heat.unit.empty()) {
    const bool changed = heat.variant == VariantName::mine && !lines_then(model, heat.unit).empty();
    std::string words = "share of the " + heat.unit + ", ";
    const bool recorded = !model.replaying.empty();
    const Investigation* stalls = model.investigation(InvestigationKind::stalls);
    if (heat.unit == sampled && stalls)
      words += (recorded ? "recorded: " : "measured: ") + stalls->device.name + ", " +
               stalls->date.substr(0, 10);
    else
      words += std::string(recorded ? "recorded: " : "") + std::string(to_string(heat.source)) +
               (heat.source == Source::counted ? " by the simulator" : "");
    if (heat.former) return words + ", from the check before";
    return words + (changed ? ", before your last change" : "");
  }
  if (model.machine.device && !model.machine.device->simulated)
    return "What each line costs: sample it on the page Diagnosis (Alt+4), or check on the "
           "simulator (chosen at the lower left).";
  return "What each line costs appears here after a check on the simulator.";
}

}  // namespace klab::ui
