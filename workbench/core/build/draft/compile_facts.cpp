// The lines that go to klab-compile-facts and come back.
#include "core/build/draft/compile_facts.hpp"

#include <nlohmann/json.hpp>

#include "core/base/files.hpp"
#include "core/verdict/check_result_fields.hpp"
#include "core/verdict/json_fields.hpp"

namespace klab {
namespace {

using json_reading::line_of;

/// Raised with every change that an older program would misread.
constexpr int facts_version = 1;
constexpr std::size_t longest_line_bytes = 4u << 20;
constexpr std::size_t longest_contract_bytes = 1u << 20;

template <class T>
Result<T> decode_facts(std::string_view line) {
  return json_reading::decode_line<T>(
      line, longest_line_bytes, json_fields::whole<T>, [&](const char* why) {
        return make_error(
            ErrorCode::protocol_mismatch,
            std::string("A line of klab-compile-facts is not of this version: ") + why + ".", {},
            std::string(line.substr(0, 200)));
      });
}

}  // namespace

template <class Visit>
void fields(Visit& visit, FactsRequest& request) {
  visit.version("version", facts_version, "it has another version");
  visit("number", request.number);
  visit("name", request.name);
  visit("source", request.source);
  visit("contract", request.contract);
  visit("include", request.include);
  visit("compute_capability", request.compute_capability);
  visit("architecture", request.architecture);
}

template <class Visit>
void fields(Visit& visit, DraftKernel& kernel) {
  fields(visit, kernel.report);
  visit("block_threads", kernel.block_threads);
  visit("dynamic_shared_bytes", kernel.dynamic_shared_bytes);
}

template <class Visit>
void fields(Visit& visit, CompilerMessage& message) {
  visit("file", message.file);
  visit("line", message.line);
  visit("severity", message.severity);
  visit("text", message.text);
}

template <class Visit>
void fields(Visit& visit, CompileFacts& facts) {
  visit.version("version", facts_version, "it has another version");
  visit("number", facts.number);
  visit("compute_capability", json_fields::or_zero(facts.compute_capability));
  visit("kernels", facts.kernels);
  visit("messages", facts.messages);
  visit("error", facts.error);
  visit("left_out", facts.left_out);
  visit("exact", facts.exact);
  double milliseconds = facts.compile_time.count();
  visit("milliseconds", milliseconds);
  facts.compile_time = std::chrono::duration<double, std::milli>(milliseconds);
}

std::string encode(const FactsRequest& request) { return line_of(json_fields::of_fields(request)); }
std::string encode(const CompileFacts& facts) { return line_of(json_fields::of_fields(facts)); }

Result<FactsRequest> decode_facts_request(std::string_view line) {
  return decode_facts<FactsRequest>(line);
}
Result<CompileFacts> decode_compile_facts(std::string_view line) {
  return decode_facts<CompileFacts>(line);
}

void add_occupancy(CompileFacts& facts) {
  if (!facts.compute_capability) return;
  for (DraftKernel& kernel : facts.kernels) {
    if (!kernel.block_threads || !kernel.dynamic_shared_bytes) continue;
    const auto result = occupancy({.compute_capability = *facts.compute_capability,
                                   .block_threads = *kernel.block_threads,
                                   .registers_per_thread = kernel.report.registers,
                                   .static_shared_bytes = kernel.report.static_shared_bytes,
                                   .dynamic_shared_bytes = *kernel.dynamic_shared_bytes});
    if (result) kernel.occupancy = *result;
  }
}

Result<FactsRequest> facts_request(const Toolchain& toolchain, const Lab& lab, std::string name,
                                   std::string source, ComputeCapability capability) {
  const auto contract = read_file(lab.contract(), longest_contract_bytes);
  if (!contract) return contract.error();
  const auto headers = toolchain.root / "include";
  return FactsRequest{.name = std::move(name),
                      .source = std::move(source),
                      .contract = *contract,
                      .include = {lab.lab_folder(), headers, headers / "cccl"},
                      .compute_capability = capability,
                      .architecture = architecture_for(lab, capability)};
}

}  // namespace klab
