// Result: what the last check found, in the order in which a learner needs it.
#include "core/journal/report.hpp"
#include "core/verdict/quantity.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/journal_parts.hpp"
#include "ui/pages/panels.hpp"

namespace klab::ui {
namespace {

void draw_nothing_yet(const Model& model, Commands& commands) {
  const Theme& t = theme();
  gap(16);
  const Card card("nothing");
  const JournalEntry* last = model.last_attempt();
  text(t.font.title, t.color.text,
       last ? "Nothing checked in this window yet" : "Nothing checked yet");
  if (last)
    text(t.font.body, t.color.text,
         "The gates above are those of your last check, " + short_date(last->date) +
             " UTC. It said: " + last->conclusion +
             " Its numbers were not kept; check again to see them, or look at what you tried in "
             "the journal (Alt+9).",
         true);
  text(t.font.body, t.color.soft,
       "A check builds your kernel, compares its result with a reference in double precision, " +
           std::string(model.counts_only()
                           ? "and counts what it does; its time needs a GPU."
                           : "times it against the flawed one, and counts what the hardware did.") +
           " Each of the five gates above then says what was seen and what was wanted.",
       true);
  gap(8);
  const bool started = model.entry()->progress.status != LabStatus::not_started;
  if (button("first", started ? "Check my kernel" : "Start this lab",
             {.kind = ButtonKind::primary,
              .icon = Icon::play,
              .key = "F5",
              .enabled = !started || !model.running()})) {
    if (started)
      commands.push_back(command::RunCheck{});
    else
      commands.push_back(command::StartLab{});
  }
  if (started) tooltip(what_has_to_end(model));
}

/// What is needed to repeat this: device, driver, seed, date.
void draw_fingerprint(const CheckResult& result) {
  const Theme& t = theme();
  std::string words = result.device.name;
  if (!result.device.driver.empty()) words += ", driver " + result.device.driver;
  if (!result.device.toolkit.empty()) words += ", CUDA " + result.device.toolkit;
  words += ", seed " + format_count(static_cast<double>(result.seed));
  if (!result.date.empty()) words += ", " + short_date(result.date) + " UTC";
  gap(14);
  text(t.font.small, t.color.faint, words, true);
}

/// What there is to think about before looking at every counter.
void draw_after_pass(const Model& model, Commands& commands) {
  gap(10);
  draw_ladder(*model.run()->result);
  draw_next_limit(model);
  draw_answers(model);
  gap(10);
  draw_note_field(model, commands);
}

}  // namespace

void draw_result(const Model& model, Commands& commands) {
  const Run* run = model.run();
  if (!run) return draw_nothing_yet(model, commands);
  gap(10);
  if (run->active) draw_progress(model, commands);
  if (run->result) {
    draw_next_steps(model, commands);
    gap(4);
    draw_problems(model, commands);
    draw_why(model, commands);
  }
  draw_times(model, commands);
  const bool passed = run->result && run->result->verdict == Outcome::pass;
  if (passed) draw_after_pass(model, commands);
  draw_counters(model, commands);
  if (!run->result) return;
  if (!passed) {
    draw_answers(model);
    gap(10);
    draw_hints(model, commands);
  }
  draw_printed(*run->result);
  draw_fingerprint(*run->result);
}

}  // namespace klab::ui
