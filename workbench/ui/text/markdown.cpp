// Markdown: text layout by words over ImDrawList, since ImGui wraps only text of one style.
#include "ui/text/markdown.hpp"

#include <algorithm>

#include "core/base/text.hpp"
#include "ui/look/widgets.hpp"
#include "ui/text/code_view.hpp"
#include "ui/text/figure_plot.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

constexpr float text_line_spacing = 1.5f;

/// Text being laid out: where the next word goes, in pixels from the paragraph's corner.
struct Flow {
  ImDrawList* list;
  ImVec2 origin;
  float width;
  ImFont* base;
  ImU32 color;
  bool draw = true;  ///< false: only measure
  float x = 0, y = 0, widest = 0;

  float line() const { return base->FontSize * text_line_spacing; }
  void new_line() { x = 0, y += line(); }
};

ImFont* font_of(const markdown::Span& span, ImFont* base) {
  const Fonts& font = theme().font;
  if (span.code) return font.mono;
  if (span.strong) return font.strong->FontSize >= base->FontSize ? font.strong : base;
  if (span.emphasis && base == font.body) return font.italic;
  return base;
}

void draw_word(Flow& flow, const markdown::Span& span, ImFont* font, std::string_view word,
               float width) {
  const Theme& t = theme();
  // Inline code is a little smaller, so that it sits at the height of the prose around it.
  const float size =
      span.code ? std::min(font->FontSize, flow.base->FontSize * 0.92f) : font->FontSize;
  const ImVec2 at(flow.origin.x + flow.x, flow.origin.y + flow.y + (flow.line() - size) / 2);
  if (span.code)
    flow.list->AddRectFilled(ImVec2(at.x, at.y - t.px(2)),
                             ImVec2(at.x + width, at.y + size + t.px(3)), t.color.off_soft,
                             t.px(4));
  const ImU32 ink = !span.link.empty() ? t.color.accent : flow.color;
  const float inset = span.code ? t.px(4) : 0;
  flow.list->AddText(font, size, ImVec2(at.x + inset, at.y), ink, word.data(),
                     word.data() + word.size());
  if (!span.link.empty())
    flow.list->AddLine(ImVec2(at.x, at.y + size + t.px(1)),
                       ImVec2(at.x + width, at.y + size + t.px(1)), faded(ink, 0.5f));
}

float word_width(const Flow& flow, const markdown::Span& span, ImFont* font,
                 std::string_view word) {
  const float size =
      span.code ? std::min(font->FontSize, flow.base->FontSize * 0.92f) : font->FontSize;
  const float inset = span.code ? 2 * theme().px(4) : 0;
  return inset + font->CalcTextSizeA(size, FLT_MAX, 0, word.data(), word.data() + word.size()).x;
}

/// A word longer than a whole line is broken where the line ends.
void place_long_word(Flow& flow, const markdown::Span& span, ImFont* font, std::string_view word) {
  while (!word.empty()) {
    std::size_t length = word.size();
    while (length > 1 && word_width(flow, span, font, word.substr(0, length)) > flow.width)
      --length;
    while (length > 1 && length < word.size() && (word[length] & 0xC0) == 0x80) --length;
    const std::string_view piece = word.substr(0, length);
    const float width = word_width(flow, span, font, piece);
    if (flow.draw) draw_word(flow, span, font, piece, width);
    flow.widest = std::max(flow.widest, flow.x + width);
    word.remove_prefix(length);
    if (!word.empty())
      flow.new_line();
    else
      flow.x += width;
  }
}

void place_span(Flow& flow, const markdown::Span& span) {
  ImFont* font = font_of(span, flow.base);
  const float space = text_width(flow.base, " ");
  std::string_view rest = span.text;
  while (!rest.empty()) {
    if (rest.front() == ' ') {
      if (flow.x > 0) flow.x += space;
      rest.remove_prefix(1);
      continue;
    }
    std::string_view word = rest.substr(0, rest.find(' '));
    // Code stays together where it fits a line: "<= 4.5" must not lose its bound.
    if (span.code && word_width(flow, span, font, rest) < flow.width * 0.6f) word = rest;
    rest.remove_prefix(word.size());
    const float width = word_width(flow, span, font, word);
    if (flow.x > 0 && flow.x + width > flow.width) flow.new_line();
    if (width > flow.width) {
      place_long_word(flow, span, font, word);
      continue;
    }
    if (flow.draw) draw_word(flow, span, font, word, width);
    flow.x += width;
    flow.widest = std::max(flow.widest, flow.x);
  }
}

/// Height taken; draws only where `draw` and visible.
ImVec2 lay_out(const markdown::Spans& spans, ImVec2 origin, float width, ImFont* font, ImU32 color,
               bool draw) {
  Flow flow{ImGui::GetWindowDrawList(), origin, std::max(width, 20.0f), font, color, draw};
  for (const markdown::Span& span : spans) {
    if (span.text == "\n")
      flow.new_line();
    else
      place_span(flow, span);
  }
  return ImVec2(flow.widest, flow.y + flow.line());
}

void draw_heading(const markdown::Block& block, float width, bool first) {
  const Theme& t = theme();
  if (!first) gap(block.level <= 2 ? 22 : 14);
  ImFont* font = block.level == 1   ? t.font.display
                 : block.level == 2 ? t.font.title
                                    : t.font.strong;
  draw_spans(block.spans, width, font, t.color.text);
  gap(2);
}

void draw_paragraph(const markdown::Block& block, float width) {
  const Theme& t = theme();
  const float indent =
      t.px(24) * static_cast<float>(block.indent) + t.px(16) * static_cast<float>(block.quote);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!block.marker.empty()) {
    const float marker_width = text_width(t.font.body, block.marker);
    draw_text(*ImGui::GetWindowDrawList(), t.font.body,
              ImVec2(at.x + indent - marker_width - t.px(8),
                     at.y + t.font.body->FontSize * (text_line_spacing - 1) / 2),
              t.color.soft, block.marker);
  }
  const ImVec2 size = lay_out(block.spans, ImVec2(at.x + indent, at.y), width - indent, t.font.body,
                              block.quote ? t.color.soft : t.color.text, true);
  if (block.quote)
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + t.px(3), at.y + size.y),
                                              t.color.accent, t.px(2));
  ImGui::Dummy(ImVec2(width, size.y));
}

bool code_language(const std::string& language) {
  return language == "cpp" || language == "cuda" || language == "c" || language == "c++" ||
         language == "cu";
}

/// A code block on its own surface, scrolling sideways. True if its copy button was clicked.
bool draw_code_block(const markdown::Block& block, float width, int index) {
  const Theme& t = theme();
  ImGui::PushID(index);
  const auto lines = 1 + std::count(block.code.begin(), block.code.end(), '\n');
  const float height = static_cast<float>(lines) * code_line_height() + t.px(28);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(t.px(16), t.px(12)));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, t.px(8));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, t.color.off_soft);
  ImGui::BeginChild("code", ImVec2(width, height), ImGuiChildFlags_AlwaysUseWindowPadding,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened |
                        ImGuiWindowFlags_NoScrollWithMouse);
  const ImVec2 corner = ImGui::GetWindowPos();
  code_block(block.code, code_language(block.language));
  bool copied = false;
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) || ImGui::GetIO().NavVisible) {
    // Within the padding: beyond it there would be something to scroll to.
    ImGui::SetCursorScreenPos(ImVec2(corner.x + width - t.px(16 + 30), corner.y + t.px(6)));
    copied = icon_button("copy", Icon::copy, "Copy this block");
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  ImGui::PopID();
  return copied;
}

std::vector<float> column_widths(const markdown::Block& block, float width) {
  const Theme& t = theme();
  std::vector<float> wanted;
  for (const auto& row : block.rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (wanted.size() <= c) wanted.push_back(0);
      wanted[c] = std::max(wanted[c], lay_out(row[c], {}, 1e6f, t.font.small, 0, false).x);
    }
  float total = 0;
  for (float& w : wanted) total += w += t.px(24);
  // A share for each column that wants too much, never less than it needs if the rest has room.
  if (total > width) {
    const float fair = width / static_cast<float>(wanted.size());
    float spare = 0, greedy = 0;
    for (const float w : wanted) w <= fair ? spare += fair - w : greedy += w - fair;
    for (float& w : wanted)
      if (w > fair) w = fair + (w - fair) / greedy * spare;
  }
  return wanted;
}

void draw_table(const markdown::Block& block, float width) {
  const Theme& t = theme();
  if (block.rows.empty()) return;
  const std::vector<float> widths = column_widths(block, width);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  float total = 0, y = origin.y;
  for (const float w : widths) total += w;
  for (std::size_t r = 0; r < block.rows.size(); ++r) {
    float x = origin.x, height = 0;
    for (std::size_t c = 0; c < block.rows[r].size() && c < widths.size(); ++c) {
      const markdown::Spans& cell = block.rows[r][c];
      const float room = widths[c] - t.px(24);
      const ImVec2 size = lay_out(cell, {}, room + 1, t.font.small, 0, false);
      const markdown::Align align =
          c < block.aligns.size() ? block.aligns[c] : markdown::Align::left;
      const float shift = align == markdown::Align::left
                              ? 0
                              : (room - size.x) * (align == markdown::Align::right ? 1 : 0.5f);
      const ImVec2 at(x + t.px(2) + std::max(shift, 0.0f), y + t.px(5));
      lay_out(cell, at, room + 1, r == 0 ? t.font.label : t.font.small,
              r == 0 ? t.color.faint : t.color.text, true);
      height = std::max(height, size.y);
      x += widths[c];
    }
    y += height + t.px(10);
    list.AddLine(ImVec2(origin.x, y), ImVec2(origin.x + total, y), t.color.line);
  }
  ImGui::Dummy(ImVec2(width, y - origin.y));
}

}  // namespace

void draw_spans(const markdown::Spans& spans, float width, ImFont* font, ImU32 color) {
  const ImVec2 size = lay_out(spans, ImGui::GetCursorScreenPos(), width, font, color, true);
  ImGui::Dummy(ImVec2(width, size.y));
}

void draw_prose(std::string_view text, ImU32 color, ImFont* font) {
  const float width = ImGui::GetContentRegionAvail().x;
  for (const markdown::Block& block : markdown::parse(for_window(with_separators(text))))
    draw_spans(
        block.kind == markdown::Block::Kind::code ? markdown::Spans{{block.code}} : block.spans,
        width, font ? font : theme().font.body, color);
}

std::string draw_markdown(const markdown::Document& document, float most_width) {
  const Theme& t = theme();
  const float room = ImGui::GetContentRegionAvail().x, width = std::min(room, most_width);
  std::string copied;
  for (std::size_t i = 0; i < document.size(); ++i) {
    const markdown::Block& block = document[i];
    switch (block.kind) {
      case markdown::Block::Kind::heading:
        draw_heading(block, width, i == 0);
        break;
      case markdown::Block::Kind::paragraph:
        draw_paragraph(block, width);
        break;
      case markdown::Block::Kind::code:
        // Lines of code are not for reading along, and do not break: they get all the room.
        if (draw_code_block(block, room, static_cast<int>(i))) copied = block.code;
        gap(6);
        break;
      case markdown::Block::Kind::table:
        draw_table(block, width);
        gap(10);
        break;
      case markdown::Block::Kind::figure:
        if (block.figure) draw_figure(*block.figure, width);
        gap(10);
        break;
      case markdown::Block::Kind::rule: {
        gap(10);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddLine(at, ImVec2(at.x + width, at.y), t.color.line);
        gap(16);
        break;
      }
    }
  }
  return copied;
}

}  // namespace klab::ui
