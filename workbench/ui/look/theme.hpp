// Theme: the look in one place. Colours, type scale, spacing and fonts; light and dark.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/variant_name.hpp"
#include "core/verdict/verdict.hpp"

namespace klab::ui {

enum class Appearance { light, dark };

/// Colours by role. Those of one kind (outcomes, variants, data) are far enough apart for people
/// with any common colour blindness, and those of words stand out from each ground; tests hold
/// both. Each is also carried by a shape, a pattern or a word.
struct Palette {
  ImU32 canvas, surface, sidebar, line;
  ImU32 text, soft, faint;
  ImU32 accent, accent_fill, accent_hover, accent_soft, on_accent;
  ImU32 good, good_soft, bad, bad_soft, unsure, unsure_soft, off, off_soft;
  ImU32 flawed, mine, optimized;
  /// What else a plot tells apart, never the variants; `off` goes with them.
  ImU32 data_green, data_red, data_gold, data_purple, data_blue, data_ink;
  ImU32 code_keyword, code_type, code_builtin, code_number, code_string, code_comment;
};

/// The type scale. Sizes are set in theme.cpp in pixels at scale 1.
struct Fonts {
  ImFont* body = nullptr;
  ImFont* strong = nullptr;
  ImFont* italic = nullptr;
  ImFont* small = nullptr;
  ImFont* label = nullptr;  ///< small and semi-bold: column heads, tags
  ImFont* title = nullptr;
  ImFont* display = nullptr;
  ImFont* mono = nullptr;
  ImFont* poster = nullptr;  ///< numbers with their units, for a whole room: no other letters
};

struct Theme {
  Appearance appearance = Appearance::light;
  Palette color{};
  Fonts font{};
  float scale = 1;
  std::vector<std::string> missing_fonts;  ///< families replaced by a fallback

  float px(float logical) const { return logical * scale; }
  ImU32 of(Outcome outcome) const;
  ImU32 soft_of(Outcome outcome) const;
  /// A variant that is neither flawed, mine nor optimized is drawn in `soft`.
  ImU32 of_variant(const VariantName& variant) const;
};

/// The theme in force; set once a frame loop starts and whenever appearance or scale change.
const Theme& theme();

/// To be told of each text that is drawn and not ours: characters that no text had so far are
/// loaded before the next frame, where the fonts have them. What they lack is drawn as a box.
void want_glyphs(std::string_view utf8);
/// There are such characters, not loaded yet.
bool glyphs_wanted();
/// Fills the font atlas for `scale`. Call outside of a frame; the renderer must then upload anew.
void load_fonts(float scale);
/// Sets colours and spacing for the current ImGui context.
void apply_theme(Appearance appearance, float scale);

Palette palette_of(Appearance appearance);

/// How much two opaque colours differ in brightness, 1 to 21, as WCAG 2 defines it.
double contrast(ImU32 a, ImU32 b);
/// Black or white, whichever is read better on the opaque colour `fill`.
ImU32 ink_on(ImU32 fill);
/// The opaque colour that shows where `color` lies over `background`.
ImU32 over(ImU32 color, ImU32 background);
/// The colour with its opacity multiplied by `opacity` (0..1).
ImU32 faded(ImU32 color, float opacity);

}  // namespace klab::ui
