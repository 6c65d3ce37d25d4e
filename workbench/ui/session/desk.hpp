// Desk: what the rules of every page share: the model, the page that is shown, notices, the
// journal.
#pragma once

#include <string>

#include "core/base/tree.hpp"
#include "ui/model/model.hpp"

namespace klab::ui {

struct Desk {
  const Tree tree;  ///< the folders of the course and of what was built
  Model model;

  void show(Page page);
  /// Something shall come into sight, or take the keyboard.
  void wish(Wish wish) { model.window.wishes.insert(wish); }
  void notify(std::string text, Outcome tone = Outcome::not_checkable);
  /// Writes an entry into the journal; a replay leaves it alone. True once it is there.
  bool note(JournalEntry entry);
};

}  // namespace klab::ui
