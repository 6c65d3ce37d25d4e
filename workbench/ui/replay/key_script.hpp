// KeyScript: keys pressed by the program itself, for repeatable pictures and demonstrations.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

namespace klab::ui {

class KeyScript {
 public:
  /// Names as the help shows them, separated by spaces: "F5", "3", "Ctrl+S", "Alt+2", "Esc", "[".
  /// Unknown names are passed over.
  explicit KeyScript(const std::string& names);
  /// The first of the names that is no key; empty if all are.
  static std::string unknown_key(const std::string& names);
  /// Call before each frame: presses or releases the next key.
  void advance();
  bool done() const { return next_ == chords_.size() && !down_; }

 private:
  std::vector<std::vector<ImGuiKey>> chords_;
  std::size_t next_ = 0;
  bool down_ = false;
  int rest_ = 2;  ///< frames to wait: the first ones only settle the layout
};

}  // namespace klab::ui
