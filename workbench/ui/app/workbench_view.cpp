// WorkbenchView: a narrow, a usual and a wide arrangement of the same panels.
#include "ui/app/workbench_view.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <optional>
#include <span>

#include "ui/look/focus_ring.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/code_gutter.hpp"
#include "ui/text/text_editor.hpp"

namespace klab::ui {
namespace {

constexpr float sidebar_width = 292;
constexpr float narrow_below = 940;   ///< the list of labs goes behind a button
constexpr float split_above = 1200;   ///< main area: reading and bench side by side
constexpr float bench_beside = 560;   ///< width left to the bench by codes that are side by side
constexpr float low_below = 640;      ///< height: the verdict strip shows names only
constexpr float low_spacing = 2;      ///< between rows above the code in a low window
constexpr float tall_above = 900;     ///< height: head and gates stay while one types
constexpr float reading_width = 760;  ///< longest comfortable line of text
constexpr float page_margin = 28;
constexpr float border_width = 9;  ///< between the two halves

using Draw = void (*)(const Model&, Commands&);

Draw panel_of(Page page) {
  switch (page) {
    case Page::lesson:
      return draw_lesson;
    case Page::code:
      return draw_code;
    case Page::result:
      return draw_result;
    case Page::diagnosis:
      return draw_diagnosis;
    case Page::roofline:
      return draw_roofline;
    case Page::timeline:
      return draw_timeline;
    case Page::sweep:
      return draw_sweep;
    case Page::occupancy:
      return draw_occupancy;
    case Page::device:
      return draw_device;
    case Page::journal:
      break;
  }
  return draw_journal;
}

/// PageDown, PageUp, Home and End scroll the page; ImGui would move the focus to the last control
/// as well, which may be in another region and shows its tooltip.
void keep_paging_keys() {
  if (ImGui::GetIO().WantTextInput) return;
  for (const ImGuiKey key : {ImGuiKey_PageUp, ImGuiKey_PageDown, ImGuiKey_Home, ImGuiKey_End})
    ImGui::SetKeyOwner(key, ImGui::GetID("paging"));
}

/// PageDown and PageUp move the present region by most of its height, Home and End to its ends.
void scroll_by_key(bool with_shift) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || io.KeyCtrl || io.KeyShift != with_shift) return;
  const float step = ImGui::GetWindowHeight() * 0.85f;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) ImGui::SetScrollY(ImGui::GetScrollY() + step);
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp))
    ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() - step));
  if (ImGui::IsKeyPressed(ImGuiKey_Home)) ImGui::SetScrollY(0);
  if (ImGui::IsKeyPressed(ImGuiKey_End)) ImGui::SetScrollY(ImGui::GetScrollMaxY());
}

/// A scrolling region with a margin left and right. Its content is as wide with a scrollbar as
/// without one.
/// `with_shift`: its keys for scrolling go together with Shift.
void draw_page(const char* id, Page page, const Model& model, Commands& commands, float margin,
               bool with_shift = false) {
  ImGuiStorage& kept = *ImGui::GetStateStorage();  // of the window around the page
  const ImGuiID scrolled = ImGui::GetID(id);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(theme().px(margin), theme().px(4)));
  ImGui::BeginChild(
      id, ImVec2(kept.GetBool(scrolled) ? 0 : -ImGui::GetStyle().ScrollbarSize, 0),
      ImGuiChildFlags_AlwaysUseWindowPadding,
      ImGuiWindowFlags_NavFlattened | (page == Page::code ? ImGuiWindowFlags_NoScrollbar : 0));
  ImGui::PopStyleVar();
  const bool scrolls = page != Page::code && ImGui::GetScrollMaxY() > 0;
  kept.SetBool(scrolled, scrolls);
  if (scrolls) scroll_by_key(with_shift);
  panel_of(page)(model, commands);
  if (page != Page::code) gap(24);
  ImGui::EndChild();
}

void draw_tabs(const char* id, std::span<const Page> pages, Page shown, Commands& commands) {
  std::vector<std::string> labels;
  std::size_t selected = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    labels.emplace_back(to_string(pages[i]));
    if (pages[i] == shown) selected = i;
  }
  if (const auto clicked = segments(id, labels, selected))
    commands.push_back(command::ShowPage{pages[*clicked]});
}

/// The longest line of a kernel; a code page gets room for it as far as its neighbour allows.
constexpr int code_columns = 100;

float left_width(const Model& model, float width) {
  const Theme& t = theme();
  const float most = width - t.px(bench_beside);
  const bool code = model.window.reading_page == Page::code;
  if (code && model.can_compare_code() && model.page.shown_code == CodeChoice::side_by_side)
    return most;
  if (model.window.split) return width * *model.window.split;
  const float usual = std::min(width * 0.5f, t.px(reading_width + 64));
  const CodeFile* file = code ? shown_file(model.page) : nullptr;
  if (!file) return usual;
  const float wanted = editor_width(code_columns) + heat_width(heat_column(model, *file)) +
                       t.px(2 * page_margin + border_width);
  return std::max(usual, std::min(wanted, most));
}

/// The border between the two halves: dragged by mouse, moved by Alt and an arrow, and put back by
/// a double click.
void draw_border(float left, float width, Commands& commands) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetContentRegionAvail().y, wide = t.px(border_width);
  area("border", ImVec2(wide, height));
  const bool moving = ImGui::IsItemActive(), hot = moving || item_hot();
  tooltip("Drag, or Alt+Left and Alt+Right; a double click puts it back");
  if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x + wide / 2, at.y + t.px(4)),
                                      ImVec2(at.x + wide / 2, at.y + height - t.px(14)),
                                      hot ? t.color.accent : t.color.line, t.px(hot ? 2 : 1));
  const ImGuiIO& io = ImGui::GetIO();
  const int step = (io.KeyAlt && ImGui::IsKeyPressed(ImGuiKey_RightArrow)) -
                   (io.KeyAlt && ImGui::IsKeyPressed(ImGuiKey_LeftArrow));
  if (hot && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    commands.push_back(command::SetSplit{});
  else if (moving && io.MouseDelta.x != 0)
    commands.push_back(command::SetSplit{(left + io.MouseDelta.x) / width});
  else if (step != 0)
    commands.push_back(command::SetSplit{left / width + 0.03f * static_cast<float>(step)});
}

void draw_split(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const float width = ImGui::GetContentRegionAvail().x, left = left_width(model, width);
  const auto column = [&](const char* id, float w, std::span<const Page> pages, Page shown,
                          bool with_shift) {
    ImGui::BeginChild(id, ImVec2(w, 0), 0, ImGuiWindowFlags_NavFlattened);
    ImGui::Indent(t.px(page_margin));
    draw_tabs("tabs", pages, shown, commands);
    ImGui::Unindent(t.px(page_margin));
    draw_page("page", shown, model, commands, page_margin, with_shift);
    ImGui::EndChild();
  };
  column("reading", left - t.px(border_width), std::span(all_pages).first(reading_pages),
         model.window.reading_page, false);
  ImGui::SameLine(0, 0);
  draw_border(left, width, commands);
  ImGui::SameLine(0, 0);
  column("bench", 0, std::span(all_pages).subspan(reading_pages), model.window.bench_page, true);
}

void draw_top(const Model& model, Commands& commands, float margin, bool low) {
  const Theme& t = theme();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, t.px(low ? 10 : 18)));
  ImGui::BeginChild("top", ImVec2(-ImGui::GetStyle().ScrollbarSize, 0),
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_AutoResizeY,
                    ImGuiWindowFlags_NavFlattened | ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleVar();
  draw_header(model, commands);
  draw_verdict(model, commands, low);
  ImGui::EndChild();
}

/// Rows that stand this far apart, as long as it lives.
class RowSpacing {
 public:
  explicit RowSpacing(float y) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, y));
  }
  ~RowSpacing() { ImGui::PopStyleVar(); }
  RowSpacing(const RowSpacing&) = delete;
  RowSpacing& operator=(const RowSpacing&) = delete;
};

void draw_main(const Model& model, Commands& commands, bool low) {
  const Theme& t = theme();
  const float margin = t.px(page_margin);
  std::optional<RowSpacing> close;
  if (low) close.emplace(t.px(low_spacing));
  if (code_makes_room(model))
    gap(10);
  else
    draw_top(model, commands, margin, low);
  if (!model.lab()) return;
  const bool split = ImGui::GetContentRegionAvail().x >= t.px(split_above);
  if (model.window.asking_prediction || split) close.reset();
  if (model.window.asking_prediction) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, 0));
    ImGui::BeginChild("questions", ImVec2(0, 0), ImGuiChildFlags_AlwaysUseWindowPadding,
                      ImGuiWindowFlags_NavFlattened);
    ImGui::PopStyleVar();
    draw_prediction(model, commands);
    ImGui::EndChild();
  } else if (split) {
    draw_split(model, commands);
  } else {
    if (!only_code_fits(model)) {
      ImGui::Indent(margin - t.px(12));
      draw_tabs("tabs", all_pages, model.window.shown_page, commands);
      ImGui::Unindent(margin - t.px(12));
    }
    if (model.window.shown_page != Page::code) close.reset();
    draw_page("page", model.window.shown_page, model, commands, page_margin);
  }
}

void draw_sidebar(const Model& model, Commands& commands, float width) {
  const Theme& t = theme();
  ImGui::PushStyleColor(ImGuiCol_ChildBg, t.color.sidebar);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(t.px(14), t.px(18)));
  ImGui::BeginChild("labs", ImVec2(width, 0), ImGuiChildFlags_AlwaysUseWindowPadding,
                    ImGuiWindowFlags_NavFlattened | ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  draw_labs(model, commands);
  ImGui::EndChild();
}

/// What lies above every page.
void draw_above(const Model& model, Commands& commands) {
  draw_notice(model, commands);
  if (model.window.help_open) draw_help(model, commands);
  draw_focus_ring();
}

}  // namespace

bool code_makes_room(const Model& model) {
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  const float main = size.x - (narrow_window() ? 0 : theme().px(sidebar_width));
  return model.window.typing && !model.window.asking_prediction &&
         model.window.shown_page == Page::code && main < theme().px(split_above) &&
         size.y < theme().px(tall_above);
}

bool only_code_fits(const Model& model) {
  return code_makes_room(model) && ImGui::GetMainViewport()->Size.y < theme().px(low_below);
}

bool narrow_window() { return ImGui::GetMainViewport()->Size.x < theme().px(narrow_below); }

void draw_workbench(const Model& model, Commands& commands) {
  const Theme& t = theme();
  follow_pointer();
  drawn_controls().clear();
  clipped_texts().clear();
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->Pos);
  ImGui::SetNextWindowSize(viewport->Size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  // Its background is what the frame was cleared with: filling it once more would cost a software
  // renderer half of the frame.
  ImGui::Begin("workbench", nullptr,
               ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoDecoration |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  take_keys(model, commands);
  if (!model.window.help_open) keep_paging_keys();
  if (model.presentation) {
    draw_present(model);
    ImGui::End();
    draw_above(model, commands);
    return;
  }
  const bool narrow = narrow_window();
  const bool low = viewport->Size.y < t.px(low_below);
  if (!narrow) {
    draw_sidebar(model, commands, t.px(sidebar_width));
    ImGui::SameLine(0, 0);
  }
  ImGui::BeginChild("main", ImVec2(0, 0), 0, ImGuiWindowFlags_NavFlattened);
  if (narrow && model.window.labs_open)
    draw_sidebar(model, commands, 0);
  else
    draw_main(model, commands, low);
  ImGui::EndChild();
  ImGui::End();
  draw_above(model, commands);
}

}  // namespace klab::ui
