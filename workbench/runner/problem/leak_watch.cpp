// What a launch held before and after it.
#include "runner/problem/leak_watch.hpp"

namespace klab::runner {

Grown Grown::operator|(const Grown& other) const {
  return {allocations || other.allocations, objects || other.objects,
          host_pieces || other.host_pieces};
}

Grown Grown::operator&(const Grown& other) const {
  return {allocations && other.allocations, objects && other.objects,
          host_pieces && other.host_pieces};
}

Grown Grown::without(const Grown& other) const {
  return {allocations && !other.allocations, objects && !other.objects,
          host_pieces && !other.host_pieces};
}

Grown grown(const std::optional<Held>& before, const std::optional<Held>& after, std::int64_t by) {
  if (!before || !after) return {};
  return {after->allocations >= before->allocations + by, after->objects >= before->objects + by,
          after->host_pieces >= before->host_pieces + by};
}

Grown LeakWatch::launched(const Grown& kept) {
  return {is_suspect(allocations_, kept.allocations), is_suspect(objects_, kept.objects),
          is_suspect(host_pieces_, kept.host_pieces)};
}

bool LeakWatch::is_suspect(int& in_a_row, bool kept) const {
  in_a_row = kept ? in_a_row + 1 : 0;
  return kept && in_a_row == launches_;
}

std::vector<record::Finding> leaks(const Grown& kept, const VariantName& variant) {
  std::vector<record::Finding> findings;
  const auto tell = [&](bool is_kept, FindingKind kind, const char* what) {
    if (is_kept) findings.push_back({variant, kind, what, {}, {}, {}});
  };
  tell(kept.allocations, FindingKind::memory_leak,
       "Launch after launch allocates memory and does not free it: after some more of them there "
       "is none left. Free what a launch allocates, or allocate it once and keep it.");
  tell(kept.host_pieces, FindingKind::memory_leak,
       "Launch after launch takes memory of the host (malloc, new, a container) and does not free "
       "it: after some more of them there is none left. Free what a launch takes, or take it once "
       "and keep it.");
  tell(kept.objects, FindingKind::object_leak,
       "Launch after launch creates streams, events, graphs, pools, textures or surfaces, or "
       "registers memory of the host, and does not destroy all of it: there is more after every "
       "launch. Destroy what a launch creates, a graph as soon as it is instantiated, or create it "
       "once and keep it.");
  return findings;
}

}  // namespace klab::runner
