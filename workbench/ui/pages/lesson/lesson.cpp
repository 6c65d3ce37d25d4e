// Lesson: the lab's prose, then the hints; after passing, the explanation.
#include <algorithm>

#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/markdown.hpp"

namespace klab::ui {
namespace {

constexpr float lesson_width = 720;

void copy(const std::string& code, Commands& commands) {
  if (code.empty()) return;
  ImGui::SetClipboardText(code.c_str());
  commands.push_back(command::Notify{"Copied."});
}

const char* explanation_head(const LabProgress& progress) {
  if (progress.status == LabStatus::passed) return "You passed. Why it works:";
  if (progress.status == LabStatus::provisional)
    return "All that can be checked here passed. Why it works:";
  return "Not passed yet. Why the solution works:";
}

/// For who opened the window for the first time: how a lab goes.
void draw_welcome(const Model& model) {
  const bool begun = std::any_of(model.labs.begin(), model.labs.end(), [](const LabEntry& entry) {
    return entry.progress.status != LabStatus::not_started;
  });
  if (begun || !model.replaying.empty()) return;
  const Theme& t = theme();
  {
    const Card card("welcome", t.color.accent_soft);
    text(t.font.label, t.color.accent, "How a lab goes");
    draw_prose(
        "Read below what the kernel has to do. **Start** (F5) copies it for you, and asks what you "
        "expect before anything is measured; then read on why it is slow. Change your copy (F4) "
        "and save it (Ctrl+S) until the gates above say yes. **F2** gives a hint, **F1** explains "
        "keys and words.",
        t.color.text);
  }
  gap(8);
}

}  // namespace

void draw_lesson(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const LabEntry& entry = *model.entry();
  gap(10);
  if (fulfil(model, Wish::lesson_head, commands)) ImGui::SetScrollY(0);
  draw_welcome(model);
  if (!model.page.explanation.empty()) {
    const Card card("explanation", t.color.good_soft);
    text(t.font.label, t.color.good, explanation_head(entry.progress));
    gap(4);
    ImGui::PushID("explanation");
    copy(draw_markdown(model.page.explanation, t.px(lesson_width)), commands);
    ImGui::PopID();
  }
  if (const std::string labs = foundations(entry.lab); !labs.empty())
    text(t.font.small, t.color.soft, "Builds on " + labs, true);
  ImGui::PushID("lesson");
  copy(draw_markdown(model.page.lesson, t.px(lesson_width)), commands);
  ImGui::PopID();
  if (entry.progress.status == LabStatus::not_started) {
    gap(20);
    if (button("start", "Start this lab",
               {.kind = ButtonKind::primary, .icon = Icon::play, .key = "F5"}))
      commands.push_back(command::StartLab{});
  }
  gap(20);
  draw_hints(model, commands);
}

}  // namespace klab::ui
