// Widgets: the few controls every panel is made of, so that all look and behave alike.
#pragma once

#include <imgui.h>

#include <cfloat>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/look/theme.hpp"
#include "ui/look/tooltip.hpp"

namespace klab::ui {

enum class Icon {
  pass,
  fail,
  unsure,
  off,
  dot,
  half,
  ring,
  spinner,
  lock,
  play,
  stop,
  copy,
  list,
  help,
  present,
  close
};
/// Draws an icon of `size` pixels with its centre at `center`.
void draw_icon(ImDrawList& list, Icon icon, ImVec2 center, float size, ImU32 color);
Icon icon_of(Outcome outcome);
/// A verdict's sign, in the colour that it has in the list of labs.
void draw_verdict_icon(ImDrawList& list, Outcome verdict, bool provisional, ImVec2 center,
                       float size);

/// Text in a font and colour; `wrap` breaks lines at the right edge of the region.
void text(ImFont* font, ImU32 color, std::string_view value, bool wrap = false,
          float most_width = FLT_MAX);
/// `value` cut with "…" to fit `width`.
std::string cut(ImFont* font, std::string_view value, float width);
/// Text cut with "…" to fit `width`; the whole text is shown on hover.
void text_cut(ImFont* font, ImU32 color, std::string_view value, float width);
/// Height of `value` in `font` wrapped at `width`, and its width without wrapping.
float text_height(ImFont* font, std::string_view value, float width);
float text_width(ImFont* font, std::string_view value);
/// Draws at a position without moving the cursor.
void draw_text(ImDrawList& list, ImFont* font, ImVec2 at, ImU32 color, std::string_view value);

/// What of `paragraph` stands on its first line at `width`: whole words, and a number with its
/// unit.
std::string_view first_line(ImFont* font, std::string_view paragraph, float width);
/// Draws `value` wrapped at `width` with comfortable line spacing and returns its height; without a
/// list it only measures. Lines break as they would in `broken_as`, where that is given.
float draw_wrapped(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 color, std::string_view value,
                   float width, ImFont* broken_as = nullptr);

/// Vertical space of `logical` pixels at scale 1.
void gap(float logical);

enum class ButtonKind { primary, secondary, quiet };
struct ButtonLook {
  ButtonKind kind = ButtonKind::secondary;
  std::optional<Icon> icon;
  std::string_view key;  ///< shortcut, shown beside the label
  bool enabled = true;
};
/// True when clicked or activated by keyboard. `id` must be unique within the window.
bool button(const char* id, std::string_view label, const ButtonLook& look = {});
ImVec2 button_size(std::string_view label, const ButtonLook& look = {});
/// A square button with only an icon; `hint` is its tooltip.
bool icon_button(const char* id, Icon icon, const char* hint);
/// A switch with its label.
bool toggle(const char* id, std::string_view label, bool on, const char* hint);
/// One of several choices side by side; returns the clicked index.
std::optional<std::size_t> segments(const char* id, const std::vector<std::string>& labels,
                                    std::size_t selected);
/// The last control is under the pointer or chosen with the keyboard.
bool item_hot();
/// Invisible clickable area of `size` at the cursor.
bool area(const char* id, ImVec2 size);
/// A slider over whole numbers with its label and `shown`, the value in words; true while it
/// changes.
bool slider(const char* id, std::string_view label, std::string_view shown, int& value, int low,
            int high);

/// True in the first frame in which `value` differs from the frame before; at first it is 0. For
/// what is asked for by raising a number.
bool once_changed(const char* id, int value);

/// A small filled tag with a word.
void tag(std::string_view value, ImU32 color, ImU32 background);

/// Slanted lines `step` logical pixels apart: a pattern where colour alone would not do.
void hatch(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color, float step);

/// A surface with padding and rounded corners whose height follows its content.
class Card {
 public:
  explicit Card(const char* id, std::optional<ImU32> background = std::nullopt);
  ~Card();
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;
};

/// Fonts, colours and ids that end with the scope.
class FontScope {
 public:
  explicit FontScope(ImFont* font) { ImGui::PushFont(font); }
  ~FontScope() { ImGui::PopFont(); }
  FontScope(const FontScope&) = delete;
  FontScope& operator=(const FontScope&) = delete;
};

/// Texts drawn since the last reset that reach beyond the region they are drawn into, by what they
/// say; collected only while `watch_clipped_texts` is set.
std::vector<std::string>& clipped_texts();
void watch_clipped_texts(bool on);

/// Ids of the controls drawn since the last reset, for the test that no two collide.
std::vector<ImGuiID>& drawn_controls();
/// Adds the control just submitted to them.
void note_control();

}  // namespace klab::ui
