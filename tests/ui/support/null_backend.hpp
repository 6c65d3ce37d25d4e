// NullBackend: ImGui without a window, for tests that draw panels and look at what was submitted.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <vector>

#include "ui/app/workbench_view.hpp"
#include "ui/look/theme.hpp"
#include "ui/session/session.hpp"
#include "ui/window/frame_input.hpp"

namespace klab::ui {

/// ImGui without a window: frames are laid out and turned into vertices, and nothing is shown.
class NullBackend {
 public:
  NullBackend(float width, float height, float scale, Appearance appearance) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(width, height);
    io.DeltaTime = 1.0f / 60;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    load_fonts(scale);
    apply_theme(appearance, scale);
  }
  ~NullBackend() { ImGui::DestroyContext(); }
  NullBackend(const NullBackend&) = delete;
  NullBackend& operator=(const NullBackend&) = delete;

  /// Vertices of one frame.
  template <class Draw>
  int frame(const Draw& draw) {
    begin_frame();
    draw();
    ImGui::Render();
    return ImGui::GetDrawData()->TotalVtxCount;
  }
};

/// Moves the pointer there and clicks; `draw` draws a frame.
template <class Draw>
void click(float x, float y, const Draw& draw) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(x, y);
  draw();
  io.AddMouseButtonEvent(0, true);
  draw();
  io.AddMouseButtonEvent(0, false);
  draw();
}

/// A frame of the window whose commands take effect.
inline void draw_and_apply(NullBackend& null, Session& session) {
  Commands commands;
  null.frame([&] { draw_workbench(session.model(), commands); });
  for (const Command& command : commands) session.apply(command);
}

/// Drawing alone has no effect but that a wish is fulfilled.
inline bool asks_nothing(const Commands& commands) {
  return std::all_of(commands.begin(), commands.end(), [](const Command& command) {
    return std::holds_alternative<command::Fulfilled>(command);
  });
}

inline bool has_duplicates(std::vector<ImGuiID> ids) {
  ids.erase(std::remove(ids.begin(), ids.end(), 0u), ids.end());
  std::sort(ids.begin(), ids.end());
  return std::adjacent_find(ids.begin(), ids.end()) != ids.end();
}

}  // namespace klab::ui
