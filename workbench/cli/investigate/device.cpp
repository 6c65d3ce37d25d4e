// device: the GPU's facts and what it was measured to do at best.
#include <nlohmann/json.hpp>

#include "cli/verbs/verbs.hpp"
#include "core/base/text.hpp"
#include "core/check/machine.hpp"
#include "core/measure/ceilings.hpp"
#include "core/measure/format.hpp"
#include "core/verdict/check_result_json.hpp"

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
  row("compute capability", std::to_string(device.compute_capability / 10) + "." +
                                std::to_string(device.compute_capability % 10) +
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
  std::string text = "\n  " + context.out.paint(Tone::strong, "Measured ceilings") + "  " +
                     context.out.paint(Tone::faint, ceilings.date) + "\n\n";
  if (ceilings.values.empty())
    return text + paragraph(context.out, "Not measured yet. " + std::string(unmeasured_remedy), 2,
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
  print(nlohmann::json{{"device", to_json(device)},
                       {"ceilings", {{"date", date}, {"values", values}}}}
            .dump(2) +
        "\n");
  return exit_ok;
}

}  // namespace

int device(const Context& context, bool measure, bool json) {
  const auto facts = gpu_facts(context.tree, true);
  if (!facts) return json ? fail_json(context, facts.error()) : fail(context, facts.error());
  Result<Ceilings> ceilings = Ceilings{};
  if (measure) {
    const auto say = [&](const std::string& text) {
      if (context.err.interactive) std::fprintf(stderr, "  %s\n", text.c_str());
    };
    const GpuLock lock([&] { say("Another check is using the GPU; waiting in line."); },
                       canceled_by_user(), context.tree.remote);
    ceilings = measure_ceilings(context.tree, *facts, say, &canceled_by_user());
  } else {
    ceilings = load_ceilings(context.tree.cache(), *facts);
  }
  if (!ceilings)
    return json ? fail_json(context, ceilings.error()) : fail(context, ceilings.error());
  if (json) return show_json(*facts, *ceilings);
  print(facts_text(context, *facts) + ceilings_text(context, *ceilings) + "\n");
  return exit_ok;
}

}  // namespace klab::cli
