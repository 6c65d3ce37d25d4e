// occupancy: how many blocks fit one multiprocessor, what limits them, and what other block sizes
// would do.
#include "core/measure/occupancy.hpp"

#include <nlohmann/json.hpp>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/check_session.hpp"
#include "core/base/text.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/check/machine.hpp"
#include "core/measure/format.hpp"

namespace klab::cli {
namespace {

struct Kernel {
  std::string name;
  OccupancyInput input;
};

/// The kernels of a lab's file, from the compiler's report.
Result<std::vector<Kernel>> kernels_of(const Context& context, const OccupancyOptions& options,
                                       ComputeCapability capability) {
  const auto request = check_request(context, {.lab = options.lab, .variant = options.variant});
  if (!request) return request.error();
  const auto toolchain = find_toolchain(context.tree);
  if (!toolchain) return toolchain.error();
  const auto built = build_plugin(context.tree, *toolchain, request->lab, request->variant,
                                  request->source, capability, &canceled_by_user());
  if (!built) return built.error();
  std::vector<Kernel> kernels;
  for (const KernelReport& report : built->kernels)
    kernels.push_back({report.kernel,
                       {.registers_per_thread = report.registers,
                        .static_shared_bytes = report.static_shared_bytes}});
  return kernels;
}

nlohmann::json to_json(const Kernel& kernel, const Occupancy& result) {
  nlohmann::json limiters = nlohmann::json::array();
  for (const OccupancyLimit limit : result.limiters) limiters.push_back(to_string(limit));
  return {{"kernel", kernel.name},
          {"compute_capability", kernel.input.compute_capability.number()},
          {"block", kernel.input.block_threads},
          {"registers", kernel.input.registers_per_thread},
          {"shared_bytes", kernel.input.static_shared_bytes + kernel.input.dynamic_shared_bytes},
          {"active_blocks", result.active_blocks},
          {"active_warps", result.active_warps},
          {"most_warps", result.most_warps},
          {"percent", result.percent},
          {"limiters", limiters}};
}

/// The asked block size among the usual ones, so that its neighbours can be seen.
std::vector<int> blocks_to_show(const std::optional<int>& asked) {
  std::vector<int> blocks = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
  if (asked && std::find(blocks.begin(), blocks.end(), *asked) == blocks.end())
    blocks.insert(std::lower_bound(blocks.begin(), blocks.end(), *asked), *asked);
  return blocks;
}

Result<std::string> kernel_text(const Context& context, Kernel kernel,
                                const std::optional<int>& asked) {
  const OccupancyInput& input = kernel.input;
  const std::string facts =
      "compute capability " + to_string(input.compute_capability) + ", " +
      std::to_string(input.registers_per_thread) + " registers a thread, " +
      format_capacity(static_cast<double>(input.static_shared_bytes + input.dynamic_shared_bytes)) +
      " shared a block";
  std::string text =
      "\n" + row_text(context.out, {{kernel.name, Tone::strong}, {facts, Tone::faint}}) + "\n";
  Table table("rrrrll");
  table.add({{"block", Tone::faint},
             {"blocks/SM", Tone::faint},
             {"warps", Tone::faint},
             {"occupancy", Tone::faint},
             {"", Tone::faint},
             {"limited by", Tone::faint}});
  for (const int block : blocks_to_show(asked)) {
    kernel.input.block_threads = block;
    const auto result = klab::occupancy(kernel.input);
    if (!result) return result.error();
    const Tone tone = asked == block ? Tone::accent : Tone::plain;
    table.add(
        {{std::to_string(block), tone},
         {std::to_string(result->active_blocks), tone},
         {std::to_string(result->active_warps) + "/" + std::to_string(result->most_warps), tone},
         {format_percent(result->percent), tone},
         {percent_bar(result->percent, 20), tone},
         {result->active_blocks == 0 ? "too much for one multiprocessor" : limiters_text(*result),
          tone}});
  }
  return text + table.text(context.out);
}

}  // namespace

int occupancy(const Context& context, const OccupancyOptions& options) {
  const ComputeCapability capability =
      options.compute_capability ? *options.compute_capability : built_for(context.tree);

  std::vector<Kernel> kernels = {{"kernel", {}}};
  if (!options.lab.empty()) {
    auto found = kernels_of(context, options, capability);
    if (!found) return fail(context, found.error(), options.json);
    kernels = std::move(*found);
  }
  nlohmann::json array = nlohmann::json::array();
  for (Kernel& kernel : kernels) {
    kernel.input.compute_capability = capability;
    kernel.input.block_threads = options.block.value_or(kernel.input.block_threads);
    kernel.input.registers_per_thread =
        options.registers.value_or(kernel.input.registers_per_thread);
    kernel.input.dynamic_shared_bytes = options.shared_bytes.value_or(0);
    const auto result = klab::occupancy(kernel.input);
    if (!result) return fail(context, result.error(), options.json);
    array.push_back(to_json(kernel, *result));
    if (options.json) continue;
    const auto text = kernel_text(context, kernel, options.block);
    if (!text) return fail(context, text.error());
    print(*text);
  }
  if (options.json)
    print_json(array);
  else
    print("\n");
  return exit_ok;
}

}  // namespace klab::cli
