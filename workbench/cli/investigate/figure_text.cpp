// Figure text: block characters have eight heights and eight widths, enough for a share.
#include "cli/investigate/figure_text.hpp"

#include <algorithm>
#include <cmath>

#include "cli/investigate/investigate.hpp"
#include "core/base/text.hpp"

namespace klab::cli {
namespace {

constexpr std::size_t indent = 6;
constexpr int narrowest_bar = 16;
constexpr int widest_bar = 40;
constexpr const char* widths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
constexpr const char* heights[] = {"▁", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

Tone tone_of(const VariantName& variant) {
  if (variant == VariantName::flawed) return Tone::doubtful;
  return variant == VariantName::optimized ? Tone::good : Tone::accent;
}

std::string repeated(const char* piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

int eighths_of(double share) {
  return static_cast<int>(std::lround(8 * std::clamp(share, 0.0, 1.0)));
}

std::string bar(double share, int columns) {
  int eighths = static_cast<int>(std::lround(8 * columns * std::clamp(share, 0.0, 1.0)));
  if (share > 0) eighths = std::max(eighths, 1);
  return repeated("█", eighths / 8) + widths[eighths % 8];
}

/// A character a thread: at work, in part, or switched off.
std::string lanes(double value, double full) {
  const int count = static_cast<int>(std::lround(full));
  const int whole = std::clamp(static_cast<int>(value), 0, count);
  const bool part = whole < count && value - whole >= 0.25;
  return repeated("■", whole) + (part ? "◧" : "") + repeated("·", count - whole - (part ? 1 : 0));
}

/// A character a sector, as high as its share of bytes that were asked for.
std::string sectors(double value, double full, std::optional<double> used_pct) {
  const int count = std::max(1, static_cast<int>(std::lround(std::min(value, full))));
  return repeated(used_pct ? heights[eighths_of(*used_pct / 100)] : "░", count);
}

std::string drawn(const LessonFigure& figure, const FigurePart& part, double value,
                  std::optional<double> used_pct, int columns) {
  switch (figure.kind) {
    case FigureKind::lanes:
      return lanes(value, part.full);
    case FigureKind::sectors:
      return sectors(value, part.full, used_pct);
    case FigureKind::bars:
      break;
  }
  return bar(value / part.full, columns);
}

}  // namespace

std::string figure_text(const Terminal& terminal, const LessonFigure& figure) {
  std::string text;
  if (!figure.title.empty())
    text += paragraph(terminal, printable(figure.title), indent, Tone::strong) + "\n";
  const int columns =
      std::clamp(static_cast<int>(terminal.columns) - 44, narrowest_bar, widest_bar);
  for (const FigurePart& part : figure.parts) {
    text += std::string(indent, ' ') + part.label;
    if (!part.target.empty()) text += terminal.paint(Tone::faint, "  target " + part.target);
    text += "\n";
    Table table("lll", indent);
    for (const FigureRow& row : part.rows) {
      const Tone tone = tone_of(row.variant);
      const std::string picture =
          row.value ? drawn(figure, part, *row.value, row.used_pct, columns) : std::string();
      table.add({{row.variant.shown(), tone}, {picture, tone}, {row_text(figure, part, row)}});
    }
    text += table.text(terminal) + "\n";
  }
  for (const std::string_view words :
       {legend_of(figure.kind), std::string_view(figure.recorded), std::string_view(figure.own)})
    if (!words.empty()) text += paragraph(terminal, printable(words), indent, Tone::faint);
  return text + "\n";
}

}  // namespace klab::cli
