// MarkdownDocument: a lesson as a flat list of blocks, ready to be laid out. No ImGui.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/figure.hpp"

namespace klab::ui {

/// A run of text in one style. A text of "\n" is a hard line break.
struct Span {
  std::string text;
  bool strong = false;
  bool emphasis = false;
  bool code = false;
  std::string link;  ///< target; empty if it is no link
};
using Spans = std::vector<Span>;

enum class Align { left, center, right };

struct Block {
  enum class Kind { heading, paragraph, code, table, rule, figure };
  Kind kind = Kind::paragraph;
  int level = 0;       ///< heading: 1..6
  int indent = 0;      ///< nesting in lists
  int quote = 0;       ///< nesting in block quotes
  std::string marker;  ///< first paragraph of a list item: "•" or "2."
  Spans spans;         ///< heading, paragraph
  std::string code;    ///< code
  std::string language;
  std::vector<Align> aligns;             ///< table
  std::vector<std::vector<Spans>> rows;  ///< table; the first row is the head
  std::optional<LessonFigure> figure;    ///< figure
};

using MarkdownDocument = std::vector<Block>;

/// Parses CommonMark with tables. Raw HTML is dropped; nesting and length are bounded.
MarkdownDocument parse_markdown(std::string_view text);

}  // namespace klab::ui
