// Running a kernel: the device, a launch's configuration and limits, and how a launch can end.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/base/finding.hpp"
#include "simulator/execute/conditions.hpp"
#include "simulator/execute/kernel.hpp"
#include "simulator/memory/device_memory.hpp"
#include "simulator/memory/touched_memory.hpp"
#include "simulator/memory/uses_by_block.hpp"
#include "simulator/memory/uses_by_line.hpp"

namespace klab::sim {

class WorkerPool;
struct LaunchState;

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

struct LaunchConfig {
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;  // 1 x 1 x 1: the kernel's own, if it states one
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::span<const std::byte> parameters;  // laid out as KernelInfo says
};

enum class Checks : std::uint8_t {
  fast,   // bounds, alignment, freed memory, barrier divergence, shuffle masks
  block,  // and what threads of one block do to each other: shared-memory races, copies
  full    // and reads of uninitialized memory, and what blocks do to each other
};

struct LaunchProgress {
  std::uint64_t warp_instructions = 0;
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;
};

struct Limits {
  std::uint64_t instruction_budget = 0;      // warp instructions of one launch; 0: without limit
  std::uint64_t touched_bytes = 0;           // memory it may be the first to touch; 0: any
  std::uint64_t blocks_in_part = 0;          // run so many clusters of a larger grid alone; 0: all
  std::optional<std::uint64_t> part_begins;  // those from this one on, or from both ends
  // Of each grid run this share alone, drawn at random by `drawn`; what they did stands for all.
  double share_of_blocks = 1;
  std::uint64_t drawn = 0;
  // What %globaltimer reads as it begins, where a nanosecond is an instruction; not 0. Empty: it
  // reads the host's clock.
  std::optional<std::uint64_t> counted_from;
  std::uint32_t stack_bytes = 1024;        // per thread, for called functions (cudaLimitStackSize)
  std::size_t printf_bytes = 1024 * 1024;  // what it printed last (cudaLimitPrintfFifoSize)
  Checks checks = Checks::fast;
  // The last warp of each block gets the first turn, and other warps and blocks get theirs between
  // what one loads by a volatile or ordered load, or an atomic operation brings back, and what it
  // makes of it.
  bool warps_in_reverse = false;
  std::uint32_t multiprocessors = 0;          // that the device says to have; 0: what there is
  bool watch_memory = false;                  // say what memory the launch touched
  bool watch_lines = false;                   // and which lines touched it
  const std::atomic<bool>* cancel = nullptr;  // stops the launch when it becomes true
  Conditions* conditions = nullptr;           // of graphs, that kernels set
  std::function<void(const LaunchProgress&)>
      progress;  // about every 0.25 s, from the launching thread
};

enum class FaultCode : std::uint8_t {
  invalid_configuration,  // grid, block, cluster or shared memory out of range
  unsupported,            // an opcode that the interpreter lacks was executed
  malformed,              // PTX that can't be decoded
  out_of_memory,          // no host memory for the blocks' state
  illegal_address,
  misaligned_address,
  assertion,
  trap,
  stack_overflow,
  barrier_deadlock,  // threads wait at a barrier that the others never reach
  budget_exhausted,
  cancelled
};

struct Fault {
  FaultCode code = FaultCode::trap;
  std::string message;  // full sentences, with the remedy where there is one
  // Of `unsupported`; of threads that poll in vain, what would end that where it is there.
  std::optional<Unsupported> lacking;
};

// How evenly the warps of a cluster had come on when it was stopped: they run one after the other
// up to a barrier.
struct WarpsStopped {
  std::uint64_t all = 0;
  std::uint64_t ahead = 0;  // that had executed at least half as much as the busiest
};

struct LaunchResult {
  std::optional<Fault> fault;     // after a fault the memory may be half written
  std::vector<Finding> findings;  // at most one per kind and source line
  TouchedMemory touched;          // of what the device's allocations hold, if asked for
  KernelUses uses;                // the same by line
  bool in_part = false;           // not all blocks were to run
  double blocks_for_each = 1;     // of the grid, for each block that was run
  WarpsStopped stopped;           // where a limit was reached
};

// What the simulated chip allows; the figures of compute capability 9.0 (H200).
struct DeviceLimits {
  std::uint32_t multiprocessors = 132;
  std::uint32_t threads_per_block = 1024;
  std::uint32_t threads_per_multiprocessor = 2048;
  std::uint32_t blocks_per_multiprocessor = 32;
  std::uint32_t shared_bytes_per_block = 227 * 1024;
  std::uint32_t shared_bytes_per_multiprocessor = 228 * 1024;
  std::uint32_t blocks_per_cluster = 8;
  std::uint32_t blocks_per_large_cluster =
      16;  // where the kernel allows sizes that are not portable
};

// One launch at a time: launch() may be called from any thread and takes its turn.
class Device {
 public:
  explicit Device(std::uint64_t memory_limit_bytes = DeviceMemory::default_limit_bytes());
  ~Device();

  DeviceMemory& memory() { return memory_; }
  static const DeviceLimits& limits();

  // Worker threads, the launching one included; 0 means one per core of this machine.
  void set_threads(unsigned threads);
  unsigned threads() const;

  // Receives the text of device-side printf and assert; by default standard output.
  void set_console(std::function<void(std::string_view)> console);

  // Runs the kernel to its end. Counts are added to the kernel's own.
  LaunchResult launch(Kernel& kernel, const LaunchConfig& config, const Limits& limits);

 private:
  std::uint64_t grid_workspace();
  ByteMap* nothing_stored();
  UsesByBlock* nobody_yet(const LaunchState& launch);
  void run(LaunchState& launch, KernelState& state);

  std::mutex mutex_;  // held by a launch
  DeviceMemory memory_;
  std::uint64_t grid_workspace_ = 0;
  std::unique_ptr<ByteMap> stored_;  // what a launch stored that also reads past coherent caches
  std::unique_ptr<UsesByBlock> block_uses_;
  std::uint64_t block_uses_generation_ = 0;  // of the memory when they were last forgotten
  std::unique_ptr<WorkerPool> pool_;
  std::function<void(std::string_view)> console_;
};

}  // namespace klab::sim
