// facts: registers, spills, shared memory and occupancy of a kernel file, by nvcc's device passes
// alone.
#include <nlohmann/json.hpp>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/check_session.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/build/draft/compile_facts.hpp"
#include "core/check/machine.hpp"
#include "core/measure/format.hpp"
#include "core/verdict/json/check_result_json.hpp"

namespace klab::cli {
namespace {

constexpr std::size_t longest_draft_bytes = 1u << 20;

nlohmann::json to_json(const DraftKernel& facts) {
  const KernelReport& report = facts.report;
  nlohmann::json json = {{"kernel", report.kernel},
                         {"registers", report.registers},
                         {"stack_bytes", report.stack_bytes},
                         {"spill_store_bytes", report.spill_store_bytes},
                         {"spill_load_bytes", report.spill_load_bytes},
                         {"static_shared_bytes", report.static_shared_bytes},
                         {"block_threads", nullptr},
                         {"occupancy", nullptr}};
  if (facts.block_threads) json["block_threads"] = *facts.block_threads;
  if (facts.dynamic_shared_bytes) json["dynamic_shared_bytes"] = *facts.dynamic_shared_bytes;
  if (facts.occupancy)
    json["occupancy"] = {{"active_blocks", facts.occupancy->active_blocks},
                         {"percent", facts.occupancy->percent},
                         {"limited_by", limiters_text(*facts.occupancy)}};
  return json;
}

nlohmann::json to_json(const CompileFacts& facts, const FactsQuestion& question) {
  nlohmann::json kernels = nlohmann::json::array(), messages = nlohmann::json::array();
  for (const DraftKernel& kernel : facts.kernels) kernels.push_back(to_json(kernel));
  for (const CompilerMessage& message : facts.messages)
    messages.push_back({{"file", message.file},
                        {"line", message.line},
                        {"severity", to_string(message.severity)},
                        {"text", message.text}});
  nlohmann::json json = {{"lab", question.lab.id},
                         {"file", question.name},
                         {"source", "compiler"},
                         {"compute_capability", question.compute_capability.number()},
                         {"kernels", kernels},
                         {"messages", messages},
                         {"milliseconds", 1e3 * facts.compile_time.count()}};
  if (facts.error) json["error"] = klab::to_json(*facts.error);
  return json;
}

std::string table_text(const Context& context, const CompileFacts& facts) {
  Table table("lrrrrrl");
  const auto head = [](const char* name) { return Cell{name, Tone::faint}; };
  table.add({head("kernel"), head("registers"), head("spills"), head("shared"), head("block"),
             head("blocks/SM"), head("limited by")});
  for (const DraftKernel& kernel : facts.kernels) {
    const KernelReport& report = kernel.report;
    const double spills = static_cast<double>(report.spill_store_bytes + report.spill_load_bytes);
    const double shared =
        static_cast<double>(report.static_shared_bytes + kernel.dynamic_shared_bytes.value_or(0));
    table.add({{printable(report.kernel)},
               {std::to_string(report.registers)},
               {format_capacity(spills), spills > 0 ? Tone::bad : Tone::plain},
               {format_capacity(shared)},
               {kernel.block_threads ? std::to_string(*kernel.block_threads) : "at run time"},
               {kernel.occupancy ? std::to_string(kernel.occupancy->active_blocks) : "-"},
               {kernel.occupancy ? limiters_text(*kernel.occupancy) : ""}});
  }
  return table.text(context.out);
}

}  // namespace

int facts(const Context& context, const CheckOptions& options) {
  const auto request = check_request(context, options);
  if (!request) return fail(context, request.error(), options.json);
  auto source = read_file(request->source, longest_draft_bytes);
  if (!source) return fail(context, source.error(), options.json);
  const FactsQuestion question{request->lab, request->source.filename().string(),
                               std::move(*source), built_for(context.tree)};
  const CompileFacts facts = compile_facts(context.tree, question, &canceled_by_user());
  if (options.json) print_json(to_json(facts, question));
  if (facts.error) return fail(context, *facts.error);
  if (options.json) return exit_ok;
  print("\n" + (facts.kernels.empty() ? paragraph(context.out, "There is no kernel in it.", 2)
                                      : table_text(context, facts)));
  print("\n" +
        paragraph(context.out,
                  "compiled for sm_" + to_string(Architecture{question.compute_capability}) +
                      " in " + format_seconds(facts.compile_time.count()) + " by nvcc",
                  2, Tone::faint) +
        "\n");
  return exit_ok;
}

}  // namespace klab::cli
