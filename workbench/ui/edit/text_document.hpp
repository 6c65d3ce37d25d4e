// TextDocument: a text of bytes with a caret, a selection and a history. What is not touched stays
// as it was read, whatever its bytes. No ImGui.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ui/edit/edit_acts.hpp"
#include "ui/edit/edit_history.hpp"
#include "ui/edit/line_edits.hpp"

namespace klab::ui {

class TextDocument {
 public:
  TextDocument() = default;
  explicit TextDocument(std::string text) : text_(std::move(text)) {}

  const std::string& text() const { return text_; }
  Selection selection() const { return selection_; }
  std::size_t caret() const { return selection_.caret; }
  std::string_view selected() const;
  /// The caret's line, from 1.
  int line() const;

  void apply(const EditAct& act);
  /// Takes over what another program or a restore made of the file, as one step that can be
  /// undone; the first text is no step.
  void become(const std::string& text);

 private:
  using Burst = EditHistory::Burst;
  void type(const std::string& text);
  void break_line();
  void paste(const std::string& text);
  void erase(Motion motion);
  void move(const edit::Move& act);
  std::size_t target(Motion motion, int lines);
  std::size_t by_lines(int lines);
  void indent();
  void edit_lines_as(LineAct act);
  void replace_all(const edit::ReplaceAll& act);
  void select(std::size_t anchor, std::size_t caret);
  /// The one way in which the text changes: bytes [begin, end) become `inserted`.
  void change(std::size_t begin, std::size_t end, std::string inserted, Selection after,
              Burst burst = Burst::none);
  void take_back(const EditStep& step);
  void do_again(const EditStep& step);

  std::string text_;
  Selection selection_;
  EditHistory history_;
  std::optional<std::size_t> column_;  ///< kept while going up and down over shorter lines
};

}  // namespace klab::ui
