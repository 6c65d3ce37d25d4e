// Problems: what stands between the kernel and a pass, with the remedy first.
#include <algorithm>
#include <set>
#include <string>

#include "core/check/withheld.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/gate_words.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/code_view.hpp"
#include "ui/text/markdown.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

constexpr std::size_t most_shown_messages = 8;
constexpr std::size_t longest_detail_bytes = 4000;

/// A compiler message; one in the learner's own file leads to its line.
void draw_message(const CompilerMessage& message, int index, bool mine, Commands& commands) {
  const Theme& t = theme();
  std::string place = std::filesystem::path(message.file).filename().string();
  if (message.line > 0) place += ":" + std::to_string(message.line);
  const std::string words = told(message);
  const float width = ImGui::GetContentRegionAvail().x, indent = t.px(24);
  const float height =
      t.font.mono->FontSize + text_height(t.font.body, words, width - indent) + t.px(14);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(index);
  if (area("message", ImVec2(width, height)) && mine)
    commands.push_back(command::GoToLine{message.line});
  const bool hot = mine && item_hot();
  ImGui::PopID();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (hot) list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), t.color.off_soft, t.px(6));
  const ImU32 ink = message.severity == Severity::error ? t.color.bad : t.color.unsure;
  draw_icon(list, message.severity == Severity::error ? Icon::fail : Icon::unsure,
            ImVec2(at.x + t.px(10), at.y + t.px(12)), t.px(11), ink);
  draw_text(list, t.font.mono, ImVec2(at.x + indent, at.y + t.px(4)), t.color.accent, place);
  draw_wrapped(&list, t.font.body, ImVec2(at.x + indent, at.y + t.px(7) + t.font.mono->FontSize),
               t.color.text, words, width - indent);
}

void draw_build_failure(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const auto& messages = model.page.messages;
  const Card card("build");
  text(t.font.strong, t.color.bad, "The compiler rejected the kernel");
  text(t.font.small, t.color.soft, "Nothing old was run. Click a message to see its line.");
  gap(4);
  const std::size_t shown = std::min(messages.size(), most_shown_messages);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool mine = model.page.kernels && std::filesystem::path(messages[i].file).filename() ==
                                                model.page.kernels->mine.path.filename();
    draw_message(messages[i], static_cast<int>(i), mine && messages[i].line > 0, commands);
  }
  if (shown < messages.size())
    text(t.font.small, t.color.faint,
         "and " + std::to_string(messages.size() - shown) +
             " more; the first ones cause most of them");
}

/// The learner's kernel is at fault, not the machine.
bool is_of_kernel(const Error& error) {
  switch (error.code) {
    case ErrorCode::build_failed:
    case ErrorCode::bad_plugin:
    case ErrorCode::launch_failed:
    case ErrorCode::device_fault:
    case ErrorCode::hang:
    case ErrorCode::too_slow:
    case ErrorCode::crash:
    case ErrorCode::unsupported:
      return true;
    default:
      return false;
  }
}

void draw_change_button(Commands& commands) {
  if (button("change", "Change my kernel", {.key = "F4"})) commands.push_back(command::EditMine{});
  tooltip("Opens it on the page Code, where each line shows what it costs.");
}

/// `changeable`: it is the learner's to mend, and no other card says so.
void draw_error(const Error& error, int index, bool changeable, Commands& commands) {
  const Theme& t = theme();
  ImGui::PushID(index);
  {
    const Card card("error");
    text(t.font.strong, t.color.bad, error.what, true);
    draw_prose(window_words(error.remedy), t.color.text);
    if (changeable) draw_change_button(commands);
    if (!error.detail.empty()) {
      std::string detail = error.detail.substr(0, longest_detail_bytes);
      while (!detail.empty() && detail.back() == '\n') detail.pop_back();
      gap(4);
      ImGui::PushStyleColor(ImGuiCol_ChildBg, t.color.off_soft);
      ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(t.px(12), t.px(8)));
      const auto lines = 1 + std::count(detail.begin(), detail.end(), '\n');
      const float height = std::min(static_cast<float>(lines), 8.0f) * code_line_height();
      ImGui::BeginChild("detail", ImVec2(0, height + t.px(24)),
                        ImGuiChildFlags_AlwaysUseWindowPadding,
                        ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened);
      code_block(detail, false);
      ImGui::EndChild();
      ImGui::PopStyleVar();
      ImGui::PopStyleColor();
    }
  }
  ImGui::PopID();
  gap(10);
}

/// A gate that did not pass, and that no error above tells already. `advised`: what other gates
/// advise, too, and was said.
void draw_gate(const Gate& gate, std::set<std::string>& advised) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_icon(*ImGui::GetWindowDrawList(), icon_of(gate.outcome),
            ImVec2(at.x + t.px(8), at.y + t.font.strong->FontSize / 2), t.px(12),
            t.of(gate.outcome));
  ImGui::Indent(t.px(24));
  text(t.font.strong, t.color.text, title_of_gate(gate), true);
  if (const std::string seen = seen_words(gate); !seen.empty())
    text(t.font.body, t.of(gate.outcome), seen);
  if (!gate.detail.empty()) draw_prose(gate.detail, t.color.soft);
  const std::string advice = window_words(gate.advice);
  if (!advice.empty() && advised.insert(advice).second) draw_prose(advice, t.color.text);
  ImGui::Unindent(t.px(24));
  gap(8);
}

/// That a check was stopped does not say what of it was not run.
bool told_by_error(const Gate& gate, const CheckResult& result) {
  return !was_stopped(result) && gate.basis != Basis::seen && !result.errors.empty();
}

/// Where a learner goes from a kernel that is right and not good enough.
void draw_repair_ways(const Model& model, Commands& commands) {
  const Theme& t = theme();
  if (!model.replaying.empty()) return;
  draw_change_button(commands);
  const LabEntry& entry = *model.entry();
  if (entry.progress.hints_shown >= static_cast<int>(entry.lab.hints.size())) return;
  ImGui::SameLine(0, t.px(8));
  if (button("hint of result", "Show a hint", {.kind = ButtonKind::quiet, .key = "F2"}))
    commands.push_back(command::ShowHint{});
}

void draw_gates(const Model& model, const CheckResult& result, Commands& commands) {
  std::vector<const Gate*> open;
  for (const Outcome wanted : {Outcome::fail, Outcome::inconclusive, Outcome::not_checkable}) {
    // What could not be checked matters once nothing else stands in the way.
    if (wanted == Outcome::not_checkable && result.verdict == Outcome::fail) break;
    for (const Gate& gate : result.gates)
      if (gate.outcome == wanted && !told_by_error(gate, result)) open.push_back(&gate);
  }
  if (open.empty()) return;
  const Theme& t = theme();
  {
    const Card card("gates");
    text(t.font.label, t.color.faint,
         result.verdict == Outcome::fail ? "What to do next" : "What is left open");
    gap(6);
    std::set<std::string> advised;
    for (const Gate* gate : open) draw_gate(*gate, advised);
    if (result.verdict == Outcome::fail) draw_repair_ways(model, commands);
  }
  gap(10);
}

}  // namespace

void draw_problems(const Model& model, Commands& commands) {
  const CheckResult& result = *model.run()->result;
  const auto of_kernel = std::find_if(result.errors.begin(), result.errors.end(), is_of_kernel);
  const Error* first_of_kernel = of_kernel == result.errors.end() ? nullptr : &*of_kernel;
  int index = 0;
  for (const Error& error : result.errors) {
    if (error.code == ErrorCode::build_failed && !model.page.messages.empty()) {
      draw_build_failure(model, commands);
      gap(10);
    } else {
      const bool first = &error == first_of_kernel;
      draw_error(error, index++, first && model.replaying.empty(), commands);
    }
  }
  draw_gates(model, result, commands);
}

}  // namespace klab::ui
