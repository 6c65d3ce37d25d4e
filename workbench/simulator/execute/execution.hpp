// State of a running launch: what blocks and workers share, what a worker keeps between launches.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "simulator/execute/launch.hpp"
#include "simulator/execute/printed_text.hpp"
#include "simulator/execute/warp.hpp"
#include "simulator/execute/warp/standstill.hpp"
#include "simulator/program/program.hpp"

namespace klab::sim {

class BlockOrder;

// Zeroed memory that is only taken from the system where it is touched.
class HostPages {
 public:
  HostPages() = default;
  explicit HostPages(std::size_t bytes);
  ~HostPages();
  HostPages(HostPages&& other) noexcept;
  HostPages& operator=(HostPages&& other) noexcept;
  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  bool failed() const { return bytes_ != 0 && data_ == nullptr; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// The geometry that a block state's memory and constant slots were made for.
struct Geometry {
  Dim3 grid, block, cluster;
  std::uint32_t shared_bytes = 0, local_bytes = 0, dynamic_shared_bytes = 0;
  std::uint64_t grid_workspace = 0;
  bool full_checks = false;
  bool operator==(const Geometry&) const = default;
  // Grids of many sizes are made of the same blocks.
  bool has_blocks_of(const Geometry& other) const {
    return block == other.block && cluster == other.cluster && shared_bytes == other.shared_bytes &&
           local_bytes == other.local_bytes && full_checks == other.full_checks;
  }
};

// Calls that are followed at once in a warp, as the largest stack has room for.
inline constexpr std::uint32_t most_called_frames = 32 * 1024;

// What every worker of one launch sees.
struct LaunchState {
  const Program* program = nullptr;
  const KernelInfo* info = nullptr;
  DeviceMemory* memory = nullptr;
  LaunchConfig config;
  Limits limits;
  Dim3 cluster;                    // in blocks; 1 x 1 x 1 without clusters
  std::uint32_t shared_bytes = 0;  // static and dynamic
  // With what is reserved behind them.
  std::uint32_t resident_shared_bytes() const {
    const std::uint32_t reserved = program->reserved_shared_bytes;
    return reserved == 0 ? shared_bytes : reserved_shared_begin() + reserved;
  }
  std::uint32_t reserved_shared_begin() const { return (shared_bytes + 127) / 128 * 128; }
  std::uint32_t threads_per_block = 0, warps_per_block = 0;
  std::uint32_t local_bytes = 0;  // per lane, calls included
  std::uint32_t frame_bytes = 0;  // per warp, calls included
  bool stack_may_grow = false;    // a larger cudaLimitStackSize gives room for more calls
  Geometry geometry;
  std::uint64_t blocks = 0, clusters = 0;
  std::uint64_t number = 0;  // of the kernel's launches
  unsigned workers = 1;      // threads of the host that may help
  unsigned own_threads = 0;  // of this process, if the host program has no others
  PrintedText* printed = nullptr;
  std::uint64_t grid_workspace = 0;  // device address of the grid barrier of cooperative launches

  std::atomic<std::uint64_t> next_cluster{0};
  bool all_waited = false;           // each of many blocks, before any had ended
  std::uint64_t touched_before = 0;  // bytes; see Limits::touched_bytes
  std::vector<std::uint64_t> part;   // numbers of the clusters that are run; empty: all
  std::atomic<std::uint64_t> blocks_done{0};
  std::atomic<std::uint64_t> executed{0};  // warp instructions
  std::atomic<bool> stop{false};
  std::atomic<bool> over_budget{false};
  std::atomic<std::uint64_t> grace{0};  // it goes on up to so many, to see whether it only waits
  Standstill standstill{*this};
  std::function<void()> tick;  // called now and then by every worker; empty: nothing to do

  UsesByBlock* block_uses = nullptr;  // null: nobody asks
  BlockOrder* block_order = nullptr;  // the same where blocks may be in some order
  ByteMap* stored = nullptr;  // bytes of the arena that this launch wrote; null: nobody asks

  std::mutex mutex;  // guards what follows
  std::optional<Fault> fault;
  WarpsStopped stopped;  // of the cluster that reached a limit
  std::vector<Finding> findings;
  TouchedMemory touched;
  KernelUses uses;
  struct FullHeap {
    SourceLocation where;
    std::uint64_t bytes = 0;
  };
  std::optional<FullHeap> full_heap;  // the first malloc() of a kernel that found no room

  void fail(FaultCode code, std::string message, std::optional<Unsupported> lacking = {});
  void add_finding(Finding finding);
  // Whether adding it would change nothing: asked before it is put into words, since a kernel may
  // do the same wrong a million times. Its message may be missing yet.
  bool is_known(const Finding& finding);
  // Of a stray address, where the launch has read what nothing wrote, or of a null pointer, where
  // it found no room: the end of its sentence.
  std::string likely_cause(std::uint64_t address);
  void note_full_heap(const SourceLocation& where, std::uint64_t bytes);
  void add_touched(const TouchedMemory& more);
  void add_uses(const KernelUses& more);
};

// Who and where, for messages.
ThreadLocation thread_of(const Warp& warp, std::uint32_t lane);
// Whether it is of CUB or Thrust: the kernel, or what is inlined into it.
bool is_of_cub(const Warp& warp, const Inst& inst);
CopyRole copy_role(const Warp& warp, const Inst& inst);
inline OrderRole role_among_warps(const Warp& warp, const Inst& inst) {
  const Program& program = *warp.launch->program;
  return program.block_roles[static_cast<std::size_t>(&inst - program.code.data())];
}
inline OrderRole role_among_blocks(const Warp& warp, const Inst& inst) {
  const Program& program = *warp.launch->program;
  return program.code_roles[static_cast<std::size_t>(&inst - program.code.data())];
}
// Its line; of code without lines, as in libraries, that of the call into it.
const SourceLocation& place_of(const Warp& warp, std::uint32_t location);

// A pending diverged path: where it runs, where it meets the entry below, which lanes.
struct PathEntry {
  std::int32_t block = -1;  // next basic block; -1: has returned
  std::int32_t join = -1;   // the path ends before this block
  std::uint32_t mask = 0;
  std::uint32_t activation = 0;
};

// One activation of a function: its frame and what it needs on return.
struct Activation {
  std::uint32_t frame = 0;       // offset into the warp's frames
  std::uint32_t local_base = 0;  // its local variables begin here
  std::uint32_t function = 0;
  std::uint32_t call = none;  // index into Program::calls
  std::uint32_t place = 0;    // Program::locations of the call, or of the last one that has a line
                              // outside of the toolkit
};

// Lanes that run together. A warp starts with one; it splits when some of its lanes must wait for
// others, and splits that reach the same place merge again.
struct Split {
  enum class State : std::uint8_t { ready, at_barrier, at_sync, at_cluster };
  State state = State::ready;
  std::vector<PathEntry> paths;
  std::vector<Activation> activations;
  // Of the barrier it waits at: number, index into Program::barriers, and the generation it joined.
  std::uint32_t barrier = 0;
  std::uint32_t barrier_index = none;
  std::uint64_t generation = 0;
  // The block that ends in it, and lanes that were on other paths of this split then: they may yet
  // come to the same instruction, as nvcc gives two paths to one barrier where both go there
  // anyway.
  std::int32_t barrier_block = 0;
  std::uint32_t elsewhere = 0;
  std::uint64_t cluster_generation = 0;  // when its lanes last arrived at the cluster's barrier
  std::uint32_t awaited = 0;             // lanes that a warp-synchronous instruction waits for
  std::int32_t passed_sync = -1;         // a block whose missing lanes were given up on
  bool passes_once = false;              // all met at barriers of the warp, here and elsewhere
  // The instruction of its block that it goes on at, or waits at, after it executed those before
  // together with other splits; none: the block's first.
  std::uint32_t at = none;

  std::uint32_t lanes() const {  // that have not exited
    std::uint32_t all = 0;
    for (const PathEntry& path : paths) all |= path.mask;
    return all;
  }
};

struct WarpState {
  Warp warp;
  bool exited = false;          // all lanes
  bool waited = false;          // its last turn ended in polling without effect
  bool gave_way = false;        // its last turn ended behind what others may change
  std::vector<Split> splits;    // at least one
  std::byte* frames = nullptr;  // of the kernel, then of called functions
  std::uint32_t frame_top = 0;  // bytes in use
  std::uint64_t check_at = 0;   // value of warp.clock at which limits are looked at
  std::uint64_t reported = 0;   // value of warp.clock last added to LaunchState::executed
  std::uint64_t began = 0;      // value of warp.clock when its block began
};

struct BarrierState {
  std::uint32_t arrived = 0;  // threads
  std::uint64_t generation = 0;
  std::uint32_t expected = 0;                          // threads; 0: all that have not exited
  std::uint32_t reduction = 0;                         // arrived threads whose predicate holds
  std::uint32_t last_reduction = 0, last_arrived = 0;  // when it last opened
  // Of some of the block's threads, as the checker follows it; the one that opened last was.
  bool of_a_part = false, was_of_a_part = false;
};

struct ClusterState;

// A resident block: its warps, memory and barriers. Reused for block after block.
struct BlockState {
  Dim3 index;
  std::uint64_t number = 0;
  std::vector<WarpState> warps;
  HostPages frames, shared, local;
  Geometry geometry;
  std::vector<std::byte> parameters;  // with which the parameter slots are filled
  BarrierState barriers[16];
  std::uint32_t live_threads = 0;
  bool finished = false;
  bool moved = false;                // some of its threads got past something, or ended
  std::uint64_t phase_events = 0;    // arrivals at mbarriers, and waits that found their phase over
  std::uint32_t rounds_in_vain = 0;  // in which all its threads only waited for phases
  std::uint32_t rank = 0;            // within its cluster
  std::uint64_t cluster_number = 0;
  ClusterState* cluster = nullptr;
  LaunchState* launch = nullptr;
  std::unique_ptr<Checker> checker;
  BlockState();
  ~BlockState();
};

// The blocks of one cluster; they run on one worker. Reused for cluster after cluster.
struct ClusterState {
  std::vector<std::unique_ptr<BlockState>> blocks;
  std::uint32_t arrived = 0;
  std::uint64_t generation = 0;
  std::uint32_t live_threads = 0;
  bool relaxed = false;  // some arrived without a release
};

// A worker's share of a kernel: counters and resident blocks, kept between launches.
struct WorkerState {
  std::vector<BlockCount> blocks;
  std::vector<SiteCount> sites;
  std::vector<Pattern> patterns;
  std::vector<std::uint64_t> divergent;  // branches at the end of a block that split a warp
  std::vector<std::unique_ptr<ClusterState>> resident, spare;
};

struct KernelState {
  Program program;
  KernelInfo info;
  std::vector<std::unique_ptr<WorkerState>> workers;
  std::uint64_t launches = 0;
  bool blocks_wait_for_all = false;     // in some launch each of many blocks did
  std::uint64_t memory_generation = 0;  // for which the patterns' allocations hold

  WorkerState& worker(unsigned index);  // not while other workers may ask too
  void forget_allocations();
};

}  // namespace klab::sim
