// Operands of an instruction as slots; the opcode families put together.
#include "simulator/program/encoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "simulator/program/decode.hpp"

namespace klab::sim {

std::uint64_t number_bits(const ptx::Number& number, std::uint32_t bytes) {
  using Kind = ptx::Number::Kind;
  if (number.kind == Kind::float64 && bytes == 4)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(number.bits)));
  if (number.kind == Kind::float32 && bytes == 8)
    return std::bit_cast<std::uint64_t>(
        double{std::bit_cast<float>(static_cast<std::uint32_t>(number.bits))});
  return number.bits;
}

ptx::Type Encoder::type(std::size_t from_last) const {
  for (std::size_t i = in.parts.size(); i-- > 1;) {
    const auto found = ptx::type_named(in.parts[i]);
    if (found && from_last-- == 0) return *found;
  }
  return ptx::Type::none;
}

bool Encoder::fail(std::string message) {
  if (error.empty()) error = std::move(message);
  return true;
}

std::uint32_t Encoder::read(std::size_t index, std::uint32_t bytes) {
  if (index < in.operands.size()) return read(in.operands[index], bytes);
  fail(fmt::format("'{}' has too few operands.", in.opcode));
  return 0;
}

std::uint32_t Encoder::read(const ptx::Operand& operand, std::uint32_t bytes) {
  if (operand.kind == ptx::Operand::Kind::number)
    return function_.constant_slot(number_bits(operand.number, bytes), bytes);
  if (operand.kind == ptx::Operand::Kind::name) {
    if (operand.reg >= 0) {
      if (function_.register_bytes(operand.reg) != bytes)
        fail(fmt::format("Operand '{}' of '{}' has the wrong width.", operand.name, in.opcode));
      return function_.register_slot(operand.reg);
    }
    if (const auto slot = function_.named_slot(operand, bytes)) return *slot;
    fail(fmt::format("'{}' is not declared.", operand.name));
    return 0;
  }
  fail(fmt::format("An operand of '{}' is of the wrong kind.", in.opcode));
  return 0;
}

std::uint32_t Encoder::write(std::size_t index, std::uint32_t bytes) {
  if (index < in.operands.size()) return write(in.operands[index], bytes);
  fail(fmt::format("'{}' has too few operands.", in.opcode));
  return 0;
}

std::uint32_t Encoder::write(const ptx::Operand& operand, std::uint32_t bytes) {
  if (operand.kind == ptx::Operand::Kind::name && operand.name == "_")
    return function_.scratch_slot(bytes);
  if (operand.kind == ptx::Operand::Kind::name && operand.reg >= 0) {
    if (function_.register_bytes(operand.reg) != bytes)
      fail(fmt::format("Operand '{}' of '{}' has the wrong width.", operand.name, in.opcode));
    // A register that nothing reads or writes elsewhere may have no slot.
    const std::uint32_t slot = function_.register_slot(operand.reg);
    return slot != none ? slot : function_.scratch_slot(bytes);
  }
  fail(fmt::format("'{}' needs a register to write to.", in.opcode));
  return 0;
}

std::uint32_t Encoder::read_predicate(std::size_t index) {
  const std::uint32_t slot = read(index, 0);
  return slot | (index < in.operands.size() && in.operands[index].negated ? 1u : 0u);
}

bool Encoder::is_predicate(std::size_t index) const {
  const ptx::Operand& operand = in.operands[index];
  return operand.reg >= 0 && function_.register_is_predicate(operand.reg);
}

std::uint32_t Encoder::write_predicate(const ptx::Operand& operand) { return write(operand, 0); }

std::uint32_t Encoder::constant(std::uint64_t value, std::uint32_t bytes) {
  return function_.constant_slot(value, bytes);
}

bool Encoder::is_read(std::size_t index) const {
  const ptx::Operand& operand = in.operands[index];
  return !operand.elements.empty() || (operand.reg >= 0 && function_.register_is_read(operand.reg));
}

std::uint32_t Encoder::register_bytes(const ptx::Operand& operand) const {
  return operand.reg >= 0 ? function_.register_bytes(operand.reg) : 0;
}

Encoder::Address Encoder::address(std::size_t index, std::uint32_t symbol_bytes) {
  Address out;
  if (index >= in.operands.size() || in.operands[index].kind != ptx::Operand::Kind::address ||
      !in.operands[index].elements.empty()) {
    fail(fmt::format("'{}' needs an address.", in.opcode));
    return out;
  }
  const ptx::Operand& operand = in.operands[index];
  out.offset = operand.offset;
  if (operand.reg >= 0) {
    out.base_bytes = function_.register_bytes(operand.reg);
    if (out.base_bytes != 4 && out.base_bytes != 8)
      fail(fmt::format("'{}' is no address register.", operand.name));
    out.base = function_.register_slot(operand.reg);
    return out;
  }
  out.base_bytes = symbol_bytes;
  if (operand.name.empty()) {
    out.base = function_.constant_slot(0, symbol_bytes);
    return out;
  }
  ptx::Operand symbol = operand;
  symbol.offset = 0;
  const auto slot = function_.named_slot(symbol, symbol_bytes);
  if (!slot) fail(fmt::format("'{}' is not declared.", operand.name));
  out.base = slot.value_or(0);
  return out;
}

const ParamArea* Encoder::param_area(const ptx::Operand& operand) const {
  return function_.param_area(operand);
}

std::optional<std::uint32_t> Encoder::kernel_parameter(std::string_view name) const {
  return function_.kernel_parameter(name);
}

std::uint32_t Encoder::kernel_parameter_bytes() const {
  return function_.kernel().info.parameter_bytes;
}

std::uint32_t Encoder::carry_flags() { return function_.carry_flags(); }

void Encoder::meets(std::initializer_list<std::uint8_t> bytes) {
  sync = SyncInst{.is_barrier = in.parts[0] == "bar"};
  std::copy(bytes.begin(), bytes.end(), sync->bytes);
}

void Encoder::use_site(Site::Kind kind) { out.site = function_.add_site(kind, in); }

void Encoder::note_shared_access(std::uint32_t bytes) {
  std::uint32_t& unit = function_.kernel().program.shared_unit_bytes;
  unit = std::min(unit, bytes);
}

void Encoder::note_read_only_load() {
  function_.kernel().program.reads_past_coherent_caches = true;
}

void Encoder::note_global_store(std::uint32_t bytes) {
  std::uint32_t& unit = function_.kernel().program.global_unit_bytes;
  unit = std::min(unit, bytes);
}

void Encoder::note_flops(Metric metric, std::uint32_t operations) { flops = {metric, operations}; }

std::uint32_t Encoder::operand_list(std::vector<std::uint32_t> operands) {
  auto& lists = function_.kernel().program.operand_lists;
  lists.push_back(std::move(operands));
  return static_cast<std::uint32_t>(lists.size() - 1);
}

namespace {

const std::multimap<std::string_view, Opcode>& opcode_index() {
  static const auto index = [] {
    std::multimap<std::string_view, Opcode> out;
    for (const auto family :
         {integer_opcodes(),      carry_opcodes(),        float_opcodes(),
          half_opcodes(),         packed_opcodes(),       video_opcodes(),
          convert_byte_opcodes(), convert_pack_opcodes(), vector_atomic_opcodes(),
          remote_opcodes(),       logic_opcodes(),        compare_opcodes(),
          convert_opcodes(),      move_opcodes(),         memory_opcodes(),
          atomic_opcodes(),       warp_opcodes(),         async_copy_opcodes(),
          bulk_copy_opcodes(),    mbarrier_opcodes(),     matrix_opcodes(),
          wmma_opcodes(),         system_opcodes(),       texture_opcodes(),
          surface_opcodes()})
      for (const Opcode& opcode : family) out.emplace(opcode.name, opcode);
    return out;
  }();
  return index;
}

}  // namespace

std::vector<const Opcode*> find_opcode(std::string_view name) {
  std::vector<const Opcode*> out;
  const auto [first, last] = opcode_index().equal_range(name);
  for (auto it = first; it != last; ++it) out.push_back(&it->second);
  return out;
}

std::vector<Opcode> all_opcodes() {
  std::vector<Opcode> out{
      {"bra", nullptr, ".uni; predicated"},
      {"brx", nullptr, ".idx with .branchtargets; predicated"},
      {"ret", nullptr, ".uni; predicated"},
      {"exit", nullptr, "predicated"},
      {"bar", nullptr, ".sync .arrive .red.popc/.and/.or, named, with thread counts; predicated"},
      {"barrier", nullptr, ".sync .arrive .red, aligned or not; .cluster.arrive .cluster.wait"},
      {"call", nullptr, "direct, recursion included; through a register; predicated"},
  };
  for (const auto& [name, opcode] : opcode_index()) out.push_back(opcode);
  std::stable_sort(out.begin(), out.end(),
                   [](const Opcode& a, const Opcode& b) { return a.name < b.name; });
  return out;
}

std::span<const Opcode> refused_opcodes() {
  static constexpr std::array<Opcode, 11> table{{
      {"alloca, stacksave, stackrestore", nullptr, "dynamic stack memory"},
      {"clusterlaunchcontrol", nullptr, "needs a newer GPU than the one simulated"},
      {"cp.async.bulk.tensor, tensormap", nullptr, "bulk tensor copies: need a GPU"},
      {"cp.async.bulk with .cp_mask", nullptr, "bulk copies of some bytes of each 16: need a GPU"},
      {"mma with .e4m3 .e5m2, wmma with .b1 .s4 .u4", nullptr,
       "how hardware adds products of 8-bit floats was not recorded; wmma of parts of a byte is a "
       "preview, for which mma stands in"},
      {"mma.sp", nullptr, "sparse matrices: need a GPU"},
      {"multimem", nullptr, "several GPUs"},
      {"suld.p, sust.p, sured, suq", nullptr, "surfaces other than of bytes"},
      {"tcgen05", nullptr, "needs a newer GPU than the one simulated"},
      {"tex.grad, tex of cubes, mipmaps and samples; tld4, txq", nullptr,
       "textures of more than rows, slices and layers: need a GPU"},
      {"wgmma", nullptr, "warp-group matrix instructions: need a GPU"},
  }};
  return table;
}

}  // namespace klab::sim
