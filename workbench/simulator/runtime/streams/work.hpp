// The units of device work that streams queue, captures record and graphs replay.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "simulator/execute/launch.hpp"

namespace klab::sim {

struct KernelRecord;
struct Event;

struct KernelWork {
  KernelRecord* kernel = nullptr;
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  bool early = false;                 ///< may begin before the kernel in front of it has ended
  std::vector<std::byte> parameters;  ///< as KernelInfo lays them out
};

/// A box of bytes: `depth` slices of `height` rows of `width_bytes`. A plain copy is one row.
struct CopyWork {
  std::byte* destination = nullptr;
  const std::byte* source = nullptr;
  std::size_t width_bytes = 0, height = 1, depth = 1;
  std::size_t destination_pitch = 0, source_pitch = 0;            ///< bytes between rows
  std::size_t destination_slice_rows = 1, source_slice_rows = 1;  ///< rows between slices
  cudaMemcpyKind kind = cudaMemcpyDefault;

  std::size_t bytes() const { return width_bytes * height * depth; }
  /// Bytes from the first to behind the last one touched.
  std::size_t destination_span() const;
  std::size_t source_span() const;
  /// 32-byte sectors that the rows of both ends touch, each row for itself.
  std::uint64_t sectors() const;
  /// Copies the source now, so that the caller may change it (pageable host memory).
  void stage_source();

  std::shared_ptr<const std::vector<std::byte>> staged;
};

struct MemsetWork {
  std::byte* destination = nullptr;
  std::uint32_t value = 0;
  std::uint32_t element_bytes = 1;               ///< 1, 2 or 4
  std::size_t width = 0, height = 1, depth = 1;  ///< width in elements
  std::size_t pitch = 0;                         ///< bytes between rows
  std::size_t slice_rows = 1;
  bool means_nothing = false;  ///< nobody is to rely on what it writes

  std::size_t bytes() const { return width * element_bytes * height * depth; }
  std::size_t span() const;
  /// 32-byte sectors that its rows touch, each row for itself.
  std::uint64_t sectors() const;
};

struct HostWork {
  cudaHostFn_t function = nullptr;
  void* user_data = nullptr;
  void (*callback)(cudaStream_t, cudaError_t, void*) = nullptr;  ///< of cudaStreamAddCallback
  cudaStream_t stream = nullptr;
};

/// Of streams by themselves, and of graphs.
struct EventWork {
  std::shared_ptr<Event> event;
  std::uint64_t behind = 0;  ///< as Event::behind; 0 in graphs
};

/// A graph's node that waits for what an event marks when the graph is launched.
struct WaitWork {
  std::shared_ptr<Event> event;
};

/// Stream-ordered allocation: from here on the memory is there, holding nothing yet.
struct AllocateWork {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// Stream-ordered free.
struct FreeWork {
  std::uint64_t address = 0;
};

struct EmptyWork {};

struct GraphProgram;
struct GraphWork {
  std::shared_ptr<const GraphProgram> program;
};

/// The conditions of a graph as each launch of it finds them, by handle.
struct AssignWork {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> values;
};

/// A graph's node that runs one of its bodies, none, or one again and again.
struct ConditionalWork {
  std::uint64_t condition = 0;  ///< handle
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<const GraphProgram>> bodies;
};

using Work = std::variant<EmptyWork, KernelWork, CopyWork, MemsetWork, HostWork, EventWork,
                          WaitWork, AllocateWork, FreeWork, GraphWork, AssignWork, ConditionalWork>;

/// The works of a graph in an order that respects its edges.
struct GraphProgram {
  std::vector<Work> steps;
  std::vector<std::vector<std::size_t>> after;  ///< of each step: those before that it waits for
  std::vector<std::shared_ptr<const void>> memory;  ///< lives as long as a launch of it
  bool has_events = false;    ///< other streams may wait for a part of it, or it for them
  bool has_branches = false;  ///< the edges do not put all steps into one row
};

/// Validates a kernel launch as the runtime does at the call; success means it may run or be
/// recorded.
cudaError_t check_launch(KernelWork& work);
/// Fills `work.kind` from the memory kinds of both ends and checks that both ranges are inside live
/// allocations; what is wrong becomes a finding.
cudaError_t check_copy(CopyWork& work);
cudaError_t check_memset(const MemsetWork& work);

/// Runs the work now. A fault inside a kernel makes the context fatal and still returns success,
/// because the launch itself succeeded; the code returned is a failure of the call. `touched` takes
/// down what memory it uses, and `uses` by which lines of a kernel.
cudaError_t execute(const Work& work, TouchedMemory* touched = nullptr, KernelUses* uses = nullptr);

/// Whether host code may read or write this memory without a copy.
enum class Side { host, device };
struct Place {
  Side side = Side::host;
  bool pinned = false;  ///< host memory that the device reaches directly
  bool managed = false;
};
Place place_of(const void* pointer);

}  // namespace klab::sim
