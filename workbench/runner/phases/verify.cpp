// Checked launches at every size.
#include "runner/phases/verify.hpp"

#include <cstdint>
#include <optional>
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

std::size_t elements_of(const Workload& workload, const Size& size) {
  std::size_t elements = 0;
  for (const BufferSpec& spec : workload.buffers(size)) elements += spec.count;
  return elements;
}

Where where_to_check(const Workload& workload, const Size& size) {
  if (is_simulated()) return Where::host;
  return elements_of(workload, size) <= host_limit_elements ? Where::host : Where::device;
}

/// The launches at each size.
enum class Turn : std::uint64_t { usual, unusual, elsewhere };

void report_findings(PhaseSetup& setup, const Plugin& plugin) {
  for (const record::Finding& finding : take_findings(plugin.variant())) setup.out.write(finding);
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
void verify_huge(PhaseSetup& setup, const std::set<VariantName>& refused) {
  const Size& size = setup.request.huge;
  if (size.empty()) return;
  setup.out.progress("verify " + to_string(size));
  for (const Plugin& plugin : setup.plugins) {
    if (refused.contains(plugin.variant())) continue;
    if (is_simulated()) {
      if (const auto verified = try_addresses(setup, plugin, size)) setup.out.write(*verified);
    } else if (has_room_for(*setup.workload, size)) {
      Trial trial(setup, size, Where::device);
      trial.prepare(plugin, derived_seed(setup.request.seed, size, 0));
      trial.run(plugin);
      setup.out.write(trial.verify(plugin));
    }
  }
}

}  // namespace

void verify(PhaseSetup& setup) {
  std::set<VariantName> refused;  // kernel files whose launches CUDA does not take
  int done = 0;
  const int total = static_cast<int>(setup.request.sizes.size());
  for (const Size& size : setup.request.sizes) {
    setup.out.progress("verify " + to_string(size), ++done, total);
    Trial trial(setup, size, where_to_check(*setup.workload, size));
    // The same size in other memory, small enough to cost nothing: addresses that were kept with
    // the size lead back to the first.
    std::optional<Trial> elsewhere;
    if (elements_of(*setup.workload, size) <= host_limit_elements)
      elsewhere.emplace(setup, size, Where::host);
    std::vector<record::Verified> results(setup.plugins.size());
    for (const Turn turn : {Turn::usual, Turn::unusual, Turn::elsewhere}) {
      if (turn == Turn::elsewhere && !elsewhere) continue;
      Trial& tried = turn == Turn::elsewhere ? *elsewhere : trial;
      for (std::size_t i = 0; i < setup.plugins.size(); ++i) {
        const Plugin& plugin = setup.plugins[i];
        if (refused.contains(plugin.variant())) continue;
        if (turn != Turn::usual && !results[i].correct) continue;
        try {
          const std::uint64_t seed =
              derived_seed(setup.request.seed, size, static_cast<std::uint64_t>(turn));
          // Results that two machines compare are those of usual inputs.
          tried.prepare(plugin, seed, turn == Turn::unusual && !setup.request.digest_results);
          tried.run(plugin);
          results[i] = tried.verify(plugin);
          report_findings(setup, plugin);
        } catch (const RunnerError& failure) {
          report_findings(setup, plugin);
          if (failure.error().code != ErrorCode::launch_failed) throw;
          setup.out.write(record::Failure{failure.error(), failure.variant()});
          refused.insert(plugin.variant());
        }
      }
    }
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!refused.contains(setup.plugins[i].variant())) setup.out.write(results[i]);
  }
  verify_huge(setup, refused);
}

}  // namespace klab::runner
