// NullBackend: ImGui without a window, to draw panels where there is no display.
#pragma once

#include <imgui.h>

#include "ui/theme.hpp"

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
    ImGui::NewFrame();
    draw();
    ImGui::Render();
    return ImGui::GetDrawData()->TotalVtxCount;
  }
};

}  // namespace klab::ui
