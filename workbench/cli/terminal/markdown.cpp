// Renders Markdown's blocks: headings, paragraphs, lists, quotes, code and tables.
#include "cli/terminal/markdown.hpp"

#include <algorithm>
#include <vector>

#include "core/base/text.hpp"
#include "core/lesson/markdown.hpp"

namespace klab::cli {
namespace {

using markdown::Block;
using markdown::Span;
using markdown::Spans;

constexpr std::size_t code_indent = 6;

// Marks of tone inside text that is still to be wrapped. They are control characters, which take no
// column and which printable() has removed from the source.
constexpr char mark_end = '\x01';
constexpr char first_mark = '\x02';

std::string marked(Tone tone, const std::string& text) {
  return static_cast<char>(first_mark + static_cast<char>(tone)) + text + mark_end;
}

std::string marked(const Span& span) {
  if (span.image) return marked(Tone::faint, "[figure: " + span.text + "]");
  if (span.code) return marked(Tone::accent, span.text);
  if (span.strong || span.emphasis) return marked(Tone::strong, span.text);
  return span.text;
}

/// The spans with the marks of their tones; a link is followed by its target.
std::string marked(const Spans& spans) {
  std::string text, link_text;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const std::string& link = spans[i].link;
    text += marked(spans[i]);
    if (link.empty()) continue;
    link_text += spans[i].text;
    if (i + 1 < spans.size() && spans[i + 1].link == link) continue;
    if (link_text != link) text += " " + marked(Tone::faint, "(" + link + ")");
    link_text.clear();
  }
  return text;
}

/// The marks as this terminal's codes.
std::string painted(const Terminal& terminal, std::string_view marked_text) {
  std::string text;
  for (const char c : marked_text) {
    if (c == mark_end) {
      if (terminal.colour) text += "\033[0m";
    } else if (c >= first_mark && c <= first_mark + static_cast<char>(Tone::accent)) {
      // paint() gives code, text and reset: what stands before the text is the code.
      const std::string sample = terminal.paint(static_cast<Tone>(c - first_mark), "x");
      text += sample.substr(0, sample.find('x'));
    } else {
      text += c;
    }
  }
  return text;
}

std::string heading_text(const Terminal& terminal, const Block& block) {
  const std::string words = markdown::plain(block.spans);
  std::string text = terminal.paint(block.level <= 2 ? Tone::strong : Tone::accent, words) + "\n";
  if (block.level == 1)
    text += terminal.paint(Tone::faint, std::string(display_width(words), '=')) + "\n";
  return text + "\n";
}

std::string paragraph_text(const Terminal& terminal, const Block& block) {
  std::string first(static_cast<std::size_t>(2 * std::max(block.indent, 1)), ' ');
  std::string next = first;
  if (block.indent > 0) {
    first += block.marker.empty() ? std::string(2, ' ') : block.marker + " ";
    next = std::string(display_width(first), ' ');
  }
  if (block.quote > 0) {
    first += "│ ";
    next += "│ ";
  }
  std::string lines = wrapped(marked(block.spans), terminal.columns - display_width(first));
  for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += next.size() + 1)
    lines.insert(at + 1, next);
  return first + painted(terminal, lines) + "\n";
}

/// Lines that mean something as they are, and are therefore not wrapped; where they would leave the
/// screen, they stand further left.
std::string code_text(const Terminal& terminal, std::string_view code) {
  std::size_t widest = 0, indent = code_indent;
  for (std::size_t from = 0, end; from < code.size(); from = end + 1) {
    end = std::min(code.find('\n', from), code.size());
    widest = std::max(widest, display_width(code.substr(from, end - from)));
  }
  if (terminal.screen > 0)
    indent = std::min(indent, terminal.screen - std::min(terminal.screen, widest));
  std::string text;
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    if (end > 0)
      text += std::string(indent, ' ') + terminal.paint(Tone::accent, code.substr(0, end));
    text += "\n";
    code.remove_prefix(std::min(end + 1, code.size()));
  }
  return text + "\n";
}

std::string table_text(const Terminal& terminal, const Block& block) {
  std::size_t columns = 0;
  for (const auto& row : block.rows) columns = std::max(columns, row.size());
  Table table(std::string(columns, 'l'));
  for (const auto& row : block.rows) {
    std::vector<Cell> cells;
    for (const Spans& cell : row)
      cells.push_back(
          {markdown::plain(cell), &row == &block.rows.front() ? Tone::strong : Tone::plain});
    table.add(std::move(cells));
  }
  return table.text(terminal) + "\n";
}

std::string block_text(const Terminal& terminal, const Block& block,
                       const DrawFigure& draw_figure) {
  switch (block.kind) {
    case Block::Kind::heading:
      return heading_text(terminal, block);
    case Block::Kind::paragraph:
      return paragraph_text(terminal, block);
    case Block::Kind::code:
      if (draw_figure && block.language == "figure") return draw_figure(block.code);
      return code_text(terminal, block.code);
    case Block::Kind::table:
      return table_text(terminal, block);
    case Block::Kind::rule:
      return "  " + terminal.paint(Tone::faint, std::string(20, '-')) + "\n\n";
    case Block::Kind::figure:  // an empty space where nobody has filled it in
      break;
  }
  return {};
}

/// What is in a list stands close; behind everything else, and behind the list, is a free line.
bool ends_group(const Block& block, const Block* next) {
  if (block.kind != Block::Kind::paragraph) return false;  // which has its free line already
  const bool begins_anew = next && next->indent == 1 && next->marker == "1.";
  return block.indent == 0 || !next || next->indent == 0 || begins_anew;
}

}  // namespace

std::string render_markdown(const Terminal& terminal, std::string_view text,
                            const DrawFigure& draw_figure) {
  const markdown::Document document = markdown::parse(printable(text));
  std::string result;
  for (std::size_t i = 0; i < document.size(); ++i) {
    result += block_text(terminal, document[i], draw_figure);
    if (ends_group(document[i], i + 1 < document.size() ? &document[i + 1] : nullptr))
      result += "\n";
  }
  while (result.size() > 1 && result.ends_with("\n\n")) result.pop_back();
  return result;
}

}  // namespace klab::cli
