// Ending: the program is told to end, or its display goes away, and nothing is lost.
#pragma once

#include <functional>

namespace klab::ui {

/// While one lives, a signal that asks the program to end is noted for the loop to see. Where the
/// display goes away Xlib calls exit(): then `last` is done, and nothing else.
class Ending {
 public:
  explicit Ending(std::function<void()> last);
  ~Ending();
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  /// The signal that asked for the end; 0 if none did.
  int signal() const;

 private:
  std::function<void()> last_;
};

}  // namespace klab::ui
