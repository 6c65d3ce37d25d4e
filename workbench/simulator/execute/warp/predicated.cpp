// Predicated instructions: the wrapped one for the lanes whose predicate holds.
#include <bit>

#include "simulator/execute/warp.hpp"

namespace klab::sim {

namespace {

template <bool Counts>
void run_inner(Warp& warp, const Inst& inst) {
  const std::uint32_t outer = warp.mask;
  const std::uint32_t active = outer & read_predicate(warp, inst.predicate);
  if constexpr (Counts) {
    SiteCount& count = warp.sites[inst.site];
    ++count.requests;
    count.units += std::popcount(active);
  }
  if (active == 0) return;
  set_mask(warp, active);
  inst.inner(warp, inst);
  set_mask(warp, outer);
}

}  // namespace

void run_predicated(Warp& warp, const Inst& inst) { run_inner<false>(warp, inst); }
void run_predicated_counted(Warp& warp, const Inst& inst) { run_inner<true>(warp, inst); }

}  // namespace klab::sim
