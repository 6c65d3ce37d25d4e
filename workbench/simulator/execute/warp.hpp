// What a handler sees: the state of one warp, and the counters and context of the worker running
// it.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "simulator/execute/launch.hpp"
#include "simulator/program/address_windows.hpp"
#include "simulator/program/program.hpp"
#include "simulator/ptx/text.hpp"

namespace klab::sim {

class Checker;
struct BlockState;
struct LaunchState;

// Counters of one site. `units` are sectors (global, local) or wavefronts (shared); `excess` are
// wavefronts beyond what the access width needs; `bytes` are the different ones of each request. A
// predicated instruction counts its lanes in units.
struct SiteCount {
  std::uint64_t requests = 0, units = 0, excess = 0, bytes = 0;
};

struct BlockCount {
  std::uint64_t warps = 0, lanes = 0;
};

// The last address pattern of a memory instruction. Counts depend only on the addresses relative to
// the first active lane's and on that one's place within a sector, so they are computed once per
// pattern. `group` says how the eight lanes of a group lie to each other.
enum class GroupShape : std::uint8_t { broadcast, contiguous, scattered };
struct alignas(64) Pattern {
  std::int64_t relative[lane_count] = {};     // 0 for inactive lanes
  std::int32_t relative_32[lane_count] = {};  // the same, where `near`
  std::uint32_t mask = 0;                     // 0: nothing cached
  bool near = false;                          // all relative addresses fit 32 bits
  bool contiguous = false;                    // all 32 lanes, element after element
  std::array<GroupShape, 4> group{};
  std::int64_t least = 0, most = 0;  // of relative
  std::uint64_t low_bits = 0;        // the or of all relative addresses, for alignment
  // Sectors or wavefronts, and wavefronts beyond the ideal, by the low address bits; 0: not known
  // yet.
  std::array<std::uint16_t, 32> units{}, excess{};
  std::uint16_t bytes = 0;  // different ones, of the last counted
  // The allocation last used: addresses [base, end), and how to reach them.
  std::uint64_t base = 1, end = 0;
  std::int64_t to_host = 0;
  bool watched = false;  // what is used of it has to be noted
};

struct alignas(64) Warp {
  std::uint32_t lane_mask[lane_count];  // all ones for an active lane, else 0; valid if not full
  std::uint32_t mask = 0;
  std::uint32_t index = 0;  // within the block
  std::byte* frame = nullptr;
  std::byte* local = nullptr;     // interleaved: word w of lane l at w * 128 + l * 4
  std::uint32_t local_bytes = 0;  // per lane
  std::byte* shared = nullptr;
  std::uint32_t shared_bytes = 0;
  std::uint32_t called_from = 0;       // Program::locations of the call of the function it is in
  bool stop = false;                   // a fault was raised: leave the kernel
  bool polling = false;                // executed something that can wait for other threads
  bool waiting_for_phase = false;      // of all that, the last was an mbarrier's phase, or a pause
  bool fetched = false;                // an atomic operation brought back the old value
  std::uint32_t waited_for_phase = 0;  // Program::locations of the last wait for a phase in vain
  std::uint64_t clock = 0;             // instructions executed by this warp
  SiteCount* sites = nullptr;
  Pattern* patterns = nullptr;
  Checker* checker = nullptr;  // full checks; null when off
  BlockState* block = nullptr;
  LaunchState* launch = nullptr;
};

inline void note_poll(Warp& warp) {
  warp.polling = true;
  warp.waiting_for_phase = false;
}

template <class T>
T* slot(Warp& warp, std::uint32_t offset) {
  return static_cast<T*>(__builtin_assume_aligned(warp.frame + offset, 64));
}

inline std::uint32_t& predicate(Warp& warp, std::uint32_t offset) {
  return *reinterpret_cast<std::uint32_t*>(warp.frame + offset);
}

// A predicate operand whose lowest offset bit says "negated".
inline std::uint32_t read_predicate(Warp& warp, std::uint32_t operand) {
  const std::uint32_t value = predicate(warp, operand & ~1u);
  return (operand & 1) != 0 ? ~value : value;
}

inline void write_predicate(Warp& warp, std::uint32_t offset, std::uint32_t value) {
  std::uint32_t& out = predicate(warp, offset);
  out = (out & ~warp.mask) | (value & warp.mask);
}

// Changes the active lanes.
inline void set_mask(Warp& warp, std::uint32_t mask) {
  if (warp.mask == mask) return;
  warp.mask = mask;
  for (std::uint32_t lane = 0; lane < lane_count; ++lane)
    warp.lane_mask[lane] = 0u - (mask >> lane & 1);
}

template <class F>
void for_each_lane(std::uint32_t mask, F&& act) {
  for (; mask != 0; mask &= mask - 1) act(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

template <class F>
bool any_lane(std::uint32_t mask, F&& holds) {
  for (; mask != 0; mask &= mask - 1)
    if (holds(static_cast<std::uint32_t>(std::countr_zero(mask)))) return true;
  return false;
}

// Ends the launch: records the fault and, if a finding is given, that too. The first fault wins.
void raise_fault(Warp& warp, const Inst& inst, FaultCode code, const std::string& message);
// A memory fault of one lane, put into words from the device's allocations.
enum class AccessKind : std::uint8_t {
  load,
  store,
  atomic,
  block_atomic,    // an atomic operation for the threads of one block only
  read_only_load,  // of global memory, past the coherent caches
  ordered_load     // of global memory, of what other threads may hand over: volatile or ordered
};
constexpr bool is_load(AccessKind kind) {
  return kind == AccessKind::load || kind == AccessKind::read_only_load ||
         kind == AccessKind::ordered_load;
}
// As in front of "global memory at ..."
constexpr const char* act_on(AccessKind kind) {
  return is_load(kind) ? "read of" : kind == AccessKind::store ? "write to" : "atomic operation on";
}
void raise_memory_fault(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t address,
                        std::uint32_t bytes, AccessKind kind, ptx::Space space, bool misaligned);
// Notes an error after which the kernel goes on. `words` makes its message, and is asked where that
// is news: a kernel may do the same wrong a million times.
bool is_news(const Warp& warp, std::uint32_t location, FindingKind kind);
void add_finding(Warp& warp, std::uint32_t location, FindingKind kind, std::uint32_t lane,
                 const std::string& message);
template <class Words>
void note_finding_at(Warp& warp, std::uint32_t location, FindingKind kind, std::uint32_t lane,
                     const Words& words) {
  if (!is_news(warp, location, kind)) return;
  if constexpr (std::is_invocable_v<Words>)
    add_finding(warp, location, kind, lane, words());
  else
    add_finding(warp, location, kind, lane, words);
}
std::uint32_t location_of(const Warp& warp, const Inst& inst);
template <class Words>
void note_finding(Warp& warp, const Inst& inst, FindingKind kind, std::uint32_t lane,
                  const Words& words) {
  note_finding_at(warp, location_of(warp, inst), kind, lane, words);
}
// A block of the cluster ended although another one may still use its shared memory, at that place.
void note_ended_block(Warp& warp, std::uint32_t location, std::uint32_t lane);

}  // namespace klab::sim
