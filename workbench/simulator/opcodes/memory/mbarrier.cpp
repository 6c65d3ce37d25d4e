// mbarrier: barriers that live in shared memory as one 64-bit word.
#include "simulator/opcodes/memory/mbarrier.hpp"

#include <array>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"

namespace klab::sim {

namespace {

// The word's layout is left open by PTX. Here: arrivals still pending in this phase, arrivals
// expected in every phase, bytes still to come, and the number of the phase.
struct Word {
  u32 pending : 20;
  u32 expected_low : 12;
  u32 expected_high : 8;
  i32 bytes : 22;
  u32 phase : 2;

  u32 expected() const { return expected_low | expected_high << 12; }
  void expect(u32 count) { expected_low = count & 0xfff, expected_high = count >> 12 & 0xff; }
};
static_assert(sizeof(Word) == 8);

constexpr u32 relaxed = 1;

enum class Act {
  touch,  // only looked at: an arrival that its own pending copies make up for
  init,
  arrive,
  arrive_drop,
  expect,
  arrive_expect,
  drop_expect,
  complete,
  test,
  test_parity
};

// The phase ends with the last arrival and the last byte.
void end_phase(Warp& warp, Word& word, const std::byte* at) {
  if (word.pending != 0 || word.bytes != 0) return;
  word.pending = word.expected();
  word.phase = word.phase + 1;
  if (warp.checker == nullptr) return;
  BlockState& owner = block_of(warp, at);
  owner.checker->end_phase(at);
  if (&owner != warp.block) warp.checker->some_met();
}

// Lanes that do the same to one mbarrier; those of another one come in a turn of their own.
class Together {
 public:
  // False where the lane was already among those of an earlier turn's address.
  bool begins(const u64* addresses, u32 mask, u32 lane) {
    if ((done_ >> lane & 1) != 0) return false;
    lanes_ = 0;
    for_each_lane(mask,
                  [&](u32 other) { lanes_ |= u32{addresses[other] == addresses[lane]} << other; });
    done_ |= lanes_;
    return true;
  }
  u32 lanes() const { return lanes_; }

 private:
  u32 lanes_ = 0, done_ = 0;
};

// Arrivals tell what came before them; to expect bytes, or complete them, does not.
constexpr bool arrives(Act act) {
  return act == Act::touch || act == Act::arrive || act == Act::arrive_drop ||
         act == Act::arrive_expect || act == Act::drop_expect;
}

void wait_in_vain(Warp& warp, const Inst& inst) {
  warp.waiting_for_phase = !warp.polling;  // nothing else is waited for beside it
  warp.polling = true;
  warp.waited_for_phase = location_of(warp, inst);
}

void addresses_of(Warp& warp, const Inst& inst, u64 (&addresses)[lane_count]) {
  if (inst.op[1] == 4)
    lane_addresses<u32>(warp, inst, addresses);
  else
    lane_addresses<u64>(warp, inst, addresses);
}

// op: base, its bytes, destination (state or predicate), count, bytes or state, whether it is
// relaxed; imm: offset.
template <Act A>
void run_mbarrier(Warp& warp, const Inst& inst) {
  u64 addresses[lane_count];
  addresses_of(warp, inst, addresses);
  constexpr bool waits = A == Act::test || A == Act::test_parity;
  u32 passed = 0;
  Together together;
  for_each_lane(warp.mask, [&](u32 lane) {
    if (warp.stop) return;
    std::byte* at =
        locate_any_shared(warp, inst, lane, addresses[lane], sizeof(Word), AccessKind::atomic);
    if (at == nullptr) return;
    if (arrives(A) && warp.checker != nullptr && together.begins(addresses, warp.mask, lane))
      block_of(warp, at).checker->arrive_at_mbarrier(warp, together.lanes(), at,
                                                     inst.op[5] == relaxed);
    if (A != Act::init && warp.checker != nullptr)
      block_of(warp, at).checker->use_mbarrier(warp, inst, lane, at);
    if (A == Act::touch) return;
    Word word;
    std::memcpy(&word, at, sizeof word);
    const u32 value = inst.op[3] == none ? 1 : slot<u32>(warp, inst.op[3])[lane];
    if constexpr (waits) {
      const u32 phase = A == Act::test ? static_cast<u32>(slot<u64>(warp, inst.op[4])[lane] >> 62)
                                       : slot<u32>(warp, inst.op[4])[lane];
      const bool done = A == Act::test ? word.phase != phase : (word.phase & 1) != (phase & 1);
      passed |= u32{done} << lane;
      if (done && warp.checker != nullptr && together.begins(addresses, warp.mask, lane))
        warp.checker->wait_for_phase(warp, together.lanes(), at);
      return;
    }
    if (inst.op[2] != none) std::memcpy(slot<u64>(warp, inst.op[2]) + lane, &word, sizeof word);
    if (A == Act::init) {
      if (warp.checker != nullptr) block_of(warp, at).checker->make_mbarrier(warp, inst, lane, at);
      word = Word{};
      word.expect(value);
      word.pending = value;
    }
    constexpr bool counts_bytes =
        A == Act::expect || A == Act::arrive_expect || A == Act::drop_expect;
    if (counts_bytes) word.bytes += static_cast<i32>(value);
    if (A == Act::complete) word.bytes -= static_cast<i32>(value);
    if (A == Act::arrive || A == Act::arrive_drop) word.pending -= value;
    if (A == Act::arrive_expect || A == Act::drop_expect) word.pending -= 1;
    if (A == Act::arrive_drop) word.expect(word.expected() - value);
    if (A == Act::drop_expect) word.expect(word.expected() - 1);
    if (A != Act::init) end_phase(warp, word, at);
    std::memcpy(at, &word, sizeof word);
  });
  if constexpr (waits) {
    write_predicate(warp, inst.op[2], passed);
    if (passed != warp.mask) wait_in_vain(warp, inst);
  }
  if (!waits || passed != 0) ++warp.block->phase_events;
}

// The operand at `index` as the address, the one behind it as a count of bytes or arrivals.
bool bind(Encoder& e, std::size_t index, Handler handler, bool counted) {
  const auto address = e.address(index, 4);
  e.out.op[0] = address.base;
  e.out.op[1] = address.base_bytes;
  e.out.imm = address.offset;
  if (counted && e.operands() > index + 1) e.out.op[3] = e.read(index + 1, 4);
  if (e.has("relaxed")) e.out.op[5] = relaxed;
  e.handlers(handler);
  return true;
}

// Of a state that an arrival gave.
struct PendingCount {
  u32 operator()(u64 state) const { return state & 0xfffff; }
};

// What waits for the barrier waits for the thread's copies, too.
template <Act A>
void run_arrive_behind_copies(Warp& warp, const Inst& inst) {
  if (warp.checker != nullptr) {
    u64 addresses[lane_count];
    addresses_of(warp, inst, addresses);
    for_each_lane(warp.mask, [&](u32 lane) {
      if (warp.stop) return;
      if (const std::byte* at = locate_any_shared(warp, inst, lane, addresses[lane], sizeof(Word),
                                                  AccessKind::atomic))
        warp.checker->leave_copies_to(warp, lane, at);
    });
  }
  run_mbarrier<A>(warp, inst);
}

// cp.async.mbarrier.arrive: copies have completed when they were issued, so the arrival comes at
// once. Without .noinc it is one more than the barrier expects, which changes nothing.
bool select_cp(Encoder& e) {
  if (!e.has("async") || !e.has("mbarrier") || !e.has("arrive") || e.operands() != 1) return false;
  return bind(
      e, 0,
      e.has("noinc") ? run_arrive_behind_copies<Act::arrive> : run_arrive_behind_copies<Act::touch>,
      false);
}

bool select_mbarrier(Encoder& e) {
  if (e.operands() == 0) return false;
  const bool state = e.in.operands[0].kind != ptx::Operand::Kind::address;
  const std::size_t index = state ? 1 : 0;
  if (e.has("inval"))
    return bind(
        e, index, [](Warp&, const Inst&) {}, false);
  if (e.has("init")) return bind(e, index, run_mbarrier<Act::init>, true);
  if (e.has("test_wait") || e.has("try_wait")) {
    const bool parity = e.has("parity");
    bind(e, 1, parity ? run_mbarrier<Act::test_parity> : run_mbarrier<Act::test>, false);
    e.out.op[2] = e.write(0, 0);
    e.out.op[4] = e.read(2, parity ? 4 : 8);
    return true;
  }
  if (e.has("pending_count")) return emit<PendingCount, u32, u64>(e);
  if (state && e.in.operands[0].name != "_") e.out.op[2] = e.write(0, 8);
  const bool expects = e.has("expect_tx");
  if (e.has("arrive"))
    return bind(e, index, expects ? run_mbarrier<Act::arrive_expect> : run_mbarrier<Act::arrive>,
                true);
  if (e.has("arrive_drop"))
    return bind(e, index, expects ? run_mbarrier<Act::drop_expect> : run_mbarrier<Act::arrive_drop>,
                true);
  if (expects) return bind(e, index, run_mbarrier<Act::expect>, true);
  return e.has("complete_tx") && bind(e, index, run_mbarrier<Act::complete>, true);
}

constexpr std::array<Opcode, 2> table{{
    {"mbarrier", select_mbarrier,
     ".init .inval .arrive .arrive_drop .expect_tx .complete_tx .test_wait .try_wait, .parity "
     ".noComplete, .pending_count"},
    {"cp", select_cp, ".async.mbarrier.arrive, .noinc"},
}};

}  // namespace

BlockState& block_of(Warp& warp, const std::byte* at) {
  const u32 bytes = warp.launch->resident_shared_bytes();
  for (const auto& block : warp.block->cluster->blocks)
    if (at >= block->shared.data() && at < block->shared.data() + bytes) return *block;
  return *warp.block;
}

std::byte* locate_any_shared(Warp& warp, const Inst& inst, u32 lane, u64 address, u32 bytes,
                             AccessKind kind) {
  const bool generic = address >= shared_window && window_of(address) == Window::shared;
  return locate_shared(warp, inst, lane, generic ? address - shared_window : address, bytes, kind);
}

void complete_bytes(Warp& warp, const Inst& inst, u32 lane, u64 address, u32 bytes) {
  std::byte* at = locate_any_shared(warp, inst, lane, address, sizeof(Word), AccessKind::atomic);
  if (at == nullptr) return;
  Word word;
  std::memcpy(&word, at, sizeof word);
  word.bytes -= static_cast<i32>(bytes);
  if (BlockState& owner = block_of(warp, at); warp.checker != nullptr && &owner != warp.block)
    owner.checker->arrive_at_mbarrier(warp, 1u << lane, at, false);
  end_phase(warp, word, at);
  std::memcpy(at, &word, sizeof word);
}

std::span<const Opcode> mbarrier_opcodes() { return table; }

}  // namespace klab::sim
