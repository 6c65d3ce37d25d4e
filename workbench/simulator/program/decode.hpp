// From PTX text to a decoded program: one decoder per function, one for the kernel they belong to.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/program/control_flow.hpp"
#include "simulator/program/encoder.hpp"
#include "simulator/program/kernel_info.hpp"
#include "simulator/program/module_symbols.hpp"
#include "simulator/program/program.hpp"
#include "simulator/ptx/text.hpp"

namespace klab::sim {

// Decodes a kernel and the functions it calls. Problems end up in `info`: `error` for text that
// makes no sense, `unsupported` for instructions that the interpreter lacks; a launch is stopped
// where one of them is executed.
void decode_kernel(const ModuleSymbols& module, const std::string& name, Program& program,
                   KernelInfo& info);

class KernelDecoder {
 public:
  KernelDecoder(const ModuleSymbols& module, Program& program, KernelInfo& info)
      : module(module), program(program), info(info) {}

  void run(const std::string& name);

  // A called function's index in Program::functions; decodes it later. None: no such body.
  std::optional<std::uint32_t> function(std::string_view name);
  // Lays a shared variable out on first mention; dynamic ones start behind the static ones.
  void add_shared(const ptx::Variable& variable);
  // Where it lies, once all functions are resolved. `declaration`: its name in the module's text.
  std::uint64_t shared_offset(const char* declaration) const;
  std::uint32_t location(std::uint32_t file, std::uint32_t line);
  // Notes an instruction that the interpreter lacks; its number among them.
  std::uint32_t unsupported(std::string opcode, std::uint32_t location);
  void fail(std::string message, std::uint32_t line, std::uint32_t location = 0);

  const ModuleSymbols& module;
  Program& program;
  KernelInfo& info;

 private:
  std::vector<std::unique_ptr<FunctionDecoder>> functions_;
  std::map<std::string_view, std::uint32_t> function_index_;
  std::map<const char*, std::uint64_t> shared_;  // by declaration; ~0: dynamic
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> locations_;
};

class FunctionDecoder {
 public:
  FunctionDecoder(KernelDecoder& kernel, const ptx::Function& text, std::uint32_t index)
      : kernel_(kernel), text_(text), index_(index) {}

  void resolve();  // names, blocks, register slots; finds called functions
  void encode();   // instructions; after every function is resolved

  // ---- for Encoder ----
  std::uint32_t register_slot(int reg) const { return registers_[reg].slot; }
  std::uint32_t register_bytes(int reg) const { return registers_[reg].bytes; }
  bool register_is_read(int reg) const { return registers_[reg].reads > 0; }
  bool register_is_predicate(int reg) const { return registers_[reg].bytes == 0; }
  std::uint32_t constant_slot(std::uint64_t value, std::uint32_t bytes);
  // Slot of a special register or of a variable's address; nothing for an unknown name.
  std::optional<std::uint32_t> named_slot(const ptx::Operand& operand, std::uint32_t bytes);
  std::uint32_t scratch_slot(std::uint32_t bytes) { return allocate(bytes); }
  std::uint32_t carry_flags();
  const ParamArea* param_area(const ptx::Operand& operand) const;
  std::optional<std::uint32_t> kernel_parameter(std::string_view name) const;
  KernelDecoder& kernel() { return kernel_; }
  std::uint32_t location_of(const ptx::Instruction& in) const { return locations_[in.location]; }
  std::uint32_t add_site(Site::Kind kind, const ptx::Instruction& in);

 private:
  struct Register {
    std::uint8_t bytes = 4;  // 0: a predicate
    std::uint32_t slot = none;
    std::uint32_t definitions = 0;
    std::uint32_t reads = 0, stored = 0;  // of the reads those that a store writes to memory
    std::uint32_t loaded = 0;             // of the definitions those by a load from memory
    bool reaches_words = false;           // the address of something wider than a byte
  };
  struct RegisterRange {
    std::uint32_t first = 0, count = 0;
  };
  // A variable of the body, or one of shared memory that the module declares.
  struct LocalVariable {
    ptx::Space space = ptx::Space::local;
    ParamArea area;                     // param
    std::uint64_t offset = 0;           // local
    const char* declaration = nullptr;  // shared
  };
  // Lanes that a warp-synchronous instruction names: by a register, or by their bits.
  struct SyncMembers {
    std::string_view name;
    std::uint64_t bits = all_lanes;
    bool operator==(const SyncMembers&) const = default;
  };
  // What a pair of braces declares; inner names hide outer ones.
  struct Scope {
    std::map<std::string_view, int> names;
    std::map<std::string_view, RegisterRange> ranges;  // %r<5>
    std::map<std::string_view, int> variables;
    std::uint32_t param_bytes = 0;  // of the frame, in use where the scope opened
  };
  struct RawBlock {
    std::vector<std::uint32_t> instructions;  // into body_
    std::vector<std::int32_t> targets;        // in order of the ending's operands
    Ending ending = Ending::next;
    // Jumps over the next block unless this instruction's predicate holds; none: an instruction of
    // its own ends the block.
    std::uint32_t guarded = none;
    bool synchronized = false;
    SyncMembers members;  // if so
  };

  void declare_variable(const ptx::Variable& variable);
  std::uint64_t declare_local(const ptx::Variable& variable);
  ParamArea declare_param(const ptx::Variable& variable);
  void open_scope();
  void close_scope();
  void declare_registers(const ptx::RegisterDeclaration& declared);
  int find_register(std::string_view name) const;
  static int register_in(const Scope& scope, std::string_view name);
  void resolve_operand(ptx::Operand& operand);
  void resolve_names(ptx::Instruction& in);
  void build_blocks();
  void place(std::uint32_t instruction);
  static std::optional<SyncMembers> members_of(const ptx::Instruction& in);
  void place_guard(std::uint32_t instruction);
  void note_callees(const ptx::Instruction& in, Ending ending);
  void start_block();
  Ending ending_of(const ptx::Instruction& in) const;
  void connect();
  std::int32_t label_block(std::string_view name, const ptx::Instruction& in, std::uint32_t scope);
  void count_uses();
  bool hands_on(const ptx::Instruction& in) const;
  CopyRole copy_role_of(const ptx::Instruction& in) const;
  bool may_copy_gap(const ptx::Instruction& in, std::uint32_t count, std::uint32_t bytes) const;
  bool is_blind(const ptx::Instruction& in) const;
  void fold_constants();
  bool fold(const ptx::Instruction& in, int reg);
  void assign_slots();
  BlockUses uses_of(const RawBlock& block, std::uint32_t& position) const;
  void note_unset(const std::vector<BlockUses>& uses, const std::vector<LiveRange>& ranges);
  std::uint32_t allocate(std::uint32_t bytes);
  std::uint32_t init_slot(SlotInit init);

  void encode_block(std::size_t index);
  void encode_instruction(const ptx::Instruction& in, std::uint32_t block);
  bool select(Encoder& encoder);
  Inst lacking(const std::string& what, const ptx::Instruction& in);
  void append(const Inst& inst, const ptx::Instruction& in);
  void encode_ending(const ptx::Instruction& in, const RawBlock& raw, Block& block);
  void encode_barrier(const ptx::Instruction& in, Block& block);
  void encode_call(const ptx::Instruction& in, Block& block);
  void encode_indirect_call(const ptx::Instruction& in, Block& block);
  FunctionCode& code() { return kernel_.program.functions[index_]; }
  void fail(std::string message, const ptx::Instruction& in);

  KernelDecoder& kernel_;
  const ptx::Function& text_;
  std::uint32_t index_;
  ptx::Body body_;
  std::vector<std::uint32_t> locations_;  // of body_.locations, in the program's numbering
  std::vector<Register> registers_;
  std::vector<Scope> scopes_;
  // Labels are visible in the braces that hold them; scope 0 is the whole body.
  std::map<std::pair<std::uint32_t, std::string_view>, std::int32_t> labels_;  // block numbers
  std::vector<std::uint32_t> scope_parent_{0}, instruction_scope_;
  std::map<std::string_view, const ptx::Body::Targets*> branch_targets_;
  std::vector<LocalVariable> variables_;
  std::uint32_t param_bytes_ = 0;  // of the frame, in use by the open scopes
  std::vector<RawBlock> raw_;
  FlowGraph flow_;
  std::vector<std::int32_t> joins_;
  std::vector<bool> folded_;  // by instruction
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> init_index_;
  std::uint32_t frame_bytes_ = 0;
  std::uint32_t predicate_words_left_ = 0, predicate_slot_ = 0;
  std::uint32_t carry_flags_ = none;
  std::uint64_t local_bytes_ = 0;
  std::int32_t first_block_ = 0;  // in the program
};

}  // namespace klab::sim
