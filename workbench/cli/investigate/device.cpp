// device: the GPU's facts and what it was measured to do at best.
#include <nlohmann/json.hpp>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/check_session.hpp"
#include "core/base/text.hpp"
#include "core/check/machine.hpp"
#include "core/measure/ceilings.hpp"
#include "core/measure/format.hpp"
#include "core/timing/gpu_lock.hpp"
#include "core/verdict/json/check_result_json.hpp"

namespace klab::cli {
namespace {

std::string facts_text(const Context& context, const DeviceFacts& device) {
  Table table("ll");
  const auto row = [&](const std::string& name, const std::string& value) {
    table.add(
        {{name, Tone::faint}, {value.empty() ? std::string(missing_text) : printable(value)}});
  };
  const auto size = [](std::int64_t bytes) {
    return format_capacity(bytes > 0 ? std::optional(static_cast<double>(bytes)) : std::nullopt);
  };
  row("compute capability", format_capability(device.compute_capability) +
                                (device.chip.empty() ? "" : " (" + device.chip + ")"));
  row("driver", device.driver);
  row("multiprocessors",
      device.multiprocessors > 0 ? std::to_string(device.multiprocessors) : std::string{});
  row("memory", size(device.memory_bytes) + (device.memory_free_bytes
                                                 ? ", " + size(*device.memory_free_bytes) + " free"
                                                 : std::string{}));
  row("L2 cache", size(device.l2_bytes));
  row("shared memory per multiprocessor", size(device.shared_per_multiprocessor_bytes));
  row("registers per multiprocessor",
      device.registers_per_multiprocessor > 0
          ? format_count(static_cast<double>(device.registers_per_multiprocessor))
          : std::string{});
  return "\n  " + context.out.paint(Tone::strong, printable(device.name)) + "\n\n" +
         table.text(context.out);
}

std::string ceilings_text(const Context& context, const Ceilings& ceilings) {
  std::string text =
      "\n" +
      row_text(context.out, {{"Measured ceilings", Tone::strong}, {ceilings.date, Tone::faint}}) +
      "\n";
  if (ceilings.values.empty())
    return text + paragraph(context.out, "Not measured yet. " + shell_words(unmeasured_remedy), 2,
                            Tone::doubtful);
  Table table("lrl");
  for (const CeilingInfo& info : ceiling_catalogue())
    table.add({{std::string(info.label)},
               {format_value(ceilings.value(info.name), info.unit), Tone::strong},
               {std::string(info.meaning), Tone::faint}});
  return text + table.text(context.out);
}

int show_json(const DeviceFacts& device, const Ceilings& ceilings) {
  nlohmann::json values = nlohmann::json::object();
  for (const CeilingInfo& info : ceiling_catalogue()) {
    const auto value = ceilings.value(info.name);
    values[std::string(info.name)] = {{"value", value ? nlohmann::json(*value) : nullptr},
                                      {"unit", info.unit}};
  }
  const nlohmann::json date =
      ceilings.date.empty() ? nlohmann::json() : nlohmann::json(ceilings.date);
  print_json({{"device", to_json(device)}, {"ceilings", {{"date", date}, {"values", values}}}});
  return exit_ok;
}

/// What the simulator is: facts, and no ceilings, because it never times.
int show_simulator(const Context& context, const DeviceOptions& options) {
  if (options.measure)
    return fail(context,
                make_error(ErrorCode::usage, "The simulator has no ceilings: it counts.",
                           "Leave out --measure, or measure on a machine with a GPU."),
                options.json);
  const auto chosen = choose_backend(context.tree, Backend::simulator);
  if (!chosen) return fail(context, chosen.error(), options.json);
  if (options.json) return show_json(chosen->device, {});
  print(facts_text(context, chosen->device) + "\n" +
        paragraph(context.out, "It counts what a kernel does and never times it.", 2) + "\n");
  return exit_ok;
}

}  // namespace

int device(const Context& context, const DeviceOptions& options) {
  const auto end = [&](const Error& error) { return fail(context, error, options.json); };
  const auto backend = named_backend(options.backend);
  if (!backend) return end(backend.error());
  if (*backend == Backend::simulator) return show_simulator(context, options);
  const auto facts = gpu_facts(context.tree, true);
  if (!facts) return end(options.measure ? without_simulator(facts.error()) : facts.error());
  Result<Ceilings> ceilings = Ceilings{};
  if (options.measure) {
    const auto tell = [&](const std::string& text) { say(context, text); };
    const GpuLock lock(
        context.tree, [&] { tell("Another check is using the GPU; waiting in line."); },
        canceled_by_user());
    ceilings = measure_ceilings(context.tree, *facts, tell, &canceled_by_user());
  } else {
    ceilings = load_ceilings(context.tree.cache(), *facts);
  }
  if (!ceilings) return end(ceilings.error());
  if (options.json) return show_json(*facts, *ceilings);
  print(facts_text(context, *facts) + ceilings_text(context, *ceilings) + "\n");
  return exit_ok;
}

}  // namespace klab::cli
