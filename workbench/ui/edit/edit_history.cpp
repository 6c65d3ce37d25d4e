// EditHistory: bursts of keys become one step.
#include "ui/edit/edit_history.hpp"

#include <utility>

namespace klab::ui {
namespace {

/// A session of typing; a kernel file has a hundredth of it.
constexpr std::size_t most_bytes = 32u << 20;
constexpr std::size_t most_steps = 20'000;

std::size_t size_of(const EditStep& step) {
  return step.change.removed.size() + step.change.inserted.size();
}

bool blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

bool EditHistory::joins(const TextChange& change, Burst burst) const {
  if (burst == Burst::none || burst != burst_ || done_ == 0 || done_ != steps_.size()) return false;
  const TextChange& last = steps_.back().change;
  if (burst == Burst::typing) {
    const bool next_word = !last.inserted.empty() && blank(last.inserted.back()) &&
                           !change.inserted.empty() && !blank(change.inserted.front());
    return change.removed.empty() && !next_word && change.at == last.at + last.inserted.size();
  }
  return change.inserted.empty() && last.inserted.empty() &&
         (change.at == last.at || change.at + change.removed.size() == last.at);
}

void EditHistory::add(TextChange change, Selection before, Selection after, Burst burst) {
  if (change.removed.empty() && change.inserted.empty()) return;
  for (; steps_.size() > done_; steps_.pop_back()) bytes_ -= size_of(steps_.back());
  bytes_ += change.removed.size() + change.inserted.size();
  if (joins(change, burst)) {
    EditStep& last = steps_.back();
    last.change.inserted += change.inserted;
    if (change.at < last.change.at)
      last.change.removed.insert(0, change.removed), last.change.at = change.at;
    else
      last.change.removed += change.removed;
    last.after = after;
  } else {
    steps_.push_back({std::move(change), before, after});
    ++done_;
  }
  burst_ = burst;
  forget_oldest();
}

void EditHistory::forget_oldest() {
  for (; done_ > 1 && (bytes_ > most_bytes || done_ > most_steps); --done_) {
    bytes_ -= size_of(steps_.front());
    steps_.pop_front();
  }
}

std::optional<EditStep> EditHistory::undo() {
  close();
  if (done_ == 0) return std::nullopt;
  return steps_[--done_];
}

std::optional<EditStep> EditHistory::redo() {
  close();
  if (done_ == steps_.size()) return std::nullopt;
  return steps_[done_++];
}

}  // namespace klab::ui
