// Parts of the code page.
#pragma once

#include "ui/code_find.hpp"
#include "ui/code_gutter.hpp"
#include "ui/commands.hpp"
#include "ui/model.hpp"

namespace klab::ui {

/// What the compiler makes of the shown text, or why it cannot say.
void draw_facts(const Model& model, const CodeFile& file, Commands& commands);
/// Source alone, with PTX or with machine code; what the bars beside the lines mean.
void draw_code_tools(const Model& model, const CodeFile& file, const HeatColumn& heat,
                     Commands& commands);
/// The find bar or the line to go to, where one is open.
void draw_find_bar(const Model& model, const std::vector<TextMatch>& matches, Commands& commands);
/// Ctrl+F, Ctrl+G and Ctrl+P.
void take_code_keys(const Model& model, Commands& commands);

}  // namespace klab::ui
