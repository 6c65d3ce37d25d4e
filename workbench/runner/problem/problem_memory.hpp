// ProblemMemory: the buffers of one problem, with guard bands, poison and pristine inputs.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/device/cuda_handles.hpp"
#include "runner/device/second_device.hpp"
#include "runner/memory/edge_memory.hpp"
#include "runner/memory/host_buffer.hpp"
#include "runner/memory/spare_memory.hpp"
#include "runner/problem/marks.hpp"
#include "runner/workload/workload.hpp"

namespace klab::runner {

/// Guard bands before every buffer, and behind those that do not end at the edge of mapped memory.
/// A stride of a whole row may jump over them: that is what the simulator's checker is for.
inline constexpr std::size_t guard_bytes = 4096;

/// How much of a buffer's beginning is looked at to see whether something ran ahead of its stream.
/// Little, because looking must be faster than the work.
inline constexpr std::size_t glimpse_bytes = 64 * 1024;

/// A place in a buffer, in elements; negative or past the end when it lies in a guard band.
struct BufferPlace {
  std::size_t buffer = 0;
  std::int64_t index = 0;
};

/// Owns the memory that the kernel file sees ("working"), the inputs as filled ("initial") and the
/// results as they stood right behind the launch ("captured"). Errors of every member: RunnerError.
class ProblemMemory {
 public:
  /// `guard` is guard_bytes, a multiple of edge_alignment, or 0 where the platform itself checks
  /// every access: then nothing may lie around the buffers that it would take for theirs. `second`
  /// outlives this, and may be absent where no buffer is its.
  ProblemMemory(const Workload& workload, const Size& size, Where where, std::size_t guard,
                const SecondDevice* second = nullptr);

  /// A smaller problem of the same task: its buffers begin in device memory where those of `room`
  /// do, which outlives it and is not used meanwhile, and nothing guards them.
  ProblemMemory(const Workload& workload, const Size& size, Where where, const ProblemMemory& room);

  /// Exchanges the memory of two buffers; false where they are not alike in bytes and place, or
  /// what is in one of them means nothing.
  bool exchange(std::size_t one, std::size_t other);
  /// Puts one buffer into other memory. Its former memory stays, and nothing that it held.
  void move(std::size_t buffer);

  /// What lies in memory of the first device that has an edge, in the order of the buffers.
  std::vector<DeviceEdge*> edges();

  const Size& size() const { return size_; }
  const std::vector<BufferSpec>& specs() const { return specs_; }

  /// Draws new inputs and new marks; what the kernel file sees stays as it was. `changed` is the
  /// number of what is drawn apart from the rest, see with_one_changed(): for problems on the host.
  void fill(const Workload& workload, std::uint64_t seed, bool unusual = false,
            std::optional<std::size_t> changed = {});
  /// Writes guards and poison, and the inputs in host memory, which host code may read at once.
  /// Inputs in device memory stay what they were until deliver(). Waits for the device.
  void prepare(cudaStream_t stream);
  /// Enqueues the inputs in device memory. With `incomplete`, some words at places drawn from the
  /// seed are still wrong until complete(), so that what reads them early reads them wrong.
  void deliver(cudaStream_t stream, bool incomplete);
  void complete(cudaStream_t stream);
  /// Enqueues inputs and poison in device memory once more, and a look at outputs elsewhere, as
  /// what an earlier user of these buffers still does in `stream`.
  void use_before(cudaStream_t stream);

  /// Pointers for Workload::bind().
  Problem working() const;

  /// Copies all results aside in stream order, right behind the launch. Those in pageable memory
  /// follow with capture_pageable(), once the stream is done.
  void capture(cudaStream_t stream);
  void capture_pageable();
  /// Where a result changed since its capture. Call after a device-wide synchronization.
  std::optional<BufferPlace> changed_since_capture();
  /// Where the beginning of an output is no longer poison, looked at on `stream`.
  std::optional<BufferPlace> touched_output(cudaStream_t stream) const;
  std::optional<BufferPlace> damaged_guard() const;
  /// Where a buffer that was moved has been written in its former memory.
  std::optional<BufferPlace> written_former() const;
  std::optional<BufferPlace> changed_input();

  /// Workload::check of the captured results against the initial state.
  Mismatch compare(const Workload& workload);
  /// Whether an element of an output still holds the poison.
  bool is_unwritten(BufferPlace place) const;
  /// SHA-256 of all outputs and inouts as the kernel left them, in the order of the buffers.
  std::string result_digest() const;

 private:
  struct Slot {
    std::size_t bytes = 0;
    DeviceEdge device;
    SpareBuffer pinned;
    HostEdge pageable;
    std::byte* payload = nullptr;  ///< what the kernel file sees
    SpareBuffer initial_device;
    HostBuffer initial_host;
    SpareBuffer captured;  ///< of results; of those in pageable memory:
    HostBuffer captured_host;
    HostBuffer result_host;
    SpareBuffer mirror;        ///< of memory which the first device may not reach
    bool on_second = false;    ///< in memory of the second device
    SpareBuffer staged_there;  ///< of its inputs: on that device, too

    std::byte* block() const {
      return pageable ? pageable.get() : pinned ? pinned.get() : device.get();
    }
    std::byte* initial() const { return initial_host ? initial_host.get() : initial_device.get(); }
    const std::byte* capture() const {
      return captured_host ? captured_host.get() : captured.get();
    }
    /// What the device reads inputs from.
    const std::byte* staged() const {
      return staged_there ? staged_there.get() : initial_device.get();
    }
    /// Whether the kernel file's host code cannot read it.
    bool on_device() const { return device != nullptr; }
    std::size_t glimpse() const { return bytes < glimpse_bytes ? bytes : glimpse_bytes; }
  };

  /// Calls act(stream) on the device that holds the slot: with `first`, or the second one's stream.
  template <class Act>
  void at_home(const Slot& slot, cudaStream_t first, Act act) const;
  Slot make_slot(const BufferSpec& spec) const;
  void allocate(Slot& slot, const BufferSpec& spec) const;
  /// Writes `value` over a part of the slot's block, in stream order where the device reaches it.
  void set(const Slot& slot, std::byte* from, unsigned char value, std::size_t bytes,
           cudaStream_t stream) const;
  void wait_for_devices() const;
  /// `from`, the slot's payload or capture, where the workload can look at it.
  std::byte* visible(Slot& slot, const std::byte* from) const;
  /// Where `slot`'s payload differs from its initial value.
  std::optional<std::size_t> difference_from_initial(Slot& slot);
  static std::optional<std::size_t> first_difference_from_capture(const Slot& slot);
  /// Guard, payload, guard; the rear guard takes up the rounding, and is no more than that where
  /// the memory behind it is not mapped.
  std::size_t block_bytes(const Slot& slot) const;
  /// The same for memory that ends at an edge.
  std::size_t edge_bytes(const Slot& slot) const;
  DeviceEdge make_device_memory(const Slot& slot) const;
  /// Index of the element that holds byte `offset` of the buffer.
  BufferPlace place(std::size_t buffer, std::int64_t offset) const;
  /// Of the last fill(), without pointers.
  Problem problem(Where where) const { return {size_, where, {}, seed_, unusual_, scalars_}; }

  Size size_;
  Where where_;
  std::uint64_t seed_ = 0;  ///< of the last fill()
  bool unusual_ = false;    ///< likewise
  DrawnAnew scalars_;       ///< likewise
  Marks marks_;             ///< likewise
  std::size_t guard_;
  const SecondDevice* second_;
  std::vector<BufferSpec> specs_;
  std::vector<Slot> slots_;
  /// One that was moved.
  struct Former {
    std::size_t buffer = 0;
    Slot slot;
  };
  std::vector<Former> former_;
  SpareBuffer answer_;  ///< of the comparison kernel
};

}  // namespace klab::runner
