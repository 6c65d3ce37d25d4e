// Parts of the code page.
#pragma once

#include "ui/model/commands.hpp"
#include "ui/model/model.hpp"
#include "ui/text/code_find.hpp"
#include "ui/text/code_gutter.hpp"

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
