// Launches in a row that each left something behind.
#include "runner/phases/leak_watch.hpp"

#include <string>

namespace klab::runner {

bool LeakWatch::is_leak(int& in_a_row, bool kept) const {
  in_a_row = kept ? in_a_row + 1 : 0;
  return kept && in_a_row == launches_;
}

void LeakWatch::after(PhaseSetup& setup, const Plugin& plugin) {
  const auto now = held();
  if (!now || !before_) return;
  const auto tell = [&](FindingKind kind, const char* what) {
    const std::string each = "Each of " + std::to_string(launches_) + " launches in a row ";
    setup.out.write(record::Finding{plugin.variant(), kind, each + what, {}, {}, {}});
  };
  if (is_leak(memory_, now->allocations > before_->allocations))
    tell(FindingKind::memory_leak,
         "allocated memory and did not free it: after some more of them there is none left. Free "
         "what a launch allocates, or allocate it once and keep it.");
  if (is_leak(objects_, now->objects > before_->objects))
    tell(FindingKind::object_leak,
         "created streams, events, graphs or pools and did not destroy all of them: there are more "
         "after every launch. Destroy what a launch creates, a graph as soon as it is "
         "instantiated, or create it once and keep it.");
}

}  // namespace klab::runner
