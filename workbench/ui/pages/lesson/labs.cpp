// Labs: the syllabus by category with the learner's progress, and what checks run on.
#include <imgui_internal.h>

#include <algorithm>

#include "core/base/text.hpp"
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/lab_list.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/text_editor.hpp"
#include "ui/text/text_field.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

void draw_state(ImDrawList& list, const Model& model, const LabEntry& entry, ImVec2 center) {
  const Theme& t = theme();
  const float size = t.px(15);
  if (model.checks.running_lab == entry.lab.id)
    return draw_icon(list, Icon::spinner, center, size, t.color.accent);
  switch (entry.progress.status) {
    case LabStatus::passed:
      return draw_icon(list, Icon::pass, center, size, t.color.good);
    case LabStatus::provisional:
      return draw_icon(list, Icon::half, center, size, t.color.good);
    case LabStatus::failing:
      return draw_icon(list, Icon::fail, center, size * 0.8f, t.color.bad);
    case LabStatus::started:
      return draw_icon(list, Icon::dot, center, size, t.color.accent);
    case LabStatus::not_started:
      break;
  }
  draw_icon(list, Icon::ring, center, size, faded(t.color.faint, 0.6f));
}

/// "Ctrl+1 7": digit after digit, with Ctrl held.
std::string keys_of(std::size_t index) {
  std::string keys = "Ctrl+";
  for (const char digit : std::to_string(index + 1))
    keys += keys.back() == '+' ? "" : " ", keys += digit;
  return keys;
}

std::string words_for(const LabEntry& entry, const Checkable& checkable, std::size_t index) {
  std::string words = entry.lab.summary + "\n";
  if (const std::string labs = foundations(entry.lab); !labs.empty())
    words += "Builds on " + labs + ".\n";
  words += capitalized(to_string(entry.progress.status));
  if (entry.progress.attempts > 0)
    words += ", " + std::to_string(entry.progress.attempts) +
             (entry.progress.attempts == 1 ? " check" : " checks");
  words += ".";
  if (!checkable.words.empty())
    words += "\nHere: " + checkable.words + ". " + window_words(checkable.why);
  words += "\n" + keys_of(index) + " opens it.";
  return words;
}

/// "7.96x, time and counters": the learner's best, and what this machine can check.
std::string below_title(const LabEntry& entry, const Checkable& checkable) {
  std::string words;
  if (entry.progress.best_ratio) words = format_ratio(entry.progress.best_ratio->median);
  if (checkable.words.empty()) return words;
  return words.empty() ? capitalized(checkable.words) : words + ", " + checkable.words;
}

/// The lab that was opened by a key may stand beyond the edge of the list: it comes into sight
/// once, and again when the list has less room, or each lab in it needs more.
void keep_in_sight(std::size_t index, bool two_lines) {
  const bool opened = once_changed("current", static_cast<int>(index) + 1);
  const bool grown = once_changed("lines", two_lines ? 2 : 1);
  const bool resized = once_changed("room", static_cast<int>(ImGui::GetWindowHeight()));
  if (opened || grown || resized) ImGui::ScrollToItem(ImGuiScrollFlags_KeepVisibleCenterY);
}

void draw_lab(const Model& model, std::size_t index, Commands& commands) {
  const Theme& t = theme();
  const LabEntry& entry = model.labs[index];
  const Checkable checkable = what_can_be_checked(entry.lab, model.checking_machine());
  const std::string below = below_title(entry, checkable);
  const bool current = model.current == index;
  ImFont* font = current ? t.font.strong : t.font.body;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, room = width - t.px(66);
  // A long title takes a second line, and so does what stands below it. It breaks as in strong
  // type, so that choosing a lab moves none of the others.
  const float more = text_height(t.font.strong, entry.lab.title, room) - t.font.strong->FontSize;
  const float below_height = below.empty() ? 0 : text_height(t.font.small, below, room);
  const ImVec2 size(
      width, more + (below.empty() ? t.px(34) : t.px(44) + below_height - t.font.small->FontSize));
  ImGui::PushID(static_cast<int>(index));
  if (area("lab", size)) commands.push_back(command::OpenLab{index});
  const bool hot = item_hot();
  tooltip(words_for(entry, checkable, index));
  ImGui::PopID();
  if (current) keep_in_sight(index, !below.empty());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  if (current || hot)
    list.AddRectFilled(at, end, current ? t.color.accent_soft : faded(t.color.off, 0.12f), t.px(7));
  const float middle = at.y + t.px(below.empty() ? 17 : 15);
  draw_state(list, model, entry, ImVec2(at.x + t.px(19), at.y + size.y / 2));
  const std::string number = entry.lab.number < 10 ? "0" + std::to_string(entry.lab.number)
                                                   : std::to_string(entry.lab.number);
  draw_text(list, t.font.label, ImVec2(at.x + t.px(36), middle - t.font.label->FontSize / 2),
            t.color.faint, number);
  draw_wrapped(&list, font, ImVec2(at.x + t.px(60), middle - t.font.body->FontSize / 2),
               current ? t.color.accent : t.color.text, entry.lab.title, room, t.font.strong);
  draw_wrapped(&list, t.font.small, ImVec2(at.x + t.px(60), at.y + more + t.px(24)),
               can_check(checkable) ? t.color.soft : t.color.faint, below, room);
  ImGui::SetCursorScreenPos(ImVec2(at.x, end.y + t.px(2)));
}

void draw_filter(const Model& model, Commands& commands) {
  const Theme& t = theme();
  std::string filter = model.list.filter;
  const bool take = fulfil(model, Wish::lab_filter, commands);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, t.color.surface);
  const TextFieldResult field =
      text_field("##filter", filter, {.hint = "Find a lab or concept (Ctrl+L)", .take = take});
  ImGui::PopStyleColor();
  if (field.changed) commands.push_back(command::SetFilter{filter});
  if (field.entered) leave_editor();  // arrows go through the list
  if (const auto listed = listed_labs(model); field.entered && !listed.empty())
    commands.push_back(command::OpenLab{listed.front()});
  const std::vector<std::string> names = {"All", "Open", "Passed", "Here"};
  if (const auto clicked = segments("show", names, static_cast<std::size_t>(model.list.show)))
    commands.push_back(command::SetLabShow{static_cast<LabShow>(*clicked)});
  tooltip("Labs that a check on this machine can say something about");
}

/// The labs of a category, or of the whole course.
ProgressCount count_labs(const Model& model, const std::string& category = "") {
  ProgressCount count;
  for (const LabEntry& entry : model.labs)
    if (category.empty() || entry.lab.category == category) count.add(entry.progress.status);
  return count;
}

/// "Memory", and how many of its labs are passed.
void draw_category(const Model& model, const std::string& category) {
  const Theme& t = theme();
  const ProgressCount count = count_labs(model, category);
  gap(14);
  ImGui::Indent(t.px(10));
  text(t.font.label, t.color.faint, capitalized(category));
  ImGui::Unindent(t.px(10));
  const std::string words = std::to_string(count.passed) + " of " + std::to_string(count.labs);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - text_width(t.font.label, words) - t.px(6));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  text(t.font.label, count.passed == count.labs ? t.color.good : t.color.faint, words);
  tooltip(to_string(count) + ".");
  if (count.provisional == 0) return;
  // The sign of a provisional pass, and how many there are.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string half = std::to_string(count.provisional);
  const float x = at.x - t.px(10) - text_width(t.font.label, half);
  draw_text(list, t.font.label, ImVec2(x, at.y), t.color.good, half);
  draw_icon(list, Icon::half, ImVec2(x - t.px(11), at.y + t.font.label->FontSize / 2), t.px(11),
            t.color.good);
}

/// In a low window the labs take the room.
bool low_window() { return ImGui::GetMainViewport()->Size.y < theme().px(600); }

void draw_progress_line(const Model& model) {
  const Theme& t = theme();
  const ProgressCount count = count_labs(model);
  text(t.font.small, t.color.soft, to_string(count), true);
  if (low_window()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = t.px(4);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto bar = [&](int labs, int of, ImU32 color) {
    if (labs > 0)
      list.AddRectFilled(
          at,
          ImVec2(at.x + width * static_cast<float>(labs) / static_cast<float>(of), at.y + height),
          color, height / 2);
  };
  bar(1, 1, t.color.line);
  bar(count.passed + count.provisional, count.labs, faded(t.color.good, 0.4f));
  bar(count.passed, count.labs, t.color.good);
  ImGui::Dummy(ImVec2(width, height));
}

struct MachineWords {
  std::string name, detail;
  Icon icon;
  ImU32 color;
};

MachineWords machine_words(const Model& model) {
  const Theme& t = theme();
  if (!model.replaying.empty())
    return {model.machine.device ? "Recorded: " + model.machine.device->name : "Recorded",
            model.replaying, Icon::dot, t.color.unsure};
  if (model.machine.error)
    return {"Nothing to check on", model.machine.error->what, Icon::fail, t.color.bad};
  if (!model.machine.device)
    return {"Looking for a GPU",
            model.machine.runner.empty() ? "" : "Through " + model.machine.runner, Icon::spinner,
            t.color.faint};
  const std::string through = model.machine.runner.empty() ? "" : "Through " + model.machine.runner;
  if (model.counts_only())
    return {"Simulator", through.empty() ? "Counts, never times" : through, Icon::dot,
            t.color.unsure};
  if (!through.empty()) return {model.machine.device->name, through, Icon::dot, t.color.good};
  std::string detail = "Driver " + model.machine.device->driver;
  if (!model.machine.device->toolkit.empty()) detail += ", CUDA " + model.machine.device->toolkit;
  return {model.machine.device->name, detail, Icon::dot, t.color.good};
}

/// Height of the two texts of the machine, each as many lines as it needs.
float machine_height(const MachineWords& words, float width) {
  const Theme& t = theme();
  const float room = width - t.px(42);
  float height = text_height(t.font.strong, words.name, room);
  if (!words.detail.empty() && !low_window())
    height += t.px(3) + text_height(t.font.small, words.detail, room);
  return std::max(t.px(low_window() ? 30 : 44), height + t.px(9));
}

void draw_machine(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const MachineWords words = machine_words(model);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = machine_height(words, width);
  if (area("machine", ImVec2(width, height))) ImGui::OpenPopup("backend");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (item_hot())
    list.AddRectFilled(at, ImVec2(at.x + width, at.y + height), faded(t.color.off, 0.12f), t.px(7));
  tooltip((model.machine.error
               ? model.machine.error->what + "\n" + window_words(model.machine.error->remedy) + "\n"
           : words.detail.empty() ? ""
                                  : words.detail + "\n") +
          "Click to choose what checks run on.");
  draw_icon(list, words.icon, ImVec2(at.x + t.px(19), at.y + height / 2), t.px(15), words.color);
  const float room = width - t.px(42);
  const bool one = words.detail.empty() || low_window();  // the tooltip tells the rest
  const float name = text_height(t.font.strong, words.name, room);
  const float top = at.y + (one ? (height - name) / 2 : t.px(4));
  const float below = top + t.px(3) +
                      draw_wrapped(&list, t.font.strong, ImVec2(at.x + t.px(36), top), t.color.text,
                                   words.name, room);
  if (!one)
    draw_wrapped(&list, t.font.small, ImVec2(at.x + t.px(36), below), t.color.soft, words.detail,
                 room);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(t.px(8), t.px(8)));
  if (ImGui::BeginPopup("backend")) {
    const std::pair<Backend, const char*> choices[] = {
        {Backend::automatic, "The GPU if there is one, else the simulator"},
        {Backend::gpu, "The GPU only"},
        {Backend::simulator, "The simulator only: counts, never times"}};
    for (const auto& [backend, label] : choices)
      if (ImGui::MenuItem(label, nullptr, model.machine.backend == backend))
        commands.push_back(command::SetBackend{backend});
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

void draw_labs(const Model& model, Commands& commands) {
  const Theme& t = theme();
  ImGui::Indent(t.px(6));
  text(t.font.title, t.color.text, "Kernel Lab");
  ImGui::Unindent(t.px(6));
  if (narrow_window()) {
    ImGui::SameLine(ImGui::GetContentRegionMax().x - t.px(30));
    if (icon_button("close", Icon::close, "Back to the lab (Ctrl+B)"))
      commands.push_back(command::ToggleLabs{});
  }
  gap(10);
  draw_filter(model, commands);
  gap(4);
  const float width = ImGui::GetContentRegionAvail().x;
  const float foot = t.px(low_window() ? 32 : 51) +
                     text_height(t.font.small, to_string(count_labs(model)), width) +
                     machine_height(machine_words(model), width);
  ImGui::BeginChild("list", ImVec2(0, std::max(t.px(60), ImGui::GetContentRegionAvail().y - foot)),
                    0, ImGuiWindowFlags_NavFlattened);
  const std::vector<std::size_t> listed = listed_labs(model);
  std::string headed;
  for (const std::size_t lab : listed) {
    const std::string& category = model.labs[lab].lab.category;
    if (category != headed) draw_category(model, category);
    headed = category;
    draw_lab(model, lab, commands);
  }
  if (listed.empty()) {
    gap(14);
    text(t.font.small, t.color.soft,
         model.labs.empty() ? "No labs were found beside this program."
         : model.list.show == LabShow::checkable && !model.machine.device && !model.machine.error
             ? "What this machine can check is being found out."
             : "No lab matches.",
         true);
  }
  for (const Error& error : model.broken) {
    gap(10);
    text(t.font.small, t.color.bad, error.what, true);
    tooltip(window_words(error.remedy));
  }
  ImGui::EndChild();
  gap(6);
  draw_progress_line(model);
  gap(6);
  draw_machine(model, commands);
}

}  // namespace klab::ui
