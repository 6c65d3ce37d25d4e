// What was given back, by size; and page-locked memory in huge pages.
#include "runner/memory/spare_memory.hpp"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "runner/device/cuda_check.hpp"
#include "runner/device/second_device.hpp"
#include "runner/memory/huge_pages.hpp"

namespace klab::runner {
namespace {

/// Of a larger piece the asking is a small part of what is done with it.
constexpr std::size_t largest_piece = std::size_t{32} << 20;

struct Piece {
  GiveBack what;
  std::byte* memory;
};
struct GivenBack {
  bool keeps = false;
  Spares<Piece, 128> pieces;
};

GivenBack& given_back() {
  static GivenBack all;
  return all;
}

/// Page-locked memory that is mapped first, in huge pages where there are any: cudaMallocHost asks
/// the system for each page of 4,096 bytes. Null where system or device do not have it that way.
std::byte* map_and_lock(std::size_t bytes) {
  std::byte* const memory = map_huge_pages(bytes);
  if (memory == nullptr) return nullptr;
  const std::size_t wanted = in_huge_pages(bytes);
  constexpr std::size_t page = 4096;
  for (std::size_t at = 0; at < wanted; at += page) memory[at] = std::byte{0};
  void* seen = nullptr;
  if (cudaHostRegister(memory, wanted, cudaHostRegisterDefault) == cudaSuccess) {
    if (cudaHostGetDevicePointer(&seen, memory, 0) == cudaSuccess && seen == memory) return memory;
    cudaHostUnregister(memory);
  }
  cudaGetLastError();
  ::munmap(memory, wanted);
  return nullptr;
}

SpareBuffer allocate(GiveBack wanted) {
  void* memory = nullptr;
  if (wanted.kind == SpareKind::device) {
    check_allocation(cudaMalloc(&memory, wanted.bytes), wanted.bytes, "device");
    return {static_cast<std::byte*>(memory), wanted};
  }
  if (given_back().keeps && wanted.bytes >= huge_page_bytes)
    if (std::byte* const locked = map_and_lock(wanted.bytes)) {
      wanted.registered = true;
      return {locked, wanted};
    }
  check_allocation(cudaMallocHost(&memory, wanted.bytes), wanted.bytes, "pinned host");
  return {static_cast<std::byte*>(memory), wanted};
}

}  // namespace

void keep_spare_memory(bool on) {
  given_back().keeps = on;
  if (!on) given_back().pieces.drop_all([](const Piece& piece) { piece.what(piece.memory); });
}

void GiveBack::operator()(std::byte* memory) const noexcept {
  int current = 0;
  const bool here = cudaGetDevice(&current) == cudaSuccess && current == device;
  // As cudaFree() does, which waits for whoever still writes there.
  if (here && given_back().keeps && bytes <= largest_piece &&
      cudaDeviceSynchronize() == cudaSuccess && given_back().pieces.put({*this, memory}, bytes))
    return;
  if (registered) {
    cudaHostUnregister(memory);
    ::munmap(memory, in_huge_pages(bytes));
  } else if (kind == SpareKind::device) {
    cudaFree(memory);
  } else {
    cudaFreeHost(memory);
  }
}

SpareBuffer take_memory(std::size_t bytes, SpareKind kind) {
  GiveBack wanted{bytes, current_device(), kind};
  if (!given_back().keeps || bytes > largest_piece) return allocate(wanted);
  constexpr std::size_t smallest = 4096;
  wanted.bytes = std::bit_ceil(std::max(bytes, smallest));
  const auto taken = given_back().pieces.take([&](const Piece& piece) {
    return piece.what.bytes == wanted.bytes && piece.what.device == wanted.device &&
           piece.what.kind == wanted.kind;
  });
  if (taken) return {taken->memory, taken->what};
  return allocate(wanted);
}

}  // namespace klab::runner
