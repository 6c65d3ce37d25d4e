// FocusRing: one ring for every control, whoever drew it.
#include "ui/look/focus_ring.hpp"

#include <imgui_internal.h>

#include "ui/look/theme.hpp"

namespace klab::ui {

void draw_focus_ring() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGuiWindow* window = g.NavWindow;
  if (!g.IO.NavVisible || !g.NavIdIsAlive || window == nullptr) return;
  const Theme& t = theme();
  const float apart = t.px(2), thick = t.px(2);
  ImRect ring = ImGui::WindowRectRelToAbs(window, window->NavRectRel[g.NavLayer]);
  ring.Expand(apart);
  // What is scrolled out of sight has no ring; one at the edge of its region is whole.
  ImRect seen = window->InnerRect;
  seen.Expand(apart + thick);
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.PushClipRect(seen.Min, seen.Max, false);
  list.AddRect(ring.Min, ring.Max, t.color.accent, t.px(8), 0, thick);
  list.PopClipRect();
}

}  // namespace klab::ui
