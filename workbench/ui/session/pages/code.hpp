// CodeFollowing: what follows the shown code: the compiler's facts, listings, lines since the
// check.
#pragma once

#include <cstdint>
#include <string>

#include "ui/background/code_services.hpp"
#include "ui/session/desk.hpp"

namespace klab::ui {

class CodeFollowing {
 public:
  explicit CodeFollowing(Desk& desk) : desk_(desk) {}

  /// Facts and listings of the shown code; without them the page says less.
  void use(CodeServices services) { services_ = services; }
  /// Asks for what the code page shows and takes in the answers; true if something changed.
  bool follow();
  /// The page waits for an answer of theirs.
  bool awaits() const;
  /// Nobody is asked yet, because the learner may be typing on.
  bool pausing() const;
  void choose(CodeChoice choice);
  void set_view(CodeView view);
  /// Opens the learner's code at a line.
  void go_to_line(int line);

 private:
  void ask_facts(const CodeFile& file, const std::string& text, std::uint64_t key);
  bool take(CompileFacts answer);
  void ask_listing(const CodeFile& file);
  void take(ListingAnswer answer);
  /// Scrolls the shown code to a line, and puts the caret there where it is the learner's.
  void reveal(int line);
  void forget_revealed();

  Desk& desk_;
  CodeServices services_;
  int reveal_age_ = 0;  ///< ticks since LabPage::goto_line was set
};

}  // namespace klab::ui
