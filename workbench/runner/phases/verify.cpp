// Checked launches at every size.
#include "runner/phases/verify.hpp"

#include <cstdint>
#include <set>

#include "runner/device/cuda_check.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/platform.hpp"
#include "runner/phases/trial.hpp"

namespace klab::runner {
namespace {

/// Problems up to this many elements are filled and checked on the host, so that small sizes have
/// a true CPU reference; larger ones on the device, where filling 64 Mi elements takes milliseconds
/// instead of seconds.
constexpr std::size_t host_limit_elements = 1u << 14;

Where where_to_check(const Workload& workload, const Size& size) {
  if (is_simulated()) return Where::host;
  std::size_t elements = 0;
  for (const BufferSpec& spec : workload.buffers(size)) elements += spec.count;
  return elements <= host_limit_elements ? Where::host : Where::device;
}

void report_findings(Session& session, const Plugin& plugin) {
  for (const record::Finding& finding : take_findings(plugin.variant())) session.out.write(finding);
}

/// Operations of a task that is tried whole: its reference, in double precision, then takes some
/// tenths of a second on a large GPU.
constexpr double most_huge_operations = 1e12;

/// Inputs and results are kept once more each, and the reference takes some.
bool has_room_for(const Workload& workload, const Size& size) {
  const Work work = workload.least_work(size);
  if (work.fp32 + work.fp64 + work.fp16 > most_huge_operations) return false;
  std::size_t free_bytes = 0, all_bytes = 0;
  check_cuda(cudaMemGetInfo(&free_bytes, &all_bytes));
  double bytes = 0;
  for (const BufferSpec& spec : workload.buffers(size))
    bytes += static_cast<double>(spec.count) * static_cast<double>(spec.element_bytes);
  return 2.1 * bytes < static_cast<double>(free_bytes);
}

/// The size beyond 32-bit indices, once: as a whole where there is room for it, on the simulator by
/// its addresses alone.
void verify_huge(Session& session, const std::set<VariantName>& refused) {
  const Size& size = session.request.huge;
  if (size.empty()) return;
  session.out.progress("verify " + to_string(size));
  for (const Plugin& plugin : session.plugins) {
    if (refused.contains(plugin.variant())) continue;
    if (is_simulated()) {
      if (const auto verified = try_addresses(session, plugin, size)) session.out.write(*verified);
    } else if (has_room_for(*session.workload, size)) {
      Trial trial(session, size, Where::device);
      trial.prepare(plugin, derived_seed(session.request.seed, size, 0));
      trial.run(plugin);
      session.out.write(trial.verify(plugin));
    }
  }
}

}  // namespace

void verify(Session& session) {
  std::set<VariantName> refused;  // kernel files whose launches CUDA does not take
  int done = 0;
  const int total = static_cast<int>(session.request.sizes.size());
  for (const Size& size : session.request.sizes) {
    session.out.progress("verify " + to_string(size), ++done, total);
    Trial trial(session, size, where_to_check(*session.workload, size));
    std::vector<record::Verified> results(session.plugins.size());
    for (const std::uint64_t turn : {0, 1}) {
      for (std::size_t i = 0; i < session.plugins.size(); ++i) {
        const Plugin& plugin = session.plugins[i];
        if (refused.contains(plugin.variant())) continue;
        if (turn == 1 && !results[i].correct) continue;
        try {
          const std::uint64_t seed = derived_seed(session.request.seed, size, turn);
          // Results that two machines compare are those of usual inputs.
          trial.prepare(plugin, seed, turn == 1 && !session.request.digest_results);
          trial.run(plugin);
          results[i] = trial.verify(plugin);
          report_findings(session, plugin);
        } catch (const RunnerError& failure) {
          report_findings(session, plugin);
          if (failure.error().code != ErrorCode::launch_failed) throw;
          session.out.write(record::Failure{failure.error(), failure.variant()});
          refused.insert(plugin.variant());
        }
      }
    }
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!refused.contains(session.plugins[i].variant())) session.out.write(results[i]);
  }
  verify_huge(session, refused);
}

}  // namespace klab::runner
