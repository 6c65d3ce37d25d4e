// Copies: linear, pitched, symbols, peers and batches, synchronous and stream-ordered.
#include <fmt/format.h>

#include "simulator/runtime/api/api.hpp"
#include "simulator/runtime/api/array.hpp"
#include "simulator/runtime/streams/arguments.hpp"

namespace klab::sim {

CopyWork linear_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  CopyWork work;
  work.destination = static_cast<std::byte*>(to);
  work.source = static_cast<const std::byte*>(from);
  work.width_bytes = work.destination_pitch = work.source_pitch = bytes;
  work.kind = kind;
  return work;
}

namespace {

/// An array's end of a copy, as memory; false where the box leaves the array.
bool as_memory(const TexelGrid& grid, const cudaExtent& box, cudaPos& at, cudaPitchedPtr& memory) {
  const auto fits = [](std::size_t from, std::size_t count, std::uint64_t size) {
    return from <= size && count <= size - from;
  };
  if (!fits(at.x, box.width, grid.width) || !fits(at.y, box.height, grid.rows()) ||
      !fits(at.z, box.depth, grid.slices()))
    return false;
  at.x *= grid.format.bytes();
  memory = {reinterpret_cast<void*>(grid.address), grid.pitch_bytes,
            grid.width * grid.format.bytes(), grid.rows()};
  return true;
}

/// Where an array takes part, the box is counted in its elements; in bytes from then on.
cudaError_t resolve_arrays(cudaMemcpy3DParms& parameters) {
  if (parameters.srcArray == nullptr && parameters.dstArray == nullptr) return cudaSuccess;
  const bool twice = (parameters.srcArray != nullptr && parameters.srcPtr.ptr != nullptr) ||
                     (parameters.dstArray != nullptr && parameters.dstPtr.ptr != nullptr);
  if (twice) return cudaErrorInvalidValue;
  Runtime& runtime = Runtime::instance();
  const TexelGrid* from = array_of(runtime, parameters.srcArray);
  const TexelGrid* to = array_of(runtime, parameters.dstArray);
  if ((from == nullptr) != (parameters.srcArray == nullptr) ||
      (to == nullptr) != (parameters.dstArray == nullptr))
    return cudaErrorInvalidValue;
  const std::uint32_t bytes = (from != nullptr ? from : to)->format.bytes();
  if (from != nullptr && to != nullptr && to->format.bytes() != bytes) return cudaErrorInvalidValue;
  if (from != nullptr && !as_memory(*from, parameters.extent, parameters.srcPos, parameters.srcPtr))
    return cudaErrorInvalidValue;
  if (to != nullptr && !as_memory(*to, parameters.extent, parameters.dstPos, parameters.dstPtr))
    return cudaErrorInvalidValue;
  parameters.extent.width *= bytes;
  return cudaSuccess;
}

}  // namespace

cudaError_t pitched_copy(const cudaMemcpy3DParms& asked, CopyWork& work) {
  cudaMemcpy3DParms parameters = asked;
  if (const cudaError_t code = resolve_arrays(parameters); code != cudaSuccess) return code;
  // As a number: it may be nonsense, and no place at all.
  const auto place = [](const cudaPitchedPtr& base, const cudaPos& at) {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(base.ptr) +
                                        (at.z * base.ysize + at.y) * base.pitch + at.x);
  };
  work.destination = place(parameters.dstPtr, parameters.dstPos);
  work.source = place(parameters.srcPtr, parameters.srcPos);
  work.width_bytes = parameters.extent.width;
  work.height = parameters.extent.height;
  work.depth = parameters.extent.depth;
  work.destination_pitch = parameters.dstPtr.pitch;
  work.source_pitch = parameters.srcPtr.pitch;
  work.destination_slice_rows = parameters.dstPtr.ysize;
  work.source_slice_rows = parameters.srcPtr.ysize;
  work.kind = parameters.kind;
  return cudaSuccess;
}

cudaError_t symbol_range(const void* symbol, std::size_t bytes, std::size_t offset,
                         void*& address) {
  Runtime& runtime = Runtime::instance();
  VariableRecord* variable = runtime.modules.find_variable(symbol);
  if (variable == nullptr) return cudaErrorInvalidSymbol;
  std::uint64_t base = 0;
  const cudaError_t code = runtime.modules.address_of(*variable, base);
  if (code != cudaSuccess) return code;
  if (offset > variable->bytes || bytes > variable->bytes - offset) {
    const std::string name = readable_name(variable->name);
    runtime.say(fmt::format(
        "A copy of {}{} does not fit the variable {}, which has {}: the size is in bytes, and goes "
        "no further than sizeof({}).",
        counted(bytes, "byte"), offset == 0 ? "" : fmt::format(" from byte {} on", offset), name,
        counted(variable->bytes, "byte"), name));
    return cudaErrorInvalidValue;
  }
  address = reinterpret_cast<void*>(base + offset);
  return cudaSuccess;
}

cudaError_t copy_now(Runtime& runtime, CopyWork work) {
  if (const cudaError_t code = check_copy(work); code != cudaSuccess) return code;
  Stream& stream = *runtime.streams.find(cudaStreamLegacy);
  if (work.kind == cudaMemcpyDeviceToDevice) return runtime.streams.submit(stream, std::move(work));
  return runtime.streams.submit_and_wait(stream, std::move(work));
}

cudaError_t copy_async(Runtime& runtime, CopyWork work, cudaStream_t handle) {
  Stream* stream = runtime.streams.find(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t code = check_copy(work); code != cudaSuccess) return code;
  return runtime.streams.submit(*stream, std::move(work));
}

}  // namespace klab::sim

using namespace klab::sim;

namespace {

CopyWork rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
              std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  CopyWork work = linear_copy(to, from, width, kind);
  work.height = height;
  work.destination_pitch = to_pitch;
  work.source_pitch = from_pitch;
  work.destination_slice_rows = work.source_slice_rows = height;
  return work;
}

/// There is one device, so a peer copy is a copy within it.
cudaMemcpy3DParms within_device(const cudaMemcpy3DPeerParms& peer) {
  cudaMemcpy3DParms p{};
  p.srcArray = peer.srcArray;
  p.srcPos = peer.srcPos;
  p.srcPtr = peer.srcPtr;
  p.dstArray = peer.dstArray;
  p.dstPos = peer.dstPos;
  p.dstPtr = peer.dstPtr;
  p.extent = peer.extent;
  p.kind = cudaMemcpyDeviceToDevice;
  return p;
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return api_call(
      [&](Runtime& runtime) { return copy_now(runtime, linear_copy(to, from, bytes, kind)); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    return copy_async(runtime, linear_copy(to, from, bytes, kind), stream);
  });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return api_call([&](Runtime& runtime) {
    return copy_now(runtime, rows(to, to_pitch, from, from_pitch, width, height, kind));
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    return copy_async(runtime, rows(to, to_pitch, from, from_pitch, width, height, kind), stream);
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return api_call([&](Runtime& runtime) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    CopyWork work;
    const cudaError_t code = pitched_copy(*parameters, work);
    return code != cudaSuccess ? code : copy_now(runtime, std::move(work));
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    CopyWork work;
    const cudaError_t code = pitched_copy(*parameters, work);
    return code != cudaSuccess ? code : copy_async(runtime, std::move(work), stream);
  });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  return api_call([&](Runtime& runtime) {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    return copy_now(runtime, linear_copy(to, from, bytes, cudaMemcpyDeviceToDevice));
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    return copy_async(runtime, linear_copy(to, from, bytes, cudaMemcpyDeviceToDevice), stream);
  });
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  if (parameters == nullptr) return Errors::record(cudaErrorInvalidValue);
  const CalledAs outer;
  const cudaMemcpy3DParms same = within_device(*parameters);
  return cudaMemcpy3D(&same);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  if (parameters == nullptr) return Errors::record(cudaErrorInvalidValue);
  const CalledAs outer;
  const cudaMemcpy3DParms same = within_device(*parameters);
  return cudaMemcpy3DAsync(&same, stream);
}

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes,
                                 size_t count, cudaMemcpyAttributes*, size_t*, size_t,
                                 cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    if (to == nullptr || from == nullptr || sizes == nullptr) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      const cudaError_t code =
          copy_async(runtime, linear_copy(to[i], from[i], sizes[i], cudaMemcpyDefault), stream);
      if (code != cudaSuccess) return code;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return api_call([&](Runtime& runtime) {
    void* to = nullptr;
    const cudaError_t code = symbol_range(symbol, bytes, offset, to);
    return code != cudaSuccess ? code : copy_now(runtime, linear_copy(to, from, bytes, kind));
  });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return api_call([&](Runtime& runtime) {
    void* from = nullptr;
    const cudaError_t code = symbol_range(symbol, bytes, offset, from);
    return code != cudaSuccess ? code : copy_now(runtime, linear_copy(to, from, bytes, kind));
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    void* to = nullptr;
    const cudaError_t code = symbol_range(symbol, bytes, offset, to);
    if (code != cudaSuccess) return code;
    return copy_async(runtime, linear_copy(to, from, bytes, kind), stream);
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return api_call([&](Runtime& runtime) {
    void* from = nullptr;
    const cudaError_t code = symbol_range(symbol, bytes, offset, from);
    if (code != cudaSuccess) return code;
    return copy_async(runtime, linear_copy(to, from, bytes, kind), stream);
  });
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return api_call([&](Runtime&) {
    if (address == nullptr) return cudaErrorInvalidValue;
    return symbol_range(symbol, 0, 0, *address);
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return api_call([&](Runtime& runtime) {
    if (bytes == nullptr) return cudaErrorInvalidValue;
    const VariableRecord* variable = runtime.modules.find_variable(symbol);
    if (variable == nullptr) return cudaErrorInvalidSymbol;
    *bytes = variable->bytes;
    return cudaSuccess;
  });
}

}  // extern "C"
