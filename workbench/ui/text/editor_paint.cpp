// EditorPaint: only lines in sight are drawn; the others are scanned for comments.
#include "ui/text/editor_paint.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/text.hpp"
#include "ui/edit/characters.hpp"
#include "ui/look/widgets.hpp"
#include "ui/text/code_view.hpp"

namespace klab::ui {
namespace {

/// An inline message shorter than this says nothing; the line below the editor has it in full.
constexpr float least_message_width = 90;

/// From the left edge of the text.
float x_of(std::string_view line, std::size_t at) {
  return text_width(theme().font.mono, shown_line(line.substr(0, at)));
}

const CompilerMessage* message_at(std::span<const CompilerMessage> messages, int line) {
  for (const CompilerMessage& message : messages)
    if (message.line == line) return &message;
  return nullptr;
}

/// One line in sight, as bytes of the text.
struct Line {
  std::string_view text;
  int number = 0;
  std::size_t offset = 0;
  float y = 0;
};

class LinePainter {
 public:
  LinePainter(ImDrawList& list, const EditorView& view, const TextDocument& document,
              const EditorMarks& marks)
      : list_(list), view_(view), document_(document), marks_(marks) {
    if (view.editing) brackets_ = bracket_pair(document.text(), document.caret());
    chosen_ = marks.chosen_line > 0 ? marks.chosen_line : view.editing ? document.line() : 0;
  }

  void draw(const Line& line, bool& in_comment) {
    const Theme& t = theme();
    const ImVec2 left(view_.from.x, line.y), right(view_.to.x, line.y + view_.line_height);
    const CompilerMessage* message = message_at(marks_.messages, line.number);
    const ImU32 ink =
        message && message->severity == Severity::error ? t.color.bad : t.color.unsure;
    if (message)
      list_.AddRectFilled(left, right, faded(ink, 0.12f));
    else if (line.number == chosen_)
      list_.AddRectFilled(left, right,
                          faded(marks_.chosen_line > 0 ? t.color.accent : t.color.faint, 0.10f));
    draw_selection(line);
    draw_matches(line);
    if (brackets_)
      for (const std::size_t at : {brackets_->first, brackets_->second})
        if (at >= line.offset && at < line.offset + line.text.size())
          behind(line, at - line.offset, at - line.offset + 1, 0, t.color.accent);
    const ImVec2 at(view_.text.x, line.y);
    if (marks_.prose) return draw_text(list_, t.font.mono, at, t.color.text, shown_line(line.text));
    const float width = draw_code_line(list_, shown_line(line.text), at, in_comment);
    if (message) draw_message(line, *message, ink, width);
  }

  void draw_number(const Line& line) {
    const Theme& t = theme();
    const std::string label = std::to_string(line.number);
    const float right = view_.from.x + view_.gutter - t.px(14);
    draw_text(list_, t.font.mono, ImVec2(right - text_width(t.font.mono, label), line.y),
              line.number == chosen_ ? t.color.text : faded(t.color.faint, 0.8f), label);
    if (marks_.draw_gutter)
      marks_.draw_gutter(list_, line.number, ImVec2(view_.from.x + t.px(8), line.y),
                         view_.line_height);
  }

 private:
  /// What lies behind the bytes [begin, end) of a line.
  void behind(const Line& line, std::size_t begin, std::size_t end, ImU32 fill, ImU32 edge,
              float more = 0) {
    end = std::min(end, line.text.size());
    if (begin > end) return;
    const ImVec2 low(view_.text.x + x_of(line.text, begin), line.y);
    const ImVec2 high(view_.text.x + x_of(line.text, end) + more, line.y + view_.line_height);
    if (fill && high.x > low.x) list_.AddRectFilled(low, high, fill, theme().px(2));
    if (edge) list_.AddRect(low, high, edge, theme().px(2));
  }

  void draw_selection(const Line& line) {
    const Selection selection = document_.selection();
    const std::size_t end = line.offset + line.text.size();
    if (selection.empty() || selection.to() <= line.offset || selection.from() > end) return;
    const std::size_t from = std::max(selection.from(), line.offset) - line.offset;
    const std::size_t to = std::min(selection.to(), end) - line.offset;
    const float line_end = selection.to() > end ? text_width(theme().font.mono, " ") / 2 : 0;
    behind(line, from, to, faded(theme().color.accent, 0.3f), 0, line_end);
  }

  void draw_matches(const Line& line) {
    const Theme& t = theme();
    for (std::size_t i = 0; i < marks_.matches.size(); ++i) {
      const TextMatch& match = marks_.matches[i];
      if (match.line != line.number) continue;
      const bool current = marks_.current_match == i;
      behind(line, match.begin, match.end, faded(t.color.unsure, current ? 0.3f : 0.22f),
             current ? t.color.unsure : 0);
    }
  }

  /// Behind the code, as far as there is room.
  void draw_message(const Line& line, const CompilerMessage& message, ImU32 ink, float width) {
    const Theme& t = theme();
    const ImVec2 at(view_.text.x + width + t.px(24), line.y + t.px(1));
    const float room = view_.to.x - at.x - t.px(8);
    const std::string words = told(message);
    if (room >= t.px(least_message_width))
      draw_text(list_, t.font.small, at, ink, cut(t.font.small, words, room));
    if (ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect(ImVec2(view_.from.x, line.y),
                                   ImVec2(view_.to.x, line.y + view_.line_height)))
      show_tooltip(words);
  }

  ImDrawList& list_;
  const EditorView& view_;
  const TextDocument& document_;
  const EditorMarks& marks_;
  std::optional<BracketPair> brackets_;
  int chosen_ = 0;
};

void draw_caret(ImDrawList& list, const EditorView& view, const TextDocument& document) {
  const ImVec2 at = view.place_of(document.text(), document.caret());
  list.AddRectFilled(at, ImVec2(at.x + theme().px(1.5f), at.y + view.line_height),
                     theme().color.accent);
}

}  // namespace

std::size_t EditorView::byte_at(std::string_view shown, ImVec2 point) const {
  const float row = std::floor((point.y - text.y) / line_height);
  if (row >= static_cast<float>(line_count(shown))) return shown.size();
  const int line = 1 + static_cast<int>(std::max(0.0f, row));
  const std::size_t begin = line_offset(shown, line);
  const float advance = text_width(theme().font.mono, "0");
  const float column = std::max(0.0f, std::round((point.x - text.x) / advance));
  return begin + byte_at_column(shown.substr(begin, line_end(shown, begin) - begin),
                                static_cast<std::size_t>(column));
}

ImVec2 EditorView::place_of(std::string_view shown, std::size_t at) const {
  const std::size_t begin = line_begin(shown, at);
  return {text.x + x_of(shown.substr(begin), at - begin),
          text.y + static_cast<float>(line_number(shown, at) - 1) * line_height};
}

float widest_line(std::string_view text) {
  float widest = 0;
  for (std::size_t begin = 0, most = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    // Only a tab is wider than its bytes are many.
    if (line.size() > most || line.find('\t') != std::string_view::npos) {
      most = std::max(most, line.size());
      widest = std::max(widest, x_of(line, line.size()));
    }
    begin = end + 1;
  }
  return widest;
}

void paint_editor(ImDrawList& list, const EditorView& view, const TextDocument& document,
                  const EditorMarks& marks) {
  const std::string_view text = document.text();
  LinePainter painter(list, view, document, marks);
  std::vector<Line> in_sight;
  bool in_comment = false;
  list.PushClipRect(ImVec2(view.from.x + view.gutter - theme().px(6), view.from.y), view.to, true);
  std::size_t offset = 0;
  for (int number = 1; offset <= text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', offset), text.size());
    const Line line{text.substr(offset, line_end(text, offset) - offset), number, offset,
                    view.text.y + static_cast<float>(number - 1) * view.line_height};
    if (line.y + view.line_height >= view.from.y && line.y <= view.to.y) {
      painter.draw(line, in_comment);
      in_sight.push_back(line);
    } else {
      skip_code_line(line.text, in_comment);
    }
    offset = end + 1;
  }
  if (view.editing) draw_caret(list, view, document);
  list.PopClipRect();
  list.PushClipRect(view.from, view.to, true);
  if (!marks.prose)
    for (const Line& line : in_sight) painter.draw_number(line);
  list.PopClipRect();
}

}  // namespace klab::ui
