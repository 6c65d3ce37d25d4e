// Checked launches, and how a wrong result is described.
#include "runner/phases/verify.hpp"

#include <chrono>
#include <cmath>
#include <set>
#include <thread>

#include "runner/device/cuda_check.hpp"
#include "runner/device/nvtx_range.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"

namespace klab::runner {
namespace {

/// Problems up to this many elements are filled and checked on the host, so that small sizes have
/// a true CPU reference; larger ones on the device, where filling 64 Mi elements takes milliseconds
/// instead of seconds.
constexpr std::size_t host_limit_elements = 1u << 14;

/// How long work on a stream of its own gets to show itself while the given stream is held.
constexpr std::chrono::microseconds time_to_stray{200};

Where where_to_check(const Workload& workload, const Size& size) {
  if (is_simulated()) return Where::host;
  std::size_t elements = 0;
  for (const BufferSpec& spec : workload.buffers(size)) elements += spec.count;
  return elements <= host_limit_elements ? Where::host : Where::device;
}

void describe_wrong_value(record::Verified& verified, const Mismatch& mismatch,
                          const ProblemMemory& memory, unsigned char poison) {
  verified.problem = "wrong value";
  verified.wrong = mismatch.wrong;
  verified.total = mismatch.total;
  verified.buffer = memory.specs().at(mismatch.buffer).name;
  verified.index = mismatch.index;
  if (std::isfinite(mismatch.want)) {
    verified.want = mismatch.want;
    verified.tolerance = mismatch.tolerance;
  } else {
    verified.problem +=
        std::isnan(mismatch.want) ? " where NaN is right" : " where infinity is right";
  }
  if (std::isfinite(mismatch.got))
    verified.got = mismatch.got;
  else
    verified.got_text = std::isnan(mismatch.got) ? "nan" : mismatch.got > 0 ? "inf" : "-inf";
  const auto bytes = memory.element({mismatch.buffer, mismatch.index});
  if (is_poison(bytes.data(), bytes.size(), poison) &&
      memory.specs()[mismatch.buffer].role == Role::output) {
    verified.problem = "not written";
    verified.got.reset();
    verified.got_text = "the poison written before the launch";
  }
}

void describe_place(record::Verified& verified, const char* problem, const ProblemMemory& memory,
                    BufferPlace place) {
  verified.problem = problem;
  verified.buffer = memory.specs()[place.buffer].name;
  verified.index = place.index;
  verified.total = static_cast<std::int64_t>(memory.specs()[place.buffer].count);
}

void report_findings(Session& session, const Plugin& plugin) {
  for (const record::Finding& finding : take_findings(plugin.variant())) session.out.write(finding);
}

/// Launches while the given stream is held back. Returns where an output was written all the same:
/// by work on another stream that does not wait for the given one. A launch that itself waits for
/// the device outlasts the hold, and nothing is learnt.
std::optional<BufferPlace> launch_held(Session& session, const Plugin& plugin,
                                       const ProblemMemory& memory, unsigned char poison) {
  const void* args = session.workload->bind(memory.working());
  const NvtxRange range("launch", plugin.variant());
  if (is_simulated()) {
    launch(session, plugin, args);
    return std::nullopt;
  }
  session.hold.begin(session.stream.get());
  launch(session, plugin, args);
  std::optional<BufferPlace> touched;
  if (session.hold.is_holding()) {
    std::this_thread::sleep_for(time_to_stray);
    touched = memory.touched_output(poison, session.hold.beside());
    if (!session.hold.is_holding()) touched.reset();
  }
  session.hold.release();
  return touched;
}

}  // namespace

std::uint64_t derived_seed(std::uint64_t seed, const Size& size, int turn) {
  // FNV-1a over the words, so that no two sizes or turns share inputs.
  std::uint64_t value = 0xcbf29ce484222325ull;
  const auto mix = [&](std::uint64_t word) { value = (value ^ word) * 0x100000001b3ull; };
  mix(seed);
  for (const std::int64_t extent : size) mix(static_cast<std::uint64_t>(extent));
  mix(static_cast<std::uint64_t>(turn));
  return usual_seed(value ^ (value >> 32));
}

record::Verified verify_once(Session& session, const Plugin& plugin, ProblemMemory& memory,
                             unsigned char poison) {
  const NvtxRange range("verify", plugin.variant());
  record::Verified verified;
  verified.variant = plugin.variant();
  verified.size = memory.size();
  verified.seed = session.request.seed;

  memory.prepare(poison, session.stream.get());
  const auto early = launch_held(session, plugin, memory, poison);
  wait_for_stream(session, plugin);
  memory.snapshot(session.stream.get());
  wait_for_stream(session, plugin);
  wait_for_device(session, plugin);

  constexpr const char* unjoined = "work on another stream is not joined";
  if (early)
    describe_place(verified, unjoined, memory, *early);
  else if (const auto late = memory.changed_since_snapshot())
    describe_place(verified, unjoined, memory, *late);
  else if (const auto guard = memory.damaged_guard())
    describe_place(verified, "guard overwritten", memory, *guard);
  else if (const auto input = memory.changed_input())
    describe_place(verified, "input changed", memory, *input);
  else if (const Mismatch mismatch = memory.compare(*session.workload); mismatch.wrong > 0)
    describe_wrong_value(verified, mismatch, memory, poison);
  else
    verified.total = mismatch.total;
  verified.correct = verified.problem.empty();
  if (session.request.digest_results) verified.digest = memory.result_digest();
  return verified;
}

void verify(Session& session) {
  std::set<std::string> refused;  // kernel files whose launches CUDA does not take
  int done = 0;
  const int total = static_cast<int>(session.request.sizes.size());
  for (const Size& size : session.request.sizes) {
    session.out.progress("verify " + to_string(size), ++done, total);
    ProblemMemory memory(*session.workload, size, where_to_check(*session.workload, size),
                         guard_around_buffers());
    std::vector<record::Verified> results(session.plugins.size());
    for (const int turn : {0, 1}) {
      const std::uint64_t seed = derived_seed(session.request.seed, size, turn);
      memory.fill(*session.workload, turn == 0 ? seed : unusual_seed(seed));
      for (std::size_t i = 0; i < session.plugins.size(); ++i) {
        const Plugin& plugin = session.plugins[i];
        if (refused.contains(plugin.variant())) continue;
        if (turn == 1 && !results[i].correct) continue;
        try {
          results[i] =
              verify_once(session, plugin, memory, turn == 0 ? first_poison : second_poison);
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
