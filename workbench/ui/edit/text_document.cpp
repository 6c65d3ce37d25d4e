// TextDocument: each act in a few lines.
#include "ui/edit/text_document.hpp"

#include <algorithm>
#include <utility>

#include "ui/edit/characters.hpp"
#include "ui/edit/code_find.hpp"
#include "ui/edit/code_indent.hpp"

namespace klab::ui {
namespace {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

Selection at(std::size_t caret) { return {caret, caret}; }

/// The same text with these line ends.
std::string with_breaks(std::string_view text, std::string_view line_break) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool two = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (two) ++i;
    if (text[i] == '\n')
      result += line_break;
    else
      result += text[i];
  }
  return result;
}

/// Where every match ends up as `replacement`, with what stands between them.
std::string replaced(std::string_view text, const std::vector<ByteRange>& matches,
                     std::string_view replacement) {
  std::string result;
  std::size_t from = matches.front().begin;
  for (const ByteRange& match : matches) {
    result += text.substr(from, match.begin - from);
    result += replacement;
    from = match.end;
  }
  return result;
}

}  // namespace

std::string_view TextDocument::selected() const {
  return std::string_view(text_).substr(selection_.from(), selection_.to() - selection_.from());
}

int TextDocument::line() const { return line_number(text_, selection_.caret); }

void TextDocument::apply(const EditAct& act) {
  using namespace edit;
  if (!std::holds_alternative<Move>(act)) column_.reset();
  std::visit(
      Overloaded{[&](const Type& a) { type(a.text); }, [&](const BreakLine&) { break_line(); },
                 [&](const Paste& a) { paste(a.text); }, [&](const Erase& a) { erase(a.motion); },
                 [&](const Move& a) { move(a); },
                 [&](const Place& a) { select(a.select ? selection_.anchor : a.at, a.at); },
                 [&](const Select& a) { select(a.anchor, a.caret); },
                 [&](const Indent&) { indent(); },
                 [&](const Outdent&) { edit_lines_as(LineAct::outdent); },
                 [&](const ToggleComment&) { edit_lines_as(LineAct::toggle_comment); },
                 [&](const Replace& a) {
                   if (a.begin <= a.end && a.end <= text_.size())
                     change(a.begin, a.end, a.text, at(a.begin + a.text.size()));
                 },
                 [&](const ReplaceAll& a) { replace_all(a); },
                 [&](const Undo&) {
                   if (const auto step = history_.undo()) take_back(*step);
                 },
                 [&](const Redo&) {
                   if (const auto step = history_.redo()) do_again(*step);
                 }},
      act);
}

void TextDocument::become(const std::string& text) {
  if (text == text_) return;
  if (text_.empty() && history_.empty()) {  // as it is opened
    text_ = text;
    return;
  }
  const std::size_t least = std::min(text.size(), text_.size());
  std::size_t head = 0, tail = 0;
  while (head < least && text[head] == text_[head]) ++head;
  while (tail < least - head && text[text.size() - 1 - tail] == text_[text_.size() - 1 - tail])
    ++tail;
  // The caret stays where it was in what did not change.
  const std::size_t end = text_.size() - tail;
  const auto follow = [&](std::size_t place) {
    if (place <= head) return place;
    return place >= end ? place - end + text.size() - tail : head;
  };
  const Selection after{follow(selection_.anchor), follow(selection_.caret)};
  change(head, end, text.substr(head, text.size() - tail - head), after);
  column_.reset();
}

void TextDocument::type(const std::string& text) {
  const std::size_t begin = selection_.from(), end = selection_.to(), caret = begin + text.size();
  if (text == "}") {  // alone on its line it goes below its opening one
    std::string typed = text_;
    typed.replace(begin, end - begin, text);
    const Indentation there = indent_typed(typed, caret);
    if (!(there == Indentation{})) {
      const std::size_t from = caret - there.remove;
      return change(from, end, there.insert, at(from + there.insert.size()));
    }
  }
  change(begin, end, text, at(caret), Burst::typing);
}

void TextDocument::break_line() {
  const std::size_t begin = selection_.from();
  const std::string before =
      text_.substr(line_begin(text_, begin), begin - line_begin(text_, begin));
  const std::string inserted = std::string(line_break_near(text_, begin)) +
                               indent_typed(before + "\n", before.size() + 1).insert;
  change(begin, selection_.to(), inserted, at(begin + inserted.size()));
}

void TextDocument::paste(const std::string& text) {
  const std::size_t begin = selection_.from();
  const std::string inserted = with_breaks(text, line_break_near(text_, begin));
  change(begin, selection_.to(), inserted, at(begin + inserted.size()));
}

void TextDocument::erase(Motion motion) {
  if (!selection_.empty())
    return change(selection_.from(), selection_.to(), "", at(selection_.from()));
  const std::size_t other = target(motion, 1);
  const auto [begin, end] = std::minmax({other, selection_.caret});
  change(begin, end, "", at(begin), Burst::erasing);
}

std::size_t TextDocument::by_lines(int lines) {
  const std::string_view text = text_;
  std::size_t from = line_begin(text, selection_.caret);
  if (!column_)
    column_ = column_of(text.substr(from, line_end(text, from) - from), selection_.caret - from);
  for (; lines < 0; ++lines) {
    if (from == 0) return 0;
    from = line_begin(text, from - 1);
  }
  for (; lines > 0; --lines) {
    const auto end = text.find('\n', from);
    if (end == std::string_view::npos) return text.size();
    from = end + 1;
  }
  return from + byte_at_column(text.substr(from, line_end(text, from) - from), *column_);
}

std::size_t TextDocument::target(Motion motion, int lines) {
  const std::size_t caret = selection_.caret, begin = line_begin(text_, caret);
  switch (motion) {
    case Motion::left:
      return previous_character(text_, caret);
    case Motion::right:
      return next_character(text_, caret);
    case Motion::word_left:
      return previous_word(text_, caret);
    case Motion::word_right:
      return next_word(text_, caret);
    case Motion::up:
      return by_lines(-lines);
    case Motion::down:
      return by_lines(lines);
    case Motion::line_begin: {
      const std::size_t end = line_end(text_, caret);
      const auto letter = std::min(text_.find_first_not_of(" \t", begin), end);
      return caret == letter ? begin : letter;
    }
    case Motion::line_end:
      return line_end(text_, caret);
    case Motion::text_begin:
      return 0;
    case Motion::text_end:
      break;
  }
  return text_.size();
}

void TextDocument::move(const edit::Move& act) {
  const bool vertical = act.motion == Motion::up || act.motion == Motion::down;
  if (!vertical) column_.reset();
  const bool sideways = act.motion == Motion::left || act.motion == Motion::right;
  std::size_t to = target(act.motion, act.lines);
  // Leaving a selection sideways goes to its edge.
  if (sideways && !act.select && !selection_.empty())
    to = act.motion == Motion::left ? selection_.from() : selection_.to();
  select(act.select ? selection_.anchor : to, to);
}

void TextDocument::indent() {
  if (!selection_.empty()) return edit_lines_as(LineAct::indent);
  const std::size_t caret = selection_.caret;
  const std::string before =
      text_.substr(line_begin(text_, caret), caret - line_begin(text_, caret));
  type(indent_typed(before + "\t", before.size() + 1).insert);
}

void TextDocument::edit_lines_as(LineAct act) {
  LineEdit edit = edit_lines(text_, selection_, act);
  const std::size_t end = edit.change.at + edit.change.removed.size();
  change(edit.change.at, end, std::move(edit.change.inserted), edit.after);
}

void TextDocument::replace_all(const edit::ReplaceAll& act) {
  std::vector<ByteRange> matches;
  int line = 1;
  std::size_t from = 0;
  for (const TextMatch& match : find_all(text_, act.needle)) {
    for (; line < match.line; ++line) from = text_.find('\n', from) + 1;
    matches.push_back({from + match.begin, from + match.end});
  }
  if (matches.empty()) return;
  const std::size_t begin = matches.front().begin;
  std::string inserted = replaced(text_, matches, act.text);
  const std::size_t caret = begin + inserted.size();
  change(begin, matches.back().end, std::move(inserted), at(caret));
}

void TextDocument::select(std::size_t anchor, std::size_t caret) {
  const Selection wanted{std::min(anchor, text_.size()), std::min(caret, text_.size())};
  if (wanted == selection_) return;
  selection_ = wanted;
  history_.close();
}

void TextDocument::change(std::size_t begin, std::size_t end, std::string inserted, Selection after,
                          Burst burst) {
  TextChange change{begin, text_.substr(begin, end - begin), std::move(inserted)};
  if (change.removed != change.inserted) {
    text_.replace(begin, end - begin, change.inserted);
    history_.add(std::move(change), selection_, after, burst);
  }
  selection_ = after;
}

void TextDocument::take_back(const EditStep& step) {
  text_.replace(step.change.at, step.change.inserted.size(), step.change.removed);
  selection_ = step.before;
}

void TextDocument::do_again(const EditStep& step) {
  text_.replace(step.change.at, step.change.removed.size(), step.change.inserted);
  selection_ = step.after;
}

}  // namespace klab::ui
