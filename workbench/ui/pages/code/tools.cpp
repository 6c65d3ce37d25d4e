// Code, tools: which listing, which heat, what is looked for.
#include <imgui.h>
// Needs imgui.h before it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/text.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/code/parts.hpp"

namespace klab::ui {
namespace {

void set_view(Commands& commands, CodeView view) {
  commands.push_back(command::SetCodeView{std::move(view)});
}

/// Moves to another match and shows its line.
void step(const Model& model, const std::vector<TextMatch>& matches, int by, Commands& commands) {
  CodeView view = model.page.state.view;
  view.match += by;
  if (const auto current = current_match(matches.size(), view.match)) {
    view.match = static_cast<int>(*current);
    view.reveal = matches[*current].line;
  }
  set_view(commands, std::move(view));
}

/// A one-line input that takes the keyboard when it appears. True on Enter.
bool line_input(const char* id, const char* hint, std::string& value, float width,
                ImGuiInputTextFlags flags) {
  bool& there = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID(id));
  const int frame = ImGui::GetFrameCount();
  int& seen = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID(hint), -2);
  there = seen >= frame - 1;
  seen = frame;
  if (!there) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(width);
  const bool entered =
      ImGui::InputTextWithHint(id, hint, &value, flags | ImGuiInputTextFlags_EnterReturnsTrue);
  note_control();
  if (entered) ImGui::SetKeyboardFocusHere(-1);
  return entered;
}

void draw_find(const Model& model, const std::vector<TextMatch>& matches, Commands& commands) {
  const Theme& t = theme();
  CodeView view = model.page.state.view;
  std::string needle = view.needle;
  const float room = ImGui::GetContentRegionAvail().x;
  const bool entered = line_input("##find", "Find", needle, std::min(t.px(230), room * 0.4f), 0);
  const bool left = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Escape);
  if (needle != view.needle) {
    view.needle = needle;
    view.match = 0;
    const auto found = find_all(shown_text(model.page, *shown_file(model.page)), needle);
    if (!found.empty()) view.reveal = found.front().line;
    set_view(commands, view);
  } else if (entered) {
    step(model, matches, ImGui::GetIO().KeyShift ? -1 : 1, commands);
  }
  ImGui::SameLine(0, t.px(10));
  const auto current = current_match(matches.size(), view.match);
  ImGui::AlignTextToFramePadding();
  text(t.font.small, matches.empty() && !needle.empty() ? t.color.bad : t.color.soft,
       current          ? std::to_string(*current + 1) + " of " + std::to_string(matches.size())
       : needle.empty() ? "Enter: next"
                        : "not found");
  ImGui::SameLine(0, t.px(10));
  if (button("previous", "Previous", {.kind = ButtonKind::quiet, .enabled = !matches.empty()}))
    step(model, matches, -1, commands);
  ImGui::SameLine(0, t.px(4));
  if (button("next", "Next", {.kind = ButtonKind::quiet, .enabled = !matches.empty()}))
    step(model, matches, 1, commands);
  ImGui::SameLine(0, t.px(4));
  if (icon_button("close find", Icon::close, "Close (Esc)") || left) {
    view.finding = false;
    set_view(commands, std::move(view));
  }
}

void draw_go_to_line(const Model& model, Commands& commands) {
  const Theme& t = theme();
  CodeView view = model.page.state.view;
  std::string number = view.needle;
  const bool entered =
      line_input("##line", "Line", number, t.px(110), ImGuiInputTextFlags_CharsDecimal);
  const bool left = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Escape);
  ImGui::SameLine(0, t.px(10));
  ImGui::AlignTextToFramePadding();
  text(t.font.small, t.color.soft, "Enter: go there");
  if (entered || left) {
    const int line = std::atoi(number.c_str());
    view.going_to_line = false;
    view.needle.clear();
    if (entered && line > 0) view.reveal = view.line = line;
    set_view(commands, std::move(view));
  } else if (number != view.needle) {
    view.needle = number;
    set_view(commands, std::move(view));
  }
}

}  // namespace

void draw_code_tools(const Model& model, const CodeFile& file, const HeatColumn& heat,
                     Commands& commands) {
  const Theme& t = theme();
  const CodeView& view = model.page.state.view;
  gap(2);
  const std::size_t shown = !view.listing ? 0 : *view.listing == ListingKind::ptx ? 1 : 2;
  if (const auto clicked = segments("listing", {"Source", "PTX", "SASS"}, shown)) {
    CodeView other = view;
    other.listing.reset();
    if (*clicked > 0) other.listing = *clicked == 1 ? ListingKind::ptx : ListingKind::sass;
    set_view(commands, std::move(other));
  }
  const std::vector<std::string> units = heat_units(model, file);
  if (!units.empty()) {
    std::vector<std::string> labels;
    std::size_t selected = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
      labels.push_back(capitalized(units[i]));
      if (units[i] == heat.unit) selected = i;
    }
    float wide = t.px(24);
    for (const std::string& label : labels) wide += text_width(t.font.body, label) + t.px(28);
    ImGui::SameLine(0, t.px(16));
    if (ImGui::GetContentRegionAvail().x < wide) ImGui::NewLine();
    if (const auto clicked = segments("heat", labels, selected)) {
      CodeView other = view;
      other.heat_unit = units[*clicked];
      set_view(commands, std::move(other));
    }
  }
  ImGui::SameLine(0, t.px(12));
  const std::string words = heat_words(model, heat);
  // On the middle of the row of buttons.
  const float middle = (button_size("Source").y - t.font.small->FontSize) / 2;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + middle);
  text_cut(t.font.small, t.color.faint, words, ImGui::GetContentRegionAvail().x - t.px(4));
}

void draw_find_bar(const Model& model, const std::vector<TextMatch>& matches, Commands& commands) {
  const CodeView& view = model.page.state.view;
  if (!view.finding && !view.going_to_line) return;
  gap(4);
  if (view.finding)
    draw_find(model, matches, commands);
  else
    draw_go_to_line(model, commands);
}

void take_code_keys(const Model& model, Commands& commands) {
  const bool find = ImGui::IsKeyPressed(ImGuiKey_F, false);
  const bool go = ImGui::IsKeyPressed(ImGuiKey_G, false);
  const bool list = ImGui::IsKeyPressed(ImGuiKey_P, false);
  if ((!find && !go && !list) || !shown_file(model.page)) return;
  CodeView view = model.page.state.view;
  if (list) {
    if (!view.listing)
      view.listing = ListingKind::ptx;
    else if (*view.listing == ListingKind::ptx)
      view.listing = ListingKind::sass;
    else
      view.listing.reset();
    return set_view(commands, std::move(view));
  }
  if (view.going_to_line || go) view.needle.clear();
  view.finding = find;
  view.going_to_line = go;
  if (model.reading_page != Page::code) commands.push_back(command::ShowPage{Page::code});
  set_view(commands, std::move(view));
}

}  // namespace klab::ui
