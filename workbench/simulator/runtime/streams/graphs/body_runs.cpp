// Conditions are looked at before each run of a body.
#include "simulator/runtime/streams/graphs/body_runs.hpp"

#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {

std::shared_ptr<const GraphProgram> BodyRuns::next() {
  constexpr std::uint64_t most_runs = 1'000'000;
  Runtime& runtime = Runtime::instance();
  if (runtime.errors.has_faulted()) return nullptr;
  const std::uint32_t value = runtime.conditions.get(work_.condition);
  const bool loop = work_.type == cudaGraphCondTypeWhile;
  if (loop && value == 0) return nullptr;
  if (!loop && runs_ > 0) return nullptr;
  const bool bounded = runtime.settings.instruction_budget != 0;
  if (runtime.cancel || (bounded && runs_ == most_runs)) {
    runtime.say(
        "A graph's conditional node was stopped after running its body a million times, as a loop "
        "that may have no end. Let a kernel in the body set the condition to 0 "
        "(cudaGraphSetConditional), or allow any number (a budget of 0).");
    runtime.errors.set_fatal(cudaErrorLaunchTimeout, {.kernel = {}, .other = "a conditional node"});
    return nullptr;
  }
  ++runs_;
  const std::size_t chosen = loop                                ? 0
                             : work_.type == cudaGraphCondTypeIf ? (value != 0 ? 0 : 1)
                                                                 : value;
  return chosen < work_.bodies.size() ? work_.bodies[chosen] : nullptr;
}

}  // namespace klab::sim
