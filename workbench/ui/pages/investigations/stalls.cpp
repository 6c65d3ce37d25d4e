// Stalls: what the warps of each variant wait for, and at which lines.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "core/base/sha256.hpp"
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/investigations/stall_bars.hpp"
#include "ui/pages/panels.hpp"

namespace klab::ui {
namespace {

constexpr std::size_t most_hot_lines = 12;
/// A colder line would be shown as 0 %.
constexpr double least_share = 0.0005;

std::string samples_words(const StallSamples& samples) {
  return format_count(static_cast<double>(samples.samples())) + " samples";
}

/// What makes the samples less than the whole truth; empty if nothing does.
std::string reservations(const StallReport& report) {
  std::string words;
  for (const StallSamples& samples : report.samples) {
    if (samples.buffer_full)
      words += variant_title(samples.variant) + ": the hardware's buffer was full, so sampling " +
               "ended early. ";
    if (samples.dropped > 0)
      words += variant_title(samples.variant) + ": " +
               format_count(static_cast<double>(samples.dropped)) +
               " samples were lost in the hardware. ";
  }
  return words;
}

/// The code that was sampled, if it is still what the window shows.
const CodeFile* sampled_code(const Model& model, const Investigation& found,
                             const VariantName& variant) {
  if (!model.page.kernels) return nullptr;
  for (const CodeFile* file : model.page.kernels->all())
    if (file->variant == variant)
      if (const auto digest = found.source_digests.find(variant);
          digest != found.source_digests.end() && digest->second == sha256(file->text))
        return file;
  return nullptr;
}

std::string line_of(const std::string& text, int number) {
  std::size_t from = 0;
  for (int line = 1; line < number; ++line) {
    from = text.find('\n', from);
    if (from == std::string::npos) return {};
    ++from;
  }
  std::string line = text.substr(from, text.find('\n', from) - from);
  line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

/// "13.7 %": one decimal, so that a column of shares lines up.
std::string share_words(double pct) { return format_percent(std::round(10 * pct) / 10); }

std::string reason_words(const LineHeat& heat) {
  std::string words;
  for (const auto& [reason, count] : heat.by_reason)
    words += (words.empty() ? "" : "\n") + stall_label(reason) + ": " +
             format_percent(100 * count / heat.value);
  return words;
}

/// A row: how much, where, the code, and its reasons as a small bar.
void draw_line(const LineHeat& heat, double all, double hottest, const CodeFile* code,
               Commands& commands) {
  const Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = t.font.mono->FontSize + t.px(10);
  const bool mine = heat.variant == VariantName::mine && code;
  ImGui::PushID(heat.line);
  ImGui::PushID(heat.file.c_str());
  if (area("line", ImVec2(width, height)) && mine) commands.push_back(command::GoToLine{heat.line});
  const bool hot = item_hot();
  tooltip(reason_words(heat) + (mine ? "\n\nClick to go to the line." : ""));
  ImGui::PopID();
  ImGui::PopID();
  if (hot) list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), t.color.off_soft, t.px(5));
  const float middle = at.y + t.px(5), bar = t.px(110), share_width = t.px(62);
  draw_text(list, t.font.strong, ImVec2(at.x + t.px(4), middle), t.color.text,
            share_words(100 * heat.value / all));
  float left = at.x + share_width;
  for (const auto& [reason, count] : heat.by_reason) {
    const float part = bar * static_cast<float>(count / hottest);
    fill_stall(list, ImVec2(left, middle + t.px(2)), ImVec2(left + part, at.y + height - t.px(7)),
               reason);
    left += part;
  }
  const std::string place = std::to_string(heat.line);
  const float place_left = at.x + share_width + bar + t.px(12);
  draw_text(list, t.font.mono, ImVec2(place_left, middle), mine ? t.color.accent : t.color.faint,
            place);
  const float text_left = place_left + text_width(t.font.mono, "0000 ");
  const std::string words =
      code ? line_of(code->text, heat.line) : std::filesystem::path(heat.file).filename().string();
  draw_text(list, t.font.mono, ImVec2(text_left, middle), code ? t.color.text : t.color.faint,
            cut(t.font.mono, words, at.x + width - text_left));
}

void draw_lines(const Model& model, Commands& commands, const Investigation& found,
                const StallSamples& samples) {
  const Theme& t = theme();
  const std::vector<LineHeat> heat = line_heat(samples);
  const Card card("hot lines");
  text(t.font.label, t.color.faint, "Hottest lines, " + variant_title(samples.variant));
  gap(4);
  if (heat.empty())
    return text(t.font.body, t.color.soft, "The machine code carries no lines of its source.",
                true);
  const CodeFile* code = sampled_code(model, found, samples.variant);
  if (!code && samples.variant == VariantName::mine)
    text(
        t.font.small, t.color.unsure,
        model.replaying.empty()
            ? "Your code has changed since it was sampled; the numbers of its lines may have moved."
            : "The recording does not hold the code that was sampled, only the numbers of its "
              "lines.",
        true);
  const auto all = static_cast<double>(samples.samples());
  for (std::size_t i = 0; i < std::min(heat.size(), most_hot_lines); ++i)
    if (i == 0 || heat[i].value >= least_share * all)
      draw_line(heat[i], all, heat.front().value, code, commands);
}

}  // namespace

void draw_stalls(const Model& model, Commands& commands, const Investigation& found,
                 const VariantName& variant) {
  const auto& report = std::get<StallReport>(found.found);
  if (report.samples.empty()) return;
  const Theme& t = theme();
  {
    const Card card("stalls");
    text(t.font.label, t.color.faint, "What the warps do when the hardware looks");
    gap(6);
    std::vector<StallBar> bars;
    for (const VariantName& name : {VariantName::flawed, VariantName::mine, VariantName::optimized})
      if (const StallSamples* samples = report.samples_of(name))
        bars.push_back({name, stall_shares_pct(*samples), samples_words(*samples)});
    draw_stall_bars("bars", bars);
    const std::string words = reservations(report);
    if (!words.empty()) text(t.font.small, t.color.unsure, words, true);
  }
  gap(10);
  if (const StallSamples* samples = report.samples_of(variant))
    draw_lines(model, commands, found, *samples);
}

}  // namespace klab::ui
