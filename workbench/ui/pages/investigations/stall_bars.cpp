// StallBars: drawing.
#include "ui/pages/investigations/stall_bars.hpp"

#include <algorithm>
#include <vector>

#include "core/measure/format.hpp"
#include "core/measure/stall_reasons.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/model.hpp"

namespace klab::ui {
namespace {

/// Reasons that no variant shows this much of share one last part.
constexpr double least_share_pct = 2;
const std::string rest = "rest";

/// The reasons worth a part of their own, in the vocabulary's order, then unknown ones.
std::vector<std::string> shown_reasons(std::span<const StallBar> bars) {
  std::vector<std::string> reasons;
  const auto worth = [&](const std::string& reason) {
    return std::any_of(bars.begin(), bars.end(), [&](const StallBar& bar) {
      const auto share = bar.shares_pct.find(reason);
      return share != bar.shares_pct.end() && share->second >= least_share_pct;
    });
  };
  for (const StallReason& reason : stall_reasons())
    if (worth(std::string(reason.name))) reasons.emplace_back(reason.name);
  for (const StallBar& bar : bars)
    for (const auto& [reason, share] : bar.shares_pct)
      if (!find_stall_reason(reason) && share >= least_share_pct &&
          std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
        reasons.push_back(reason);
  return reasons;
}

struct Part {
  std::string reason;
  double share_pct = 0;
};

std::vector<Part> parts_of(const StallBar& bar, const std::vector<std::string>& reasons) {
  std::vector<Part> parts;
  double named = 0;
  for (const std::string& reason : reasons)
    if (const auto share = bar.shares_pct.find(reason); share != bar.shares_pct.end()) {
      parts.push_back({reason, share->second});
      named += share->second;
    }
  if (100 - named > 0.05) parts.push_back({rest, 100 - named});
  return parts;
}

std::string words_for(const Part& part) {
  if (part.reason == rest) return "Other reasons: " + format_percent(part.share_pct);
  std::string words = stall_label(part.reason) + " (" + part.reason +
                      "): " + format_percent(part.share_pct) + " of the samples";
  const std::string meaning = stall_meaning(part.reason), advice = stall_advice(part.reason);
  if (!meaning.empty()) words += "\n\n" + meaning;
  if (!advice.empty()) words += "\n\n" + advice;
  return words;
}

void draw_bar(const StallBar& bar, const std::vector<std::string>& reasons, float names_width) {
  const Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = t.px(26), width = ImGui::GetContentRegionAvail().x - names_width;
  ImGui::PushID(bar.variant.name().c_str());
  ImGui::InvisibleButton("bar", ImVec2(names_width + width, height + t.px(8)));
  note_control();
  ImGui::PopID();
  draw_text(list, t.font.strong, ImVec2(at.x, at.y), t.of_variant(bar.variant),
            variant_title(bar.variant));
  draw_text(list, t.font.small, ImVec2(at.x, at.y + t.font.strong->FontSize - t.px(1)),
            t.color.faint, bar.detail);
  const ImVec2 mouse = ImGui::GetMousePos();
  float left = at.x + names_width;
  for (const Part& part : parts_of(bar, reasons)) {
    const float part_width = width * static_cast<float>(part.share_pct / 100);
    const ImVec2 from(left, at.y), to(left + std::max(part_width - t.px(1), 0.5f), at.y + height);
    fill_stall(list, from, to, part.reason);
    const std::string label = format_percent(part.share_pct);
    const float label_width = text_width(t.font.label, label);
    if (label_width + t.px(8) < part_width) {
      const ImU32 color = stall_color(part.reason);
      const ImVec2 place(from.x + t.px(5), at.y + (height - t.font.label->FontSize) / 2);
      list.AddRectFilled(
          ImVec2(place.x - t.px(3), place.y - t.px(1)),
          ImVec2(place.x + label_width + t.px(3), place.y + t.font.label->FontSize + t.px(1)),
          color);
      draw_text(list, t.font.label, place, ink_on(color), label);
    }
    if (ImGui::IsItemHovered() && mouse.x >= left && mouse.x < left + part_width)
      tooltip(words_for(part));
    left += part_width;
  }
}

void draw_legend(const std::vector<std::string>& reasons) {
  const Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float swatch = t.px(12), space = t.px(18);
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  ImVec2 at = begin;
  const float line = t.font.small->FontSize + t.px(6);
  for (const std::string& reason : reasons) {
    const std::string label = stall_label(reason);
    const float width = swatch + t.px(6) + text_width(t.font.small, label);
    if (at.x > begin.x && at.x + width > right) at = ImVec2(begin.x, at.y + line);
    fill_stall(list, ImVec2(at.x, at.y + t.px(3)), ImVec2(at.x + swatch, at.y + t.px(3) + swatch),
               reason);
    draw_text(list, t.font.small, ImVec2(at.x + swatch + t.px(6), at.y), t.color.soft, label);
    at.x += width + space;
  }
  ImGui::Dummy(ImVec2(1, at.y + line - begin.y));
}

}  // namespace

ImU32 stall_color(const std::string& reason) {
  const Palette& color = theme().color;
  const StallReason* known = find_stall_reason(reason);
  switch (known ? known->kind : StallKind::other) {
    case StallKind::issuing:
      return color.data_green;
    case StallKind::memory:
      return color.data_red;
    case StallKind::shared:
      return color.data_gold;
    case StallKind::synchronization:
      return color.data_purple;
    case StallKind::arithmetic:
      return color.data_blue;
    case StallKind::fetch:
      return color.data_ink;
    case StallKind::other:
      break;
  }
  return color.off;
}

void fill_stall(ImDrawList& list, ImVec2 from, ImVec2 to, const std::string& reason) {
  const Theme& t = theme();
  list.AddRectFilled(from, to, stall_color(reason));
  const StallReason* known = find_stall_reason(reason);
  if (!known) return;
  int earlier = 0;
  for (const StallReason& other : stall_reasons()) {
    if (other.name == known->name) break;
    earlier += other.kind == known->kind;
  }
  // Patterns within a kind: paler shades of one hue are soon another's.
  const ImU32 line = faded(t.color.surface, 0.75f);
  if (earlier > 0) hatch(list, from, to, line, earlier == 1 ? 7 : 4);
}

std::string stall_label(const std::string& reason) {
  if (reason == rest) return "Other reasons";
  const StallReason* known = find_stall_reason(reason);
  return known ? std::string(known->label) : reason;
}

void draw_stall_bars(const char* id, std::span<const StallBar> bars) {
  const Theme& t = theme();
  std::vector<std::string> reasons = shown_reasons(bars);
  float label_width = 0;
  for (const StallBar& bar : bars)
    label_width = std::max({label_width, text_width(t.font.strong, variant_title(bar.variant)),
                            text_width(t.font.small, bar.detail)});
  ImGui::PushID(id);
  for (const StallBar& bar : bars) draw_bar(bar, reasons, label_width + t.px(16));
  ImGui::PopID();
  gap(4);
  const bool others = std::any_of(bars.begin(), bars.end(), [&](const StallBar& bar) {
    const std::vector<Part> parts = parts_of(bar, reasons);
    return !parts.empty() && parts.back().reason == rest;
  });
  if (others) reasons.push_back(rest);
  draw_legend(reasons);
}

}  // namespace klab::ui
