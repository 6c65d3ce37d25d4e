// Whole on a GPU, in part on the simulator.
#include "runner/verify/huge_sizes.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "core/base/text.hpp"
#include "core/course/sizes/drawn_sizes.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/last_launch.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/phases/trial.hpp"
#include "runner/problem/size_with_room.hpp"
#include "runner/problem/where_to_check.hpp"
#include "runner/verify/expected_time.hpp"
#include "runner/verify/quiet_memory.hpp"

namespace klab::runner {
namespace {

using Clock = std::chrono::steady_clock;

/// After so long no more of them are tried whole on a GPU: the simulator's second look tries each
/// in part.
constexpr std::chrono::milliseconds long_for_huge{300};

/// Nor what an unsigned cannot count, once all that came before took a processor so long.
constexpr double long_before_s = 0.7;

/// On the simulator, of the time for the whole check; there may be none left.
constexpr double share_for_huge = 0.15;

constexpr std::int64_t max_int = std::numeric_limits<std::int32_t>::max(),
                       max_unsigned = std::numeric_limits<std::uint32_t>::max();

/// A launch this long is not tried either, in seconds.
constexpr double longest_huge = 1;

/// Where a thread, a warp or a block takes a row, one long row takes a GPU seconds or minutes.
bool takes_too_long(PhaseSetup& setup, const Plugin& plugin, const Size& size) {
  return takes_longer(longest_huge, size, [&](const Size& part) {
    Trial trial(setup, part, where_to_check(*setup.workload, part));
    trial.prepare(plugin, derived_seed(setup.request.seed, part, 0));
    return trial.run(plugin).value_or(0);
  });
}

/// On a GPU, where there is room and time for it; `tried` are those that were before.
bool try_whole(PhaseSetup& setup, const Plugin& plugin, const Size& size,
               std::set<std::pair<VariantName, Size>>& tried) {
  const auto whole = size_with_room(*setup.workload, size);
  if (!whole || !tried.emplace(plugin.variant(), *whole).second) return true;
  if (takes_too_long(setup, plugin, *whole)) return true;
  Trial trial(setup, *whole, Where::device);
  trial.prepare(plugin, derived_seed(setup.request.seed, *whole, 0));
  trial.run(plugin);
  const record::Verified verified = trial.verify(plugin);
  setup.out.write(verified);
  return verified.correct;
}

bool try_in_part(PhaseSetup& setup, const Plugin& plugin, const Size& size,
                 const Affordable& affordable) {
  if (!affordable.leaves_memory(plugin.variant(), size, elements_of(*setup.workload, size)))
    return true;
  const auto verified = try_addresses(setup, plugin, size);
  if (verified) setup.out.write(*verified);
  return !verified || verified->correct;
}

/// False if it is wrong.
bool try_huge(PhaseSetup& setup, const Plugin& plugin, const Size& size,
              const Affordable& affordable, std::set<std::pair<VariantName, Size>>& tried) {
  setup.at_hand = size;
  if (is_simulated()) return try_in_part(setup, plugin, size, affordable);
  try {
    return try_whole(setup, plugin, size, tried);
  } catch (const RunnerError& failure) {
    // What a kernel file takes for itself, or the reference, may be more than is left.
    if (failure.error().code != ErrorCode::out_of_memory) throw;
    forget_errors();
  } catch (const std::bad_alloc&) {  // the reference's
    forget_errors();
  }
  return true;
}

/// The highest extents of any size that the request names: what a contract allows.
Size highest_of(const Request& request) {
  Size highest;
  for (const auto* sizes : {&request.sizes, &request.beyond, &request.huge})
    for (const Size& size : *sizes) {
      highest.resize(size.size(), 1);
      for (std::size_t i = 0; i < size.size(); ++i) highest[i] = std::max(highest[i], size[i]);
    }
  return highest;
}

/// Of what any device gives each block, and of what this one does if it is asked.
std::vector<Size> sizes_around_shared_memory(const PhaseSetup& setup, const Plugin& plugin) {
  const auto growth = setup.shared_growth.find(plugin.variant());
  std::vector<Size> sizes;
  if (growth == setup.shared_growth.end()) return sizes;
  for (const auto which :
       {cudaDevAttrMaxSharedMemoryPerBlock, cudaDevAttrMaxSharedMemoryPerBlockOptin}) {
    int limit = 0;
    check_cuda(cudaDeviceGetAttribute(&limit, which, setup.device));
    const auto around =
        growth->second.around(static_cast<std::size_t>(limit), highest_of(setup.request));
    sizes.insert(sizes.end(), around.begin(), around.end());
  }
  return sizes;
}

/// Tries these; of a launch that is refused it says what is special there.
bool try_around_shared_memory(PhaseSetup& setup, const Plugin& plugin, const Affordable& affordable,
                              std::set<std::pair<VariantName, Size>>& tried) {
  bool right = true;
  for (const Size& size : sizes_around_shared_memory(setup, plugin)) {
    setup.out.progress("verify " + to_string(size));
    try {
      right = try_huge(setup, plugin, size, affordable, tried) && right;
    } catch (const RunnerError& failure) {
      Error error = failure.error();
      if (error.code != ErrorCode::launch_failed) throw;
      error.what += " There a block asks for " +
                    with_separators(std::to_string(most_dynamic_shared_bytes())) +
                    " bytes of dynamic shared memory.";
      throw RunnerError(error, failure.variant());
    }
  }
  return right;
}

}  // namespace

bool verify_huge_sizes(PhaseSetup& setup, const std::set<VariantName>& refused,
                       const Affordable& affordable, const Patience& patience) {
  std::optional<QuietMemory> memory;
  // By the host's clock a launch is timed later than it is counted: that takes as long.
  const bool timed_next = setup.request.timing == TimingMode::device;
  if (!is_simulated() && timed_next && !setup.request.huge.empty()) memory.emplace();
  const auto began = Clock::now();
  const Patience own = patience.anew();
  const bool took_long_before = patience.taken_s() > long_before_s;
  bool right = true, tried_beyond_int = false;
  std::set<std::pair<VariantName, Size>> tried;
  for (const Plugin& plugin : setup.plugins)
    if (!refused.contains(plugin.variant()))
      right = try_around_shared_memory(setup, plugin, affordable, tried) && right;
  for (const Size& size : setup.request.huge) {
    // What an int cannot count is tried however slow the machine is, or the kernel.
    const bool long_enough =
        is_simulated()
            ? tried_beyond_int && patience.is_over() && own.is_over(share_for_huge)
            : Clock::now() - began > long_for_huge ||
                  (tried_beyond_int && took_long_before && element_count(size) > max_unsigned);
    if (long_enough) break;
    tried_beyond_int |= element_count(size) > max_int;
    setup.out.progress("verify " + to_string(size));
    for (const Plugin& plugin : setup.plugins)
      if (!refused.contains(plugin.variant()))
        right = try_huge(setup, plugin, size, affordable, tried) && right;
  }
  if (memory) memory->wait();
  return right;
}

}  // namespace klab::runner
