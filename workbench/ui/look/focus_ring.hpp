// FocusRing: where the keyboard is, seen from across the room.
#pragma once

namespace klab::ui {

/// Draws a ring around the control that has the keyboard, above everything; nothing while the mouse
/// is used. Call at the end of a frame.
void draw_focus_ring();

}  // namespace klab::ui
