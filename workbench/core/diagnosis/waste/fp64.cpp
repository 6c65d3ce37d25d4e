// Waste: double precision that slipped into arithmetic in single precision.
#include "core/diagnosis/rules.hpp"
#include "core/diagnosis/thresholds.hpp"
#include "core/measure/format.hpp"

namespace klab::rules {

Ruled<Waste> fp64(const KernelFacts& facts) {
  using namespace thresholds;
  Ruled<Waste> ruled{.lacks = facts.lacks({"flop_fp64", "flop_fp32"})};
  if (!ruled.lacks.empty()) return ruled;
  const double doubles = *facts.value("flop_fp64"), floats = *facts.value("flop_fp32");
  // A kernel without float arithmetic computes in double on purpose.
  if (!(doubles > 0) || !(floats > 0)) return {};
  const auto peak = facts.value("fp64_peak"), seconds = facts.value("profiled_duration");
  if (!peak || !seconds || !(*peak > 0) || !(*seconds > 0))
    return {.lacks = facts.lacks({"fp64_peak", "profiled_duration"})};
  const double share = 100 * doubles / *seconds / *peak;
  if (share < fp64_pct) return {};
  ruled.found =
      Waste{.name = "FP64 arithmetic",
            .sentence = "Double precision takes " + format_percent(share) +
                        " of its peak in a kernel that computes in single precision too.",
            .evidence = {facts.evidence("flop_fp64", "0 unless it is meant"),
                         facts.evidence("flop_fp32", "beside it")},
            .experiment = {"Write constants with the suffix f, and call sinf, expf and the like.",
                           "The FP64 operations go to 0, and the result stays within tolerance."}};
  return ruled;
}

}  // namespace klab::rules
