// Widgets: text, buttons and surfaces in the theme's look.
#include "ui/look/widgets.hpp"

#include <imgui_internal.h>

#include <algorithm>

#include "core/base/text.hpp"

namespace klab::ui {
namespace {

constexpr float line_spacing = 1.32f;  ///< of wrapped text

bool watching_texts = false;

/// A card that is not as tall as its text: lines stand in its padding or beyond it.
bool leaves_card(ImFont* font, ImVec2 at) {
  const ImGuiWindow& window = *ImGui::GetCurrentWindow();
  if ((window.ChildFlags & ImGuiChildFlags_AutoResizeY) == 0) return false;
  return at.y + font->FontSize > window.ContentRegionRect.Max.y + theme().px(6);
}

/// Notes a text that its card or the sides of its region cut off for good: what can be scrolled to
/// is none.
void note_if_clipped(const ImDrawList& list, ImFont* font, ImVec2 at, std::string_view value) {
  if ((ImGui::GetCurrentWindow()->Flags & ImGuiWindowFlags_HorizontalScrollbar) != 0) return;
  const ImVec2 from = list.GetClipRectMin(), to = list.GetClipRectMax();
  const bool visible = at.y + font->FontSize > from.y && at.y < to.y;
  const bool cut_off = visible && (at.x < from.x - 1 || at.x + text_width(font, value) > to.x + 1);
  if (cut_off || leaves_card(font, at)) clipped_texts().emplace_back(value);
}

/// Whether a line would end between a number and its unit: "73.7" and "% of", "62.6" and
/// "Gflop/s.".
bool parts_number_and_unit(std::string_view before, std::string_view after) {
  const auto blank = after.find_first_not_of(' ');
  if (blank == std::string_view::npos || blank == 0) return false;
  std::string_view unit = after.substr(blank);
  unit = unit.substr(0, unit.find_first_of(" .,;:)\n"));
  const std::string_view number = before.substr(before.find_last_of(" (") + 1);
  if (number.empty() || number.find_first_not_of("0123456789.,") != std::string_view::npos)
    return false;
  constexpr std::string_view units[] = {"%",  "s",   "ms",  "µs",  "us",  "ns", "B",
                                        "kB", "KiB", "MiB", "GiB", "GHz", "W"};
  return unit.ends_with("/s") ||
         std::find(std::begin(units), std::end(units), unit) != std::end(units);
}

ImVec2 rounded_up(ImVec2 size) {
  return ImVec2(static_cast<float>(static_cast<int>(size.x + 0.999f)),
                static_cast<float>(static_cast<int>(size.y + 0.999f)));
}

}  // namespace

void note_control() {
  // A region scrolled out of sight submits nothing: the last id would be an older control's.
  if (!ImGui::GetCurrentWindow()->SkipItems) drawn_controls().push_back(ImGui::GetItemID());
}

std::vector<ImGuiID>& drawn_controls() {
  static std::vector<ImGuiID> ids;
  return ids;
}

bool item_hot() {
  return ImGui::IsItemHovered() || (ImGui::GetIO().NavVisible && ImGui::IsItemFocused());
}

void text(ImFont* font, ImU32 color, std::string_view value, bool wrap, float most_width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!wrap) {
    draw_text(*ImGui::GetWindowDrawList(), font, at, color, value);
    ImGui::Dummy(ImVec2(text_width(font, value), font->FontSize));
    return;
  }
  const float width = std::clamp(ImGui::GetContentRegionAvail().x, 1.0f, most_width);
  const float height =
      draw_wrapped(ImGui::GetWindowDrawList(), font, at, color, with_separators(value), width);
  ImGui::Dummy(ImVec2(width, height));
}

std::string cut(ImFont* font, std::string_view value, float width) {
  if (text_width(font, value) <= width) return std::string(value);
  const float room = std::max(width - text_width(font, "…"), 1.0f);
  const char* rest = nullptr;
  font->CalcTextSizeA(font->FontSize, room, 0, value.data(), value.data() + value.size(), &rest);
  return std::string(value.data(), rest) + "…";
}

void text_cut(ImFont* font, ImU32 color, std::string_view value, float width) {
  const std::string shown = cut(font, value, width);
  text(font, color, shown);
  if (shown != value) tooltip(value);
}

std::string_view first_line(ImFont* font, std::string_view paragraph, float width) {
  const char* const begin = paragraph.data();
  const char* const end = begin + paragraph.size();
  const char* stop = font->CalcWordWrapPositionA(1, begin, end, width);
  if (stop == begin && stop < end) ++stop;
  std::string_view line(begin, stop);
  if (!parts_number_and_unit(line, std::string_view(stop, end))) return line;
  const auto number = line.find_last_of(' ');
  return number == std::string_view::npos ? line : line.substr(0, number + 1);
}

float draw_wrapped(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 color, std::string_view value,
                   float width, ImFont* broken_as) {
  const float height = font->FontSize * line_spacing;
  float y = 0;
  while (!value.empty()) {
    const std::string_view paragraph = value.substr(0, value.find('\n'));
    const std::string_view line = first_line(broken_as ? broken_as : font, paragraph, width);
    if (list) draw_text(*list, font, ImVec2(at.x, at.y + y), color, line);
    y += height;
    const auto next = std::min(paragraph.find_first_not_of(' ', line.size()), paragraph.size());
    const bool over = next == paragraph.size() && next < value.size();  // the line break goes too
    value.remove_prefix(next + over);
  }
  return std::max(font->FontSize, y - (height - font->FontSize));
}

float text_height(ImFont* font, std::string_view value, float width) {
  return draw_wrapped(nullptr, font, {}, 0, value, std::max(width, 1.0f));
}

float text_width(ImFont* font, std::string_view value) {
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, value.data(), value.data() + value.size())
      .x;
}

std::vector<std::string>& clipped_texts() {
  static std::vector<std::string> texts;
  return texts;
}

void watch_clipped_texts(bool on) {
  watching_texts = on;
  clipped_texts().clear();
}

void draw_text(ImDrawList& list, ImFont* font, ImVec2 at, ImU32 color, std::string_view value) {
  if (watching_texts) note_if_clipped(list, font, at, value);
  want_glyphs(value);
  list.AddText(font, font->FontSize, at, color, value.data(), value.data() + value.size());
}

void gap(float logical) {
  ImGui::Dummy(ImVec2(0, theme().px(logical) - ImGui::GetStyle().ItemSpacing.y));
}

ImVec2 button_size(std::string_view label, const ButtonLook& look) {
  const Theme& t = theme();
  float width = text_width(t.font.strong, label) + t.px(28);
  if (look.icon) width += t.px(20);
  if (!look.key.empty()) width += text_width(t.font.label, look.key) + t.px(10);
  return rounded_up(ImVec2(width, t.px(34)));
}

bool button(const char* id, std::string_view label, const ButtonLook& look) {
  const Theme& t = theme();
  const ImVec2 size = button_size(label, look), at = ImGui::GetCursorScreenPos();
  ImGui::BeginDisabled(!look.enabled);
  const bool clicked = ImGui::InvisibleButton(id, size);
  note_control();
  const bool hot = look.enabled && item_hot();
  ImGui::EndDisabled();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  ImU32 ink = t.color.text;
  if (look.kind == ButtonKind::primary) {
    ink = t.color.on_accent;
    list.AddRectFilled(at, end, hot ? t.color.accent_hover : t.color.accent_fill, t.px(7));
  } else if (look.kind == ButtonKind::secondary) {
    list.AddRectFilled(at, end, hot ? t.color.off_soft : t.color.surface, t.px(7));
    list.AddRect(at, end, t.color.line, t.px(7));
  } else if (hot) {
    list.AddRectFilled(at, end, t.color.off_soft, t.px(7));
  }
  if (!look.enabled) {
    list.AddRectFilled(at, end, faded(t.color.surface, 0.6f), t.px(7));
    ink = faded(ink, 0.75f);
  }
  float x = at.x + t.px(14);
  if (look.icon) {
    draw_icon(list, *look.icon, ImVec2(x + t.px(6), at.y + size.y / 2), t.px(14), ink);
    x += t.px(20);
  }
  draw_text(list, t.font.strong, ImVec2(x, at.y + (size.y - t.font.strong->FontSize) / 2), ink,
            label);
  if (!look.key.empty())
    draw_text(list, t.font.label,
              ImVec2(end.x - t.px(14) - text_width(t.font.label, look.key),
                     at.y + (size.y - t.font.label->FontSize) / 2),
              faded(ink, 0.75f), look.key);
  return clicked;
}

bool icon_button(const char* id, Icon icon, const char* hint) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos(), size(t.px(30), t.px(30));
  const bool clicked = area(id, size);
  if (item_hot())
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y),
                                              t.color.off_soft, t.px(7));
  draw_icon(*ImGui::GetWindowDrawList(), icon, ImVec2(at.x + size.x / 2, at.y + size.y / 2),
            t.px(15), t.color.soft);
  tooltip(hint);
  return clicked;
}

bool toggle(const char* id, std::string_view label, bool on, const char* hint) {
  const Theme& t = theme();
  const float track = t.px(30), height = t.px(34);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = area(id, ImVec2(track + t.px(8) + text_width(t.font.body, label), height));
  const bool hot = item_hot();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float radius = t.px(9), middle = at.y + height / 2;
  list.AddRectFilled(ImVec2(at.x, middle - radius), ImVec2(at.x + track, middle + radius),
                     on ? t.color.accent_fill : faded(t.color.faint, hot ? 0.7f : 0.5f), radius);
  list.AddCircleFilled(ImVec2(on ? at.x + track - radius : at.x + radius, middle),
                       radius - t.px(2.5f), IM_COL32_WHITE, 24);
  draw_text(list, t.font.body, ImVec2(at.x + track + t.px(8), middle - t.font.body->FontSize / 2),
            hot ? t.color.text : t.color.soft, label);
  tooltip(hint);
  return clicked;
}

std::optional<std::size_t> segments(const char* id, const std::vector<std::string>& labels,
                                    std::size_t selected) {
  const Theme& t = theme();
  std::optional<std::size_t> clicked;
  ImGui::PushID(id);
  const float height = t.px(32);
  ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float room = ImGui::GetContentRegionAvail().x, right = at.x + room;
  float all = -t.px(4);
  for (const std::string& label : labels) all += text_width(t.font.strong, label) + t.px(28);
  const float padding = t.px(all <= room ? 12 : 7);  // closer, before one has to begin a new row
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float width = text_width(t.font.strong, labels[i]) + 2 * padding;
    // What does not fit begins a new row.
    if (i && ImGui::GetItemRectMax().x + t.px(4) + width <= right) ImGui::SameLine(0, t.px(4));
    at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(i));
    if (area("segment", ImVec2(width, height))) clicked = i;
    const bool hot = item_hot();
    ImGui::PopID();
    const ImVec2 end(at.x + width, at.y + height);
    if (i == selected)
      list.AddRectFilled(at, end, t.color.accent_soft, t.px(7));
    else if (hot)
      list.AddRectFilled(at, end, t.color.off_soft, t.px(7));
    draw_text(list, i == selected ? t.font.strong : t.font.body,
              ImVec2(at.x + padding, at.y + (height - t.font.body->FontSize) / 2),
              i == selected ? t.color.accent : t.color.soft, labels[i]);
  }
  ImGui::PopID();
  return clicked;
}

bool area(const char* id, ImVec2 size) {
  const bool clicked =
      ImGui::InvisibleButton(id, ImVec2(std::max(size.x, 1.0f), std::max(size.y, 1.0f)));
  note_control();
  return clicked;
}

bool slider(const char* id, std::string_view label, std::string_view shown, int& value, int low,
            int high) {
  const Theme& t = theme();
  const float right = ImGui::GetContentRegionMax().x;
  text(t.font.body, t.color.soft, label);
  ImGui::SameLine(right - text_width(t.font.strong, shown));
  text(t.font.strong, t.color.text, shown);
  ImGui::SetNextItemWidth(-1);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, t.px(1)));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, t.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, t.px(20));
  for (const ImGuiCol part : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
    ImGui::PushStyleColor(part, t.color.off_soft);
  bool changed = false;
  {
    const FontScope scope(t.font.label);
    changed = ImGui::SliderInt(id, &value, low, high, "", ImGuiSliderFlags_AlwaysClamp);
  }
  note_control();
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar(3);
  return changed;
}

bool once_changed(const char* id, int value) {
  // By value: a reference into this storage moves when another number joins it.
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  const ImGuiID key = ImGui::GetID(id);
  const bool changed = kept.GetInt(key) != value;
  kept.SetInt(key, value);
  return changed;
}

void hatch(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color, float step) {
  const float height = to.y - from.y, apart = theme().px(step);
  list.PushClipRect(from, to, true);
  for (float x = from.x - height; x < to.x; x += apart)
    list.AddLine(ImVec2(x, to.y), ImVec2(x + height, from.y), color, theme().px(1));
  list.PopClipRect();
}

void tag(std::string_view value, ImU32 color, ImU32 background) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(text_width(t.font.label, value) + t.px(14), t.px(20));
  ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), background,
                                            t.px(10));
  draw_text(*ImGui::GetWindowDrawList(), t.font.label,
            ImVec2(at.x + t.px(7), at.y + (size.y - t.font.label->FontSize) / 2), color, value);
  ImGui::Dummy(size);
}

Card::Card(const char* id, std::optional<ImU32> background) {
  const Theme& t = theme();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(t.px(18), t.px(16)));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, t.px(10));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, background ? 0.0f : 1.0f);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, background.value_or(t.color.surface));
  ImGui::BeginChild(
      id, ImVec2(0, 0),
      ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_Border | ImGuiChildFlags_AutoResizeY,
      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
          ImGuiWindowFlags_NavFlattened);
}

Card::~Card() {
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

}  // namespace klab::ui
