// TextField: a field of one line that holds any bytes. Dear ImGui's own one loses what lies beyond
// 16 bits.
#pragma once

#include <string>
#include <string_view>

namespace klab::ui {

struct TextFieldLook {
  std::string_view hint;  ///< shown while the field is empty
  float width = 0;        ///< of the whole field; 0: the rest of the line
  /// Takes the keyboard in this very frame: what is typed next must not go where it was before.
  bool take = false;
  bool digits = false;  ///< takes nothing else
};

struct TextFieldResult {
  bool changed = false;  ///< `value` is another one now
  bool entered = false;  ///< Enter was pressed in it; it keeps the keyboard
  bool escaped = false;  ///< Escape left it, and `value` is what it was before
};

TextFieldResult text_field(const char* id, std::string& value, const TextFieldLook& look);

}  // namespace klab::ui
