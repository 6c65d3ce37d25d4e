// How one PTX instruction becomes a decoded one: operands, types, counters; and the opcode tables.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/ptx/text.hpp"

namespace klab::sim {

class FunctionDecoder;

// The bits of a literal in a register of this width; floating-point ones are converted.
std::uint64_t number_bits(const ptx::Number& number, std::uint32_t bytes);

// Gives a selector its instruction's operands as slots. The first error is kept in `error`.
class Encoder {
 public:
  Encoder(FunctionDecoder& function, const ptx::Instruction& in) : in(in), function_(function) {}

  const ptx::Instruction& in;
  Inst out;
  std::string error;
  std::optional<SyncInst> sync;

  bool has(std::string_view part) const { return in.has(part); }
  // The n-th type among the opcode's suffixes counted from the last, or none.
  ptx::Type type(std::size_t from_last = 0) const;
  std::size_t operands() const { return in.operands.size(); }

  // Slot of a register, immediate, special register or address of a symbol of the given width.
  std::uint32_t read(std::size_t index, std::uint32_t bytes);
  std::uint32_t read(const ptx::Operand& operand, std::uint32_t bytes);
  std::uint32_t write(std::size_t index, std::uint32_t bytes);
  std::uint32_t write(const ptx::Operand& operand, std::uint32_t bytes);
  // Whether any instruction reads the register that an operand names.
  bool is_read(std::size_t index) const;
  // Predicates; a read one carries its negation in bit 0.
  std::uint32_t read_predicate(std::size_t index);
  bool is_predicate(std::size_t index) const;
  std::uint32_t write_predicate(const ptx::Operand& operand);
  // A slot of the same value in every lane.
  std::uint32_t constant(std::uint64_t value, std::uint32_t bytes);
  // Width in bytes of the register that an operand names; 0 when it is no register.
  std::uint32_t register_bytes(const ptx::Operand& operand) const;

  // An address operand: op[slot_index] becomes its base (4 or 8 bytes), imm its offset.
  struct Address {
    std::uint32_t base = none;
    std::uint32_t base_bytes = 8;
    std::int64_t offset = 0;
  };
  Address address(std::size_t index, std::uint32_t symbol_bytes = 8);
  // The `.param` variable of the body that an operand names; null when it names something else.
  const ParamArea* param_area(const ptx::Operand& operand) const;
  // The kernel parameter an address names, as an offset into the parameter bytes.
  std::optional<std::uint32_t> kernel_parameter(std::string_view name) const;

  std::uint32_t kernel_parameter_bytes() const;
  // Slot of the function's carry flags, a predicate.
  std::uint32_t carry_flags();

  void use_site(Site::Kind kind);
  // An access of this size may reach shared memory.
  void note_shared_access(std::uint32_t bytes);
  void note_read_only_load();
  void note_global_store(std::uint32_t bytes);
  void note_flops(Metric metric, std::uint32_t operations);
  std::uint32_t operand_list(std::vector<std::uint32_t> operands);
  bool fail(std::string message);
  // Lanes meet at it; `bytes` of its operands, as SyncInst has them.
  void meets(std::initializer_list<std::uint8_t> bytes);

  void handlers(Handler full, Handler masked) { out.full = full, out.masked = masked; }
  void handlers(Handler both) { out.full = out.masked = both; }

  struct Flops {
    Metric metric = Metric::flop_fp32;
    std::uint32_t operations = 0;
  } flops;

 private:
  FunctionDecoder& function_;
};

// Fills the encoder's `out`; false when this form of the opcode is not implemented.
using Select = bool (*)(Encoder&);

struct Opcode {
  std::string_view name;  // the first part, `ld`
  Select select = nullptr;
  std::string_view forms;  // what is implemented, for the table in docs
};

// The tables of the opcode families, one a file.
std::span<const Opcode> integer_opcodes();
std::span<const Opcode> carry_opcodes();
std::span<const Opcode> float_opcodes();
std::span<const Opcode> half_opcodes();
std::span<const Opcode> packed_opcodes();
std::span<const Opcode> video_opcodes();
std::span<const Opcode> logic_opcodes();
std::span<const Opcode> compare_opcodes();
std::span<const Opcode> convert_opcodes();
std::span<const Opcode> convert_byte_opcodes();
std::span<const Opcode> convert_pack_opcodes();
std::span<const Opcode> move_opcodes();
std::span<const Opcode> memory_opcodes();
std::span<const Opcode> atomic_opcodes();
std::span<const Opcode> vector_atomic_opcodes();
std::span<const Opcode> texture_opcodes();
std::span<const Opcode> surface_opcodes();
std::span<const Opcode> remote_opcodes();
std::span<const Opcode> warp_opcodes();
std::span<const Opcode> async_copy_opcodes();
std::span<const Opcode> bulk_copy_opcodes();
std::span<const Opcode> mbarrier_opcodes();
std::span<const Opcode> matrix_opcodes();
std::span<const Opcode> wmma_opcodes();
std::span<const Opcode> system_opcodes();

// Selectors for an opcode's name, in the order in which they are asked; empty when unknown.
std::vector<const Opcode*> find_opcode(std::string_view name);
// Every opcode with its forms, sorted by name (control flow included).
std::vector<Opcode> all_opcodes();
// PTX opcodes that a launch is refused for, with the reason.
std::span<const Opcode> refused_opcodes();

}  // namespace klab::sim
