// cp.async.bulk without a tensor map: runs of bytes between global and shared memory, or to the
// shared memory of other blocks of the cluster; and cp.reduce.async.bulk, which reduces them into
// what is there. Carried out at once, which PTX allows.
#include <array>
#include <bit>
#include <utility>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/memory/bulk_reduce.hpp"
#include "simulator/opcodes/memory/mbarrier.hpp"
#include "simulator/program/address_windows.hpp"

namespace klab::sim {

namespace {

constexpr u32 grain_bytes = 16;  // of both addresses and of the size

enum class Side : u32 { global, shared };

// An operand list: an address as base, its bytes, offset, and where it lies.
struct Place {
  u32 base, base_bytes, offset, side;
};
struct Bulk {
  Place to, from, barrier;
  u32 bytes, has_barrier;
  u32 blocks, to_several;  // a mask of ranks, if to_several
};
constexpr std::size_t bulk_words = sizeof(Bulk) / sizeof(u32);

u64 address_of(Warp& warp, const Place& at, u32 lane) {
  const u64 base =
      at.base_bytes == 4 ? slot<u32>(warp, at.base)[lane] : slot<u64>(warp, at.base)[lane];
  const u64 address = base + static_cast<u64>(static_cast<i64>(static_cast<i32>(at.offset)));
  return at.base_bytes == 4 ? static_cast<u32>(address) : address;
}

// All bytes of one lane's side of the copy; null after raising a fault.
std::byte* locate(Warp& warp, const Inst& inst, u32 lane, Side side, u64 address, u32 bytes,
                  AccessKind kind) {
  std::byte* first = nullptr;
  if (side == Side::shared) {
    for (u32 at = bytes; at > 0; at -= grain_bytes) {
      first = locate_any_shared(warp, inst, lane, address + at - grain_bytes, grain_bytes, kind);
      if (first == nullptr) return nullptr;
    }
    return first;
  }
  if (locate_global(warp, inst, lane, address, grain_bytes, kind) == nullptr) return nullptr;
  first = warp.launch->memory->host_view(address, bytes);
  if (first == nullptr)
    raise_memory_fault(warp, inst, lane, address, bytes, kind, ptx::Space::global, false);
  return first;
}

void check_global(Warp& warp, const Inst& inst, u32 lane, u64 address, u32 bytes, AccessKind kind) {
  u64 addresses[lane_count] = {};
  addresses[lane] = address;
  warp.checker->global_access(warp, inst, 1u << lane, addresses, bytes, kind);
}

u64 offset_in(const BlockState& block, const std::byte* at) {
  return static_cast<u64>(at - block.shared.data());
}

// A side as found: where, and its address.
struct Found {
  Side side;
  const std::byte* at;
  u64 address;
};

// imm: the reduction of those that have one.
Reduction reduction_of(const Inst& inst) { return reinterpret_cast<Reduction>(inst.imm); }

void check(Warp& warp, const Inst& inst, u32 lane, const Found& from, const Found& to, u32 bytes) {
  if (from.side == Side::global)
    check_global(warp, inst, lane, from.address, bytes, AccessKind::load);
  else
    warp.checker->bulk_read(warp, inst, lane, offset_in(*warp.block, from.at), bytes);
  if (to.side == Side::global) {
    check_global(warp, inst, lane, to.address, bytes,
                 reduction_of(inst) != nullptr ? AccessKind::atomic : AccessKind::store);
    warp.checker->take_bulk(warp, inst, lane, offset_in(*warp.block, from.at), to.address, bytes,
                            reduction_of(inst) != nullptr);
  } else if (&block_of(warp, to.at) == warp.block) {
    warp.checker->bulk_write(warp, inst, lane, offset_in(*warp.block, to.at), bytes);
  }
}

/// Loads and stores do not hold what goes past them.
void count(Warp& warp, const Inst& inst, u64 address, u32 bytes) {
  constexpr u64 sector = 32;
  SiteCount& seen = warp.sites[inst.site];
  ++seen.requests;
  seen.units += (address + bytes - 1) / sector - address / sector + 1;
}

// Where one lane's bytes go, and what counts them.
struct Target {
  u64 to = 0, barrier = 0;
};

// For one lane: false after raising a fault. `again`: the bytes were read for another block.
bool copy(Warp& warp, const Inst& inst, u32 lane, const Bulk& bulk, u32 bytes, const Target& goes,
          bool again) {
  const u64 to = goes.to, from = address_of(warp, bulk.from, lane);
  const Side source = Side{bulk.from.side}, target = Side{bulk.to.side};
  const std::byte* in = locate(warp, inst, lane, source, from, bytes, AccessKind::load);
  std::byte* out =
      in == nullptr ? nullptr : locate(warp, inst, lane, target, to, bytes, AccessKind::store);
  if (out == nullptr) return false;
  if (warp.checker != nullptr) [[unlikely]]
    check(warp, inst, lane, {source, in, from}, {target, out, to}, bytes);
  if (const Reduction reduction = reduction_of(inst); reduction != nullptr)
    reduction(out, in, bytes);
  else
    std::memmove(out, in, bytes);
  if (source == Side::global && !again) count(warp, inst, from, bytes);
  if (target == Side::global) count(warp, inst, to, bytes);
  if (bulk.has_barrier == 0 || warp.checker == nullptr) return true;
  const std::byte* barrier = locate_any_shared(warp, inst, lane, goes.barrier, 8, AccessKind::load);
  if (barrier == nullptr) return false;
  const BlockState& block = block_of(warp, out);
  block.checker->bring_bulk(location_of(warp, inst), offset_in(block, out), bytes, barrier);
  return true;
}

// The same place in the shared memory of the cluster's block of that rank.
u64 in_block(u64 address, u32 rank) {
  constexpr u64 within = (u64{1} << cluster_rank_shift) - 1;
  return u64{rank + 1} << cluster_rank_shift | (address & within);
}

// A lane's bytes to all that they go to; false after raising a fault.
bool copy_to_all(Warp& warp, const Inst& inst, u32 lane, const Bulk& bulk, u32 bytes) {
  Target own{address_of(warp, bulk.to, lane)};
  if (bulk.has_barrier != 0) own.barrier = address_of(warp, bulk.barrier, lane);
  bool again = false;
  const auto deliver = [&](const Target& goes) {
    if (bytes > 0 && !copy(warp, inst, lane, bulk, bytes, goes, std::exchange(again, true)))
      return false;
    if (bulk.has_barrier != 0) complete_bytes(warp, inst, lane, goes.barrier, bytes);
    return !warp.stop;
  };
  if (bulk.to_several == 0) return deliver(own);
  for (u32 ranks = slot<u16>(warp, bulk.blocks)[lane]; ranks != 0; ranks &= ranks - 1) {
    const auto rank = static_cast<u32>(std::countr_zero(ranks));
    if (!deliver({in_block(own.to, rank), in_block(own.barrier, rank)})) return false;
  }
  return true;
}

void run_bulk(Warp& warp, const Inst& inst) {
  Bulk bulk;
  std::memcpy(&bulk, warp.launch->program->operand_lists[inst.op[0]].data(), sizeof bulk);
  for_each_lane(warp.mask, [&](u32 lane) {
    const u32 bytes = slot<u32>(warp, bulk.bytes)[lane];
    if (warp.stop) return;
    if (bytes % grain_bytes != 0)
      return raise_fault(
          warp, inst, FaultCode::misaligned_address,
          "A bulk copy of " + std::to_string(bytes) + " bytes: the size must be a multiple of 16.");
    copy_to_all(warp, inst, lane, bulk, bytes);
  });
}

// For the checker alone. imm: groups that may be left; op[0]: only until their sources are read.
void run_commit(Warp& warp, const Inst&) {
  if (warp.checker != nullptr) warp.checker->commit_bulk(warp);
}
void run_wait(Warp& warp, const Inst& inst) {
  if (warp.checker != nullptr)
    warp.checker->wait_for_bulk(warp, static_cast<u64>(inst.imm), inst.op[0] != 0);
}

bool select_wait(Encoder& e) {
  if (e.operands() != 1 || e.in.operands[0].kind != ptx::Operand::Kind::number) return false;
  e.out.imm = static_cast<i64>(e.in.operands[0].number.bits);
  e.out.op[0] = e.has("read") ? 1 : 0;
  e.handlers(run_wait);
  return true;
}

Place bind_place(Encoder& e, std::size_t index, Side side) {
  const auto address = e.address(index, side == Side::shared ? 4 : 8);
  return {address.base, address.base_bytes, static_cast<u32>(address.offset),
          static_cast<u32>(side)};
}

// .shared::cluster.global, to several blocks too, .shared::cta.global, .shared::cluster.shared::cta
// with an mbarrier; .global.shared::cta in a group. Those that reduce have one more part in front.
bool select_copy(Encoder& e) {
  const bool reduces = e.has("reduce");
  const std::size_t target = reduces ? 4 : 3;
  const bool barrier = e.has("mbarrier::complete_tx::bytes");
  const bool several = e.has("multicast::cluster");
  if (e.operands() != 3u + (barrier ? 1 : 0) + (several ? 1 : 0) ||
      e.in.parts.size() < target + 2 || !(barrier || e.has("bulk_group")))
    return false;
  const auto side = [&](std::size_t part) {
    return e.in.parts[part] == "global" ? Side::global : Side::shared;
  };
  Bulk bulk{};
  bulk.to = bind_place(e, 0, side(target));
  bulk.from = bind_place(e, 1, side(target + 1));
  bulk.bytes = e.read(2, 4);
  bulk.has_barrier = barrier;
  if (barrier) bulk.barrier = bind_place(e, 3, Side::shared);
  bulk.to_several = several;
  if (several) bulk.blocks = e.read(4, 2);
  std::vector<u32> list(bulk_words);
  std::memcpy(list.data(), &bulk, sizeof bulk);
  e.out.op[0] = e.operand_list(std::move(list));
  e.note_shared_access(4);
  if (side(target) == Side::global) e.note_global_store(4);
  if (reduces) {
    const Reduction reduction = klab::sim::reduction_of(e);
    if (reduction == nullptr || Side{bulk.from.side} != Side::shared) return false;
    e.out.imm = reinterpret_cast<i64>(reduction);
  }
  e.use_site(Site::Kind::bulk);
  e.handlers(run_bulk);
  return true;
}

// What is asked of a tensor map is left to a GPU.
bool select_cp(Encoder& e) {
  if (!e.has("bulk") || e.has("tensor") || e.has("cp_mask")) return false;
  if (e.has("wait_group")) return select_wait(e);
  if (!e.has("commit_group") && !e.has("prefetch")) return select_copy(e);
  e.handlers(e.has("prefetch") ? [](Warp&, const Inst&) {} : run_commit);
  return true;
}

constexpr std::array<Opcode, 1> table{{
    {"cp", select_cp,
     ".async.bulk of bytes: global to shared, of several blocks too, shared to another block's "
     "with an mbarrier, shared to global in a .bulk_group; .commit_group .wait_group .prefetch; "
     ".reduce.async.bulk of shared memory: .add .min .max .and .or .xor .inc .dec, integers, .f16 "
     ".bf16, .add of .f32 .f64"},
}};

}  // namespace

std::span<const Opcode> bulk_copy_opcodes() { return table; }

}  // namespace klab::sim
