// Panels: each draws one part of the model into the current region and reports what the user did.
// One file a panel, named panel_<name>.cpp.
#pragma once

#include <span>

#include "core/verdict/variant_name.hpp"
#include "ui/model/commands.hpp"
#include "ui/model/model.hpp"

namespace klab::ui {

void draw_labs(const Model& model, Commands& commands);
void draw_header(const Model& model, Commands& commands);
void draw_verdict(const Model& model, Commands& commands, bool compact);
void draw_lesson(const Model& model, Commands& commands);
void draw_hints(const Model& model, Commands& commands);
void draw_prediction(const Model& model, Commands& commands);
void draw_code(const Model& model, Commands& commands);
void draw_result(const Model& model, Commands& commands);
void draw_progress(const Model& model, Commands& commands);
void draw_problems(const Model& model, Commands& commands);
/// What the kernel file printed; nothing if it printed nothing.
void draw_printed(const CheckResult& result);
/// What was predicted beside what the last check found.
void draw_answers(const Model& model);
/// The score of a passed kernel, the goals that it reached, and what the next one asks.
void draw_ladder(const CheckResult& result);
/// Which ceiling the passed kernel is at.
void draw_next_limit(const Model& model);
void draw_times(const Model& model, Commands& commands);
void draw_counters(const Model& model, Commands& commands);
void draw_diagnosis(const Model& model, Commands& commands);
/// What limits the checked kernel, in one line; nothing where its counters do not tell.
void draw_why(const Model& model, Commands& commands);
void draw_next_steps(const Model& model, Commands& commands);
void draw_give_up(const Model& model, Commands& commands);
/// Stall bars of all variants, and the hottest lines of one; `found` holds a StallReport.
void draw_stalls(const Model& model, Commands& commands, const Investigation& found,
                 const VariantName& variant);
void draw_roofline(const Model& model, Commands& commands);
void draw_timeline(const Model& model, Commands& commands);
void draw_sweep(const Model& model, Commands& commands);
void draw_device(const Model& model, Commands& commands);
/// The device page was drawn in the latest frame.
bool device_page_visible();
void draw_occupancy(const Model& model, Commands& commands);
void draw_journal(const Model& model, Commands& commands);
void draw_present(const Model& model);
void draw_help(const Model& model, Commands& commands);
/// Keys as a script writes them, with commas between, "..." for a row of them; and what they do.
struct HelpKey {
  const char* keys;
  const char* act;
};
std::span<const HelpKey> help_keys(bool presenting);
void draw_notice(const Model& model, Commands& commands);

/// True where the list of labs stands behind a button.
bool narrow_window();

/// While the learner types, head and gates of a window that is not tall make room for the code, and
/// in a low one all but the code does.
bool code_makes_room(const Model& model);
bool only_code_fits(const Model& model);

/// True while a note is being typed: Ctrl+Enter then keeps the note.
bool writing_note();

/// Turns keys pressed in this frame into commands.
void take_keys(const Model& model, Commands& commands);
/// The keys of present mode.
void take_deck_keys(const Model& model, Commands& commands);
/// How much larger than usual present mode is drawn in a window of this size, in logical pixels.
float present_zoom(float width, float height);

}  // namespace klab::ui
