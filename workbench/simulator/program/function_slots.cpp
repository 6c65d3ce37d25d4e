// Giving registers their slots in the frame: launch constants are folded, dead registers reused.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "simulator/program/decode.hpp"

namespace klab::sim {

namespace {

constexpr std::uint32_t slot_alignment = 64;
constexpr std::uint32_t most_frame_bytes = 16u << 20;

template <std::size_t N>
bool one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Opcodes without a destination register; all others write their first operand.
bool has_destination(const ptx::Instruction& in) {
  static constexpr std::array<std::string_view, 21> without{
      "st",        "red",   "membar",    "fence",    "bra",
      "brx",       "ret",   "exit",      "trap",     "call",
      "cp",        "brkpt", "nanosleep", "prefetch", "prefetchu",
      "stmatrix",  "sust",  "discard",   "pmevent",  "griddepcontrol",
      "setmaxnreg"};
  if (in.parts[0] == "bar" || in.parts[0] == "barrier") return in.has("red");
  return !one_of(in.parts[0], without) && !(in.parts[0] == "wmma" && in.has("store"));
}

// Opcodes that read lane i of their operands only to write lane i: source and destination may
// share.
bool is_elementwise(const ptx::Instruction& in) {
  static constexpr std::array<std::string_view, 19> names{
      "add", "sub", "mul", "mad", "fma", "neg",  "abs", "min",  "max", "and",
      "or",  "xor", "not", "shl", "shr", "selp", "ex2", "sqrt", "div"};
  return one_of(in.parts[0], names);
}

template <class F>
void visit_operand(const ptx::Operand& operand, bool writes, F&& visit) {
  if (operand.kind == ptx::Operand::Kind::address) writes = false;
  if (operand.reg >= 0) visit(static_cast<std::uint32_t>(operand.reg), writes);
  for (const ptx::Operand& element : operand.elements) visit_operand(element, writes, visit);
}

// Calls visit(register, writes) for every register that an instruction mentions, reads first.
template <class F>
void visit_registers(const ptx::Instruction& in, F&& visit) {
  const bool writes_first = has_destination(in);
  if (in.predicate_reg >= 0) visit(static_cast<std::uint32_t>(in.predicate_reg), false);
  for (std::size_t i = 0; i < in.operands.size(); ++i)
    if (i > 0 || !writes_first || in.operands[i].kind == ptx::Operand::Kind::address)
      visit_operand(in.operands[i], false, visit);
  if (writes_first && !in.operands.empty()) visit_operand(in.operands[0], true, visit);
}

}  // namespace

std::uint32_t FunctionDecoder::allocate(std::uint32_t bytes) {
  if (bytes == 0) {  // predicates are packed, one word each
    if (predicate_words_left_ == 0) {
      predicate_slot_ = allocate(2);
      predicate_words_left_ = slot_alignment / 4;
    }
    return predicate_slot_ + 4 * --predicate_words_left_;
  }
  const std::uint32_t at = frame_bytes_;
  frame_bytes_ += bytes * lane_count;
  if (frame_bytes_ > most_frame_bytes) {
    kernel_.fail("A function needs too many registers.", 0);
    frame_bytes_ = at;
  }
  return at;
}

std::uint32_t FunctionDecoder::carry_flags() {
  if (carry_flags_ == none) carry_flags_ = allocate(0);
  return carry_flags_;
}

std::uint32_t FunctionDecoder::init_slot(SlotInit init) {
  const std::uint64_t what = static_cast<std::uint64_t>(init.kind) << 24 | init.slot_bytes << 16 |
                             init.value_bytes << 8 | init.sign_extend;
  const auto [it, added] = init_index_.try_emplace({what, init.value}, 0);
  if (added) {
    init.slot = it->second = allocate(init.slot_bytes);
    code().inits.push_back(init);
  }
  return it->second;
}

std::uint32_t FunctionDecoder::constant_slot(std::uint64_t value, std::uint32_t bytes) {
  if (bytes == 0) value = value != 0 ? all_lanes : 0;
  if (bytes < 8 && bytes > 0) value &= (1ull << (8 * bytes)) - 1;
  return init_slot({.kind = SlotInit::Kind::constant,
                    .slot_bytes = static_cast<std::uint8_t>(bytes),
                    .value = value});
}

// Of a load or store; null for others.
static const ptx::Operand* address_of(const ptx::Instruction& in) {
  if (in.operands.size() != 2) return nullptr;
  if (in.parts[0] == "ld") return &in.operands[1];
  return in.parts[0] == "st" ? &in.operands[0] : nullptr;
}

void FunctionDecoder::count_uses() {
  for (const ptx::Instruction& in : body_.instructions) {
    visit_registers(in, [&](std::uint32_t reg, bool writes) {
      ++(writes ? registers_[reg].definitions : registers_[reg].reads);
      if (writes && in.parts[0] == "ld" && !in.has("param")) ++registers_[reg].loaded;
    });
    if (in.parts[0] == "st" && in.operands.size() == 2)
      visit_operand(in.operands[1], false,
                    [&](std::uint32_t reg, bool) { ++registers_[reg].stored; });
    if (const ptx::Operand* at = address_of(in); at != nullptr && at->reg >= 0) {
      const auto type = ptx::type_named(in.parts.back());
      registers_[at->reg].reaches_words |= type && ptx::bytes_of(*type) > 1;
    }
  }
}

// nvcc leaves it to ptxas to make a `red` of an `atom` whose result is not used.
bool FunctionDecoder::is_blind(const ptx::Instruction& in) const {
  if (in.parts[0] == "red") return true;
  if (in.parts[0] != "atom" || in.operands.empty()) return false;
  bool blind = true;
  visit_operand(in.operands[0], true,
                [&](std::uint32_t reg, bool) { blind &= registers_[reg].reads == 0; });
  return blind;
}

bool FunctionDecoder::hands_on(const ptx::Instruction& in) const {
  if (in.parts[0] != "st" || in.operands.size() != 2) return false;
  bool loaded = true, any = false;
  visit_operand(in.operands[1], false, [&](std::uint32_t index, bool) {
    const Register& reg = registers_[index];
    loaded &= reg.loaded == reg.definitions;
    any = true;
  });
  return any && loaded;
}

// How nvcc copies what lies between two members, or behind the last one: a byte in a register each,
// several of them or one beside wider members. Code that is not optimized copies it by words: with
// -G, or where nothing says of pointers which memory they are into.
bool FunctionDecoder::may_copy_gap(const ptx::Instruction& in, std::uint32_t count,
                                   std::uint32_t bytes) const {
  const ptx::ModuleText& text = kernel_.module.text();
  if (text.is_debug) return true;
  const bool generic = !in.has("global") && !in.has("shared") && !in.has("local") &&
                       !in.has("const") && !in.has("param");
  if (generic && !text.narrows_pointers) return true;
  const ptx::Operand* at = address_of(in);
  const bool beside_words = at != nullptr && at->reg >= 0 && registers_[at->reg].reaches_words;
  return bytes == 1 && (count > 1 || beside_words);
}

CopyRole FunctionDecoder::copy_role_of(const ptx::Instruction& in) const {
  if (in.parts[0] != "ld" || in.operands.empty()) return {};
  const auto type = ptx::type_named(in.parts.back());
  std::uint32_t count = 0;
  bool copied = type.has_value();
  visit_operand(in.operands[0], true, [&](std::uint32_t index, bool) {
    const Register& reg = registers_[index];
    copied &= reg.definitions == 1 && reg.reads == reg.stored;
    ++count;
  });
  if (!copied) return {};
  return {static_cast<std::uint8_t>(count * ptx::bytes_of(*type)),
          may_copy_gap(in, count, ptx::bytes_of(*type))};
}

// A register that is written once, with a value fixed for the launch or the block, needs no
// instruction: it becomes another name of that value's slot. (The instruction is still counted.)
void FunctionDecoder::fold_constants() {
  folded_.assign(body_.instructions.size(), false);
  if (!text_.entry) return;
  for (std::size_t i = 0; i < body_.instructions.size(); ++i) {
    const ptx::Instruction& in = body_.instructions[i];
    if (!in.predicate.empty() || in.operands.size() != 2) continue;
    const ptx::Operand& destination = in.operands[0];
    if (destination.reg < 0 || registers_[destination.reg].definitions != 1) continue;
    if (register_is_predicate(destination.reg)) continue;
    folded_[i] = fold(in, destination.reg);
  }
}

bool FunctionDecoder::fold(const ptx::Instruction& in, int reg) {
  Register& target = registers_[reg];
  const ptx::Operand& source = in.operands[1];
  const auto type = ptx::type_named(in.parts.back());
  if (!type) return false;
  const std::uint32_t bytes = ptx::bytes_of(*type);
  if (in.parts[0] == "ld" && in.has("param")) {
    const auto offset = kernel_parameter(source.name);
    if (source.reg >= 0 || !offset || bytes > target.bytes || bytes > 8) return false;
    const std::uint64_t at = *offset + static_cast<std::uint64_t>(source.offset);
    if (at + bytes > kernel_.info.parameter_bytes) return false;
    target.slot = init_slot({.kind = SlotInit::Kind::parameter,
                             .slot_bytes = target.bytes,
                             .value_bytes = static_cast<std::uint8_t>(bytes),
                             .sign_extend = in.parts.back()[0] == 's',
                             .value = at});
    return true;
  }
  const bool same_address = in.parts[0] == "cvta" && !in.has("shared") && !in.has("local");
  if ((in.parts[0] != "mov" && !same_address) || bytes != target.bytes || bytes > 8) return false;
  if (source.kind == ptx::Operand::Kind::number) {
    target.slot = constant_slot(number_bits(source.number, bytes), bytes);
    return true;
  }
  if (source.kind != ptx::Operand::Kind::name) return false;
  if (source.reg >= 0) {
    const Register& from = registers_[source.reg];
    if (from.slot == none || from.bytes != target.bytes) return false;
    target.slot = from.slot;
    return true;
  }
  const auto slot = named_slot(source, bytes);
  if (slot) target.slot = *slot;
  return slot.has_value();
}

BlockUses FunctionDecoder::uses_of(const RawBlock& block, std::uint32_t& position) const {
  BlockUses out;
  out.first = position;
  for (const std::uint32_t index : block.instructions) {
    const ptx::Instruction& in = body_.instructions[index];
    if (!folded_[index]) {
      const std::uint32_t read_at = is_elementwise(in) ? position : position + 1;
      visit_registers(in, [&](std::uint32_t reg, bool writes) {
        if (registers_[reg].slot != none) return;
        out.uses.push_back({reg, writes ? position + 1 : read_at, writes, !in.predicate.empty()});
      });
    }
    position += 2;
  }
  out.last = position;
  return out;
}

// A register that is read in front of its first write, as a sum is that nobody set to zero. One
// that only some ways set stands behind a write, and a condition may keep the others from it.
void FunctionDecoder::note_unset(const std::vector<BlockUses>& uses,
                                 const std::vector<LiveRange>& ranges) {
  std::vector<std::uint32_t> read(ranges.size(), none), written(ranges.size(), none);
  for (const BlockUses& block : uses)
    for (const RegisterUse& use : block.uses) {
      std::uint32_t& first = (use.writes ? written : read)[use.reg];
      first = std::min(first, use.position);
    }
  std::uint32_t position = 0;
  std::map<std::uint32_t, std::uint32_t> instruction_at;  // by position
  for (const RawBlock& block : raw_)
    for (const std::uint32_t index : block.instructions) {
      instruction_at[position] = index;
      position += 2;
    }
  std::set<std::uint32_t>& places = kernel_.program.unset_reads;
  for (std::size_t reg = 0; reg < ranges.size(); ++reg)
    if (ranges[reg].unset && read[reg] != none && read[reg] <= written[reg])
      places.insert(location_of(body_.instructions[instruction_at.at(read[reg] / 2 * 2)]));
}

// Linear scan over live ranges. A slot is shared only by registers of one width: each lane then
// uses its own part of it, so diverged lanes can't disturb each other.
void FunctionDecoder::assign_slots() {
  fold_constants();
  std::vector<BlockUses> uses;
  std::uint32_t position = 0;
  for (const RawBlock& block : raw_) uses.push_back(uses_of(block, position));
  const auto count = static_cast<std::uint32_t>(registers_.size());
  constexpr std::uint64_t most_liveness_bits = 1ull << 30;
  std::vector<LiveRange> ranges(count, LiveRange{.first = 0, .last = ~0u});
  if (std::uint64_t{count} * raw_.size() < most_liveness_bits)
    ranges = live_ranges(flow_, uses, count);
  note_unset(uses, ranges);

  std::vector<std::uint32_t> order;
  for (std::uint32_t reg = 0; reg < count; ++reg)
    if (registers_[reg].slot == none && ranges[reg].first <= ranges[reg].last) order.push_back(reg);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return ranges[a].first < ranges[b].first; });
  struct Active {
    std::uint32_t last, slot, bytes;
    bool operator<(const Active& other) const { return last > other.last; }  // earliest end on top
  };
  std::vector<Active> active;
  std::array<std::vector<std::uint32_t>, 17> free_slots;  // by width in bytes
  for (const std::uint32_t reg : order) {
    while (!active.empty() && active.front().last < ranges[reg].first) {
      std::pop_heap(active.begin(), active.end());
      free_slots[active.back().bytes].push_back(active.back().slot);
      active.pop_back();
    }
    Register& target = registers_[reg];
    auto& available = free_slots[target.bytes];
    if (available.empty()) available.push_back(allocate(target.bytes));
    target.slot = available.back();
    available.pop_back();
    active.push_back({ranges[reg].last, target.slot, target.bytes});
    std::push_heap(active.begin(), active.end());
  }
}

}  // namespace klab::sim
