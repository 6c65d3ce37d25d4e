// Code: mine, flawed and optimized, with the compiler's messages at their lines.
#include <algorithm>

#include "ui/code_view.hpp"
#include "ui/markdown.hpp"
#include "ui/panels.hpp"
#include "ui/text_editor.hpp"
#include "ui/widgets.hpp"

namespace klab::ui {
namespace {

/// Messages that point into `file`, by its name: nvcc prints the path it was given.
std::vector<CompilerMessage> messages_in(const Model& model, const CodeFile& file) {
  std::vector<CompilerMessage> own;
  if (file.variant != "mine") return own;
  for (const CompilerMessage& message : model.page.messages)
    if (std::filesystem::path(message.file).filename() == file.path.filename())
      own.push_back(message);
  return own;
}

void draw_absent(const Model& model, const CodeFile& file, Commands& commands) {
  const Theme& t = theme();
  gap(24);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (file.variant == "optimized")
    draw_icon(*ImGui::GetWindowDrawList(), Icon::lock, ImVec2(at.x + t.px(10), at.y + t.px(10)),
              t.px(18), t.color.faint);
  const float indent = t.px(file.variant == "optimized" ? 32 : 4);
  ImGui::Indent(indent);
  draw_prose(file.absent, t.color.soft);
  if (file.variant == "mine" && model.entry()->progress.status == LabStatus::not_started) {
    gap(10);
    if (button("start", "Start this lab",
               {.kind = ButtonKind::primary, .icon = Icon::play, .key = "F5"}))
      commands.push_back(command::StartLab{});
  }
  ImGui::Unindent(indent);
}

}  // namespace

void draw_code(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const LabPage& page = model.page;
  if (page.code.empty()) return;
  const bool comparing = page.shown_code == page.code.size() && model.can_compare_code();
  const std::size_t shown = comparing ? 0 : std::min(page.shown_code, page.code.size() - 1);
  const CodeFile& file = page.code[shown];
  std::vector<std::string> titles;
  for (const CodeFile& one : page.code) titles.push_back(one.title);
  if (model.can_compare_code()) titles.push_back("Mine beside optimized");
  gap(10);
  if (const auto clicked = segments("variants", titles, comparing ? page.code.size() : shown))
    commands.push_back(command::ShowCode{*clicked});
  if (!file.absent.empty()) return draw_absent(model, file, commands);
  if (page.draft && file.variant == "mine") {
    ImGui::SameLine(0, t.px(12));
    if (button("save", page.changed_on_disk ? "Save, keep both" : "Save", {.key = "Ctrl+S"}))
      commands.push_back(command::SaveCode{});
  }
  const std::string path = file.path.lexically_relative(model.lab()->root).string();
  const float path_width = text_width(t.font.mono, path) + t.px(34);
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionMax().x - ImGui::GetCursorPosX();
  if (room > path_width) {
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - path_width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(*ImGui::GetWindowDrawList(), t.font.mono,
              ImVec2(at.x, at.y + (t.px(30) - t.font.mono->FontSize) / 2), t.color.faint, path);
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - t.px(30));
  }
  if (icon_button("copy", Icon::copy, "Copy the file's full path, to open it in your editor")) {
    ImGui::SetClipboardText(file.path.c_str());
    commands.push_back(command::Notify{"Path copied. Save the file and it is checked again."});
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, t.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, t.color.surface);
  ImGui::BeginChild("frame", ImVec2(0, -t.px(14)), ImGuiChildFlags_Border,
                    ImGuiWindowFlags_NavFlattened);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  if (comparing) {
    code_comparison("comparison", file.text, page.code.back().text);
  } else if (file.variant == "mine" && model.replaying.empty()) {
    std::string edited = page.draft.value_or(file.text);
    ImGui::PushID(page.revision);
    if (text_editor("##editor", edited, messages_in(model, file), page.goto_line))
      commands.push_back(command::EditCode{std::move(edited)});
    ImGui::PopID();
  } else {
    code_view(file.variant.c_str(), file.text);
  }
  ImGui::EndChild();
}

}  // namespace klab::ui
