// Tooltip: a sentence on what is pointed at, out of the way of who types.
#pragma once

#include <string_view>

namespace klab::ui {

/// Looks once a frame, before anything is drawn, what pointer and keys did: from a key until the
/// pointer moves again no tooltip stands over what is being typed.
void follow_pointer();
/// A key was pressed since the pointer moved.
bool pointer_rests();
/// Shows `value` wrapped beside the pointer while the last item is hovered.
void tooltip(std::string_view value);
/// The same for what is no item: the caller saw the pointer there.
void show_tooltip(std::string_view value);

}  // namespace klab::ui
