// FrameInput: how much of what was pressed and typed one frame takes.
#pragma once

namespace klab::ui {

/// ImGui::NewFrame(), with one key press or one run of text at most: a modifier that goes down or
/// up behind it waits, with what follows, for the next frame. ImGui takes keys that differ all at
/// once, and a slow frame would then see neither which came first nor which of them Ctrl was held
/// for.
void begin_frame();

}  // namespace klab::ui
