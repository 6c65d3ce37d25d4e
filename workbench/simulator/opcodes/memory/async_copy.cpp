// cp.async: copies from global to shared memory, carried out at once.
#include <array>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/access/pattern.hpp"

namespace klab::sim {

namespace {

// op: shared base, global base, source bytes or a predicate that leaves the source out (or none),
// bytes, width of the shared base, whether it is a predicate; imm: the two offsets, the shared one
// above. The copy completes when issued, which the PTX memory model
// allows. It counts as a global load: the hardware's counters of shared stores do not see it, but
// one of its own tells how often it meets a bank twice.
u64 base_address(Warp& warp, u32 base, u32 bytes, u32 lane) {
  return bytes == 4 ? slot<u32>(warp, base)[lane] : slot<u64>(warp, base)[lane];
}
u32 source_bytes(Warp& warp, const Inst& inst, u32 lane) {
  const u32 bytes = inst.op[3];
  if (inst.op[2] == none) return bytes;
  if (inst.op[5] != 0) return (read_predicate(warp, inst.op[2]) >> lane & 1) != 0 ? 0 : bytes;
  return std::min(bytes, slot<u32>(warp, inst.op[2])[lane]);
}
void run_copy(Warp& warp, const Inst& inst) {
  const u32 bytes = inst.op[3];
  u64 from[lane_count], to[lane_count];
  for_each_lane(warp.mask, [&](u32 lane) {
    to[lane] = base_address(warp, inst.op[0], inst.op[4], lane) + static_cast<u64>(inst.imm >> 32);
    from[lane] = slot<u64>(warp, inst.op[1])[lane] + static_cast<u64>(static_cast<i32>(inst.imm));
  });
  SiteCount& load = warp.sites[inst.site];
  ++load.requests;
  load.units += count_sectors(from, warp.mask, bytes);
  const Wavefronts stores = count_wavefronts(to, warp.mask, bytes, AccessKind::store);
  SiteCount& store = warp.sites[inst.site + 1];
  ++store.requests;
  store.excess += stores.total - stores.ideal;
  u32 whole = 0;  // lanes that read as many bytes as they write
  for_each_lane(warp.mask, [&](u32 lane) {
    if (warp.stop) return;
    const u32 wanted = source_bytes(warp, inst, lane);
    std::byte* target = locate_shared(warp, inst, lane, to[lane], bytes, AccessKind::store);
    if (target == nullptr) return;
    if (warp.checker != nullptr) [[unlikely]]
      warp.checker->begin_copy(warp, inst, lane, to, bytes);
    std::byte value[16] = {};  // what the source does not provide is zero
    if (wanted > 0) {
      const std::byte* source =
          wanted == bytes ? locate_again(warp, inst, lane, from[lane], bytes, AccessKind::load)
                          : warp.launch->memory->host_view(from[lane], wanted);
      if (source == nullptr) {
        if (!warp.stop)
          raise_memory_fault(warp, inst, lane, from[lane], wanted, AccessKind::load,
                             ptx::Space::global, false);
        return;
      }
      if (wanted == bytes)
        whole |= 1u << lane;
      else if (warp.checker != nullptr) [[unlikely]]
        warp.checker->global_access(warp, inst, 1u << lane, from, wanted, AccessKind::load);
      std::memcpy(value, source, wanted);
    }
    std::memcpy(target, value, bytes);
  });
  if (whole != 0 && warp.checker != nullptr) [[unlikely]]
    warp.checker->global_access(warp, inst, whole, from, bytes, AccessKind::load);
}

// For the checker alone, as nothing is ever under way here. imm: groups that may be left.
void run_commit(Warp& warp, const Inst&) {
  if (warp.checker != nullptr) warp.checker->commit_copies(warp);
}
void run_wait(Warp& warp, const Inst& inst) {
  if (warp.checker != nullptr)
    warp.checker->wait_for_copies(warp, static_cast<std::uint64_t>(inst.imm));
}
void run_wait_for_all(Warp& warp, const Inst&) {
  if (warp.checker != nullptr) warp.checker->wait_for_copies(warp, std::nullopt);
}

bool select_cp(Encoder& e) {
  if (!e.has("async") || e.has("bulk") || e.has("mbarrier") || e.has("reduce")) return false;
  if (e.has("commit_group") || e.has("wait_all")) {
    e.handlers(e.has("wait_all") ? run_wait_for_all : run_commit);
    return true;
  }
  if (e.has("wait_group")) {
    if (e.operands() != 1 || e.in.operands[0].kind != ptx::Operand::Kind::number) return false;
    e.out.imm = static_cast<i64>(e.in.operands[0].number.bits);
    e.handlers(run_wait);
    return true;
  }
  if (e.operands() < 3 || e.in.operands[2].kind != ptx::Operand::Kind::number) return false;
  const auto to = e.address(0, 4), from = e.address(1, 8);
  const u64 bytes = e.in.operands[2].number.bits;
  if (bytes != 4 && bytes != 8 && bytes != 16) return e.fail("cp.async copies 4, 8 or 16 bytes.");
  e.out.op[0] = to.base;
  e.out.op[1] = from.base;
  e.out.op[3] = static_cast<u32>(bytes);
  e.out.op[4] = to.base_bytes;
  e.out.imm = to.offset * (i64{1} << 32) + static_cast<u32>(from.offset);
  e.out.op[5] = e.operands() > 3 && e.is_predicate(3) ? 1 : 0;
  if (e.operands() > 3) e.out.op[2] = e.out.op[5] != 0 ? e.read_predicate(3) : e.read(3, 4);
  e.use_site(Site::Kind::global_load);
  const u32 load = e.out.site;
  e.use_site(Site::Kind::shared_copy);  // the next one
  e.out.site = load;
  e.handlers(run_copy);
  return true;
}

constexpr std::array<Opcode, 1> table{{
    {"cp", select_cp, ".async.ca .async.cg of 4, 8, 16 bytes, .commit_group .wait_group .wait_all"},
}};

}  // namespace

std::span<const Opcode> async_copy_opcodes() { return table; }

}  // namespace klab::sim
