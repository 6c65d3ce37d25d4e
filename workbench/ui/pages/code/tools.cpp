// Code, tools: which listing, which heat, the way to the find bar.
#include <imgui.h>

#include <algorithm>

#include "core/base/text.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/code/parts.hpp"
#include "ui/pages/panels.hpp"

namespace klab::ui {
namespace {

void set_view(Commands& commands, CodeView view) {
  commands.push_back(command::SetCodeView{std::move(view)});
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
  ImGui::SameLine(0, t.px(10));
  if (button("find", "Find", {.kind = ButtonKind::quiet, .key = narrow_window() ? "" : "Ctrl+F"}))
    open_bar(model, CodeBar::find, commands);
  tooltip("Find in the code (Ctrl+F), find and replace (Ctrl+H), go to a line (Ctrl+G)");
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

}  // namespace klab::ui
