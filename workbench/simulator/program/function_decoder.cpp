// Resolving a function: names to registers, statements to basic blocks.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "simulator/base/round_up.hpp"
#include "simulator/program/decode.hpp"

namespace klab::sim {

void FunctionDecoder::fail(std::string message, const ptx::Instruction& in) {
  kernel_.fail(std::move(message), in.line, location_of(in));
}

void FunctionDecoder::resolve() {
  const auto own_area = [&](const ptx::Variable& variable) {
    return variables_[scopes_[0].variables.at(variable.name)].area;
  };
  if (const auto error = ptx::read_body(kernel_.module.text(), text_, body_))
    return kernel_.fail(error->message, error->line);
  for (const ptx::Location& at : body_.locations)
    locations_.push_back(kernel_.location(at.file, at.line));
  instruction_scope_.resize(body_.instructions.size());
  scopes_.emplace_back();
  for (const ptx::Variable& parameter : text_.parameters)
    if (!text_.entry) declare_variable(parameter);
  for (const ptx::Variable& result : text_.results) declare_variable(result);
  build_blocks();
  if (kernel_.info.error) return;
  connect();
  if (kernel_.info.error) return;
  first_block_ = static_cast<std::int32_t>(kernel_.program.blocks.size());
  kernel_.program.blocks.resize(kernel_.program.blocks.size() + raw_.size());
  code().entry = first_block_;
  count_uses();
  assign_slots();
  for (const ptx::Variable& parameter : text_.parameters)
    if (!text_.entry) code().parameters.push_back(own_area(parameter));
  for (const ptx::Variable& result : text_.results) code().results.push_back(own_area(result));
  code().local_bytes = static_cast<std::uint32_t>(round_up(local_bytes_, 16));
}

void FunctionDecoder::open_scope() {
  scopes_.emplace_back();
  scopes_.back().param_bytes = param_bytes_;
}

// Parameters of calls in scopes side by side share the frame: no lane is in two of them, and each
// lane has its own part.
void FunctionDecoder::close_scope() {
  param_bytes_ = scopes_.back().param_bytes;
  scopes_.pop_back();
}

std::uint64_t FunctionDecoder::declare_local(const ptx::Variable& variable) {
  constexpr std::uint64_t most_local_bytes = 512 * 1024;  // CUDA's limit per thread
  const std::uint64_t offset = round_up(local_bytes_, variable.align);
  local_bytes_ = offset + variable.bytes;
  if (local_bytes_ > most_local_bytes)
    kernel_.fail("A function declares over 512 KiB of local memory.", variable.line);
  return offset;
}

ParamArea FunctionDecoder::declare_param(const ptx::Variable& variable) {
  constexpr std::uint64_t most_param_bytes = 32 * 1024, most_frame_bytes = 8u << 20;
  if (variable.bytes > most_param_bytes || param_bytes_ > most_frame_bytes) {
    kernel_.fail("A call's parameters are too large.", variable.line);
    return {};
  }
  const auto words =
      static_cast<std::uint32_t>(round_up(std::max<std::uint64_t>(variable.bytes, 1), 4) / 4);
  const std::uint32_t at = param_bytes_;
  param_bytes_ += words * 4 * lane_count;
  frame_bytes_ = std::max(frame_bytes_, param_bytes_);
  return {at, words * 4};
}

void FunctionDecoder::declare_variable(const ptx::Variable& variable) {
  LocalVariable declared{.space = variable.space};
  if (variable.space == ptx::Space::shared) {
    kernel_.add_shared(variable);
    declared.declaration = variable.name.data();
  } else if (variable.space == ptx::Space::local) {
    declared.offset = declare_local(variable);
  } else {
    declared.area = declare_param(variable);
  }
  scopes_.back().variables[variable.name] = static_cast<int>(variables_.size());
  variables_.push_back(declared);
}

void FunctionDecoder::declare_registers(const ptx::RegisterDeclaration& declared) {
  const auto first = static_cast<std::uint32_t>(registers_.size());
  const std::uint32_t count = std::max(1u, declared.count);
  // 8-bit registers hold their value in 16 bits.
  std::uint32_t bytes = ptx::bytes_of(declared.type);
  if (bytes == 1) bytes = 2;
  registers_.resize(first + count, Register{static_cast<std::uint8_t>(bytes)});
  if (declared.count > 0) {
    scopes_.back().ranges[declared.name] = {first, count};
  } else {
    scopes_.back().names[declared.name] = static_cast<int>(first);
  }
}

int FunctionDecoder::register_in(const Scope& scope, std::string_view name) {
  if (const auto it = scope.names.find(name); it != scope.names.end()) return it->second;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  std::uint32_t number = 0;
  const auto parsed = std::from_chars(name.data() + digits, name.data() + name.size(), number);
  if (digits >= name.size() || parsed.ec != std::errc{}) return -1;
  const auto it = scope.ranges.find(name.substr(0, digits));
  if (it == scope.ranges.end() || number >= it->second.count) return -1;
  return static_cast<int>(it->second.first + number);
}

int FunctionDecoder::find_register(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const int reg = register_in(*scope, name); reg >= 0) return reg;
  return -1;
}

void FunctionDecoder::resolve_operand(ptx::Operand& operand) {
  for (ptx::Operand& element : operand.elements) resolve_operand(element);
  if (operand.name.empty()) return;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    operand.reg = register_in(*scope, operand.name);
    if (operand.reg >= 0) return;
    if (const auto it = scope->variables.find(operand.name); it != scope->variables.end()) {
      operand.variable = it->second;
      return;
    }
  }
  for (const ptx::Variable& variable : kernel_.module.text().variables)
    if (variable.space == ptx::Space::shared && variable.name == operand.name) {
      kernel_.add_shared(variable);
      operand.variable = scopes_[0].variables[variable.name] = static_cast<int>(variables_.size());
      variables_.push_back({.space = variable.space, .declaration = variable.name.data()});
      return;
    }
}

void FunctionDecoder::resolve_names(ptx::Instruction& in) {
  for (ptx::Operand& operand : in.operands) resolve_operand(operand);
  if (!in.predicate.empty()) {
    in.predicate_reg = find_register(in.predicate);
    if (in.predicate_reg < 0 || !register_is_predicate(in.predicate_reg))
      fail(fmt::format("'{}' is not a predicate register.", in.predicate), in);
  }
}

Ending FunctionDecoder::ending_of(const ptx::Instruction& in) const {
  const std::string_view name = in.parts[0];
  if (name == "bra") return in.predicate.empty() ? Ending::jump : Ending::branch;
  if (name == "brx") return Ending::indexed;
  if (name == "ret") return text_.entry ? Ending::exit : Ending::ret;
  if (name == "exit") return Ending::exit;
  if ((name == "bar" && !in.has("warp")) || name == "barrier") return Ending::barrier;
  if (name == "call") {
    for (const ptx::Operand& operand : in.operands)
      if (operand.reg >= 0) return Ending::indirect_call;
    for (const ptx::Operand& operand : in.operands)
      if (operand.kind == ptx::Operand::Kind::name &&
          kernel_.module.text().function_index.contains(operand.name)) {
        const auto& text = kernel_.module.text();
        return text.functions[text.function_index.at(operand.name)].has_body ? Ending::call
                                                                             : Ending::next;
      }
  }
  return Ending::next;
}

void FunctionDecoder::start_block() {
  if (!raw_.empty() && raw_.back().instructions.empty()) return;
  raw_.emplace_back();
}

// Before a predicated instruction that ends a block: a branch around it, without a count of its
// own.
void FunctionDecoder::place_guard(std::uint32_t instruction) {
  raw_.back().ending = Ending::branch;
  raw_.back().guarded = instruction;
  raw_.emplace_back();
}

// Functions that an instruction may call are decoded too.
void FunctionDecoder::note_callees(const ptx::Instruction& in, Ending ending) {
  if (ending == Ending::call)
    for (const ptx::Operand& operand : in.operands)
      if (operand.kind == ptx::Operand::Kind::name) kernel_.function(operand.name);
  if (ending == Ending::indirect_call)
    for (const std::string_view name : kernel_.module.address_taken()) kernel_.function(name);
}

// Of an instruction that needs the lanes of a warp together.
std::optional<FunctionDecoder::SyncMembers> FunctionDecoder::members_of(
    const ptx::Instruction& in) {
  const std::string_view name = in.parts[0];
  const bool matrix = name == "mma" || name == "wmma" || name == "ldmatrix" || name == "stmatrix" ||
                      name == "movmatrix";
  if (matrix) return SyncMembers();
  const bool warp_barrier = name == "bar" && in.has("warp");
  if (!warp_barrier && !in.has("sync")) return std::nullopt;
  if (!warp_barrier && name != "shfl" && name != "vote" && name != "match" && name != "redux" &&
      name != "elect")
    return std::nullopt;
  if (in.operands.empty()) return std::nullopt;
  const ptx::Operand& last = in.operands.back();
  if (last.kind == ptx::Operand::Kind::name) return SyncMembers{.name = last.name};
  return SyncMembers{.bits = number_bits(last.number, 4)};
}

void FunctionDecoder::place(std::uint32_t instruction) {
  ptx::Instruction& in = body_.instructions[instruction];
  const Ending ending = ending_of(in);
  const bool waits_or_calls = ending == Ending::barrier || ending == Ending::call ||
                              ending == Ending::indirect_call || ending == Ending::indexed;
  if (waits_or_calls && !in.predicate.empty()) place_guard(instruction);
  // Lanes with different targets execute such a call again, so it stands alone.
  if (ending == Ending::indirect_call) start_block();
  if (const auto members = members_of(in)) {
    // Lanes that came together for the same members stay together until the block ends.
    const bool together = raw_.back().synchronized && raw_.back().members == *members;
    if (!together) start_block();
    raw_.back().synchronized = true;
    raw_.back().members = *members;
  }
  raw_.back().instructions.push_back(instruction);
  raw_.back().ending = ending;
  note_callees(in, ending);
  if (ending != Ending::next) raw_.emplace_back();
}

void FunctionDecoder::build_blocks() {
  constexpr std::size_t most_scopes = 64;
  raw_.emplace_back();
  std::vector<std::uint32_t> scope_stack{0};
  for (const ptx::Statement& statement : body_.statements) {
    switch (statement.kind) {
      case ptx::Statement::Kind::open:
        if (scopes_.size() > most_scopes) return kernel_.fail("Braces are nested too deeply.", 0);
        open_scope();
        scope_parent_.push_back(scope_stack.back());
        scope_stack.push_back(static_cast<std::uint32_t>(scope_parent_.size() - 1));
        break;
      case ptx::Statement::Kind::close:
        if (scopes_.size() == 1) return kernel_.fail("A closing brace has no opening one.", 0);
        close_scope();
        scope_stack.pop_back();
        break;
      case ptx::Statement::Kind::registers:
        declare_registers(body_.registers[statement.index]);
        break;
      case ptx::Statement::Kind::variable:
        declare_variable(body_.variables[statement.index]);
        break;
      case ptx::Statement::Kind::targets:
        branch_targets_[body_.targets[statement.index].name] = &body_.targets[statement.index];
        break;
      case ptx::Statement::Kind::label:
        start_block();
        labels_[{scope_stack.back(), body_.labels[statement.index]}] =
            static_cast<std::int32_t>(raw_.size() - 1);
        break;
      case ptx::Statement::Kind::instruction:
        instruction_scope_[statement.index] = scope_stack.back();
        resolve_names(body_.instructions[statement.index]);
        place(static_cast<std::uint32_t>(statement.index));
        break;
    }
  }
}

std::int32_t FunctionDecoder::label_block(std::string_view name, const ptx::Instruction& in,
                                          std::uint32_t scope) {
  for (;; scope = scope_parent_[scope]) {
    if (const auto it = labels_.find({scope, name}); it != labels_.end()) return it->second;
    if (scope == 0) break;
  }
  fail(fmt::format("The label '{}' does not exist.", name), in);
  return 0;
}

// Branch targets and the points where diverged lanes meet again.
void FunctionDecoder::connect() {
  FlowGraph graph;
  graph.successors.resize(raw_.size());
  for (std::size_t b = 0; b < raw_.size(); ++b) {
    RawBlock& block = raw_[b];
    const std::int32_t next = b + 1 < raw_.size() ? static_cast<std::int32_t>(b + 1) : -1;
    std::vector<std::int32_t>& out = graph.successors[b];
    if (block.guarded != none) {
      // What is guarded ends its block, so another one follows it.
      block.targets = {next + 1};
      out = {next + 1, next};
      continue;
    }
    if (block.ending == Ending::next || block.ending == Ending::barrier ||
        block.ending == Ending::call || block.ending == Ending::indirect_call) {
      out = {next};
      continue;
    }
    const std::uint32_t index = block.instructions.back();
    const ptx::Instruction& in = body_.instructions[index];
    // A guarded jump by table is reached by those lanes only that take it.
    const bool conditional = !in.predicate.empty() && block.ending != Ending::indexed;
    const std::uint32_t scope = instruction_scope_[index];
    if (block.ending == Ending::ret || block.ending == Ending::exit) {
      out = conditional ? std::vector<std::int32_t>{-1, next} : std::vector<std::int32_t>{-1};
      continue;
    }
    const std::size_t operand = block.ending == Ending::indexed ? 1 : 0;
    if (in.operands.size() <= operand) return fail("A branch has no target.", in);
    const std::string_view name = in.operands[operand].name;
    if (block.ending == Ending::indexed) {
      const auto found = branch_targets_.find(name);
      if (found == branch_targets_.end())
        return fail(fmt::format("'{}' is no list of branch targets.", name), in);
      for (const std::string_view label : found->second->labels)
        block.targets.push_back(label_block(label, in, scope));
      out = block.targets;
    } else {
      block.targets = {label_block(name, in, scope)};
      out = {block.targets[0]};
    }
    if (conditional) out.push_back(next);
  }
  joins_ = immediate_post_dominators(graph);
  flow_ = std::move(graph);
}

}  // namespace klab::sim
