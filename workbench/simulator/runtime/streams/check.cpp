// Checks that the runtime makes when work is submitted: launch limits, copy ranges and directions.
#include <fmt/format.h>

#include "simulator/runtime/state/occupancy.hpp"
#include "simulator/runtime/state/runtime.hpp"
#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {
namespace {

// Technical specifications per compute capability, CUDA programming guide: 9.0.
constexpr std::uint64_t most_grid_x = 2'147'483'647;
constexpr std::uint64_t most_grid_yz = 65'535;
constexpr std::uint32_t most_block_xy = 1024;
constexpr std::uint32_t most_block_z = 64;

cudaError_t refuse(cudaError_t code, std::string sentence) {
  Runtime::instance().say(sentence);
  return code;
}

// As CUDA 13 answers: cudaErrorInvalidConfiguration is what earlier ones said.
cudaError_t check_shape(const KernelWork& work, const KernelInfo& info) {
  const Dim3& grid = work.grid;
  const Dim3& block = work.block;
  if (grid.count() == 0 || grid.x > most_grid_x || grid.y > most_grid_yz || grid.z > most_grid_yz) {
    return refuse(cudaErrorInvalidValue,
                  fmt::format("Kernel {} can't be launched with a grid of {} x {} x {} blocks: at "
                              "least 1 each way, and at most {} x {} x {} are allowed.",
                              readable_name(info.name), grid.x, grid.y, grid.z, most_grid_x,
                              most_grid_yz, most_grid_yz));
  }
  if (block.count() == 0 || block.x > most_block_xy || block.y > most_block_xy ||
      block.z > most_block_z || block.count() > Device::limits().threads_per_block) {
    return refuse(cudaErrorInvalidValue,
                  fmt::format("Kernel {} can't be launched with {} x {} x {} threads a block: at "
                              "least 1 each way, at most {} x {} x {}, and {} together are "
                              "allowed.",
                              readable_name(info.name), block.x, block.y, block.z, most_block_xy,
                              most_block_xy, most_block_z, Device::limits().threads_per_block));
  }
  if (info.max_threads != 0 && block.count() > info.max_threads) {
    return refuse(cudaErrorInvalidValue,
                  fmt::format("Kernel {} was compiled for at most {} threads a block "
                              "(__launch_bounds__), but is launched with {}.",
                              readable_name(info.name), info.max_threads, block.count()));
  }
  const auto& required = info.required_threads;
  if (required[0] != 0 &&
      (block.x != required[0] || block.y != required[1] || block.z != required[2])) {
    return refuse(cudaErrorInvalidValue,
                  fmt::format("Kernel {} requires blocks of exactly {} x {} x {} threads.",
                              readable_name(info.name), required[0], required[1], required[2]));
  }
  return cudaSuccess;
}

cudaError_t check_resources(const KernelWork& work, const KernelInfo& info) {
  const KernelRecord& record = *work.kernel;
  const std::uint64_t shared = std::uint64_t{info.static_shared_bytes} + work.dynamic_shared_bytes;
  if (shared > Device::limits().shared_bytes_per_block) {
    return refuse(
        cudaErrorInvalidValue,
        fmt::format("Kernel {} needs {} bytes of shared memory a block; the device has {}.",
                    readable_name(info.name), shared, Device::limits().shared_bytes_per_block));
  }
  if (work.dynamic_shared_bytes > static_cast<std::uint32_t>(record.max_dynamic_shared_bytes)) {
    return refuse(
        cudaErrorInvalidValue,
        fmt::format("Kernel {} asks for {} bytes of dynamic shared memory, but only {} are "
                    "allowed. Call cudaFuncSetAttribute with "
                    "cudaFuncAttributeMaxDynamicSharedMemorySize before the launch.",
                    readable_name(info.name), work.dynamic_shared_bytes,
                    record.max_dynamic_shared_bytes));
  }
  if (record.compiled != nullptr) {
    const std::uint64_t registers = block_registers(*record.compiled, work.block.count());
    if (registers > registers_per_multiprocessor) {
      return refuse(cudaErrorLaunchOutOfResources,
                    fmt::format("Kernel {} needs {} registers for a block of {} threads; there are "
                                "{}. Use smaller blocks or __launch_bounds__.",
                                readable_name(info.name), registers, work.block.count(),
                                registers_per_multiprocessor));
    }
  }
  return cudaSuccess;
}

cudaError_t check_cluster(KernelWork& work, const KernelInfo& info) {
  const auto& required = info.required_cluster;
  if (required[0] != 0) {
    const Dim3 own{required[0], required[1], required[2]};
    if (work.cluster.count() > 1 && !(work.cluster == own)) {
      return refuse(cudaErrorInvalidClusterSize,
                    fmt::format("Kernel {} requires clusters of {} x {} x {} blocks "
                                "(__cluster_dims__).",
                                readable_name(info.name), own.x, own.y, own.z));
    }
    work.cluster = own;
  }
  const Dim3& cluster = work.cluster;
  if (cluster.count() <= 1) return cudaSuccess;
  const DeviceLimits& limits = Device::limits();
  const bool any_size = work.kernel->non_portable_cluster;
  if (cluster.count() > limits.blocks_per_cluster && !any_size) {
    return refuse(
        cudaErrorInvalidClusterSize,
        fmt::format("A cluster of {} blocks is more than the {} that every device has. Call "
                    "cudaFuncSetAttribute with "
                    "cudaFuncAttributeNonPortableClusterSizeAllowed for up to {}.",
                    cluster.count(), limits.blocks_per_cluster, limits.blocks_per_large_cluster));
  }
  if (cluster.count() > limits.blocks_per_large_cluster) {
    return refuse(cudaErrorInvalidClusterSize,
                  fmt::format("A cluster of {} blocks is not possible: at most {}.",
                              cluster.count(), limits.blocks_per_large_cluster));
  }
  if (work.grid.x % cluster.x != 0 || work.grid.y % cluster.y != 0 ||
      work.grid.z % cluster.z != 0) {
    return refuse(
        cudaErrorInvalidClusterSize,
        fmt::format("The grid of {} x {} x {} blocks is not a multiple of the cluster of "
                    "{} x {} x {}.",
                    work.grid.x, work.grid.y, work.grid.z, cluster.x, cluster.y, cluster.z));
  }
  return cudaSuccess;
}

cudaError_t check_cooperative(const KernelWork& work, const KernelInfo& info) {
  if (!work.cooperative) return cudaSuccess;
  const std::uint64_t resident =
      std::uint64_t{Device::limits().multiprocessors} *
      static_cast<unsigned>(active_blocks(*work.kernel, static_cast<int>(work.block.count()),
                                          work.dynamic_shared_bytes));
  if (work.grid.count() <= resident) return cudaSuccess;
  return refuse(cudaErrorCooperativeLaunchTooLarge,
                fmt::format("Cooperative kernel {} is launched with {} blocks, but only {} can be "
                            "resident at once.",
                            readable_name(info.name), work.grid.count(), resident));
}

cudaError_t check_text(const KernelInfo& info) {
  if (!info.error) return cudaSuccess;
  Runtime::instance().add(Missing{info.error->reason, info.name, info.error->file, info.error->line,
                                  refusal_of(readable_name(info.name), *info.error)});
  return cudaErrorInvalidPtx;
}

}  // namespace

cudaError_t check_launch(KernelWork& work) {
  Runtime& runtime = Runtime::instance();
  if (work.kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (const cudaError_t code = runtime.modules.resolve(*work.kernel); code != cudaSuccess) {
    return code;
  }
  const KernelInfo& info = work.kernel->kernel->info();
  for (const auto check : {check_shape, check_resources}) {
    if (const cudaError_t code = check(work, info); code != cudaSuccess) return code;
  }
  if (const cudaError_t code = check_cluster(work, info); code != cudaSuccess) return code;
  if (const cudaError_t code = check_cooperative(work, info); code != cudaSuccess) return code;
  return check_text(info);
}

Place place_of(const void* pointer) {
  Runtime& runtime = Runtime::instance();
  if (!runtime.has_device()) return {};
  const DeviceMemory& memory = runtime.device().memory();
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const Allocation* allocation = memory.find(address);
  if (allocation == nullptr) return {memory.in_arena(address) ? Side::device : Side::host};
  switch (allocation->kind) {
    case MemoryKind::pinned:
      return {Side::host, true, false};
    case MemoryKind::managed:
      return {Side::device, false, true};
    default:
      return {Side::device};
  }
}

namespace {

/// A range that a copy or memset touches must lie inside one live allocation, if it is ours at all.
cudaError_t check_range(const void* pointer, std::size_t bytes, const char* role) {
  Runtime& runtime = Runtime::instance();
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (pointer == nullptr) {
    return refuse(cudaErrorInvalidValue, fmt::format("The {} is a null pointer.", role));
  }
  if (!runtime.has_device()) return cudaSuccess;
  const DeviceMemory& memory = runtime.device().memory();
  const Allocation* allocation = memory.find(address);
  if (allocation == nullptr && !memory.in_arena(address)) return cudaSuccess;
  if (allocation != nullptr && !allocation->freed && bytes <= allocation->end() - address) {
    return cudaSuccess;
  }
  const bool freed = allocation != nullptr && allocation->freed;
  const char* wrong = freed                   ? "is freed already:"
                      : allocation == nullptr ? "lies in no allocation:"
                                              : "leaves its allocation,";
  Finding finding;
  finding.kind = freed ? FindingKind::use_after_free : FindingKind::out_of_bounds;
  finding.address = address;
  finding.allocation = memory.describe(address);
  finding.message = fmt::format("The {} of {} at {:#x} {} {}.", role, counted(bytes, "byte"),
                                address, wrong, memory.describe(address, bytes));
  runtime.add(std::move(finding));
  return cudaErrorInvalidValue;
}

}  // namespace

static std::string shadow_at(const void* pointer) {
  return Runtime::instance().modules.shadow_at(reinterpret_cast<std::uint64_t>(pointer));
}

cudaError_t check_copy(CopyWork& work) {
  if (work.bytes() == 0) return cudaSuccess;
  if (work.kind < cudaMemcpyHostToHost || work.kind > cudaMemcpyDefault)
    return refuse(cudaErrorInvalidMemcpyDirection,
                  fmt::format("A copy's direction is {}, which is none of cudaMemcpyKind.",
                              static_cast<int>(work.kind)));
  if (work.width_bytes > work.destination_pitch || work.width_bytes > work.source_pitch)
    return work.height > 1 || work.depth > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
  if (const cudaError_t code =
          check_range(work.destination, work.destination_span(), "destination of a copy");
      code != cudaSuccess) {
    return code;
  }
  if (const cudaError_t code = check_range(work.source, work.source_span(), "source of a copy");
      code != cudaSuccess) {
    return code;
  }
  const Place to = place_of(work.destination);
  const Place from = place_of(work.source);
  const bool to_device = to.side == Side::device;
  const bool from_device = from.side == Side::device;
  const bool wants_to_device =
      work.kind == cudaMemcpyHostToDevice || work.kind == cudaMemcpyDeviceToDevice;
  const bool wants_from_device =
      work.kind == cudaMemcpyDeviceToHost || work.kind == cudaMemcpyDeviceToDevice;
  if (work.kind != cudaMemcpyDefault) {
    // Memory that both sides reach may stand on either side.
    const bool to_fits = wants_to_device ? to_device || to.pinned : !to_device || to.managed;
    const bool from_fits =
        wants_from_device ? from_device || from.pinned : !from_device || from.managed;
    if (!to_fits || !from_fits) {
      const void* pointer = to_fits ? work.source : work.destination;
      if (const std::string shadow = shadow_at(pointer); !shadow.empty())
        return refuse(
            cudaErrorInvalidValue,
            fmt::format("The {} of a copy is {}.", to_fits ? "source" : "destination", shadow));
      return refuse(cudaErrorInvalidValue,
                    fmt::format("The {} of a copy is {} memory, which does not fit the direction "
                                "that the call states. cudaMemcpyDefault finds it by itself.",
                                to_fits ? "source" : "destination",
                                (to_fits ? from_device : to_device) ? "device" : "host"));
    }
    return cudaSuccess;
  }
  work.kind = to_device ? (from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                        : (from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
  return cudaSuccess;
}

cudaError_t check_memset(const MemsetWork& work) {
  if (work.bytes() == 0) return cudaSuccess;
  const Place place = place_of(work.destination);
  if (work.destination != nullptr && place.side == Side::host && !place.pinned) {
    const std::string shadow = shadow_at(work.destination);
    return refuse(cudaErrorInvalidValue,
                  shadow.empty() ? "A memset was given ordinary host memory: it needs a "
                                   "pointer that the device can write."
                                 : fmt::format("A memset was given {}.", shadow));
  }
  return check_range(work.destination, work.span(), "destination of a memset");
}

}  // namespace klab::sim
