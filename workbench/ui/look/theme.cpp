// Theme: palettes, spacing, and fonts found on the system.
#include "ui/look/theme.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

namespace klab::ui {
namespace {

namespace fs = std::filesystem;

Theme current;

constexpr ImU32 rgb(unsigned hex) {
  return IM_COL32((hex >> 16) & 0xFF, (hex >> 8) & 0xFF, hex & 0xFF, 255);
}

/// Of WCAG 2: 0 for black, 1 for white.
double luminance(ImU32 color) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(color);
  const auto linear = [](float v) {
    return v <= 0.04045f ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.x) + 0.7152 * linear(c.y) + 0.0722 * linear(c.z);
}

Palette light_palette() {
  Palette p{};
  p.canvas = rgb(0xF5F6F8), p.surface = rgb(0xFFFFFF), p.sidebar = rgb(0xECEEF2);
  p.line = rgb(0xDDE1E7);
  p.text = rgb(0x1A1D21), p.soft = rgb(0x4F5863), p.faint = rgb(0x5F6874);
  p.accent = rgb(0x1F5FD0), p.accent_fill = rgb(0x1F5FD0), p.accent_hover = rgb(0x184FB0);
  p.accent_soft = rgb(0xE3ECFB), p.on_accent = rgb(0xFFFFFF);
  p.good = rgb(0x0A7A55), p.good_soft = rgb(0xE0F3EC);
  p.bad = rgb(0xB01E3C), p.bad_soft = rgb(0xFBE8EA);
  p.unsure = rgb(0x8A5A00), p.unsure_soft = rgb(0xFAF0D4);
  p.off = rgb(0x5F6874), p.off_soft = rgb(0xEBEDF0);
  p.flawed = rgb(0xBA4D00), p.mine = rgb(0x1769D4), p.optimized = rgb(0x007048);
  p.data_green = rgb(0x247B49), p.data_red = rgb(0x9A1B0A), p.data_gold = rgb(0xAA8503);
  p.data_purple = rgb(0x763C93), p.data_blue = rgb(0x1593F0), p.data_ink = rgb(0x2B3138);
  p.code_keyword = rgb(0x7A35B0), p.code_type = rgb(0x0A6A94), p.code_builtin = rgb(0xA8480C);
  p.code_number = rgb(0x8A5A00), p.code_string = rgb(0x0A7355), p.code_comment = rgb(0x5F6874);
  return p;
}

Palette dark_palette() {
  Palette p{};
  p.canvas = rgb(0x15171B), p.surface = rgb(0x1D2026), p.sidebar = rgb(0x101215);
  p.line = rgb(0x2E333C);
  p.text = rgb(0xE9EBEE), p.soft = rgb(0xB0B8C3), p.faint = rgb(0x8E97A4);
  p.accent = rgb(0x82ADFF), p.accent_fill = rgb(0x3A6FDB), p.accent_hover = rgb(0x4C80EA);
  p.accent_soft = rgb(0x1F2B45), p.on_accent = rgb(0xFFFFFF);
  p.good = rgb(0x41C99E), p.good_soft = rgb(0x14332A);
  p.bad = rgb(0xFA7268), p.bad_soft = rgb(0x3B2024);
  p.unsure = rgb(0xE5B64A), p.unsure_soft = rgb(0x352B12);
  p.off = rgb(0x8E97A4), p.off_soft = rgb(0x272B32);
  p.flawed = rgb(0xF0803C), p.mine = rgb(0x6A9DFF), p.optimized = rgb(0x3FD8A6);
  p.data_green = rgb(0x2A8F57), p.data_red = rgb(0xFE6A2A), p.data_gold = rgb(0xE8CC85);
  p.data_purple = rgb(0xA65BE6), p.data_blue = rgb(0x55C2FE), p.data_ink = rgb(0xE9EBEE);
  p.code_keyword = rgb(0xC79BF2), p.code_type = rgb(0x6CC4E8), p.code_builtin = rgb(0xF2A36B);
  p.code_number = rgb(0xE5B64A), p.code_string = rgb(0x7FD1A8), p.code_comment = rgb(0x8E97A4);
  return p;
}

/// Where the distribution and a user keep fonts; KLAB_FONTS names a folder that is asked first.
std::vector<fs::path> font_folders() {
  std::vector<fs::path> folders;
  if (const char* own = std::getenv("KLAB_FONTS")) folders.emplace_back(own);
  folders.emplace_back("/usr/share/fonts/opentype/inter");
  folders.emplace_back("/usr/share/fonts/truetype/inter");
  folders.emplace_back("/usr/share/fonts/truetype/jetbrains-mono");
  folders.emplace_back("/usr/share/fonts/truetype/dejavu");
  folders.emplace_back("/usr/share/fonts/truetype/liberation");
  if (const char* home = std::getenv("HOME")) {
    folders.emplace_back(fs::path(home) / ".local/share/fonts");
    folders.emplace_back(fs::path(home) / ".fonts");
  }
  return folders;
}

std::optional<fs::path> find_font(std::initializer_list<const char*> names) {
  static const std::vector<fs::path> folders = font_folders();
  for (const char* name : names)
    for (const fs::path& folder : folders)
      for (const char* extension : {".otf", ".ttf"}) {
        std::error_code ignored;
        const fs::path path = folder / (std::string(name) + extension);
        if (fs::is_regular_file(path, ignored)) return path;
      }
  return std::nullopt;
}

/// Drawn for what a font lacks.
constexpr ImWchar box = 0x25A1;
/// What the course and its numbers are written with. Few glyphs keep the first frame early.
constexpr std::array<ImWchar, 29> text_glyphs = {
    0x0020, 0x017F, 0x0394, 0x0394, 0x03A3, 0x03A3, 0x03B1, 0x03C9, 0x2010, 0x2026,
    0x2030, 0x2030, 0x2074, 0x2079, 0x20AC, 0x20AC, 0x2190, 0x2195, 0x21D2, 0x21D2,
    0x2212, 0x2212, 0x2248, 0x2248, 0x2260, 0x2265, box,    box,    0};
/// The same with box drawing and blocks for figures in code blocks.
constexpr std::array<ImWchar, 23> mono_glyphs = {
    0x0020, 0x017F, 0x0391, 0x03C9, 0x2010, 0x2026, 0x20AC, 0x20AC, 0x2190, 0x2195, 0x2212, 0x2212,
    0x2248, 0x2248, 0x2260, 0x2265, 0x2500, 0x257F, 0x2580, 0x259F, 0x25A0, 0x25A1, 0};

/// Numbers with their units.
constexpr std::array<ImWchar, 11> poster_glyphs = {0x0020, 0x007A, 0x00B5, 0x00B5, 0x00D7, 0x00D7,
                                                   0x2013, 0x2013, 0x2248, 0x2248, 0};

/// What texts of others hold beyond that.
struct FurtherGlyphs {
  std::set<ImWchar> wanted;
  std::size_t loaded = 0;  ///< how many of them the fonts were asked for
};
FurtherGlyphs further;
/// A text in all scripts at once would not fit a texture.
constexpr std::size_t most_further_glyphs = 3000;

/// Asked for from the beginning.
bool in_ranges(ImWchar c) {
  const auto has = [c](const auto& ranges) {
    for (std::size_t i = 0; i + 1 < ranges.size(); i += 2)
      if (c >= ranges[i] && c <= ranges[i + 1]) return true;
    return false;
  };
  return has(text_glyphs) || has(mono_glyphs);
}

/// These ranges and the further glyphs.
const ImWchar* with_further_glyphs(std::vector<ImWchar>& ranges, const ImWchar* own) {
  ranges.clear();
  for (; *own != 0; ++own) ranges.push_back(*own);
  for (const ImWchar c : further.wanted) ranges.insert(ranges.end(), {c, c});
  ranges.push_back(0);
  return ranges.data();
}

ImFont* add_font(std::initializer_list<const char*> names, float size, const ImWchar* glyphs) {
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = false;
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  if (const auto path = find_font(names))
    if (ImFont* font = atlas.AddFontFromFileTTF(path->c_str(), size, &config, glyphs)) return font;
  current.missing_fonts.emplace_back(*names.begin());
  config.SizePixels = size;
  return atlas.AddFontDefault(&config);
}

void set_colors(const Palette& p) {
  const auto vec = [](ImU32 c) { return ImGui::ColorConvertU32ToFloat4(c); };
  ImVec4* c = ImGui::GetStyle().Colors;
  c[ImGuiCol_WindowBg] = vec(p.canvas);
  c[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_PopupBg] = vec(p.surface);
  c[ImGuiCol_Border] = vec(p.line);
  c[ImGuiCol_BorderShadow] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_Text] = vec(p.text);
  c[ImGuiCol_TextDisabled] = vec(p.faint);
  c[ImGuiCol_TextSelectedBg] = vec(faded(p.accent, 0.3f));
  c[ImGuiCol_FrameBg] = vec(p.surface);
  c[ImGuiCol_FrameBgHovered] = vec(p.surface);
  c[ImGuiCol_FrameBgActive] = vec(p.surface);
  // Only combo boxes draw plain ImGui buttons and headers.
  c[ImGuiCol_Button] = c[ImGuiCol_ButtonHovered] = c[ImGuiCol_ButtonActive] = vec(p.surface);
  c[ImGuiCol_Header] = vec(p.accent_soft);
  c[ImGuiCol_HeaderHovered] = c[ImGuiCol_HeaderActive] = vec(faded(p.off, 0.2f));
  c[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_ScrollbarGrab] = vec(faded(p.faint, 0.35f));
  c[ImGuiCol_ScrollbarGrabHovered] = vec(faded(p.faint, 0.6f));
  c[ImGuiCol_ScrollbarGrabActive] = vec(faded(p.faint, 0.8f));
  c[ImGuiCol_SliderGrab] = vec(p.accent_fill);
  c[ImGuiCol_SliderGrabActive] = vec(p.accent_hover);
  c[ImGuiCol_NavHighlight] = ImVec4(0, 0, 0, 0);  // draw_focus_ring() draws one for all
  c[ImGuiCol_TableBorderLight] = vec(p.line);
  c[ImGuiCol_TableBorderStrong] = vec(p.line);
  c[ImGuiCol_TableHeaderBg] = ImVec4(0, 0, 0, 0);
  c[ImGuiCol_ModalWindowDimBg] = vec(faded(rgb(0x000000), 0.45f));
}

void set_spacing(float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowPadding = ImVec2(0, 0);
  style.WindowBorderSize = 0;
  style.WindowRounding = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.PopupRounding = 8 * scale;
  style.FrameBorderSize = 1;
  style.FramePadding = ImVec2(10 * scale, 6 * scale);
  style.FrameRounding = 6 * scale;
  style.GrabRounding = 6 * scale;
  style.GrabMinSize = 14 * scale;
  style.ItemSpacing = ImVec2(8 * scale, 8 * scale);
  style.ItemInnerSpacing = ImVec2(6 * scale, 6 * scale);
  style.CellPadding = ImVec2(8 * scale, 5 * scale);
  style.ScrollbarSize = 10 * scale;
  style.ScrollbarRounding = 5 * scale;
  style.HoverDelayNormal = 0.3f;
}

}  // namespace

const Theme& theme() { return current; }

Palette palette_of(Appearance appearance) {
  return appearance == Appearance::light ? light_palette() : dark_palette();
}

double contrast(ImU32 a, ImU32 b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

ImU32 ink_on(ImU32 fill) {
  const ImU32 black = IM_COL32(0, 0, 0, 255), white = IM_COL32(255, 255, 255, 255);
  return contrast(black, fill) > contrast(white, fill) ? black : white;
}

ImU32 over(ImU32 color, ImU32 background) {
  const float part = static_cast<float>(color >> IM_COL32_A_SHIFT) / 255;
  const ImVec4 a = ImGui::ColorConvertU32ToFloat4(color);
  const ImVec4 b = ImGui::ColorConvertU32ToFloat4(background);
  const auto mixed = [part](float top, float below) { return part * top + (1 - part) * below; };
  return ImGui::ColorConvertFloat4ToU32(
      ImVec4(mixed(a.x, b.x), mixed(a.y, b.y), mixed(a.z, b.z), 1));
}

ImU32 faded(ImU32 color, float opacity) {
  const float alpha = static_cast<float>(color >> IM_COL32_A_SHIFT) * opacity;
  return (color & ~IM_COL32_A_MASK) | (static_cast<ImU32>(alpha + 0.5f) << IM_COL32_A_SHIFT);
}

ImU32 Theme::of(Outcome outcome) const {
  switch (outcome) {
    case Outcome::pass:
      return color.good;
    case Outcome::fail:
      return color.bad;
    case Outcome::inconclusive:
      return color.unsure;
    case Outcome::not_checkable:
      break;
  }
  return color.off;
}

ImU32 Theme::soft_of(Outcome outcome) const {
  switch (outcome) {
    case Outcome::pass:
      return color.good_soft;
    case Outcome::fail:
      return color.bad_soft;
    case Outcome::inconclusive:
      return color.unsure_soft;
    case Outcome::not_checkable:
      break;
  }
  return color.off_soft;
}

ImU32 Theme::of_variant(const VariantName& variant) const {
  if (variant == VariantName::flawed) return color.flawed;
  if (variant == VariantName::mine) return color.mine;
  if (variant == VariantName::optimized) return color.optimized;
  return color.soft;
}

void want_glyphs(std::string_view utf8) {
  while (!utf8.empty()) {
    const auto first =
        std::find_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0x80) != 0; });
    utf8.remove_prefix(static_cast<std::size_t>(first - utf8.begin()));
    if (utf8.empty()) return;
    unsigned c = 0;
    const int length = ImTextCharFromUtf8(&c, utf8.data(), utf8.data() + utf8.size());
    utf8.remove_prefix(static_cast<std::size_t>(std::max(length, 1)));
    if (c > 0xFF && c < IM_UNICODE_CODEPOINT_INVALID &&
        further.wanted.size() < most_further_glyphs && !in_ranges(static_cast<ImWchar>(c)))
      further.wanted.insert(static_cast<ImWchar>(c));
  }
}

bool glyphs_wanted() { return further.wanted.size() != further.loaded; }

void load_fonts(float scale) {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  io.Fonts->Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  io.Fonts->TexDesiredWidth = scale > 1.5f ? 2048 : 1024;
  current.missing_fonts.clear();
  static std::vector<ImWchar> text_ranges, mono_ranges;  // the atlas reads them while it is built
  const ImWchar* text = with_further_glyphs(text_ranges, text_glyphs.data());
  const ImWchar* mono = with_further_glyphs(mono_ranges, mono_glyphs.data());
  further.loaded = further.wanted.size();
  const auto at = [scale](float size) { return size * scale; };
  Fonts& font = current.font;
  font.body = add_font({"Inter-Regular", "DejaVuSans", "LiberationSans-Regular"}, at(17), text);
  font.strong =
      add_font({"Inter-SemiBold", "DejaVuSans-Bold", "LiberationSans-Bold"}, at(17), text);
  font.italic =
      add_font({"Inter-Italic", "DejaVuSans-Oblique", "LiberationSans-Italic"}, at(17), text);
  font.small = add_font({"Inter-Regular", "DejaVuSans", "LiberationSans-Regular"}, at(15), text);
  font.label = add_font({"Inter-SemiBold", "DejaVuSans-Bold", "LiberationSans-Bold"}, at(14), text);
  font.title = add_font({"Inter-SemiBold", "DejaVuSans-Bold", "LiberationSans-Bold"}, at(19), text);
  font.display =
      add_font({"InterDisplay-SemiBold", "Inter-SemiBold", "DejaVuSans-Bold"}, at(27), text);
  font.mono =
      add_font({"JetBrainsMono-Regular", "DejaVuSansMono", "LiberationMono-Regular"}, at(17), mono);
  font.poster = add_font({"InterDisplay-SemiBold", "Inter-SemiBold", "DejaVuSans-Bold"}, at(60),
                         poster_glyphs.data());
  io.FontDefault = font.body;
  io.Fonts->Build();
  for (ImFont* one : io.Fonts->Fonts)
    if (one->FindGlyphNoFallback(box)) {
      one->FallbackChar = box;
      one->BuildLookupTable();
    }
}

void apply_theme(Appearance appearance, float scale) {
  current.appearance = appearance;
  current.scale = scale;
  current.color = palette_of(appearance);
  set_colors(current.color);
  set_spacing(scale);
}

}  // namespace klab::ui
