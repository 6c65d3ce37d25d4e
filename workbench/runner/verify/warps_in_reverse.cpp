// One more launch of a size, with the warps of each block in reverse and some blocks side by side.
#include "runner/verify/warps_in_reverse.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "runner/device/runner_error.hpp"
#include "runner/phases/platform.hpp"
#include "runner/problem/leak_watch.hpp"
#include "runner/verify/chosen_sizes.hpp"
#include "runner/verify/size_check.hpp"

namespace klab::runner {
namespace {

class InReverse {
 public:
  InReverse() { run_warps_in_reverse(true); }
  ~InReverse() { run_warps_in_reverse(false); }
  InReverse(const InReverse&) = delete;
  InReverse& operator=(const InReverse&) = delete;
};

record::Finding wrong_in_reverse(const VariantName& variant) {
  return {variant,
          FindingKind::warp_order,
          "Right where each warp and each block runs before the next one begins, and wrong where "
          "the last warp begins first and others run in between: one uses what another sets, or "
          "sets what another has yet to use, and nothing keeps the two apart. Atomic and volatile "
          "accesses alone keep no order: put a __syncthreads() there, or wait for a flag. A "
          "counter needs atomicAdd(): of two that read it and write it one more, one may be lost; "
          "and what atomicAdd() brought back may be out of date when you act on it.",
          {},
          {},
          {}};
}

/// A launch that faults is wrong, too.
bool is_right_in_reverse(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
                         const Affordable& affordable, double most_of_budget) {
  std::map<VariantName, LeakWatch> memory;
  SizeCheck check(setup, size, refused, memory);
  for (const Plugin& plugin : setup.plugins)
    if (!affordable.last_within(plugin.variant(), {size}, most_of_budget))
      check.leave_out(plugin.variant());
  try {
    const InReverse in_reverse;
    check.launch_each(Turn::reversed);
  } catch (const RunnerError& failure) {
    if (failure.error().code == ErrorCode::device_fault)
      setup.out.write(wrong_in_reverse(failure.variant()));
    throw;
  }
  for (const VariantName& wrong : check.wrong()) setup.out.write(wrong_in_reverse(wrong));
  return check.tell();
}

}  // namespace

bool verify_warps_in_reverse(PhaseSetup& setup, std::set<VariantName>& refused,
                             const Affordable& affordable) {
  constexpr double most_of_budget = 0.02;
  // Results that two machines compare are those of the launches before.
  if (!is_simulated() || setup.request.digest_results) return true;
  std::vector<Size> sizes = small_sizes(setup);
  sizes.erase(sizes.begin(), sizes.end() - std::min<std::ptrdiff_t>(1, std::ssize(sizes)));
  if (const std::vector<Size> larger = large_and_quick(setup); !larger.empty())
    sizes.push_back(larger.front());
  return std::all_of(sizes.begin(), sizes.end(), [&](const Size& size) {
    return is_right_in_reverse(setup, size, refused, affordable, most_of_budget);
  });
}

}  // namespace klab::runner
