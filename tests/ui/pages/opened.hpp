// A lab that is open in a window without a display, and keys for it.
#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <string>
#include <string_view>

#include "ui/app/workbench_view.hpp"
#include "ui/replay/key_script.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"
#include "ui/window/typed_characters.hpp"

namespace klab::ui {

/// The second lab, started, its questions put off, in a window without a display.
struct Opened {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session{course.tree(), launcher};
  NullBackend null;
  std::string saved;

  explicit Opened(float width = 1280, float height = 800)
      : null(width, height, 1, Appearance::light) {
    session.apply(command::OpenLab{1});
    session.apply(command::StartLab{});
    session.apply(command::CancelPrediction{});
    saved = page().kernels->mine.text;
    settle();
  }
  const Model& model() const { return session.model(); }
  const LabPage& page() const { return model().page; }
  const CodeView& view() const { return page().state.view; }
  const std::string& text() const { return page().document.text(); }
  void frame() {
    draw_and_apply(null, session);
    session.tick(model().now_s + 1.0 / 60);
  }
  void settle() {
    for (int i = 0; i < 6; ++i) frame();
  }
  void keys(const std::string& names) {
    for (KeyScript script(names); !script.done(); frame()) script.advance();
    frame();
  }
  /// In the frame right behind the keys before.
  void type(const std::string& words) {
    type_characters(words);
    frame();
  }
  /// Everything at once, as a slow frame meets it; a key goes down (+) or up (-), or is a letter.
  void at_once(std::initializer_list<std::pair<ImGuiKey, char>> events) {
    ImGuiIO& io = ImGui::GetIO();
    for (const auto& [key, act] : events) {
      if (key == ImGuiKey_LeftCtrl) io.AddKeyEvent(ImGuiMod_Ctrl, act == '+');
      if (key != ImGuiKey_None) io.AddKeyEvent(key, act == '+');
      if (key == ImGuiKey_None) type_characters(std::string(1, act));
    }
    for (int i = 0; i < 20; ++i) frame();
  }
  /// Height of the editor.
  float editor_height() const {
    for (const ImGuiWindow* one : ImGui::GetCurrentContext()->Windows)
      if (std::string_view(one->Name).find("/editor_") != std::string_view::npos && one->Active)
        return one->InnerRect.GetHeight();
    return 0;
  }
};

}  // namespace klab::ui
