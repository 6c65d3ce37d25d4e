// The lines that go to klab-compile-facts and come back.
#include "core/build/draft/compile_facts.hpp"

#include <nlohmann/json.hpp>

#include "core/base/files.hpp"
#include "core/verdict/check_result_json.hpp"
#include "core/verdict/json_reading.hpp"

namespace klab {
namespace {

using json_reading::integer;
using json_reading::line_of;
using json_reading::optional_number;
using nlohmann::json;

/// Raised with every change that an older program would misread.
constexpr int facts_version = 1;
constexpr std::size_t longest_line_bytes = 4u << 20;
constexpr std::size_t longest_contract_bytes = 1u << 20;

json to_json(const DraftKernel& facts) {
  const KernelReport& report = facts.report;
  return {{"kernel", report.kernel},
          {"registers", report.registers},
          {"stack_bytes", report.stack_bytes},
          {"spill_store_bytes", report.spill_store_bytes},
          {"spill_load_bytes", report.spill_load_bytes},
          {"static_shared_bytes", report.static_shared_bytes},
          {"block_threads", integer(facts.block_threads)},
          {"dynamic_shared_bytes", integer(facts.dynamic_shared_bytes)}};
}

DraftKernel draft_kernel_from(const json& j) {
  DraftKernel facts;
  facts.report = {j.at("kernel"),           j.at("registers"),
                  j.at("stack_bytes"),      j.at("spill_store_bytes"),
                  j.at("spill_load_bytes"), j.at("static_shared_bytes")};
  facts.block_threads = optional_number<int>(j, "block_threads");
  facts.dynamic_shared_bytes = optional_number<std::int64_t>(j, "dynamic_shared_bytes");
  return facts;
}

template <class T, class Decode>
Result<T> decode_facts(std::string_view line, Decode decode) {
  const auto refuse = [&](const char* why) {
    return make_error(
        ErrorCode::protocol_mismatch,
        std::string("A line of klab-compile-facts is not of this version: ") + why + ".", {},
        std::string(line.substr(0, 200)));
  };
  const auto decode_version = [&](const json& object) -> Result<T> {
    if (object.at("version") != facts_version) return refuse("it has another version");
    return decode(object);
  };
  return json_reading::decode_line<T>(line, longest_line_bytes, decode_version, refuse);
}

}  // namespace

std::string encode(const FactsRequest& request) {
  json include = json::array();
  for (const auto& folder : request.include) include.push_back(folder.string());
  return line_of({{"version", facts_version},
                  {"number", request.number},
                  {"name", request.name},
                  {"source", request.source},
                  {"contract", request.contract},
                  {"include", include},
                  {"compute_capability", request.compute_capability},
                  {"architecture", request.architecture}});
}

Result<FactsRequest> decode_facts_request(std::string_view line) {
  return decode_facts<FactsRequest>(line, [](const json& j) {
    FactsRequest request;
    request.number = j.at("number");
    request.name = j.at("name");
    request.source = j.at("source");
    request.contract = j.at("contract");
    for (const json& folder : j.at("include"))
      request.include.emplace_back(folder.get<std::string>());
    request.compute_capability = j.at("compute_capability");
    request.architecture = j.at("architecture");
    return request;
  });
}

std::string encode(const CompileFacts& facts) {
  json kernels = json::array(), messages = json::array();
  for (const DraftKernel& kernel : facts.kernels) kernels.push_back(to_json(kernel));
  for (const CompilerMessage& message : facts.messages)
    messages.push_back({{"file", message.file},
                        {"line", message.line},
                        {"severity", message.severity},
                        {"text", message.text}});
  return line_of({{"version", facts_version},
                  {"number", facts.number},
                  {"compute_capability", facts.compute_capability},
                  {"kernels", kernels},
                  {"messages", messages},
                  {"error", facts.error ? to_json(*facts.error) : json(nullptr)},
                  {"left_out", facts.left_out},
                  {"exact", facts.exact},
                  {"milliseconds", facts.compile_time.count()}});
}

Result<CompileFacts> decode_compile_facts(std::string_view line) {
  return decode_facts<CompileFacts>(line, [](const json& j) {
    CompileFacts facts;
    facts.number = j.at("number");
    facts.compute_capability = j.at("compute_capability");
    for (const json& kernel : j.at("kernels")) facts.kernels.push_back(draft_kernel_from(kernel));
    for (const json& message : j.at("messages"))
      facts.messages.push_back(
          {message.at("file"), message.at("line"), message.at("severity"), message.at("text")});
    if (const json& error = j.at("error"); !error.is_null()) facts.error = error_from(error);
    facts.exact = j.at("exact");
    facts.left_out = j.at("left_out").get<std::vector<std::string>>();
    facts.compile_time =
        std::chrono::duration<double, std::milli>(j.at("milliseconds").get<double>());
    return facts;
  });
}

void add_occupancy(CompileFacts& facts) {
  for (DraftKernel& kernel : facts.kernels) {
    if (!kernel.block_threads || !kernel.dynamic_shared_bytes) continue;
    const auto result = occupancy({.compute_capability = facts.compute_capability,
                                   .block_threads = *kernel.block_threads,
                                   .registers_per_thread = kernel.report.registers,
                                   .static_shared_bytes = kernel.report.static_shared_bytes,
                                   .dynamic_shared_bytes = *kernel.dynamic_shared_bytes});
    if (result) kernel.occupancy = *result;
  }
}

Result<FactsRequest> facts_request(const Toolchain& toolchain, const Lab& lab, std::string name,
                                   std::string source, int compute_capability) {
  const auto contract = read_file(lab.contract(), longest_contract_bytes);
  if (!contract) return contract.error();
  const auto headers = toolchain.root / "include";
  return FactsRequest{.name = std::move(name),
                      .source = std::move(source),
                      .contract = *contract,
                      .include = {lab.lab_folder(), headers, headers / "cccl"},
                      .compute_capability = compute_capability,
                      .architecture = architecture_for(lab, compute_capability)};
}

}  // namespace klab
