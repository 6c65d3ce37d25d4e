// Markdown: lays out a document and draws it.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "core/lesson/markdown.hpp"

namespace klab::ui {

/// Draws the document into the current region, no line longer than `most_width` pixels.
/// Returns the text of a code block whose copy button was clicked, else an empty string.
std::string draw_markdown(const markdown::Document& document, float most_width);

/// Draws a sentence that may hold `code` and **words** in strong type, in the words of the window
/// (window_words.hpp) and wrapped at the right edge.
void draw_prose(std::string_view text, ImU32 color, ImFont* font = nullptr);

/// Draws one paragraph of spans at the cursor, wrapped at `width`.
void draw_spans(const markdown::Spans& spans, float width, ImFont* font, ImU32 color);

}  // namespace klab::ui
