// ProblemMemory: the buffers of one problem, with guard bands, poison and pristine inputs.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/device/cuda_handles.hpp"
#include "runner/problem/edge_memory.hpp"
#include "runner/workload/workload.hpp"

namespace klab::runner {

/// Guard bands before every buffer, and behind those that do not end at the edge of mapped memory.
/// A stride of a whole row may jump over them: that is what the simulator's checker is for.
inline constexpr std::size_t guard_bytes = 4096;
/// 0xFF...: NaN in every floating-point format, so a read beyond a buffer spreads into the result.
inline constexpr unsigned char guard_byte = 0xFF;
/// Outputs are poisoned with a different byte each launch, so that an element nobody wrote cannot
/// be taken for a right answer twice: NaN, then -2.67e7 as float and -875836469 as int.
inline constexpr unsigned char first_poison = 0xFF;
inline constexpr unsigned char second_poison = 0xCB;

/// How much of each end of a buffer is looked at to see whether work still runs. Little, because
/// looking must be faster than the work: all of a large output takes as long to copy as to write.
inline constexpr std::size_t glimpse_bytes = 64 * 1024;

/// A place in a buffer, in elements; negative or past the end when it lies in a guard band.
struct BufferPlace {
  std::size_t buffer = 0;
  std::int64_t index = 0;
};

/// Host memory on a 256-byte boundary, for copies of what the kernel file sees.
struct FreeHost {
  void operator()(std::byte* memory) const noexcept;
};
using HostBuffer = std::unique_ptr<std::byte, FreeHost>;

/// The position of the first byte in which two host ranges differ.
std::optional<std::size_t> first_difference(const std::byte* a, const std::byte* b,
                                            std::size_t bytes);
/// The position of the first byte of a host range that is not `value`.
std::optional<std::size_t> first_other(const std::byte* memory, std::size_t bytes,
                                       unsigned char value);
/// Whether every byte of [memory, memory + bytes) is `poison`.
bool is_poison(const std::byte* memory, std::size_t bytes, unsigned char poison);

/// Owns the memory that the kernel file sees ("working"), the inputs as filled ("initial") and, for
/// Where::host, the results copied up ("result"). Errors of every member: RunnerError.
class ProblemMemory {
 public:
  /// `guard` is guard_bytes, or 0 where the platform itself checks every access: then nothing may
  /// lie around the buffers that it would take for theirs.
  ProblemMemory(const Workload& workload, const Size& size, Where where, std::size_t guard);

  const Size& size() const { return size_; }
  const std::vector<BufferSpec>& specs() const { return specs_; }

  /// Writes the initial inputs.
  void fill(const Workload& workload, std::uint64_t seed);
  /// Before a checked launch: guards and outputs poisoned, inputs and inouts copied from initial.
  void prepare(unsigned char poison, cudaStream_t stream);
  /// Before a timed launch: outputs poisoned, inouts restored; inputs are known to be intact.
  void refresh(cudaStream_t stream);

  /// Pointers for Workload::bind().
  Problem working() const;

  /// Copies the ends of outputs and inouts aside in stream order.
  void snapshot(cudaStream_t stream);
  /// Where an output changed since the snapshot. Call after a device-wide synchronization.
  std::optional<BufferPlace> changed_since_snapshot();
  /// Where the beginning of an output is no longer `poison`, looked at on `stream`.
  std::optional<BufferPlace> touched_output(unsigned char poison, cudaStream_t stream) const;
  std::optional<BufferPlace> damaged_guard() const;
  std::optional<BufferPlace> changed_input();

  /// Workload::check of the present state against the initial one.
  Mismatch compare(const Workload& workload);
  /// The bytes of one element as the kernel left it.
  std::vector<std::byte> element(BufferPlace place) const;
  /// SHA-256 of all outputs and inouts as the kernel left them, in the order of the buffers.
  std::string result_digest() const;

 private:
  struct Slot {
    std::size_t bytes = 0;
    DeviceEdge device;
    PinnedBuffer pinned;
    HostEdge pageable;
    std::byte* payload = nullptr;  ///< what the kernel file sees
    DeviceBuffer initial_device;
    HostBuffer initial_host;
    HostBuffer snapshot;  ///< first, then last glimpse_bytes, as far as the buffer goes
    HostBuffer result_host;
    DeviceBuffer mirror;  ///< of pageable memory, which the device does not reach

    std::byte* block() const {
      return pageable ? pageable.get() : pinned ? pinned.get() : device.get();
    }
    std::byte* initial() const { return initial_host ? initial_host.get() : initial_device.get(); }
    /// Bytes of each end in the snapshot, and where the last ones begin.
    std::size_t glimpse() const { return bytes < glimpse_bytes ? bytes : glimpse_bytes; }
    std::size_t tail() const { return bytes - glimpse(); }
  };

  /// Writes `value` over a part of the slot's block, in stream order where the device reaches it.
  static void set(const Slot& slot, std::byte* from, unsigned char value, std::size_t bytes,
                  cudaStream_t stream);
  /// What the kernel left in the slot, where the workload can look at it.
  static std::byte* visible(Slot& slot);
  /// Where `slot`'s payload differs from its initial value.
  std::optional<std::size_t> difference_from_initial(Slot& slot);
  /// Guard, payload, guard; the rear guard takes up the rounding, and is no more than that where
  /// the memory behind it is not mapped.
  std::size_t block_bytes(const Slot& slot) const;
  /// The same for memory that ends at an edge.
  std::size_t edge_bytes(const Slot& slot) const;
  DeviceEdge make_device_memory(const Slot& slot) const;
  /// Index of the element that holds byte `offset` of the buffer.
  BufferPlace place(std::size_t buffer, std::int64_t offset) const;

  Size size_;
  Where where_;
  std::uint64_t seed_ = 0;  ///< of the last fill()
  std::size_t guard_;
  std::vector<BufferSpec> specs_;
  std::vector<Slot> slots_;
  DeviceBuffer answer_;  ///< of the comparison kernel
};

}  // namespace klab::runner
