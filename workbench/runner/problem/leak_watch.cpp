// What a launch held before and after it.
#include "runner/problem/leak_watch.hpp"

#include <string>

namespace klab::runner {

std::vector<record::Finding> LeakWatch::launched(const std::optional<Held>& before,
                                                 const std::optional<Held>& after,
                                                 const VariantName& variant) {
  std::vector<record::Finding> findings;
  if (!before || !after) return findings;
  const auto tell = [&](FindingKind kind, const char* what) {
    const std::string each = "Each of " + std::to_string(launches_) + " launches in a row ";
    findings.push_back({variant, kind, each + what, {}, {}, {}});
  };
  if (is_leak(memory_, after->allocations > before->allocations))
    tell(FindingKind::memory_leak,
         "allocated memory and did not free it: after some more of them there is none left. Free "
         "what a launch allocates, or allocate it once and keep it.");
  if (is_leak(host_, after->host_pieces > before->host_pieces))
    tell(FindingKind::memory_leak,
         "took memory of the host (malloc, new, a container) and did not free it: after some more "
         "of them there is none left. Free what a launch takes, or take it once and keep it.");
  if (is_leak(objects_, after->objects > before->objects))
    tell(
        FindingKind::object_leak,
        "created streams, events, graphs, pools, textures or surfaces, or registered memory of the "
        "host, and did not destroy all of it: there is more after every launch. Destroy what a "
        "launch creates, a graph as soon as it is instantiated, or create it once and keep it.");
  return findings;
}

bool LeakWatch::is_leak(int& in_a_row, bool kept) const {
  in_a_row = kept ? in_a_row + 1 : 0;
  return kept && in_a_row == launches_;
}

}  // namespace klab::runner
