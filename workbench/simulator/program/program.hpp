// A decoded kernel: instructions with their operands as offsets into a warp's register frame.
#pragma once
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "simulator/base/counts.hpp"
#include "simulator/base/finding.hpp"

namespace klab::sim {

struct Warp;
struct Inst;

inline constexpr int lane_count = 32;
inline constexpr std::uint32_t none = ~0u;
inline constexpr std::uint32_t all_lanes = ~0u;

// An instruction's part in handing over from one block, or one warp, to another.
struct OrderRole {
  bool strong = false;        // volatile, ordered or atomic
  bool releases = false;      // what came before it, as a fence in front would
  bool acquires = false;      // what was told where it reads
  bool is_blind = false;      // an atomic operation whose former value nobody looks at
  bool adds_up = false;       // such a one whose place holds a part of the sum until all have come
  bool of_the_block = false;  // an atomic operation of that scope, on memory that all share
  bool hands_on = false;  // a store of what a load brought, as it came: no update of what was there
};

// A load whose values are stored elsewhere and used for nothing else. Where a structure is copied,
// such loads bring the gaps between its members along.
struct CopyRole {
  std::uint8_t bytes = 0;   // of a lane; 0: no such load
  bool may_be_gap = false;  // bytes in a register each, as nvcc copies a gap; with -G any load
};

// Carries out one instruction for the active lanes of a warp.
using Handler = void (*)(Warp&, const Inst&);

// One instruction. An operand is the byte offset of a register's slot in the warp's frame: 32
// values side by side, or for a predicate one word with a bit per lane. Immediates, parameters and
// special registers have slots too, filled before the kernel runs, so every operand is read the
// same way.
struct Inst {
  Handler full = nullptr;    // all 32 lanes active
  Handler masked = nullptr;  // any mask; inactive lanes keep their values
  Handler inner = nullptr;   // what a predicated instruction wraps
  std::uint32_t op[6] = {none, none, none, none, none, none};
  std::int64_t imm = 0;            // address offset, or what the handler says
  std::uint32_t site = none;       // index of the counters of a memory or predicated instruction
  std::uint32_t predicate = none;  // slot offset; bit 0 set: negated
};
static_assert(sizeof(Inst) == 64);

// Handlers of a predicated instruction: run `inner` for the lanes whose predicate holds; the
// counted one notes at its site how many those are.
void run_predicated(Warp& warp, const Inst& inst);
void run_predicated_counted(Warp& warp, const Inst& inst);
// The same of a memory instruction: at the site behind its own, of which there are `sites`.

// Stops the launch: `imm` is the number among KernelInfo::unsupported of what cannot be executed.
void run_unsupported(Warp& warp, const Inst& inst);

enum class Ending : std::uint8_t {
  next,
  jump,
  branch,
  indexed,
  ret,
  exit,
  barrier,
  call,
  indirect_call
};

// A basic block. It ends at a control transfer, before a label, or before an instruction that needs
// the lanes of a warp together.
struct Block {
  std::uint32_t first = 0, last = 0;  // instructions [first, last)
  std::uint32_t counted = 0;          // PTX instructions, the ending and folded ones included
  Ending ending = Ending::next;
  std::int32_t target = -1;  // of a jump or branch; the entry block of a called function
  std::int32_t next = -1;
  std::int32_t join = -1;          // immediate post-dominator; -1: the function's end
  std::uint32_t predicate = none;  // of a branch or return; bit 0 set: negated
  std::uint32_t ending_location = 0;
  std::uint32_t ending_index = none;  // into Program::barriers, calls, ...
  std::uint32_t sync_mask = none;     // slot of the member mask of the block's first instruction
};

// A warp-synchronous instruction at which lanes meet that come there by ways of their own: how
// wide each of its operands is, so that one's lanes can be brought to another's registers. It
// writes operands 0 and 5.
struct SyncInst {
  static constexpr std::uint8_t unused = 0xff;
  std::uint32_t inst = 0;   // index into Program::code
  bool is_barrier = false;  // they only meet, wherever they are
  std::uint8_t bytes[6] = {unused, unused, unused, unused, unused, unused};  // 0: a predicate
};

// What fills a slot before a kernel or a function runs.
struct SlotInit {
  enum class Kind : std::uint8_t { constant, parameter, special, local_address };
  Kind kind = Kind::constant;
  std::uint8_t slot_bytes = 4;   // of one lane; 0: a predicate
  std::uint8_t value_bytes = 4;  // of a parameter
  bool sign_extend = false;      // of a parameter
  std::uint32_t slot = 0;
  std::uint64_t value = 0;  // the constant, the parameter's offset, the Special, the local offset
};

// A `.param` variable of a function body: words of 32 lanes, interleaved as local memory is.
struct ParamArea {
  std::uint32_t slot = 0;
  std::uint32_t bytes = 0;
};

struct FunctionCode {
  std::string name;
  std::int32_t entry = -1;  // block
  std::uint32_t frame_bytes = 0;
  std::uint32_t local_bytes = 0;
  std::vector<SlotInit> inits;
  std::vector<std::uint32_t> block_inits;  // those that differ from block to block
  std::vector<ParamArea> parameters, results;
};

struct Call {
  std::uint32_t function = 0;  // index into Program::functions
  std::vector<ParamArea> arguments, results;
};

// A call through a register: the functions of the module that it may reach.
struct IndirectCall {
  std::uint32_t target = none;  // slot
  struct Callee {
    std::uint64_t address = 0;
    std::uint32_t call = 0;  // index into Program::calls
  };
  std::vector<Callee> callees;
};

struct Barrier {
  enum class Kind : std::uint8_t {
    sync,
    arrive,
    red_popc,
    red_and,
    red_or,
    cluster_arrive,
    cluster_wait
  };
  Kind kind = Kind::sync;
  bool aligned = true;
  bool relaxed = false;                             // an arrival that releases nothing
  std::uint32_t id = none, threads = none;          // slots; none: 0, all threads
  std::uint32_t destination = none, source = none;  // of a reduction; source bit 0: negated
};

struct JumpTable {
  std::uint32_t index = none;  // slot
  std::vector<std::int32_t> targets;
};

// A static instruction with counters of its own.
struct Site {
  enum class Kind : std::uint8_t {
    global_load,
    global_store,
    local_load,
    local_store,
    shared_load,
    shared_store,
    global_atomic,
    shared_atomic,
    shared_copy,  // into shared memory, beside the global_load that it is
    cluster,      // loads and stores alike
    bulk,         // from or to global memory
    texture,      // fetches; loads from and stores to surfaces
    other
  };
  Kind kind = Kind::other;
  std::uint32_t location = 0;
};

// Floating-point operations of one lane of an instruction, charged block by block or, when the
// instruction is predicated, by its site.
struct FlopNote {
  Metric metric = Metric::flop_fp32;
  std::uint32_t operations = 0;
  std::uint32_t location = 0;
  std::uint32_t block = 0;
  std::uint32_t site = none;
};

// Instructions of one block that belong to one source line.
struct LineNote {
  std::uint32_t block = 0;
  std::uint32_t location = 0;
  std::uint32_t instructions = 0;
};

struct Program {
  std::string kernel_name;
  std::vector<Inst> code;
  std::vector<std::uint32_t> code_location;  // of each instruction
  std::vector<OrderRole> code_roles;         // the same
  std::vector<CopyRole> code_copies;         // the same
  std::vector<bool> code_of_cub;             // inlined from CUB or Thrust
  std::vector<OrderRole> block_roles;        // among the warps of a block
  std::vector<Block> blocks;
  std::vector<SyncInst> sync_insts;     // in order of their instructions
  std::vector<FunctionCode> functions;  // [0] is the kernel
  std::vector<Call> calls;
  std::vector<IndirectCall> indirect_calls;
  std::vector<Barrier> barriers;
  std::vector<JumpTable> jump_tables;
  std::vector<Site> sites;
  std::vector<FlopNote> flops;
  std::vector<LineNote> lines;
  std::vector<SourceLocation> locations;                  // [0] is unknown
  std::set<std::uint32_t> unset_reads;                    // of these, where a register has no value
  std::vector<std::vector<std::uint32_t>> operand_lists;  // of matrix instructions and printf
  std::uint32_t shared_bytes = 0;                         // static
  std::uint32_t reserved_shared_bytes = 0;                // behind static and dynamic ones
  std::uint32_t shared_alignment = 16;                    // of dynamic shared memory behind it
  std::uint32_t shared_unit_bytes = 4;      // of the smallest access that may reach shared memory
  bool reads_past_coherent_caches = false;  // ld.global.nc
  bool has_mbarriers = false;
  bool asks_for_grid_barrier = false;  // as cooperative groups do for grid.sync()
  bool may_order_blocks = false;       // fences, volatile or ordered accesses
  bool may_order_warps = false;  // fences, releases, mbarriers, barriers of a part of the block
  std::uint32_t global_unit_bytes = 4;  // of the smallest store that may reach global memory

  // What lanes do at this instruction; null: nothing that others could meet them at.
  const SyncInst* sync_at(std::uint32_t inst) const {
    const auto at = std::lower_bound(
        sync_insts.begin(), sync_insts.end(), inst,
        [](const SyncInst& one, std::uint32_t wanted) { return one.inst < wanted; });
    return at != sync_insts.end() && at->inst == inst ? &*at : nullptr;
  }
};

}  // namespace klab::sim
