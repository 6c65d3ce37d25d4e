// EditHistory: what was changed, step by step, so that each step can be undone and redone. No
// ImGui.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace klab::ui {

/// The caret, and where the selection that it ends began; both the same without one.
struct Selection {
  std::size_t anchor = 0, caret = 0;
  std::size_t from() const { return anchor < caret ? anchor : caret; }
  std::size_t to() const { return anchor < caret ? caret : anchor; }
  bool empty() const { return anchor == caret; }
  bool operator==(const Selection&) const = default;
};

/// At byte `at`, `inserted` took the place of `removed`.
struct TextChange {
  std::size_t at = 0;
  std::string removed, inserted;
};

/// What one undo takes back.
struct EditStep {
  TextChange change;
  Selection before, after;
};

class EditHistory {
 public:
  /// Letters typed one after another make a step a word; what is erased without a pause is one.
  enum class Burst { none, typing, erasing };

  void add(TextChange change, Selection before, Selection after, Burst burst);
  bool empty() const { return steps_.empty(); }
  /// What comes next begins a step of its own.
  void close() { burst_ = Burst::none; }

  /// The step that has to be taken back, or done again, now; absent if there is none.
  std::optional<EditStep> undo();
  std::optional<EditStep> redo();

 private:
  bool joins(const TextChange& change, Burst burst) const;
  void forget_oldest();

  std::deque<EditStep> steps_;
  std::size_t done_ = 0;   ///< steps that are done; those behind them were undone
  std::size_t bytes_ = 0;  ///< held by all steps
  Burst burst_ = Burst::none;
};

}  // namespace klab::ui
