// EditorInput: keys, characters and the clipboard of one frame as what they do to a text.
#pragma once

#include <string>
#include <string_view>

#include "ui/edit/text_document.hpp"

namespace klab::ui {

/// `page_lines` is how far PageDown goes. In prose nothing is indented or made a comment.
EditActs pressed_acts(const TextDocument& document, int page_lines, bool prose);

/// The clipboard holds text, a file any bytes: what was copied here comes back as it was.
void copy_bytes(std::string_view bytes);
std::string pasted_bytes();

}  // namespace klab::ui
