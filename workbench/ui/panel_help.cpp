// Help: every key, and where things come from.
#include <algorithm>
#include <span>

#include "ui/panels.hpp"
#include "ui/widgets.hpp"

namespace klab::ui {
namespace {

struct Key {
  const char* keys;
  const char* act;
};
constexpr Key keys[] = {{"F5 or Ctrl+Enter", "Check my kernel (or start the lab)"},
                        {"Esc", "Stop the check, close what is open"},
                        {"F2", "Next hint"},
                        {"Ctrl+1 ... Ctrl+9", "Open a lab"},
                        {"Ctrl+L, then arrows, Enter", "Find a lab and open it"},
                        {"Ctrl+PageUp, PageDown", "Previous, next lab"},
                        {"Alt+1 ... Alt+9, Alt+0", "The pages in the order of their tabs"},
                        {"F3", "Next of mine, flawed, optimized, side by side"},
                        {"1 ... 9", "Choose an answer while predicting"},
                        {"Ctrl+F, Ctrl+G", "Find in the code, go to a line"},
                        {"Ctrl+L", "Source, with PTX, with machine code"},
                        {"Ctrl+S", "Save what was typed here, and check it"},
                        {"Ctrl+Enter in a note", "Keep the note in the journal"},
                        {"Ctrl+W", "Check on save, on or off"},
                        {"Ctrl+D", "Dark or light"},
                        {"Ctrl+Plus, Minus, 0", "Text size"},
                        {"Ctrl+B", "List of labs, in a narrow window"},
                        {"+, -, Left, Right, F", "Timeline: closer, wider, along, all of it"},
                        {"[ ]  Up, Down  G", "Timeline: next span, row, gap"},
                        {"H  M  V  E", "Timeline: highlight, measure, variant, export"},
                        {"PageUp, PageDown", "Scroll the page; with Shift the right one of two"},
                        {"Arrows, Tab, Space", "Move to a control and use it"},
                        {"P, F11", "Present the lab; F11 on the full screen"},
                        {"Ctrl+Q", "Quit"}};
constexpr Key deck_keys[] = {{"Space, PageDown", "Reveal what is kept back, else the next slide"},
                             {"Right, Left", "Next slide, the slide before"},
                             {"Home, End", "First, last slide of the lab"},
                             {"R", "Reveal or hide the numbers"},
                             {"1 ... 9", "Jump to a lab"},
                             {"Up, Down", "Scroll code"},
                             {"S", "Numbers from the next source"},
                             {"F11", "Full screen"},
                             {"P, Esc", "Back to the lab"}};

struct Label {
  const char* name;
  const char* meaning;
};
constexpr Label labels[] = {{"measured", "read from the GPU: its clock or a hardware counter"},
                            {"counted", "by the simulator, decided by addresses or control flow"},
                            {"compiler", "the compiler's own report"},
                            {"modelled", "a rule of the simulator that hardware may not share"},
                            {"traced", "seen in the record of launches, copies and waits"},
                            {"recorded", "from a stored run, with GPU, driver and date"}};

void draw_pair(const char* left, const char* right, float column, ImFont* font) {
  const Theme& t = theme();
  const float from = ImGui::GetCursorPosX();
  text(font, t.color.text, left);
  ImGui::SameLine(from + column);
  text(t.font.small, t.color.soft, right, true);
}

}  // namespace

void draw_help(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const ImVec2 screen = ImGui::GetMainViewport()->Size;
  const ImVec2 size(std::min(screen.x - t.px(32), t.px(620)),
                    std::min(screen.y - t.px(32), t.px(690)));
  ImGui::SetNextWindowPos(ImVec2((screen.x - size.x) / 2, (screen.y - size.y) / 2));
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(t.px(28), t.px(24)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, t.px(12));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, t.color.surface);
  ImGui::Begin("help", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
  text(t.font.title, t.color.text, "Keys");
  ImGui::SameLine(ImGui::GetContentRegionMax().x - t.px(30));
  if (icon_button("close", Icon::close, "Close (Esc)")) commands.push_back(command::ToggleHelp{});
  const std::span<const Key> shown =
      model.presentation ? std::span<const Key>(deck_keys) : std::span<const Key>(keys);
  for (const Key& key : shown) draw_pair(key.keys, key.act, t.px(210), t.font.strong);
  gap(20);
  text(t.font.title, t.color.text, "Where a number comes from");
  for (const Label& label : labels) draw_pair(label.name, label.meaning, t.px(210), t.font.strong);
  ImGui::End();
}

}  // namespace klab::ui
