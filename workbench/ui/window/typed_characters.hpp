// TypedCharacters: what was typed, with the characters that ImGui's queue of 16 bits cannot hold.
#pragma once

#include <string>
#include <string_view>

namespace klab::ui {

/// To be told of every character before ImGui is.
void note_typed(unsigned code_point);
/// To be called behind ImGui::NewFrame(): the frame's characters are fixed now.
void begin_typed_frame();
/// The characters of this frame as UTF-8, without control characters.
std::string typed_characters();
/// Types UTF-8 as a keyboard would.
void type_characters(std::string_view utf8);

}  // namespace klab::ui
