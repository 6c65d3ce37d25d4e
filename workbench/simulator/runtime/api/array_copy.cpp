// Copies to, from and between arrays: as cudaMemcpy3D does them, said in bytes instead of texels.
#include <optional>

#include "simulator/runtime/api/api.hpp"
#include "simulator/runtime/api/array.hpp"
#include "simulator/runtime/streams/arguments.hpp"

using namespace klab::sim;

namespace {

/// One end of a copy of rows: an array, from the texel at byte x of row y on; or memory.
struct End {
  cudaArray_const_t array = nullptr;
  std::size_t x = 0, y = 0;
  const void* memory = nullptr;
  std::size_t pitch = 0;
};

struct Rows {
  std::size_t bytes = 0, count = 0;
};

/// The bytes in texels of the array; nothing when they are no whole ones, or there is no such
/// array.
std::optional<std::size_t> texels_in(Runtime& runtime, cudaArray_const_t array, std::size_t bytes) {
  const TexelGrid* grid = array_of(runtime, array);
  if (grid == nullptr || bytes % grid->format.bytes() != 0) return std::nullopt;
  return bytes / grid->format.bytes();
}

/// Where the copy begins or ends, as cudaMemcpy3D takes it.
cudaError_t place(Runtime& runtime, const End& end, const Rows& rows, cudaArray_t& array,
                  cudaPos& at, cudaPitchedPtr& memory) {
  if (end.array == nullptr) {
    if (rows.count > 1 && end.pitch < rows.bytes) return cudaErrorInvalidPitchValue;
    memory = {const_cast<void*>(end.memory), end.pitch, rows.bytes, rows.count};
    return cudaSuccess;
  }
  const auto x = texels_in(runtime, end.array, end.x);
  if (!x) return cudaErrorInvalidValue;
  array = const_cast<cudaArray_t>(end.array);
  at = {*x, end.y, 0};
  return cudaSuccess;
}

cudaError_t describe(Runtime& runtime, const End& to, const End& from, const Rows& rows,
                     cudaMemcpyKind kind, CopyWork& work) {
  cudaMemcpy3DParms all{};
  cudaError_t code = place(runtime, to, rows, all.dstArray, all.dstPos, all.dstPtr);
  if (code == cudaSuccess) code = place(runtime, from, rows, all.srcArray, all.srcPos, all.srcPtr);
  if (code != cudaSuccess) return code;
  const auto width = texels_in(runtime, from.array != nullptr ? from.array : to.array, rows.bytes);
  if (!width) return cudaErrorInvalidValue;
  all.extent = {*width, rows.count, 1};
  all.kind = kind;
  return pitched_copy(all, work);
}

/// Whole rows, as older programs copy arrays: from byte x of a row to its end, or several rows.
Rows rows_in(cudaArray_const_t array, std::size_t x, std::size_t bytes) {
  Runtime& runtime = Runtime::instance();
  const std::scoped_lock lock(runtime.mutex);
  const TexelGrid* grid = array_of(runtime, array);
  if (grid == nullptr) return {bytes, 1};
  const std::size_t row = grid->width * grid->format.bytes();
  const bool several = x == 0 && bytes > row && bytes % row == 0;
  return several ? Rows{row, bytes / row} : Rows{bytes, 1};
}

/// `name` is the function that calls this one.
cudaError_t copy_rows(const End& to, const End& from, const Rows& rows, cudaMemcpyKind kind,
                      const char* name = __builtin_FUNCTION()) {
  return api_call(
      [&](Runtime& runtime) {
        CopyWork work;
        const cudaError_t code = describe(runtime, to, from, rows, kind, work);
        return code != cudaSuccess ? code : copy_now(runtime, std::move(work));
      },
      name);
}

cudaError_t copy_rows_async(const End& to, const End& from, const Rows& rows, cudaMemcpyKind kind,
                            cudaStream_t stream, const char* name = __builtin_FUNCTION()) {
  return api_call(
      [&](Runtime& runtime) {
        CopyWork work;
        const cudaError_t code = describe(runtime, to, from, rows, kind, work);
        return code != cudaSuccess ? code : copy_async(runtime, std::move(work), stream);
      },
      name);
}

End part_of(cudaArray_const_t array, std::size_t x, std::size_t y) { return {array, x, y, {}, 0}; }
End memory_at(const void* memory, std::size_t pitch) { return {nullptr, 0, 0, memory, pitch}; }

}  // namespace

extern "C" {

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_rows(part_of(to, x, y), memory_at(from, pitch), {width, height}, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return copy_rows_async(part_of(to, x, y), memory_at(from, pitch), {width, height}, kind, stream);
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_rows(memory_at(to, pitch), part_of(from, x, y), {width, height}, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return copy_rows_async(memory_at(to, pitch), part_of(from, x, y), {width, height}, kind, stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t x, size_t y, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
  return copy_rows(part_of(to, to_x, to_y), part_of(from, x, y), {width, height}, kind);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  const auto rows = rows_in(to, x, bytes);
  return copy_rows(part_of(to, x, y), memory_at(from, rows.bytes), rows, kind);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  const auto rows = rows_in(from, x, bytes);
  return copy_rows(memory_at(to, rows.bytes), part_of(from, x, y), rows, kind);
}

}  // extern "C"
