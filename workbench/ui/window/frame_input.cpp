// FrameInput: ImGui's queue is cut before the frame and joined again behind it.
#include "ui/window/frame_input.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <vector>

#include "ui/window/typed_characters.hpp"

namespace klab::ui {
namespace {

bool is_modifier(ImGuiKey key) {
  return (key & ImGuiMod_Mask_) != 0 || (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper);
}

/// How many of the events, from the first on, are one press with what was held before it.
int events_of_one_press(const ImVector<ImGuiInputEvent>& queue) {
  bool taken = false;
  for (int i = 0; i < queue.Size; ++i) {
    const ImGuiInputEvent& event = queue[i];
    if (event.Type == ImGuiInputEventType_Text) taken = true;
    if (event.Type != ImGuiInputEventType_Key) continue;
    const bool modifier = is_modifier(event.Key.Key);
    if (taken && (modifier || event.Key.Down)) return i;
    taken = taken || (event.Key.Down && !modifier);
  }
  return queue.Size;
}

}  // namespace

void begin_frame() {
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  const int now = events_of_one_press(queue);
  const std::vector<ImGuiInputEvent> later(queue.begin() + now, queue.end());
  queue.resize(now);
  ImGui::NewFrame();
  for (const ImGuiInputEvent& event : later) queue.push_back(event);
  begin_typed_frame();
}

}  // namespace klab::ui
