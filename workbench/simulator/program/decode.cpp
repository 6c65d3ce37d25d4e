// Decoding a kernel with the functions it calls, and what they share: shared memory, source
// locations.
#include "simulator/program/decode.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/base/round_up.hpp"

namespace klab::sim {

namespace {

constexpr std::size_t most_functions = 1 << 16;
constexpr std::uint64_t most_parameter_bytes = 32'764;
constexpr std::uint64_t most_shared_bytes = 1 << 20;  // refused at launch long before

}  // namespace

void decode_kernel(const ModuleSymbols& module, const std::string& name, Program& program,
                   KernelInfo& info) {
  KernelDecoder(module, program, info).run(name);
}

void KernelDecoder::run(const std::string& name) {
  const ptx::ModuleText& text = module.text();
  const ptx::Function& entry = text.functions[text.function_index.at(name)];
  program.kernel_name = info.name = name;
  info.is_of_cub = name.starts_with("_ZN3cub") || name.starts_with("_ZN6thrust");
  program.locations.emplace_back();
  for (const ptx::Variable& parameter : entry.parameters) {
    if (parameter.bytes > most_parameter_bytes || info.parameter_bytes > most_parameter_bytes)
      return fail("The kernel's parameters take more than the 32,764 bytes that are possible.",
                  parameter.line);
    const auto offset = static_cast<std::uint32_t>(round_up(info.parameter_bytes, parameter.align));
    info.parameters.push_back({offset, static_cast<std::uint32_t>(parameter.bytes)});
    info.parameter_bytes = offset + static_cast<std::uint32_t>(parameter.bytes);
  }
  const auto product = [](const std::array<std::uint32_t, 3>& n) { return n[0] * n[1] * n[2]; };
  info.max_threads = product(entry.max_threads);
  info.required_threads = entry.required_threads;
  info.required_cluster = entry.required_cluster;
  info.explicit_cluster = entry.explicit_cluster;
  info.min_blocks = entry.min_blocks;
  for (const ModuleVariable& variable : module.variables())
    if (variable.constant) info.constant_bytes += static_cast<std::uint32_t>(variable.bytes);

  function(name);
  // Resolving a function may append the functions that it calls.
  for (std::size_t i = 0; i < functions_.size() && !info.error; ++i) functions_[i]->resolve();
  program.shared_bytes = info.static_shared_bytes;
  for (std::size_t i = 0; i < functions_.size() && !info.error; ++i) functions_[i]->encode();
  info.may_order_blocks = program.may_order_blocks;
  if (!program.functions.empty()) info.local_bytes = program.functions[0].local_bytes;
}

std::optional<std::uint32_t> KernelDecoder::function(std::string_view name) {
  if (const auto it = function_index_.find(name); it != function_index_.end()) return it->second;
  const ptx::ModuleText& text = module.text();
  const auto found = text.function_index.find(name);
  if (found == text.function_index.end() || functions_.size() >= most_functions)
    return std::nullopt;
  const ptx::Function& function = text.functions[found->second];
  if (!function.has_body) return std::nullopt;
  const auto index = static_cast<std::uint32_t>(functions_.size());
  function_index_.emplace(function.name, index);
  program.functions.push_back({.name = std::string(name)});
  functions_.push_back(std::make_unique<FunctionDecoder>(*this, function, index));
  return index;
}

void KernelDecoder::add_shared(const ptx::Variable& variable) {
  const char* declaration = variable.name.data();
  if (shared_.contains(declaration)) return;
  if (variable.bytes == 0 || variable.linkage == ptx::Linkage::external) {
    shared_.emplace(declaration, ~0ull);
    program.shared_alignment = std::max(program.shared_alignment, variable.align);
    return;
  }
  const std::uint64_t offset = round_up(info.static_shared_bytes, variable.align);
  if (offset + variable.bytes > most_shared_bytes)
    return fail("The kernel declares over 1 MiB of shared memory.", variable.line);
  shared_.emplace(declaration, offset);
  info.static_shared_bytes = static_cast<std::uint32_t>(offset + variable.bytes);
}

std::uint64_t KernelDecoder::shared_offset(const char* declaration) const {
  const std::uint64_t offset = shared_.at(declaration);
  if (offset != ~0ull) return offset;
  return round_up(info.static_shared_bytes, program.shared_alignment);
}

std::uint32_t KernelDecoder::location(std::uint32_t file, std::uint32_t line) {
  if (line == 0) return 0;
  const auto next = static_cast<std::uint32_t>(program.locations.size());
  const auto [it, added] = locations_.try_emplace({file, line}, next);
  if (added) {
    const auto& files = module.text().files;
    const auto path = files.find(file);
    const std::string name(path == files.end() ? "" : path->second);
    program.locations.push_back({name, line, ptx::is_of_toolkit(name)});
  }
  return it->second;
}

std::uint32_t KernelDecoder::unsupported(std::string opcode, std::uint32_t at) {
  const SourceLocation& where = program.locations[at];
  info.unsupported.push_back({std::move(opcode), where.file, where.line});
  return static_cast<std::uint32_t>(info.unsupported.size() - 1);
}

void KernelDecoder::fail(std::string message, std::uint32_t line, std::uint32_t at) {
  if (info.error) return;
  const SourceLocation& where = program.locations[at];
  info.error =
      Undecoded{fmt::format("{} (line {} of the PTX)", message, line), where.file, where.line};
}

std::string refusal_of(const std::string& kernel, const Undecoded& error) {
  return fmt::format(
      "{}kernel {} can't be decoded: {}. The simulator reads what nvcc 13 writes, and knows no "
      "such "
      "text; write this place in another way, or run the program on a GPU.",
      error.line == 0 ? std::string() : fmt::format("{}:{}: ", error.file, error.line), kernel,
      error.reason);
}

}  // namespace klab::sim
