// Parts of the code page.
#pragma once

#include <span>

#include "ui/edit/code_find.hpp"
#include "ui/model/commands.hpp"
#include "ui/model/model.hpp"
#include "ui/text/code_gutter.hpp"

namespace klab::ui {

/// What the compiler makes of the shown text, or why it cannot say.
void draw_facts(const Model& model, const CodeFile& file, Commands& commands);
/// Source alone, with PTX or with machine code; what the bars beside the lines mean.
void draw_code_tools(const Model& model, const CodeFile& file, const HeatColumn& heat,
                     Commands& commands);

/// What stands between the tools and the code when it is asked for.
enum class CodeBar { find, replace, line };
/// Opens a bar, or gives the open one the keyboard.
void open_bar(const Model& model, CodeBar bar, Commands& commands);
/// Closes the bar; the caret is in the learner's code again.
void close_bar(const Model& model, Commands& commands);
void draw_bar(const Model& model, const std::vector<TextMatch>& matches, Commands& commands);
/// Ctrl+F, Ctrl+H, Ctrl+G and Ctrl+P.
void take_code_keys(const Model& model, Commands& commands);

/// The message of the caret's line, else the first error, in full; and the height that it takes.
const CompilerMessage* message_told(const Model& model, std::span<const CompilerMessage> messages);
float message_height(const CompilerMessage& message, float width);
void draw_message(const Model& model, const CompilerMessage& message, Commands& commands);

}  // namespace klab::ui
