// Markdown: prose as a flat list of blocks, which terminal and window each lay out in their way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/figure.hpp"

namespace klab::markdown {

/// A run of text in one style. A text of "\n" is a hard line break.
struct Span {
  std::string text;
  bool strong = false;
  bool emphasis = false;
  bool code = false;
  bool image = false;  ///< the text stands for a picture
  std::string link;    ///< target; empty if it is no link
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

using Document = std::vector<Block>;

/// Parses CommonMark with tables; a bare address is a link. HTML is text like any other; nesting
/// and length are bounded.
Document parse(std::string_view text);

/// The text alone, without its styles.
std::string plain(const Spans& spans);

}  // namespace klab::markdown
