// Workload: what a lab tells the runner about its problem. Implemented once per lab by
// labs/*/workload.cu.
//
// The runner owns memory, guard bands, poison, restoring of inputs, timing and counting; the
// workload knows what the buffers mean. Every function works on a Problem whose pointers are either
// all host memory (small checking sizes, and the simulator) or all device memory (timing sizes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct CUstream_st;

namespace klab {

/// Extents of one problem, in the order of `dimensions` in lab.toml.
using Size = std::vector<std::int64_t>;

/// Where the pointers of a Problem point to, and thus where fill() and check() run.
enum class Where { host, device };

/// `input` must not change; `output` is poisoned before every launch; `inout` is restored before
/// every launch; `scratch` is poisoned too, and what is left there is nobody's business.
enum class Role { input, output, inout, scratch };

/// Where the kernel file sees the buffer: device memory, host memory that is page-locked or
/// ordinary, or memory of the second device of a lab with `gpus = 2`.
enum class Memory { device, pinned_host, pageable_host, second_device };

/// What a launch is given to reach its devices. `second` is there for a lab with `gpus = 2`; on the
/// simulator, which has one device, it is that one, with a stream of its own.
struct Devices {
  int first = 0;  ///< current when `launch` is called
  int second = 0;
  CUstream_st* second_stream = nullptr;
};

/// One buffer of a problem. `count` elements of `element_bytes`, 256-byte aligned.
struct BufferSpec {
  std::string name;
  std::size_t count = 0;
  std::size_t element_bytes = 4;
  Role role = Role::input;
  Memory memory = Memory::device;
  std::size_t may_stay = 0;  ///< elements of an output that need not be written
};

/// Elements of a buffer: `begin` and all others before `end`.
struct Elements {
  std::int64_t begin = 0, end = 0;
};

/// Scalars that are drawn with a seed of their own, each a bit: that of the first one is the
/// lowest.
struct DrawnAnew {
  std::uint64_t seed = 0;
  std::uint64_t which = 0;
  /// How far they go from what they were: 1 is all the way. Whole numbers stay where it is less.
  float share = 1;
};

/// The buffers of one problem, in the order of Workload::buffers().
struct Problem {
  Size size;
  Where where = Where::host;
  std::vector<void*> buffers;
  std::uint64_t seed = 0;  ///< of the inputs and of the scalars that are drawn
  /// Holds what else the contract allows: special values, all equal, in runs, scalars of another
  /// sign. Correctness is tried with both; what is timed and counted is usual.
  bool unusual = false;
  DrawnAnew scalars = {};
  Devices devices = {};
  /// Of each buffer what is filled, or compared, on the host; empty: all of it. See
  /// Workload::checks_parts().
  std::vector<std::vector<Elements>> parts = {};

  template <class T>
  T* at(std::size_t index) const {
    return static_cast<T*>(buffers[index]);
  }
};

/// The first wrong element of a result, and how many there are. `wrong == 0` means correct.
struct Mismatch {
  std::int64_t wrong = 0;
  std::int64_t total = 0;
  std::size_t buffer = 0;  ///< index into Workload::buffers()
  std::int64_t index = -1;
  double got = 0;
  double want = 0;
  double tolerance = 0;
};

/// The least that any correct kernel must do at a size. Bytes: each input read once, each output
/// written once. Operations: a fused multiply-add is two.
struct Work {
  double device_memory = 0;  ///< bytes through device memory
  double to_device = 0;      ///< bytes from the host
  double to_host = 0;        ///< bytes to the host
  double peer = 0;           ///< bytes between two devices
  double fp32 = 0, fp16 = 0, fp64 = 0;
  double tensor_half = 0;  ///< on FP16 or BF16 inputs, where tensor cores can do them
  double tensor_fp8 = 0;
  double atomics = 0;  ///< updates of one word that others update too
};

/// What the kernel file of a measurement is given to measure, and what it made of it. The work of
/// a job is enqueued, as a kernel file enqueues its own.
class Jobs {
 public:
  virtual ~Jobs() = default;
  virtual int count() const = 0;
  /// Enqueues one run of a job.
  virtual void run(int job, CUstream_st* stream) = 0;
  /// Enqueues what leaves none of the jobs' data in a cache.
  virtual void forget(CUstream_st* stream) = 0;
  /// Runs of a job since the jobs were drawn; and those of them right behind forget(), but for the
  /// first run, which may do more than others.
  virtual int runs(int job) const = 0;
  virtual int cold_runs(int job) const = 0;
  /// Seconds that the kernel file says one run takes.
  virtual double reported_s(int job) const = 0;
};

class Workload {
 public:
  virtual ~Workload() = default;

  virtual std::vector<BufferSpec> buffers(const Size& size) const = 0;
  /// Writes inputs and the initial value of inouts, as a function of the problem's size and seed
  /// alone.
  virtual void fill(const Problem& problem) const = 0;
  /// Compares `result` with the double-precision reference computed from `initial` (inputs and
  /// inouts as filled). Accepts an element only if |got - want| <= tolerance is true, and NaN or
  /// infinity only where they are right.
  virtual Mismatch check(const Problem& initial, const Problem& result) const = 0;
  /// Points the lab's Args struct at the buffers as the kernel file will see them; valid until the
  /// next bind().
  virtual const void* bind(const Problem& problem) = 0;
  /// The launch has returned: nobody may read the Args of the last bind() any more.
  virtual void unbind() {}
  /// Whether each element of a result can be checked without the others.
  virtual bool checks_parts() const { return false; }
  virtual Work least_work(const Size& size) const = 0;
  /// Of a measurement: the jobs of the problem that was bound last. Null for any other lab.
  virtual Jobs* jobs() { return nullptr; }
};

/// Every workload library exports this under C linkage as `klab_make_workload`; the runner owns the
/// result.
using MakeWorkload = Workload* (*)();
inline constexpr const char* make_workload_symbol = "klab_make_workload";

/// Every kernel file exports this under C linkage as `launch`; the reference to Args travels as a
/// pointer.
inline constexpr const char* launch_symbol = "launch";

}  // namespace klab
