// wmma.load and wmma.store: matrices between memory and fragments.
#include <fmt/format.h>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/access/pattern.hpp"
#include "simulator/opcodes/matrix/wmma.hpp"

namespace klab::sim {

using ptx::Type;

namespace {

// The operand list of loads and stores: rows, columns, type, whether columns are contiguous, stride
// slot, space (0 generic, 1 global, 2 shared), bytes of the base register, of an element, and of a
// row if the registers take it as it lies in memory (else 0), whether it is loaded by ldmatrix,
// then the registers. op[0]: the address base; imm: its offset; op[1]: the list. Two sites: global,
// shared.
enum Field {
  rows,
  columns,
  type,
  by_column,
  stride,
  space,
  base_bytes,
  element_bytes,
  whole_row,
  by_ldmatrix,
  first_register
};

// How hardware moves a fragment: blocks of 8 rows by 8 columns along the contiguous dimension, two
// neighbouring elements a lane. PTX leaves this open; these counts are those of an H200.
struct Transfer {
  u64 base = 0, step = 0;
  u32 bytes = 0, rows = 0, columns = 0;  // rows lie `step` elements apart
  bool by_ldmatrix = false;              // whose bytes are none of those that loads ask for
};
constexpr u32 block_extent = 8, elements_a_lane = 2;

bool is_blocked(const Transfer& t) {
  return t.rows % block_extent == 0 && t.columns % block_extent == 0;
}

// One access of a warp: `across` lanes to a row, each with `width` bytes.
void count_lanes(const Transfer& t, u64 base, u32 across, u32 width, u32 mask, bool shared,
                 SiteCount& site) {
  u64 at[lane_count];
  for (u32 lane = 0; lane < lane_count; ++lane)
    at[lane] = base + t.bytes * (lane / across * t.step) + lane % across * width;
  ++site.requests;
  site.units += shared ? count_wavefronts(at, mask, width).total : count_sectors(at, mask, width);
  site.bytes += count_bytes(at, mask, width);
}

void count_all(const Transfer& t, u32 mask, bool shared, SiteCount& site) {
  if (!is_blocked(t)) return count_lanes(t, t.base, t.columns, t.bytes, mask, shared, site);
  for (u32 row = 0; row < t.rows; row += block_extent)
    for (u32 column = 0; column < t.columns; column += block_extent)
      count_lanes(t, t.base + t.bytes * (row * t.step + column), block_extent / elements_a_lane,
                  t.bytes * elements_a_lane, mask, shared, site);
}

// The same counts as before where the addresses lie alike within a sector.
[[gnu::always_inline]] inline void count_transfer(const Transfer& t, u32 mask, bool shared,
                                                  Pattern& pattern, SiteCount& site) {
  const u64 low = t.base & 31;
  if (pattern.mask != mask || pattern.relative[0] != static_cast<i64>(t.step)) {
    pattern.mask = mask;
    pattern.relative[0] = static_cast<i64>(t.step);
    pattern.units = {};
  }
  if (pattern.units[low] == 0) {
    SiteCount fresh;
    count_all(t, mask, shared, fresh);
    pattern.units[low] = static_cast<u16>(fresh.units);
    pattern.bytes = static_cast<u16>(fresh.bytes);
  }
  site.requests += is_blocked(t) ? t.rows / block_extent * (t.columns / block_extent) : 1;
  site.units += pattern.units[low];
  if (!t.by_ldmatrix) site.bytes += pattern.bytes;
}

// A transfer as one instruction asks for it.
struct Request {
  Fragment matrix;
  Registers registers;
  Transfer transfer;
  bool by_columns = false, shared = false;
  u32 whole_row = 0;
  u32 element_bytes() const { return transfer.bytes; }
  u64 address(u32 row, u32 column) const {
    return transfer.base + transfer.bytes * (by_columns ? column * transfer.step + row
                                                        : row * transfer.step + column);
  }
};

[[gnu::always_inline]] inline Request request_of(Warp& warp, const Inst& inst) {
  const auto& list = warp.launch->program->operand_lists[inst.op[1]];
  const auto element = static_cast<Type>(list[type]);
  // All lanes name the same matrix.
  const auto leader = static_cast<u32>(std::countr_zero(warp.mask));
  Request out;
  out.matrix = {list[rows], list[columns], element};
  out.registers = {list.data() + first_register, static_cast<u32>(list.size() - first_register)};
  out.by_columns = list[by_column] != 0;
  out.whole_row = list[whole_row];
  u64 base = list[base_bytes] == 4
                 ? slot<u32>(warp, inst.op[0])[leader] + static_cast<u32>(inst.imm)
                 : slot<u64>(warp, inst.op[0])[leader] + static_cast<u64>(inst.imm);
  out.shared = list[space] == 2 || (list[space] == 0 && window_of(base) == Window::shared);
  if (list[space] == 0 && out.shared) base -= shared_window;
  out.transfer = {base,
                  slot<u32>(warp, list[stride])[leader],
                  list[element_bytes],
                  out.by_columns ? list[columns] : list[rows],
                  out.by_columns ? list[rows] : list[columns],
                  list[by_ldmatrix] != 0};
  return out;
}

// Where the matrix lies if all of it is in one place and aligned; else null.
[[gnu::always_inline]] inline std::byte* whole_matrix(Warp& warp, const Request& request,
                                                      Pattern& pattern) {
  const Transfer& t = request.transfer;
  const u64 high = t.base + t.bytes * ((t.rows - 1) * t.step + t.columns);
  if ((t.base & (t.bytes - 1)) != 0 || high < t.base) return nullptr;
  if (request.shared) return high <= warp.shared_bytes ? warp.shared + t.base : nullptr;
  if (t.base < pattern.base || high > pattern.end) {
    const Allocation* found = warp.launch->memory->find(t.base);
    if (found == nullptr || found->freed || high > found->end()) return nullptr;
    remember(pattern, *found);
  }
  if (pattern.watched) warp.launch->memory->use_watched(t.base, high - t.base);
  return reinterpret_cast<std::byte*>(t.base + static_cast<u64>(pattern.to_host));
}

void check_access(Warp& warp, const Inst& inst, const Request& request, u32 mask,
                  const u64* addresses, AccessKind kind) {
  if (request.shared)
    warp.checker->shared_access(warp, inst, mask, addresses, request.element_bytes(), kind);
  else
    warp.checker->global_access(warp, inst, mask, addresses, request.element_bytes(), kind);
}

// As if each lane had one element of thirty-two neighbours, and not the one that bears its own
// number: which lane has which is not said, so what a lane wrote itself is as good as another's.
void check_elements(Warp& warp, const Inst& inst, const Request& request, AccessKind kind) {
  for (u32 first = 0; first < request.matrix.elements(); first += lane_count) {
    u64 addresses[lane_count];
    for (u32 lane = 0; lane < lane_count; ++lane) {
      const u32 element = first + (lane + 1) % lane_count;
      addresses[lane] =
          request.address(element / request.matrix.columns, element % request.matrix.columns);
    }
    check_access(warp, inst, request, all_lanes, addresses, kind);
  }
}

// In global memory whole rows at once; element by element only to say what is wrong.
void check_matrix(Warp& warp, const Inst& inst, const Request& request, AccessKind kind) {
  const Transfer& t = request.transfer;
  bool fine = !request.shared;
  for (u32 row = 0; fine && row < t.rows; ++row)
    fine = warp.checker->global_range(warp, inst, t.base + t.bytes * row * t.step,
                                      u64{t.bytes} * t.columns, kind);
  if (!fine) check_elements(warp, inst, request, kind);
}

// CUDA C++ Programming Guide, "Warp Matrix Functions": a tile begins at a multiple of 32 bytes, and
// its rows (or columns) lie a multiple of 16 bytes apart; what hardware does otherwise is
// undefined.
[[gnu::cold]] void check_alignment(Warp& warp, const Inst& inst, const Request& request) {
  constexpr u64 tile_alignment = 32, pitch_alignment = 16;
  const u64 pitch = request.transfer.step * request.transfer.bytes;
  const bool fits = request.transfer.base % tile_alignment == 0;
  if (fits && pitch % pitch_alignment == 0) return;
  note_finding(warp, inst, FindingKind::misaligned, static_cast<u32>(std::countr_zero(warp.mask)),
               [&] {
                 return fits ? fmt::format(
                                   "the rows of this tile lie {} bytes apart, and wmma asks for a "
                                   "multiple of {}: what it does otherwise is undefined",
                                   pitch, pitch_alignment)
                             : fmt::format(
                                   "this tile begins at {:#x}, and wmma asks for a multiple of {} "
                                   "bytes: what it does otherwise is undefined",
                                   request.transfer.base, tile_alignment);
               });
}

// Most rows have one of these lengths, for which no function need be called.
void move_row(void* to, const void* from, std::size_t bytes) {
  if (bytes == 16)
    std::memcpy(to, from, 16);
  else if (bytes == 32)
    std::memcpy(to, from, 32);
  else if (bytes == 64)
    std::memcpy(to, from, 64);
  else
    std::memcpy(to, from, bytes);
}

// Between memory and the matrix without gaps.
template <bool Load, class T>
void move_elements(const Request& request, std::byte* memory, u32* words) {
  const Fragment& matrix = request.matrix;
  const u64 step = request.transfer.step;
  T *packed = reinterpret_cast<T*>(words), *at = reinterpret_cast<T*>(memory);
  for (u32 row = 0; row < matrix.rows; ++row) {
    T* line = packed + row * matrix.columns;
    if (!request.by_columns) {
      T* there = at + row * step;
      move_row(Load ? line : there, Load ? there : line, matrix.columns * sizeof(T));
      continue;
    }
    for (u32 column = 0; column < matrix.columns; ++column)
      if constexpr (Load)
        line[column] = at[column * step + row];
      else
        at[column * step + row] = line[column];
  }
}
template <bool Load>
void move_matrix(const Request& request, std::byte* memory, u32* words) {
  switch (request.element_bytes()) {
    case 1:
      return move_elements<Load, u8>(request, memory, words);
    case 2:
      return move_elements<Load, u16>(request, memory, words);
    case 4:
      return move_elements<Load, u32>(request, memory, words);
    default:
      return move_elements<Load, u64>(request, memory, words);
  }
}

// Element by element: other blocks' shared memory, several allocations, or a fault to find.
template <bool Load>
void move_slowly(Warp& warp, const Inst& inst, const Request& request, u32* words) {
  constexpr AccessKind kind = Load ? AccessKind::load : AccessKind::store;
  const u32 bytes = request.element_bytes();
  const u32 each = elements_a_register(request.matrix.type);
  for (u32 i = 0; i < request.matrix.elements() && !warp.stop; ++i) {
    const u32 lane = i / each % lane_count;
    if ((warp.mask >> lane & 1) == 0) continue;
    u64 addresses[lane_count];
    addresses[lane] = request.address(i / request.matrix.columns, i % request.matrix.columns);
    std::byte* there = request.shared
                           ? locate_shared(warp, inst, lane, addresses[lane], bytes, kind)
                           : locate_global(warp, inst, lane, addresses[lane], bytes, kind);
    if (there == nullptr) return;
    if (warp.checker != nullptr) [[unlikely]]
      check_access(warp, inst, request, 1u << lane, addresses, kind);
    std::byte* here = reinterpret_cast<std::byte*>(words) + i * bytes;
    std::memcpy(Load ? here : there, Load ? there : here, bytes);
  }
}

// Registers beyond those that the matrix needs repeat them.
template <bool Load>
void move_registers(Warp& warp, const Request& request, u32* words) {
  const u32 bytes = register_bytes(request.matrix.type), needed = request.matrix.registers();
  for (u32 r = 0; r < (Load ? request.registers.count : needed); ++r) {
    std::byte* here = slot<std::byte>(warp, request.registers.slots[r]);
    std::byte* packed = reinterpret_cast<std::byte*>(words) + r % needed * lane_count * bytes;
    if (!Load)
      std::memcpy(packed, here, lane_count * bytes);
    else if (warp.mask == all_lanes)
      std::memcpy(here, packed, lane_count * bytes);
    else
      for_each_lane(warp.mask, [&](u32 lane) {
        std::memcpy(here + lane * bytes, packed + lane * bytes, bytes);
      });
  }
}

// Rows that lie in registers whole, straight from one to the other.
template <bool Load, u32 RowBytes>
void move_rows(Warp& warp, const Request& request, std::byte* memory) {
  const u64 step = request.transfer.step * request.transfer.bytes;
  const u32 bytes = register_bytes(request.matrix.type) * lane_count;
  for (u32 r = 0; r < request.registers.count; ++r) {
    std::byte* here = slot<std::byte>(warp, request.registers.slots[r]);
    for (u32 at = 0; at < bytes; at += RowBytes, memory += step)
      if constexpr (RowBytes < 32)
        std::memcpy(Load ? here + at : memory, Load ? memory : here + at, RowBytes);
      else
        for (u32 i = 0; i < RowBytes; i += 32)
          copy_32_bytes((Load ? here + at : memory) + i, (Load ? memory : here + at) + i);
  }
}
template <bool Load>
bool move_whole_rows(Warp& warp, const Request& request, std::byte* memory) {
  switch (request.whole_row) {
    case 16:
      return move_rows<Load, 16>(warp, request, memory), true;
    case 32:
      return move_rows<Load, 32>(warp, request, memory), true;
    case 64:
      return move_rows<Load, 64>(warp, request, memory), true;
    default:
      return false;
  }
}

// By way of a matrix without gaps; `memory`: null where it is not in one place.
template <bool Load>
[[gnu::noinline]] void move_packed(Warp& warp, const Inst& inst, const Request& request,
                                   std::byte* memory) {
  alignas(64) u32 words[most_words];
  if (!Load) move_registers<false>(warp, request, words);
  if (memory == nullptr) {
    move_slowly<Load>(warp, inst, request, words);
    if (warp.stop) return;
  } else {
    move_matrix<Load>(request, memory, words);
  }
  if (Load) move_registers<true>(warp, request, words);
}

template <bool Load>
void run_transfer(Warp& warp, const Inst& inst) {
  const Request request = request_of(warp, inst);
  const u32 site = inst.site + (request.shared ? 1 : 0);
  Pattern& pattern = warp.patterns[site];
  count_transfer(request.transfer, warp.mask, request.shared, pattern, warp.sites[site]);
  std::byte* memory = warp.mask == all_lanes ? whole_matrix(warp, request, pattern) : nullptr;
  if (warp.checker != nullptr) [[unlikely]]
    check_alignment(warp, inst, request);
  if (memory != nullptr && warp.checker != nullptr) [[unlikely]]
    check_matrix(warp, inst, request, Load ? AccessKind::load : AccessKind::store);
  if (memory == nullptr || !move_whole_rows<Load>(warp, request, memory))
    move_packed<Load>(warp, inst, request, memory);
  if (Load && warp.checker != nullptr) [[unlikely]]
    warp.checker->read_together(warp.index);
}

}  // namespace

bool select_transfer(Encoder& e, const MatrixShape& shape) {
  const bool load = e.has("load");
  const char which = e.has("a") ? 'a' : e.has("b") ? 'b' : 'c';
  const Type element = e.type();
  const Fragment matrix = fragment(shape, which, element);
  if (!matrix.is_whole()) return false;
  const auto address = e.address(load ? 1 : 0, 8);
  const auto registers = fragment_registers(e, load ? 0 : 1, element, load);
  if (registers.size() < matrix.registers())
    return e.fail("A matrix fragment has too few registers.");
  const bool columns_first = e.has("col");
  const u32 step =
      e.operands() > 2 ? e.read(2, 4) : e.constant(columns_first ? matrix.rows : matrix.columns, 4);
  const bool shared = e.has("shared") || e.has("shared::cta");
  const u32 bytes = element_bits(element) / 8;
  e.note_shared_access(bytes);
  const bool whole = !columns_first && registers.size() == matrix.registers();
  // Of what lies in shared memory for sure, as an H200's counters have it: halves, and bytes that
  // lie along the sum.
  const bool along_the_sum = columns_first == (which == 'b');
  const bool of_ldmatrix =
      load && shared && which != 'c' && (bytes == 2 || (bytes == 1 && along_the_sum));
  std::vector<u32> list{matrix.rows,        matrix.columns, static_cast<u32>(element),
                        columns_first,      step,           shared ? 2u : e.has("global") ? 1u : 0u,
                        address.base_bytes, bytes,          whole ? bytes * matrix.columns : 0,
                        of_ldmatrix};
  list.insert(list.end(), registers.begin(), registers.end());
  e.out.op[0] = address.base;
  e.out.op[1] = e.operand_list(std::move(list));
  e.out.imm = address.offset;
  e.use_site(load ? Site::Kind::global_load : Site::Kind::global_store);
  const u32 site = e.out.site;
  e.use_site(load ? Site::Kind::shared_load : Site::Kind::shared_store);
  e.out.site = site;
  e.handlers(load ? run_transfer<true> : run_transfer<false>);
  return true;
}

}  // namespace klab::sim
