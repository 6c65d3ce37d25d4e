// Predicated instructions: the wrapped one for the lanes whose predicate holds.
#include <bit>
#include <iterator>

#include "simulator/execute/warp.hpp"

namespace klab::sim {

namespace {

// At: of the lanes' count, from the instruction's site; -1: nobody asks.
template <int At>
void run_inner(Warp& warp, const Inst& inst) {
  const std::uint32_t outer = warp.mask;
  const std::uint32_t active = outer & read_predicate(warp, inst.predicate);
  if constexpr (At >= 0) {
    SiteCount& count = warp.sites[inst.site + At];
    ++count.requests;
    count.units += std::popcount(active);
  }
  if (active == 0) return;
  set_mask(warp, active);
  inst.inner(warp, inst);
  set_mask(warp, outer);
}

}  // namespace

void run_predicated(Warp& warp, const Inst& inst) { run_inner<-1>(warp, inst); }
void run_predicated_counted(Warp& warp, const Inst& inst) { run_inner<0>(warp, inst); }

Handler predicated_access(std::size_t sites) {
  constexpr Handler by_sites[] = {run_predicated, run_inner<1>, run_inner<2>, run_inner<3>,
                                  run_inner<4>};
  return sites < std::size(by_sites) ? by_sites[sites] : run_predicated;
}

}  // namespace klab::sim
