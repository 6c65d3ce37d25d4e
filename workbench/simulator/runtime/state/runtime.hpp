// The state of the replacement CUDA runtime: one simulated device, its modules, streams and errors.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/execute/launch.hpp"
#include "simulator/runtime/state/allocations.hpp"
#include "simulator/runtime/state/host_counts.hpp"
#include "simulator/runtime/state/left_out.hpp"
#include "simulator/runtime/state/modules.hpp"
#include "simulator/runtime/streams/graphs/graph.hpp"
#include "simulator/runtime/streams/order.hpp"
#include "simulator/runtime/streams/streams.hpp"
#include "simulator/runtime/streams/waits/unready_times.hpp"

namespace klab::sim {

/// What klab_sim_configure sets.
struct Settings {
  /// Warp instructions one launch may execute. The default is some tens of seconds of work.
  std::uint64_t instruction_budget = 4'000'000'000;
  std::uint64_t touched_bytes = 0;           ///< memory one launch may newly touch; 0: any
  std::uint64_t blocks_in_part = 0;          ///< of a larger grid; 0: all
  std::optional<std::uint64_t> part_begins;  ///< the first of them; absent: some from both ends
  bool part_of_several = false;              ///< watch what kernels in part leave to the next ones
  double share_of_blocks = 1;                ///< of each grid, drawn at random; what they do
                                             ///< is counted for all
  std::uint64_t drawn = 0;                   ///< by this
  std::string device_name;                   ///< what the device calls itself; empty: simulated
  std::uint64_t device_bytes = 0;            ///< that it says to have; 0: what there is
  std::uint32_t multiprocessors = 0;         ///< the same
  Checks checks = Checks::fast;
  bool warps_in_reverse = false;     ///< see Limits
  std::uint32_t stack_bytes = 1024;  ///< per thread, for called functions (cudaLimitStackSize)
  std::size_t printf_bytes = 1024 * 1024;  ///< of a launch (cudaLimitPrintfFifoSize)
  bool deferred = false;                   ///< async work runs only when something waits for it
  bool unseen_waits = false;    ///< the host may wait by no call: for host functions, say
  bool quiet = false;           ///< what is said is kept for the report alone
  bool counting_clock = false;  ///< events show what was executed, not the host's time

  /// What a launch in part touched is asked by the page.
  bool asks_for_touched_pages() const { return blocks_in_part > 0 || touched_bytes > 0; }
};

/// Work that faulted.
struct FaultedWork {
  std::string kernel;  ///< its symbol; empty: other work
  std::string other;   ///< "a copy", "a memset", "a conditional node"
};

/// Error state with the runtime's semantics: the last error belongs to the calling thread; a fault
/// inside a kernel is fatal to the context and first seen by a call that waits.
class Errors {
 public:
  /// Remembers a failure as this thread's last error and returns the code it was given.
  static cudaError_t record(cudaError_t code);
  /// The calling thread's last error (a fatal one stays); `reset` forgets a non-fatal one.
  cudaError_t last(bool reset);

  /// Every later call answers with this code.
  void set_fatal(cudaError_t code, FaultedWork work);
  /// The same of a launch that was given no more time. Calls that a kernel file makes do not answer
  /// so, or one that looks at each answer would leave, by exit() or a throw from a destructor, for
  /// what is no fault of its own; work is left out, and whoever called the file hears of it.
  void end_launch(cudaError_t code, FaultedWork work);
  void call_kernel_file(bool on);
  bool in_kernel_file() const { return in_kernel_file_; }
  /// The work that faulted first.
  const FaultedWork& faulted() const { return faulted_; }
  /// The fatal code, or success. Seeing it makes it the last error of whoever asks.
  cudaError_t fatal();
  /// Whether a fault happened, without taking note of it; and its code.
  bool has_faulted() const { return fault_ != cudaSuccess; }
  cudaError_t fault() const { return fault_; }
  /// A reset of the device succeeds behind a fault, and every later call answers that there is none
  /// (as measured on an H100).
  void lose_device();
  /// A failure of work that ran later than its call (deferred mode); told to the next wait.
  void set_pending(cudaError_t code);
  cudaError_t take_pending();
  void clear();

 private:
  cudaError_t fault_ = cudaSuccess;
  cudaError_t fatal_ = cudaSuccess;  ///< what calls answer from now on
  bool fatal_seen_ = false;
  bool ended_ = false, in_kernel_file_ = false;
  int kept_silent_ = 0;  ///< calls; who asks for ever for what does not come has to hear of it
  FaultedWork faulted_;
  cudaError_t pending_ = cudaSuccess;
};

/// Something that does not exist here, told once: a runtime function or a kernel's opcode.
struct Missing {
  std::string what;    ///< function name or opcode
  std::string kernel;  ///< empty for a runtime function
  std::string file;
  std::uint32_t line = 0;
  std::string message;  ///< a sentence
  auto operator<=>(const Missing&) const = default;
};

class Runtime {
 public:
  /// The one runtime of this process. Never destroyed: host code may call it from exit handlers.
  static Runtime& instance();

  /// Held by every API function. Recursive because host functions of a stream run inside it.
  std::recursive_mutex mutex;
  Settings settings;
  Errors errors;
  HostCounts counts;
  LeftOut left_out;
  Modules modules;
  Streams streams;
  Graphs graphs;
  UserObjects user_objects;
  Conditions conditions;
  Allocations allocations;
  UnreadyTimes unready_times;
  OrderLog order;
  /// Warp instructions executed and calls made so far: what the counting clock shows, a nanosecond
  /// each.
  std::size_t registered = 0;  ///< by cudaHostRegister, less what was unregistered
  std::uint64_t ticks = 0;
  std::uint64_t calls = 0;  ///< of the runtime, which ticks hold as well
  /// What the blocks of grids that were run in part stand for, beyond what they did themselves.
  std::map<Metric, double> counts_left_out;
  /// What a recorded event keeps.
  std::chrono::steady_clock::time_point now() const;
  std::atomic<bool> cancel = false;
  bool in_host_function = false;  ///< a stream's host function runs: it may call nothing of CUDA

  /// The device; created when first needed, so that loading a plugin costs nothing.
  Device& device();
  bool has_device() const { return device_ != nullptr; }
  void set_memory_limit(std::uint64_t bytes);
  void set_threads(unsigned threads);
  std::uint64_t memory_limit_bytes() const { return memory_limit_bytes_; }
  /// Memory for the program; where it does not fit, a sentence says so and nothing is given.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes, MemoryKind kind);

  /// Streams, events, graphs, executable graphs, memory pools, textures and surfaces that are not
  /// destroyed, and host memory that is registered.
  std::size_t living_objects() const;

  /// Remembers a finding once per kind and place, and hands it to the listener; says its sentence
  /// if there is none.
  void add(Finding finding);
  void add(Missing missing);
  /// If memory that begins there is freed already, or will be by its stream: a finding.
  void tell_freed_twice(std::uint64_t address);
  /// If a time between events was used that was never there: a finding.
  void tell_unready_times();
  /// Memory that a launched graph had left to others is freed.
  void no_longer_kept(std::uint64_t base);
  /// A function that does not exist here was called, or asked for.
  void lack(const std::string& function, const std::string& sentence);
  /// Keeps a sentence for the report; false if it is there already, or too many are.
  bool note(const std::string& sentence);
  /// Tells the hearer, or else "simulator: <sentence>" on standard error, once, and keeps it for
  /// the report.
  void say(const std::string& sentence);

  /// What a call answered, if it has not said why; told with full checks. Who does not look at what
  /// calls answer would go on with nothing done.
  void refused(std::string_view call, cudaError_t code, bool has_said_why);
  /// What the first call since then was refused for: those that follow it often fail for it alone.
  const std::string& first_refusal() const { return first_refusal_; }
  void forget_refusals() { first_refusal_.clear(); }

  const std::vector<Finding>& findings() const { return findings_; }
  const std::set<Missing>& missing() const { return missing_; }
  const std::vector<std::string>& messages() const { return messages_; }
  /// Forgets counts, findings, messages and a fatal error. Memory and modules stay.
  void begin();

  std::function<void(const Finding&)> listener;
  /// Hears of each new thing that does not exist here.
  std::function<void(const Missing&)> on_refusal;
  /// Hears of a call that the simulated runtime lacks, before the program finds out.
  std::function<void(const std::string&)> lacking;
  std::function<void(const std::string& sentence)> hearer;
  std::function<void(const LaunchProgress&)> progress;

 private:
  Runtime() = default;
  std::unique_ptr<Device> device_;
  std::uint64_t memory_limit_bytes_ = DeviceMemory::default_limit_bytes();
  unsigned threads_ = 0;
  std::vector<Finding> findings_;
  std::set<Missing> missing_;
  std::vector<std::string> messages_;
  std::set<std::string> said_;  ///< of them, by this process
  std::string first_refusal_;
};

/// A mangled symbol as the source spells it: "scale(int, float*)". Other text stays as it is.
std::string readable_name(const std::string& symbol);
/// The same for a message: of a long one the long lists of template arguments are left out.
std::string brief_name(const std::string& symbol);

/// What a runtime function that does not exist here answers; says so once per name.
int missing(const char* function) noexcept;

}  // namespace klab::sim
