// Help: every key, where numbers come from, and the words of the field.
#include <algorithm>
#include <span>

#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

constexpr HelpKey keys[] = {
    {"F5, Ctrl+Enter", "Check my kernel (or start the lab)"},
    {"Esc", "Stop the check of the open lab, close what is open"},
    {"F1", "Keys and, with W, the words of the field"},
    {"F2", "Next hint"},
    {"Ctrl+1 ... Ctrl+9", "Open a lab; with Ctrl held, a second digit leads beyond the ninth"},
    {"Ctrl+L", "Find a lab: arrows choose it, Enter opens it"},
    {"Ctrl+PageUp, Ctrl+PageDown", "Previous, next lab of the list"},
    {"Alt+1 ... Alt+9, Alt+0", "The pages in the order of their tabs"},
    {"F4", "Type in my kernel; Esc leaves it"},
    {"F3", "Next of mine, flawed, optimized, side by side"},
    {"1 ... 9, Backspace", "Answer a question, take the answer back"},
    {"Ctrl+F, Ctrl+H, Ctrl+G", "Find in the code, replace, go to a line"},
    {"Ctrl+Z, Ctrl+Y", "In the code: undo, redo"},
    {"Tab, Shift+Tab, Ctrl+/", "In the code: indent, outdent, comment"},
    {"Ctrl+P", "Source, with PTX, with machine code"},
    {"Ctrl+S", "Save what was typed here, and check it"},
    {"Ctrl+Enter", "In a note: keep it in the journal"},
    {"Ctrl+W", "Check on save, on or off"},
    {"Ctrl+D", "Dark or light"},
    {"Ctrl+Plus, Ctrl+Minus, Ctrl+0", "Text size"},
    {"Ctrl+B", "List of labs, in a narrow window"},
    {"Alt+Left, Alt+Right", "Move the border in a wide window"},
    {"+, -, Left, Right, F, Home", "Timeline: closer, wider, along, all of it"},
    {"[, ], Up, Down, G", "Timeline: next span, row, gap; Shift+G the gap before"},
    {"H, M, V, E", "Timeline: highlight, measure, variant, export"},
    {"M", "Device: measure what it can do at best"},
    {"PageUp, PageDown, Home, End", "Scroll the page; with Shift the right one of two"},
    {"Tab, Space, Enter", "Move to a control, as the arrows do, and use it"},
    {"P, F11", "Present the lab; F11 on the full screen"},
    {"Ctrl+Q", "Quit"}};
constexpr HelpKey deck_keys[] = {
    {"Space, Enter, PageDown", "Reveal what is kept back, else the next slide"},
    {"Right, Left, PageUp", "Next slide, the slide before"},
    {"Home, End", "First, last slide of the lab"},
    {"R", "Reveal or hide the numbers"},
    {"1 ... 9", "Jump to a lab; a second digit leads beyond the ninth"},
    {"Up, Down", "Scroll code"},
    {"S", "Numbers from the next source"},
    {"F11", "Full screen"},
    {"F1", "Show or close this list"},
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

constexpr float column_width = 560;

void draw_pair(const char* left, const char* right, float column) {
  const Theme& t = theme();
  const float from = ImGui::GetCursorPosX();
  text(t.font.strong, t.color.text, left);
  ImGui::SameLine();
  ImGui::SetCursorPosX(from + column);
  text(t.font.small, t.color.soft, right, true);
}

void draw_keys(std::span<const HelpKey> shown) {
  for (const HelpKey& key : shown) draw_pair(key.keys, key.act, theme().px(232));
}

void draw_labels() {
  const Theme& t = theme();
  text(t.font.title, t.color.text, "Where a number comes from");
  for (const Label& label : labels) draw_pair(label.name, label.meaning, t.px(232));
}

/// The words of the field.
void draw_words(const std::vector<Term>& glossary, bool wide) {
  if (!ImGui::BeginTable("words", wide ? 2 : 1)) return;
  ImGui::TableNextColumn();
  for (std::size_t i = 0; i < glossary.size(); ++i) {
    if (wide && i == (glossary.size() + 1) / 2) ImGui::TableNextColumn();
    draw_pair(glossary[i].forms.front().c_str(), plain_words(glossary[i].meaning).c_str(),
              theme().px(150));
    gap(2);
  }
  ImGui::EndTable();
}

/// Keys in two columns where there is room, so that all of them are seen at once.
void draw_content(std::span<const HelpKey> shown, bool wide) {
  if (!wide || shown.size() <= std::size(deck_keys)) {
    draw_keys(shown);
    gap(20);
    return draw_labels();
  }
  if (!ImGui::BeginTable("columns", 2)) return;
  const std::size_t half = (shown.size() + std::size(labels) + 3) / 2;
  ImGui::TableNextColumn();
  draw_keys(shown.first(half));
  ImGui::TableNextColumn();
  draw_keys(shown.subspan(half));
  gap(20);
  draw_labels();
  ImGui::EndTable();
}

/// Which page, the way to the other and the way out; true if the words are shown.
bool draw_head(Commands& commands) {
  const Theme& t = theme();
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  const ImGuiID shown = ImGui::GetID("words shown");
  const bool appears = ImGui::IsWindowAppearing();
  if (appears) ImGui::SetWindowFocus();
  bool words = !appears && kept.GetBool(shown);
  bool other = ImGui::IsKeyPressed(ImGuiKey_W, false) && !ImGui::GetIO().KeyCtrl;
  if (const auto clicked = segments("pages", {"Keys", "Words (W)"}, words ? 1 : 0))
    other = (*clicked == 1) != words;
  if (other) {
    words = !words;
    ImGui::SetScrollY(0);
  }
  kept.SetBool(shown, words);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - t.px(30));
  if (icon_button("close", Icon::close, "Close (Esc)")) commands.push_back(command::ToggleHelp{});
  const float step = ImGui::GetWindowHeight() * 0.8f;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) ImGui::SetScrollY(ImGui::GetScrollY() + step);
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp))
    ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() - step));
  return words;
}

/// What is behind steps back; true if it was clicked.
bool draw_shade(ImVec2 screen) {
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(screen);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, faded(theme().color.canvas, 0.7f));
  ImGui::Begin("shade", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleColor();
  const bool clicked = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  ImGui::End();
  return clicked;
}

}  // namespace

std::span<const HelpKey> help_keys(bool presenting) {
  return presenting ? std::span<const HelpKey>(deck_keys) : std::span<const HelpKey>(keys);
}

void draw_help(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const ImVec2 screen = ImGui::GetMainViewport()->Size;
  const bool wide = screen.x >= t.px(2 * column_width + 100);
  const ImVec2 size(std::min(screen.x - t.px(32), t.px(wide ? 2 * column_width + 40 : 620)),
                    std::min(screen.y - t.px(32), t.px(wide ? 600 : 690)));
  if (draw_shade(screen)) commands.push_back(command::ToggleHelp{});
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
  const bool words = draw_head(commands);
  if (words)
    draw_words(model.glossary, wide);
  else
    draw_content(help_keys(model.presentation.has_value()), wide);
  ImGui::End();
}

}  // namespace klab::ui
