// Checked launches at every size.
#include "runner/phases/verify.hpp"

#include <cstdint>
#include <set>

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

}  // namespace

void verify(Session& session) {
  std::set<std::string> refused;  // kernel files whose launches CUDA does not take
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
          trial.prepare(plugin, turn == 0 ? seed : unusual_seed(seed));
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
}

}  // namespace klab::runner
