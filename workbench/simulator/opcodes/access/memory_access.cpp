// Loads and stores of global, shared and generic memory, 32 lanes at a time.
#include "simulator/opcodes/access/memory_access.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/pattern_cache.hpp"
#include "simulator/opcodes/access/select.hpp"

namespace klab::sim {

namespace {

// ---- moving data; every address has been checked ----

#if defined(__AVX2__)
// Four consecutive words of eight lanes to four registers: two 4x4 transpositions side by side.
void load_quads(const std::byte* base, const i32* relative, u32* const* out, u32 lane) {
  const auto quad = [&](u32 i) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(base + relative[lane + i]));
  };
  const auto pair = [&](u32 i) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(quad(i)), quad(i + 4), 1);
  };
  const __m256i a = pair(0), b = pair(1), c = pair(2), d = pair(3);
  const __m256i ab_low = _mm256_unpacklo_epi32(a, b), ab_high = _mm256_unpackhi_epi32(a, b);
  const __m256i cd_low = _mm256_unpacklo_epi32(c, d), cd_high = _mm256_unpackhi_epi32(c, d);
  const auto put = [&](u32 q, __m256i value) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(out[q] + lane), value);
  };
  put(0, _mm256_unpacklo_epi64(ab_low, cd_low));
  put(1, _mm256_unpackhi_epi64(ab_low, cd_low));
  put(2, _mm256_unpacklo_epi64(ab_high, cd_high));
  put(3, _mm256_unpackhi_epi64(ab_high, cd_high));
}
#endif

// 32-bit elements for all lanes.
void load_words(Warp& warp, const Inst& inst, u32 count, const Pattern& pattern,
                const std::byte* base) {
  u32* out[4];
  for (u32 q = 0; q < count; ++q) out[q] = slot<u32>(warp, inst.op[1 + q]);
  for (u32 lane = 0; lane < lane_count; lane += 8) {
    const GroupShape shape = pattern.group[lane / 8];
    const std::byte* first = base + pattern.relative[lane];
    if (shape == GroupShape::broadcast) {
      for (u32 q = 0; q < count; ++q) {
        u32 value;
        std::memcpy(&value, first + 4 * q, 4);
        for (u32 i = 0; i < 8; ++i) out[q][lane + i] = value;
      }
      continue;
    }
    if (shape == GroupShape::contiguous && count == 1) {
      std::memcpy(out[0] + lane, first, 32);
      continue;
    }
#if defined(__AVX2__)
    if (pattern.near && count == 4) {
      load_quads(base, pattern.relative_32, out, lane);
      continue;
    }
    if (pattern.near) {
      const __m256i at =
          _mm256_load_si256(reinterpret_cast<const __m256i*>(pattern.relative_32 + lane));
      for (u32 q = 0; q < count; ++q)
        _mm256_store_si256(
            reinterpret_cast<__m256i*>(out[q] + lane),
            _mm256_i32gather_epi32(reinterpret_cast<const int*>(base + 4 * q), at, 1));
      continue;
    }
#endif
    for (u32 q = 0; q < count; ++q)
      for (u32 i = 0; i < 8; ++i)
        std::memcpy(&out[q][lane + i], base + pattern.relative[lane + i] + 4 * q, 4);
  }
}

template <class T>
void load_plain(Warp& warp, const Inst& inst, u32 count, u32 mask, const Pattern& pattern,
                const std::byte* base) {
  for (u32 q = 0; q < count; ++q) {
    T* out = slot<T>(warp, inst.op[1 + q]);
    const std::byte* from = base + q * sizeof(T);
    if (mask == all_lanes) {
      for (u32 lane = 0; lane < lane_count; ++lane)
        std::memcpy(out + lane, from + pattern.relative[lane], sizeof(T));
    } else {
      for_each_lane(mask, [&](u32 lane) {
        std::memcpy(out + lane, from + pattern.relative[lane], sizeof(T));
      });
    }
  }
}

// Lanes store in ascending order, so that of several stores to one place the highest lane's stays.
template <class T>
void store_plain(Warp& warp, const Inst& inst, u32 count, u32 mask, const Pattern& pattern,
                 std::byte* base) {
  const T* in[4];
  for (u32 q = 0; q < count; ++q) in[q] = slot<T>(warp, inst.op[1 + q]);
  const auto store = [&](u32 lane) {
    for (u32 q = 0; q < count; ++q)
      std::memcpy(base + pattern.relative[lane] + q * sizeof(T), in[q] + lane, sizeof(T));
  };
  if (mask == all_lanes) {
    for (u32 lane = 0; lane < lane_count; ++lane) store(lane);
  } else {
    for_each_lane(mask, store);
  }
}

template <bool Load>
void move_data(Warp& warp, const Inst& inst, const AccessShape& shape, u32 mask,
               const Pattern& pattern, std::byte* base) {
  if (shape.ordered && shape.count > 1) [[unlikely]] {
    for_each_lane(mask, [&](u32 lane) {
      std::byte* at = base + pattern.relative[lane];
      if constexpr (Load)
        load_vector(warp, shape, inst, lane, at);
      else
        store_vector(warp, shape, inst, lane, at);
    });
    return;
  }
  if (shape.element_bytes != shape.register_bytes) {
    for (u32 q = 0; q < shape.count; ++q)
      for_each_lane(mask, [&](u32 lane) {
        std::byte* at = base + pattern.relative[lane] + q * shape.element_bytes;
        if constexpr (Load)
          load_element(warp, shape, inst.op[1 + q], lane, at);
        else
          store_element(warp, shape, inst.op[1 + q], lane, at);
      });
    return;
  }
  const u32 bytes = shape.element_bytes;
  if (pattern.contiguous && shape.count == 1) {
    std::byte* registers = slot<std::byte>(warp, inst.op[1]);
    if constexpr (Load)
      std::memcpy(registers, base, lane_count * bytes);
    else
      std::memcpy(base, registers, lane_count * bytes);
    return;
  }
  if constexpr (Load) {
    if (bytes == 4 && mask == all_lanes) return load_words(warp, inst, shape.count, pattern, base);
    if (bytes == 2) return load_plain<u16>(warp, inst, shape.count, mask, pattern, base);
    if (bytes == 4) return load_plain<u32>(warp, inst, shape.count, mask, pattern, base);
    return load_plain<u64>(warp, inst, shape.count, mask, pattern, base);
  } else {
    if (bytes == 2) return store_plain<u16>(warp, inst, shape.count, mask, pattern, base);
    if (bytes == 4) return store_plain<u32>(warp, inst, shape.count, mask, pattern, base);
    return store_plain<u64>(warp, inst, shape.count, mask, pattern, base);
  }
}

// ---- memory whose pages are watched ----

void load_zeros(Warp& warp, const Inst& inst, const AccessShape& shape, u32 mask) {
  constexpr std::byte zeros[8] = {};
  for (u32 q = 0; q < shape.count; ++q) {
    if (mask == all_lanes)
      std::memset(slot<std::byte>(warp, inst.op[1 + q]), 0, lane_count * shape.register_bytes);
    else
      for_each_lane(mask,
                    [&](u32 lane) { load_element(warp, shape, inst.op[1 + q], lane, zeros); });
  }
}

// Notes the pages that these lanes load from or store to; no aligned vector lies in two of them.
// True if they load what nobody wrote: zeros, for which there need be no memory.
template <bool Load>
bool use_watched(Warp& warp, u32 mask, const u64* addresses) {
  const DeviceMemory& memory = *warp.launch->memory;
  WatchedPages& pages = memory.watched_pages();
  bool any_written = false;
  u64 before = ~u64{0};
  for_each_lane(mask, [&](u32 lane) {
    const u64 page = WatchedPages::page_of(addresses[lane] - memory.arena());
    if (page == before) return;
    before = page;
    if constexpr (Load) {
      any_written |= pages.is_written(page);
      pages.read(page);
    } else {
      pages.write(page);
    }
  });
  return Load && !any_written;
}

bool changes_nothing(Warp& warp, const Inst& inst, u32 lane, u64 offset) {
  const AccessShape shape = shape_of(inst);
  alignas(16) std::byte vector[32];
  store_vector(warp, shape, inst, lane, vector);
  return std::memcmp(vector, warp.shared + offset, shape.bytes()) == 0;
}

// The same value, or numbers as far apart as the lanes.
bool alike(Warp& warp, const Inst& inst, u32 one, u32 other) {
  const AccessShape shape = shape_of(inst);
  alignas(16) std::byte first[32] = {}, second[32] = {};
  store_vector(warp, shape, inst, one, first);
  store_vector(warp, shape, inst, other, second);
  if (std::memcmp(first, second, shape.bytes()) == 0) return true;
  u64 a, b;
  std::memcpy(&a, first, 8);
  std::memcpy(&b, second, 8);
  const u64 kept = shape.bytes() < 8 ? (u64{1} << 8 * shape.bytes()) - 1 : ~u64{0};
  return shape.count == 1 && ((b - a) & kept) == ((u64{other} - one) & kept);
}

constexpr StoredValues stored{changes_nothing, alike};

template <bool Shared>
void check(Warp& warp, const Inst& inst, u32 mask, const u64* addresses, u32 bytes,
           AccessKind kind) {
  if constexpr (Shared)
    warp.checker->shared_access(warp, inst, mask, addresses, bytes, kind,
                                kind == AccessKind::store ? &stored : nullptr);
  else
    warp.checker->global_access(warp, inst, mask, addresses, bytes, kind);
}

template <bool Shared, bool Load>
AccessKind kind_of(const AccessShape& shape) {
  if (!Load) return AccessKind::store;
  if (Shared) return AccessKind::load;
  return shape.read_only ? AccessKind::read_only_load
         : shape.ordered ? AccessKind::ordered_load
                         : AccessKind::load;
}

// Lane by lane: several allocations, another block's shared memory, or a fault to find.
template <bool Shared, bool Load>
void access_slowly(Warp& warp, const Inst& inst, u32 mask, const u64* addresses) {
  const AccessShape shape = shape_of(inst);
  constexpr AccessKind kind = Load ? AccessKind::load : AccessKind::store;
  for_each_lane(mask, [&](u32 lane) {
    if (warp.stop) return;
    std::byte* at = Shared ? locate_shared(warp, inst, lane, addresses[lane], shape.bytes(), kind)
                           : locate_global(warp, inst, lane, addresses[lane], shape.bytes(), kind);
    if (at == nullptr) return;
    if (warp.checker != nullptr) [[unlikely]]
      check<Shared>(warp, inst, 1u << lane, addresses, shape.bytes(), kind_of<Shared, Load>(shape));
    if constexpr (Load)
      load_vector(warp, shape, inst, lane, at);
    else
      store_vector(warp, shape, inst, lane, at);
  });
}

// Makes the pattern's allocation the one that holds all lanes; false when there is no such.
bool find_allocation(Warp& warp, Pattern& pattern, u64 low, u64 high) {
  const Allocation* found = warp.launch->memory->find(low);
  if (found == nullptr || found->freed || high > found->end()) return false;
  remember(pattern, *found);
  return true;
}

void count_through_cluster(SiteCount& count, const u64* addresses, u32 mask, u32 bytes) {
  ++count.requests;
  count.units += count_sectors(addresses, mask, bytes);
}

// `site`: of shared memory, followed by that of other blocks' shared memory; or of global memory.
template <bool Shared, bool Load>
void access(Warp& warp, const Inst& inst, u32 mask, const u64* addresses, u32 site) {
  const AccessShape shape = shape_of(inst);
  Pattern& pattern = warp.patterns[site];
  const u64 first = addresses[std::countr_zero(mask)];
  const u32 bytes = shape.bytes();
  match(pattern, addresses, mask, first, bytes);
  const u64 low = first + static_cast<u64>(pattern.least),
            high = first + static_cast<u64>(pattern.most) + bytes;
  const bool misaligned = ((first | pattern.low_bits) & (bytes - 1)) != 0;
  std::byte* base;
  bool inside;
  if constexpr (Shared) {
    inside = high <= warp.shared_bytes && low < high;
    base = warp.shared + first;
  } else {
    inside = (low >= pattern.base && high <= pattern.end && low < high) ||
             find_allocation(warp, pattern, low, high);
    base = reinterpret_cast<std::byte*>(first + static_cast<u64>(pattern.to_host));
  }
  // What goes to another block's shared memory passes the cluster's network, which the hardware's
  // counters of shared memory do not see.
  const bool through_cluster = Shared && first >> cluster_rank_shift != 0;
  if (!through_cluster)
    count_access<Shared>(warp, site, pattern, first, mask, bytes,
                         Load ? AccessKind::load : AccessKind::store);
  else
    count_through_cluster(warp.sites[site + 1], addresses, mask, bytes);
  if constexpr (Shared && Load)
    if (through_cluster && !misaligned && low < high)
      if (std::byte* from = loaded_from_cluster(
              warp, inst, static_cast<u32>(std::countr_zero(mask)), first, low, high)) {
        if (warp.checker != nullptr) [[unlikely]]
          note_loads_from_cluster(warp, inst, mask, addresses, bytes);
        return move_data<true>(warp, inst, shape, mask, pattern, from);
      }
  if (misaligned || !inside) [[unlikely]]
    return access_slowly<Shared, Load>(warp, inst, mask, addresses);
  if (warp.checker != nullptr) [[unlikely]]
    check<Shared>(warp, inst, mask, addresses, bytes, kind_of<Shared, Load>(shape));
  if constexpr (!Shared)
    if (pattern.watched) [[unlikely]]
      if (use_watched<Load>(warp, mask, addresses)) return load_zeros(warp, inst, shape, mask);
  move_data<Load>(warp, inst, shape, mask, pattern, base);
}

template <bool Shared, bool Load, class A>
void run_access(Warp& warp, const Inst& inst) {
  u64 addresses[lane_count];
  lane_addresses<A>(warp, inst, addresses);
  access<Shared, Load>(warp, inst, warp.mask, addresses, inst.site);
}

template <bool Load>
void run_local(Warp& warp, const Inst& inst) {
  u64 addresses[lane_count];
  lane_addresses<u64>(warp, inst, addresses);
  access_local(warp, inst, warp.mask, addresses, inst.site, Load);
}

// Four sites in a row: global, shared, other blocks' shared, local.
template <bool Load>
void run_generic(Warp& warp, const Inst& inst) {
  u64 addresses[lane_count], offsets[lane_count];
  lane_addresses<u64>(warp, inst, addresses);
  u32 in[4] = {};
  for_each_lane(warp.mask,
                [&](u32 lane) { in[static_cast<u32>(window_of(addresses[lane]))] |= 1u << lane; });
  if (in[0] != 0) access<false, Load>(warp, inst, in[0], addresses, inst.site);
  for (u32 lane = 0; lane < lane_count; ++lane)
    offsets[lane] = addresses[lane] & (shared_window_bytes - 1);
  if (in[1] != 0) access<true, Load>(warp, inst, in[1], offsets, inst.site + 1);
  if (in[2] != 0) access_local(warp, inst, in[2], offsets, inst.site + 3, Load);
  if (in[3] == 0) return;
  // The kernel's own parameters, as if they lay in global memory that can only be read.
  const AccessShape shape = shape_of(inst);
  for_each_lane(in[3], [&](u32 lane) {
    const u64 offset = addresses[lane] - parameter_window;
    const auto parameters = warp.launch->config.parameters;
    if (!Load || offset + shape.bytes() > parameters.size())
      return raise_memory_fault(warp, inst, lane, addresses[lane], shape.bytes(),
                                Load ? AccessKind::load : AccessKind::store, ptx::Space::param,
                                false);
    for (u32 q = 0; q < shape.count; ++q)
      load_element(warp, shape, inst.op[1 + q], lane,
                   parameters.data() + offset + q * shape.element_bytes);
  });
}

// Loads that other threads' stores are waited for with: the scheduler should turn to those threads.
template <Handler H>
void run_polling(Warp& warp, const Inst& inst) {
  note_poll(warp);
  H(warp, inst);
}

template <bool Shared, bool Load>
Handler by_base(u32 base_bytes) {
  return base_bytes == 4 ? run_access<Shared, Load, u32> : run_access<Shared, Load, u64>;
}

}  // namespace

Handler memory_handler(ptx::Space space, bool load, u32 base_bytes, bool polling) {
  using ptx::Space;
  if (space == Space::local) return load ? run_local<true> : run_local<false>;
  if (space == Space::shared) {
    if (polling && load && base_bytes == 4) return run_polling<run_access<true, true, u32>>;
    if (polling && load) return run_polling<run_access<true, true, u64>>;
    return load ? by_base<true, true>(base_bytes) : by_base<true, false>(base_bytes);
  }
  if (space == Space::generic) {
    if (polling && load) return run_polling<run_generic<true>>;
    return load ? run_generic<true> : run_generic<false>;
  }
  if (polling && load && base_bytes == 8) return run_polling<run_access<false, true, u64>>;
  return load ? by_base<false, true>(base_bytes) : by_base<false, false>(base_bytes);
}

}  // namespace klab::sim
