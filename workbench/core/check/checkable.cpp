// Checkable: which gates of a lab have a source on this machine.
#include "core/check/checkable.hpp"

#include <algorithm>

#include "core/check/health.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"

namespace klab {
namespace {

using Reach = Checkable::Reach;

/// How many of the lab's causes have one of the sources.
template <class HasSource>
std::size_t countable(const Lab& lab, const HasSource& has_source) {
  return static_cast<std::size_t>(std::count_if(lab.pass().causes.begin(), lab.pass().causes.end(),
                                                [&](const CauseTarget& cause) {
                                                  const Metric* metric = find_metric(cause.metric);
                                                  return metric && has_source(*metric);
                                                }));
}

Obstacle obstacle(std::string words, const std::string& what, std::string remedy) {
  return {std::move(words), make_error(ErrorCode::no_device, what, std::move(remedy))};
}

Checkable on_simulator(const Lab& lab) {
  const std::size_t known = countable(lab, [](const Metric& m) {
    return !m.simulator.empty() || !m.compiler.empty() || m.agreement;
  });
  const std::string why =
      lab.kind == LabKind::measurement
          ? "The simulator's clock counts instructions and calls: what caches and real time do to "
            "a measurement needs a GPU."
          : "The simulator runs the kernel and counts; it has no time.";
  if (known == 0) return {Reach::results, "results only", why + " This lab's cause needs a GPU."};
  if (known < lab.pass().causes.size())
    return {Reach::cause, "part of the cause", why + " Some of this lab's counters need a GPU."};
  return {Reach::cause, "cause only, no time", why};
}

Checkable without_counters(const Lab& lab, const Error& obstacle) {
  // Tracing and the compiler's report need no permission.
  const std::size_t known = countable(
      lab, [](const Metric& m) { return !m.trace.empty() || !m.compiler.empty() || m.agreement; });
  const Advice why = obstacle.what + " " + obstacle.remedy;
  if (known == lab.pass().causes.size())
    return {Reach::everything, "time and cause", "This lab's cause needs no hardware counters."};
  if (known > 0) return {Reach::time, "time, part of the cause", why};
  return {Reach::time, "time only", why};
}

}  // namespace

std::optional<Obstacle> obstacle_of(const Lab& lab, const DeviceFacts& device) {
  const std::string elsewhere = "Check it on such a machine, here or with `--runner`.";
  const std::string gpus = lab.gpus == 1 ? "a GPU" : std::to_string(lab.gpus) + " GPUs";
  if (device.simulated) {
    if (lab.sizes.simulator) return std::nullopt;
    return obstacle("needs " + gpus, "This lab needs " + gpus + ": the simulator cannot run it.",
                    elsewhere);
  }
  const auto& capability = device.compute_capability;
  const ComputeCapability needed = lab.minimum_compute_capability;
  const std::string found = "; " + device.name + " has " + format_capability(capability) + ".";
  if (capability && *capability < needed)
    return obstacle("needs a newer GPU",
                    "This lab needs compute capability " + to_string(needed) + found, elsewhere);
  // A lab for older GPUs too does without the features where they are not.
  const auto& architecture = lab.build.architecture;
  if (capability && architecture && architecture->capability == needed && *capability != needed)
    return obstacle(
        "needs another GPU",
        "This lab needs what only compute capability " + to_string(needed) + " has" + found,
        elsewhere);
  if (const int here = device.gpus.value_or(1); here < lab.gpus)
    return obstacle("needs " + gpus,
                    "This lab needs " + gpus + "; this machine has " + std::to_string(here) + ".",
                    elsewhere);
  return std::nullopt;
}

Checkable what_can_be_checked(const Lab& lab, const CheckingMachine& machine) {
  if (machine.no_device) return {Reach::nothing, "nothing here", machine.no_device->what};
  if (!machine.device) return {};
  const DeviceFacts& device = *machine.device;
  if (auto obstacle = obstacle_of(lab, device))
    return {Reach::nothing, std::move(obstacle->words), std::move(obstacle->error.what)};
  if (device.simulated) return on_simulator(lab);
  if (machine.counter_obstacle) return without_counters(lab, *machine.counter_obstacle);
  return {Reach::everything, "time and counters", "Everything that a check looks at."};
}

std::optional<Error> known_counter_obstacle() {
  const HealthCheck check = counters_health(DeviceFacts{});
  if (check.works) return std::nullopt;
  return make_error(ErrorCode::profiler_denied, check.what, check.remedy);
}

}  // namespace klab
