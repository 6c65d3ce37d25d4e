// Encoding a resolved function: instructions by the opcode tables, endings of blocks here.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "simulator/program/address_windows.hpp"
#include "simulator/program/decode.hpp"
#include "simulator/program/special.hpp"

namespace klab::sim {

namespace {

// Whether a function takes and returns what a call passes.
bool fits(const Call& call, const FunctionCode& callee) {
  const auto same = [](const std::vector<ParamArea>& a, const std::vector<ParamArea>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](auto& x, auto& y) { return x.bytes == y.bytes; });
  };
  return same(call.arguments, callee.parameters) && same(call.results, callee.results);
}

bool has_any(const ptx::Instruction& in, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return in.has(part); });
}

// What has the scope of a block or a cluster, or is about their memory, orders nothing beyond.
bool stays_in_the_block(const ptx::Instruction& in) {
  return has_any(in, {"cta", "cluster", "shared", "shared::cta", "shared::cluster", "local"});
}

// Whether it may be part of what tells one block that another has got so far.
bool may_order_blocks(const ptx::Instruction& in) {
  if (stays_in_the_block(in) || has_any(in, {"proxy", "async"})) return false;
  if (in.parts[0] == "mbarrier" || in.parts[0] == "barrier") return false;
  return in.parts[0] == "membar" || in.parts[0] == "fence" ||
         has_any(in, {"volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"});
}

// Whether it may be part of what tells one warp of a block that another has got so far, apart from
// a barrier of all.
bool may_order_warps(const ptx::Instruction& in) {
  if (in.parts[0] == "mbarrier") return true;
  if (has_any(in, {"proxy", "async", "local"})) return false;
  if (in.parts[0] == "bar" || in.parts[0] == "barrier") return in.operands.size() > 1;
  return in.parts[0] == "membar" || in.parts[0] == "fence" || has_any(in, {"release", "acq_rel"});
}

// A load past L1 is what flags are waited for with, too; a store there is a store.
OrderRole role_in_block(const ptx::Instruction& in) {
  const bool atomic = in.parts[0] == "atom" || in.parts[0] == "red", load = in.parts[0] == "ld";
  if ((!atomic && !load && in.parts[0] != "st")) return {};
  OrderRole role;
  role.releases = has_any(in, {"release", "acq_rel"});
  role.strong = atomic || role.releases ||
                has_any(in, {"volatile", "relaxed", "acquire", "mmio"}) ||
                (load && has_any(in, {"cg", "cv"}));
  role.acquires = role.strong && (load || in.parts[0] == "atom");
  return role;
}
OrderRole role_of(const ptx::Instruction& in) {
  return stays_in_the_block(in) ? OrderRole() : role_in_block(in);
}

// What a message calls an instruction: a call by what it calls.
std::string name_of(const ptx::Instruction& in) {
  if (in.parts[0] != "call") return std::string(in.opcode);
  std::string_view callee;
  for (const ptx::Operand& operand : in.operands)
    if (callee.empty() && operand.kind == ptx::Operand::Kind::name) callee = operand.name;
  const bool launches = callee.starts_with("__cudaCDP") || callee.starts_with("__cuda_syscall_cnp");
  return fmt::format("call {}{}", callee,
                     launches ? " (what kernels launch by themselves needs it)" : "");
}

// What of an instruction the interpreter does not have; empty if all of it is there.
std::string lacks(const Encoder& encoder, bool known) {
  const ptx::Instruction& in = encoder.in;
  if (!known) return name_of(in);
  if (encoder.error.empty()) return {};
  return fmt::format("{} as line {} of the PTX has it ({})", in.opcode, in.line, encoder.error);
}

}  // namespace

std::optional<std::uint32_t> FunctionDecoder::named_slot(const ptx::Operand& operand,
                                                         std::uint32_t bytes) {
  const std::string_view name = operand.name;
  const auto offset = static_cast<std::uint64_t>(operand.offset);
  if (name == "WARP_SZ") return constant_slot(lane_count, bytes);
  if (name.starts_with('%')) {
    const auto special = special_named(name);
    if (!special || bytes < 2) return std::nullopt;
    if (asks_for_reserved_smem(*special))
      kernel_.program.reserved_shared_bytes = reserved_smem_bytes;
    kernel_.program.asks_for_grid_barrier |= asks_for_grid_barrier(*special);
    return init_slot({.kind = SlotInit::Kind::special,
                      .slot_bytes = static_cast<std::uint8_t>(bytes),
                      .value = static_cast<std::uint64_t>(*special)});
  }
  if (operand.variable >= 0) {
    const LocalVariable& variable = variables_[operand.variable];
    if (variable.space == ptx::Space::shared)
      return constant_slot(kernel_.shared_offset(variable.declaration) + offset, bytes);
    if (variable.space != ptx::Space::local) return std::nullopt;
    return init_slot({.kind = SlotInit::Kind::local_address,
                      .slot_bytes = static_cast<std::uint8_t>(bytes),
                      .value = variable.offset + offset});
  }
  if (const auto parameter = kernel_parameter(name))
    return constant_slot(parameter_window + *parameter + offset, bytes);
  if (const ModuleVariable* variable = kernel_.module.find_variable(name))
    return constant_slot(variable->address + offset, bytes);
  if (const auto function = kernel_.module.function_address(name); function && bytes == 8)
    return constant_slot(*function, bytes);
  return std::nullopt;
}

const ParamArea* FunctionDecoder::param_area(const ptx::Operand& operand) const {
  if (operand.variable < 0) return nullptr;
  const LocalVariable& variable = variables_[operand.variable];
  return variable.space == ptx::Space::param ? &variable.area : nullptr;
}

std::optional<std::uint32_t> FunctionDecoder::kernel_parameter(std::string_view name) const {
  if (!text_.entry) return std::nullopt;
  for (std::size_t i = 0; i < text_.parameters.size(); ++i)
    if (text_.parameters[i].name == name) return kernel_.info.parameters[i].offset_bytes;
  return std::nullopt;
}

std::uint32_t FunctionDecoder::add_site(Site::Kind kind, const ptx::Instruction& in) {
  kernel_.program.sites.push_back({kind, location_of(in)});
  return static_cast<std::uint32_t>(kernel_.program.sites.size() - 1);
}

void FunctionDecoder::encode() {
  for (std::size_t b = 0; b < raw_.size() && !kernel_.info.error; ++b) encode_block(b);
  // Frames follow each other in memory; each starts on a cache line.
  code().frame_bytes = (frame_bytes_ + 63) / 64 * 64;
  for (std::uint32_t i = 0; i < code().inits.size(); ++i)
    if (code().inits[i].kind == SlotInit::Kind::special &&
        depends_on_block(static_cast<Special>(code().inits[i].value)))
      code().block_inits.push_back(i);
}

void FunctionDecoder::encode_block(std::size_t index) {
  Program& program = kernel_.program;
  const RawBlock& raw = raw_[index];
  const auto number = static_cast<std::uint32_t>(first_block_ + index);
  const auto in_program = [&](std::int32_t block) { return block < 0 ? -1 : first_block_ + block; };
  Block block;
  block.first = static_cast<std::uint32_t>(program.code.size());
  block.ending = raw.ending;
  block.next = index + 1 < raw_.size() ? static_cast<std::int32_t>(number + 1) : -1;
  block.join = in_program(joins_[index]);
  block.counted = static_cast<std::uint32_t>(raw.instructions.size());
  if (!raw.targets.empty()) block.target = in_program(raw.targets[0]);
  if (raw.synchronized) {
    const ptx::Instruction& leader = body_.instructions[raw.instructions[0]];
    Encoder encoder(*this, leader);
    const bool named_members = leader.parts[0] != "mma" && leader.parts[0] != "wmma" &&
                               !leader.parts[0].ends_with("matrix");
    block.sync_mask =
        named_members ? encoder.read(leader.operands.size() - 1, 4) : constant_slot(all_lanes, 4);
  }
  std::map<std::uint32_t, std::uint32_t> lines;
  for (const std::uint32_t i : raw.instructions) {
    const ptx::Instruction& in = body_.instructions[i];
    ++lines[location_of(in)];
    program.has_mbarriers |= in.parts[0] == "mbarrier";
    program.may_order_blocks |= may_order_blocks(in);
    program.may_order_warps |= may_order_warps(in);
    const bool ends =
        raw.ending != Ending::next && raw.guarded == none && i == raw.instructions.back();
    if (ends) {
      encode_ending(in, raw, block);
    } else if (!folded_[i]) {
      encode_instruction(in, number);
    }
  }
  if (raw.guarded != none) {
    const ptx::Instruction& in = body_.instructions[raw.guarded];
    block.ending_location = location_of(in);
    block.predicate = register_slot(in.predicate_reg) | (in.predicate_negated ? 0u : 1u);
  }
  // Falling off the end of a body returns.
  if (raw.ending == Ending::next && block.next < 0)
    block.ending = text_.entry ? Ending::exit : Ending::ret;
  block.last = static_cast<std::uint32_t>(program.code.size());
  for (const auto& [location, count] : lines) program.lines.push_back({number, location, count});
  program.blocks[number] = block;
}

// Asks the opcode's families in their order; false when none of them has this form.
bool FunctionDecoder::select(Encoder& encoder) {
  for (const Opcode* opcode : find_opcode(encoder.in.parts[0])) {
    encoder.out = Inst{};
    if (opcode->select(encoder)) return true;
  }
  return false;
}

// What stands in for an instruction that the interpreter lacks: who executes it is told so.
Inst FunctionDecoder::lacking(const std::string& what, const ptx::Instruction& in) {
  Inst inst;
  inst.full = inst.masked = run_unsupported;
  inst.imm = kernel_.unsupported(what, location_of(in));
  return inst;
}

void FunctionDecoder::append(const Inst& inst, const ptx::Instruction& in) {
  kernel_.program.code.push_back(inst);
  kernel_.program.code_location.push_back(location_of(in));
  kernel_.program.code_roles.push_back(role_of(in));
  kernel_.program.block_roles.push_back(role_in_block(in));
  OrderRole& role = kernel_.program.code_roles.back();
  role.is_blind = is_blind(in);
  // Who does not look at what was there waits for nobody.
  for (OrderRole* of : {&role, &kernel_.program.block_roles.back()}) of->acquires &= !role.is_blind;
  role.of_the_block = (in.parts[0] == "atom" || in.parts[0] == "red") && in.has("cta") &&
                      !has_any(in, {"shared", "shared::cta", "shared::cluster"});
  role.hands_on = hands_on(in);
  role.adds_up = role.is_blind && (in.has("add") || in.has("inc") || in.has("dec"));
  kernel_.program.code_copies.push_back(copy_role_of(in));
  kernel_.program.code_of_cub.push_back(in.is_of_cub);
  if (in.is_of_cub) kernel_.program.locations[location_of(in)].of_cub = true;
}

void FunctionDecoder::encode_instruction(const ptx::Instruction& in, std::uint32_t block) {
  Encoder encoder(*this, in);
  const bool known = select(encoder);
  if (const std::string what = lacks(encoder, known); !what.empty()) {
    encoder.out = lacking(what, in);
    encoder.flops = {};
    encoder.sync.reset();
  }
  Inst& inst = encoder.out;
  std::uint32_t flop_site = none;
  if (in.predicate_reg >= 0) {
    inst.predicate = register_slot(in.predicate_reg) | (in.predicate_negated ? 1u : 0u);
    inst.inner = inst.masked;
    if (inst.site == none && encoder.flops.operations > 0) {
      encoder.use_site(Site::Kind::other);
      flop_site = inst.site;
      inst.full = inst.masked = run_predicated_counted;
    } else {
      inst.full = inst.masked = run_predicated;
    }
  }
  if (encoder.flops.operations > 0)
    kernel_.program.flops.push_back(
        {encoder.flops.metric, encoder.flops.operations, location_of(in), block, flop_site});
  append(inst, in);
  if (!encoder.sync) return;
  encoder.sync->inst = static_cast<std::uint32_t>(kernel_.program.code.size() - 1);
  kernel_.program.sync_insts.push_back(*encoder.sync);
}

void FunctionDecoder::encode_ending(const ptx::Instruction& in, const RawBlock& raw, Block& block) {
  block.ending_location = location_of(in);
  if (raw.ending == Ending::barrier) return encode_barrier(in, block);
  if (raw.ending == Ending::call) return encode_call(in, block);
  if (raw.ending == Ending::indirect_call) return encode_indirect_call(in, block);
  if (in.predicate_reg >= 0 && raw.ending != Ending::indexed)
    block.predicate = register_slot(in.predicate_reg) | (in.predicate_negated ? 1u : 0u);
  if (raw.ending != Ending::indexed) return;
  Encoder encoder(*this, in);
  JumpTable table{encoder.read(0, 4), {}};
  for (const std::int32_t target : raw.targets) table.targets.push_back(first_block_ + target);
  if (!encoder.error.empty()) return fail(encoder.error, in);
  block.ending_index = static_cast<std::uint32_t>(kernel_.program.jump_tables.size());
  kernel_.program.jump_tables.push_back(std::move(table));
}

void FunctionDecoder::encode_barrier(const ptx::Instruction& in, Block& block) {
  Encoder encoder(*this, in);
  Barrier barrier;
  barrier.aligned = in.parts[0] == "bar" || in.has("aligned");
  std::size_t next = 0;
  if (in.has("cluster")) {
    barrier.kind = in.has("arrive") ? Barrier::Kind::cluster_arrive : Barrier::Kind::cluster_wait;
    barrier.relaxed = in.has("relaxed");
  } else {
    if (in.has("red")) {
      barrier.kind = in.has("popc")  ? Barrier::Kind::red_popc
                     : in.has("and") ? Barrier::Kind::red_and
                                     : Barrier::Kind::red_or;
      barrier.destination = encoder.write(next++, barrier.kind == Barrier::Kind::red_popc ? 4 : 0);
      if (in.operands.size() < 3) return fail("A barrier reduction has too few operands.", in);
      barrier.source = encoder.read_predicate(in.operands.size() - 1);
      if (in.operands.size() > 3) barrier.threads = encoder.read(next + 1, 4);
    } else {
      if (in.has("arrive")) barrier.kind = Barrier::Kind::arrive;
      if (in.operands.size() > 1) barrier.threads = encoder.read(1, 4);
    }
    if (in.operands.size() > next) barrier.id = encoder.read(next, 4);
  }
  if (!encoder.error.empty()) return fail(encoder.error, in);
  block.ending_index = static_cast<std::uint32_t>(kernel_.program.barriers.size());
  kernel_.program.barriers.push_back(barrier);
}

// call (results), name, (arguments)
void FunctionDecoder::encode_call(const ptx::Instruction& in, Block& block) {
  Call call;
  bool named = false, known = true;
  for (const ptx::Operand& operand : in.operands) {
    if (operand.kind == ptx::Operand::Kind::name) {
      const auto index = kernel_.function(operand.name);
      if (!index) {
        block.ending = Ending::next;  // not reached
        return append(lacking(name_of(in), in), in);
      }
      call.function = *index;
      named = true;
      continue;
    }
    for (const ptx::Operand& element : operand.elements) {
      const ParamArea* area = param_area(element);
      known = known && area != nullptr;
      if (area != nullptr) (named ? call.arguments : call.results).push_back(*area);
    }
  }
  const FunctionCode& callee = kernel_.program.functions[call.function];
  if (!known || !fits(call, callee))
    return fail(fmt::format("The parameters of this call of '{}' don't match.", callee.name), in);
  block.target = callee.entry;
  block.ending_index = static_cast<std::uint32_t>(kernel_.program.calls.size());
  kernel_.program.calls.push_back(std::move(call));
}

// call (results), register, (arguments), prototype
void FunctionDecoder::encode_indirect_call(const ptx::Instruction& in, Block& block) {
  Program& program = kernel_.program;
  Encoder encoder(*this, in);
  IndirectCall indirect;
  Call call;
  bool known = true;
  for (const ptx::Operand& operand : in.operands) {
    if (operand.reg >= 0) indirect.target = encoder.read(operand, 8);
    for (const ptx::Operand& element : operand.elements) {
      const ParamArea* area = param_area(element);
      known = known && area != nullptr;
      if (area != nullptr)
        (indirect.target != none ? call.arguments : call.results).push_back(*area);
    }
  }
  if (!encoder.error.empty()) return fail(encoder.error, in);
  if (!known) return fail("A call's parameter is not declared.", in);
  for (const std::string_view name : kernel_.module.address_taken()) {
    const auto function = kernel_.function(name);
    if (!function || !fits(call, program.functions[*function])) continue;
    call.function = *function;
    indirect.callees.push_back({kernel_.module.function_address(name).value_or(0),
                                static_cast<std::uint32_t>(program.calls.size())});
    program.calls.push_back(call);
  }
  block.ending_index = static_cast<std::uint32_t>(program.indirect_calls.size());
  program.indirect_calls.push_back(std::move(indirect));
}

}  // namespace klab::sim
