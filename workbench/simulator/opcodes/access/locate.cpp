// One lane's access: where its bytes lie, and moving them between memory and registers of any
// width.
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"

namespace klab::sim {

namespace {

constexpr u32 most_vector_bytes = 32;

// The caller has seen that the address is a multiple of the size. What is longer than 16 bytes goes
// in pieces of that, as on a GPU.
void copy_vector(std::byte* to, const std::byte* from, u32 bytes) {
#if defined(__AVX2__)
  // Aligned moves of 16 bytes are atomic where there is AVX (Intel SDM, volume 3, 9.1.1).
  if (bytes % 16 == 0) {
    for (u32 at = 0; at < bytes; at += 16)
      _mm_store_si128(reinterpret_cast<__m128i*>(to + at),
                      _mm_load_si128(reinterpret_cast<const __m128i*>(from + at)));
    return;
  }
#endif
  if (bytes == 8)
    __atomic_store_n(reinterpret_cast<u64*>(to),
                     __atomic_load_n(reinterpret_cast<const u64*>(from), __ATOMIC_RELAXED),
                     __ATOMIC_RELAXED);
  else
    std::memcpy(to, from, bytes);
}

}  // namespace

void load_vector(Warp& warp, const AccessShape& shape, const Inst& inst, u32 lane,
                 const std::byte* from) {
  alignas(16) std::byte vector[most_vector_bytes];
  copy_vector(vector, from, shape.bytes());
  for (u32 q = 0; q < shape.count; ++q)
    load_element(warp, shape, inst.op[1 + q], lane, vector + q * shape.element_bytes);
}

void store_vector(Warp& warp, const AccessShape& shape, const Inst& inst, u32 lane, std::byte* to) {
  alignas(16) std::byte vector[most_vector_bytes];
  for (u32 q = 0; q < shape.count; ++q)
    store_element(warp, shape, inst.op[1 + q], lane, vector + q * shape.element_bytes);
  copy_vector(to, vector, shape.bytes());
}

std::byte* locate_global(Warp& warp, const Inst& inst, u32 lane, u64 address, u32 bytes,
                         AccessKind kind) {
  const bool misaligned = (address & (bytes - 1)) != 0;
  std::byte* at = misaligned ? nullptr : warp.launch->memory->host_view(address, bytes);
  if (at == nullptr)
    raise_memory_fault(warp, inst, lane, address, bytes, kind, ptx::Space::global, misaligned);
  return at;
}

void remember(Pattern& pattern, const Allocation& allocation) {
  const bool lasts = allocation.kind != MemoryKind::heap;
  pattern.base = lasts ? allocation.base : 1;
  pattern.end = lasts ? allocation.end() : 0;
  pattern.to_host = allocation.to_host;
  pattern.watched = allocation.watched;
}

std::byte* locate_again(Warp& warp, const Inst& inst, u32 lane, u64 address, u32 bytes,
                        AccessKind kind) {
  Pattern& pattern = warp.patterns[inst.site];
  const bool aligned = (address & (bytes - 1)) == 0;
  if (aligned && address >= pattern.base && address + bytes <= pattern.end && !pattern.watched)
    return reinterpret_cast<std::byte*>(address + static_cast<u64>(pattern.to_host));
  std::byte* at = locate_global(warp, inst, lane, address, bytes, kind);
  if (at == nullptr) return nullptr;
  remember(pattern, *warp.launch->memory->find(address));
  return at;
}

static void note_foreign_use(Warp& warp, const Inst& inst, u32 lane, const BlockState& other,
                             AccessKind kind) {
  // Flags in global memory may have told that the other one runs.
  if (other.cluster->generation == 0 && !warp.launch->program->may_order_blocks)
    note_finding(warp, inst, FindingKind::block_race, lane,
                 "use of another block's shared memory before the blocks of the cluster have met: "
                 "that block may not have begun, and what it sets up is not there yet. Let all "
                 "meet in front of the first use (cluster.sync())");
  if (other.live_threads == 0 && !Checker::is_arrival(warp, inst, kind))
    return note_ended_block(warp, location_of(warp, inst), lane);
  other.checker->used_from_elsewhere(warp, inst, lane, kind, other.cluster->generation);
}

std::byte* loaded_from_cluster(Warp& warp, const Inst& inst, u32 lane, u64 first, u64 low,
                               u64 high) {
  const u64 rank = first >> cluster_rank_shift;
  const ClusterState* cluster = warp.block->cluster;
  const bool one_block =
      low >> cluster_rank_shift == rank && (high - 1) >> cluster_rank_shift == rank;
  if (!one_block || cluster == nullptr || rank > cluster->blocks.size()) return nullptr;
  const u64 begin = rank << cluster_rank_shift;
  if (high - begin > warp.shared_bytes) return nullptr;
  const BlockState& other = *cluster->blocks[rank - 1];
  if (other.checker != nullptr && &other != warp.block)
    note_foreign_use(warp, inst, lane, other, AccessKind::load);
  return other.shared.data() + (first - begin);
}

void note_loads_from_cluster(Warp& warp, const Inst& inst, u32 mask, const u64* addresses,
                             u32 bytes) {
  const u64 rank = addresses[std::countr_zero(mask)] >> cluster_rank_shift;
  const BlockState& other = *warp.block->cluster->blocks[rank - 1];
  if (&other == warp.block)
    return warp.checker->shared_access(warp, inst, mask, addresses, bytes, AccessKind::load);
  for_each_lane(mask, [&](u32 lane) {
    const u64 offset = addresses[lane] & ((1u << cluster_rank_shift) - 1);
    other.checker->hand_over_by(warp, inst, lane, offset, AccessKind::load);
  });
  other.checker->loads_from_elsewhere(warp, inst, mask, addresses, bytes);
}

std::byte* locate_shared(Warp& warp, const Inst& inst, u32 lane, u64 address, u32 bytes,
                         AccessKind kind) {
  const bool misaligned = (address & (bytes - 1)) != 0;
  u64 offset = address;
  std::byte* shared = warp.shared;
  // Above the offset stands the rank of another block of the cluster, plus one.
  const u64 rank = address >> cluster_rank_shift;
  const ClusterState* cluster = warp.block->cluster;
  Checker* checker = nullptr;  // of the other block
  if (rank > 0 && cluster != nullptr && rank <= cluster->blocks.size()) {
    const BlockState& other = *cluster->blocks[rank - 1];
    if (other.checker != nullptr && &other != warp.block)
      note_foreign_use(warp, inst, lane, other, kind);
    shared = other.shared.data();
    checker = other.checker.get();
    offset = address & ((1u << cluster_rank_shift) - 1);
  }
  if (!misaligned && offset < warp.shared_bytes && bytes <= warp.shared_bytes - offset) {
    if (checker != nullptr) [[unlikely]] {
      checker->hand_over_by(warp, inst, lane, offset, kind);
      if (checker != warp.checker)
        checker->use_from_elsewhere(warp, inst, lane, offset, bytes, kind);
      if (!is_load(kind)) checker->written_from_elsewhere(offset, bytes);
    }
    return shared + offset;
  }
  raise_memory_fault(warp, inst, lane, address, bytes, kind, ptx::Space::shared, misaligned);
  return nullptr;
}

}  // namespace klab::sim
