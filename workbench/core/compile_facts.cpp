// The lines that go to klab-compile-facts and come back.
#include "core/compile_facts.hpp"

#include <nlohmann/json.hpp>

#include "core/check_result_json.hpp"
#include "core/files.hpp"

namespace klab {
namespace {

using nlohmann::json;

/// Raised with every change that an older program would misread.
constexpr int facts_version = 1;
constexpr std::size_t longest_line_bytes = 4u << 20;
constexpr std::size_t longest_contract_bytes = 1u << 20;

template <class T>
json optional(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

template <class T>
std::optional<T> optional_from(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<T>();
}

json to_json(const DraftKernel& facts) {
  const KernelReport& report = facts.report;
  return {{"kernel", report.kernel},
          {"registers", report.registers},
          {"stack_bytes", report.stack_bytes},
          {"spill_store_bytes", report.spill_store_bytes},
          {"spill_load_bytes", report.spill_load_bytes},
          {"static_shared_bytes", report.static_shared_bytes},
          {"block_threads", optional(facts.block_threads)},
          {"dynamic_shared_bytes", optional(facts.dynamic_shared_bytes)}};
}

DraftKernel draft_kernel_from(const json& j) {
  DraftKernel facts;
  facts.report = {j.at("kernel"),           j.at("registers"),
                  j.at("stack_bytes"),      j.at("spill_store_bytes"),
                  j.at("spill_load_bytes"), j.at("static_shared_bytes")};
  facts.block_threads = optional_from<int>(j, "block_threads");
  facts.dynamic_shared_bytes = optional_from<std::int64_t>(j, "dynamic_shared_bytes");
  return facts;
}

/// The source may hold any bytes; invalid UTF-8 is replaced, never thrown.
std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

template <class T, class Decode>
Result<T> decode(std::string_view line, Decode decode_body) {
  const auto refuse = [&](const char* why) {
    return make_error(ErrorCode::protocol_mismatch,
                      std::string("A line of klab-compile-facts is not of this version: ") + why,
                      {}, std::string(line.substr(0, 200)));
  };
  if (line.size() > longest_line_bytes) return refuse("it is too long.");
  const json parsed = json::parse(line, nullptr, false);
  if (!parsed.is_object()) return refuse("it is no JSON object.");
  try {
    if (parsed.at("version") != facts_version) return refuse("it has another version.");
    return decode_body(parsed);
  } catch (const json::exception& failure) {
    return refuse(failure.what());
  }
}

}  // namespace

std::string encode(const FactsRequest& request) {
  json include = json::array();
  for (const auto& folder : request.include) include.push_back(folder.string());
  return dump({{"version", facts_version},
               {"number", request.number},
               {"name", request.name},
               {"source", request.source},
               {"contract", request.contract},
               {"include", include},
               {"compute_capability", request.compute_capability}});
}

Result<FactsRequest> decode_facts_request(std::string_view line) {
  return decode<FactsRequest>(line, [](const json& j) {
    FactsRequest request;
    request.number = j.at("number");
    request.name = j.at("name");
    request.source = j.at("source");
    request.contract = j.at("contract");
    for (const json& folder : j.at("include"))
      request.include.emplace_back(folder.get<std::string>());
    request.compute_capability = j.at("compute_capability");
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
  return dump({{"version", facts_version},
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
  return decode<CompileFacts>(line, [](const json& j) {
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
                      .compute_capability = compute_capability};
}

}  // namespace klab
