// Vectors of what blocks have told, handed on at each atomic operation and flag.
#include "simulator/execute/checks/block_order.hpp"

#include <algorithm>
#include <bit>

namespace klab::sim {

namespace {

constexpr std::uint64_t most_work = 400'000'000;  // entries of vectors, a second or two
constexpr std::size_t most_pages = 40'000;        // about half a gigabyte

}  // namespace

BlockOrder::BlockOrder(std::uint64_t blocks, std::uint32_t warps, std::uint32_t unit_bytes)
    : blocks_(blocks),
      warps_(warps),
      unit_shift_(static_cast<std::uint32_t>(std::countr_zero(unit_bytes))),
      states_(blocks) {}

void BlockOrder::spend(std::uint64_t work) {
  spent_ += work;
  gave_up_ = gave_up_ || spent_ > most_work || pages_.size() > most_pages;
}

BlockOrder::BlockState& BlockOrder::state_of(std::uint32_t block) {
  std::unique_ptr<BlockState>& state = states_[block];
  if (state == nullptr) {
    state = std::make_unique<BlockState>(BlockState{FenceHistory(warps_), {}, {}, {}, false});
    state->of_warp.resize(warps_);
    state->heard.resize(warps_);
  }
  return *state;
}

BlockOrder::Unit* BlockOrder::unit_at(std::uint64_t index) {
  const std::uint64_t number = index / page_units;
  if (number != last_page_) {
    std::unique_ptr<Page>& page = pages_[number];
    if (page == nullptr) page = std::make_unique<Page>(page_units);
    last_page_ = number;
    last_ = page.get();
  }
  return &(*last_)[index % page_units];
}

void BlockOrder::fence(const Who& who, std::uint32_t lanes) {
  if (!gave_up_)
    state_of(who.block).fences.fence(who.thread / lane_count, lanes, who.epoch, who.warp_epoch);
}

void BlockOrder::meet(std::uint32_t block) {
  if (gave_up_ || states_[block] == nullptr || !states_[block]->any_of_warp) return;
  BlockState& state = *states_[block];
  for (KnownOfAll& known : state.of_warp) {
    join(state.known, known);
    known.reset();
  }
  state.any_of_warp = false;
}

void BlockOrder::end(std::uint32_t block) {
  if (states_[block] == nullptr) return;
  states_[block]->known.reset();
  for (auto* all : {&states_[block]->of_warp, &states_[block]->heard})
    for (KnownOfAll& known : *all) known.reset();
}

void BlockOrder::join(KnownOfAll& into, const KnownOfAll& from) {
  if (from == nullptr || from == into) return;
  if (into == nullptr) {
    into = from;
    return;
  }
  spend(blocks_);
  if (into.use_count() > 1) into = std::make_shared<Known>(*into);
  // Who looks in a loop knows most of it.
  for (std::size_t i = 0; i < from->size(); ++i)
    if (const FenceHistory::Telling& more = (*from)[i]; more.epoch != 0 && (*into)[i] != more)
      (*into)[i] = later((*into)[i], more);
}

FenceHistory::Telling& BlockOrder::own(KnownOfAll& known, std::uint32_t block) {
  if (known == nullptr) {
    spend(blocks_);
    known = std::make_shared<Known>(blocks_);
  } else if (known.use_count() > 1) {
    spend(blocks_);
    known = std::make_shared<Known>(*known);
  }
  return (*known)[block];
}

FenceHistory::Telling BlockOrder::telling_of(const Who& who) {
  const auto warp = static_cast<std::uint16_t>(who.thread / lane_count);
  return {who.epoch, state_of(who.block).fences.count(warp), warp, false};
}

void BlockOrder::tell(const Who& who, std::uint64_t unit) {
  KnownOfAll& told = told_[unit];
  const BlockState& state = state_of(who.block);
  const FenceHistory::Telling now = telling_of(who);
  if (told != nullptr) {  // again, as who looks in a loop, with no fence since
    const FenceHistory::Telling& before = (*told)[who.block];
    if (before.epoch == now.epoch && before.fences == now.fences && before.warp == now.warp) return;
  }
  join(told, state.known);
  join(told, state.of_warp[now.warp]);
  FenceHistory::Telling& mine = own(told, who.block);
  mine = mine.epoch == 0 ? now : later(mine, now);
}

void BlockOrder::hear(const Who& who, std::uint64_t unit) {
  const auto found = told_.find(unit);
  if (found == told_.end()) return;
  BlockState& state = state_of(who.block);
  const std::uint32_t warp = who.thread / lane_count;
  if (state.heard[warp] == found->second) return;  // again, as who waits in a loop
  state.heard[warp] = found->second;
  join(state.of_warp[warp], found->second);
  state.any_of_warp = true;
}

// A plain store that is a flag: its thread had fenced before.
void BlockOrder::hear_of_store(const Who& who, Use& store) {
  BlockState& state = state_of(who.block);
  FenceHistory::Telling& of_other = own(state.of_warp[who.thread / lane_count], store.block - 1);
  const FenceHistory::Telling telling{store.access.epoch, store.access.fences,
                                      static_cast<std::uint16_t>(store.access.thread / lane_count),
                                      false};
  of_other = of_other.epoch == 0 ? telling : later(of_other, telling);
  store.strong = true;
  state.any_of_warp = true;
}

BlockOrder::Use BlockOrder::use_of(const Who& who, OrderRole role) {
  const std::uint32_t fences = state_of(who.block).fences.count(who.thread / lane_count);
  return {who.block + 1, {who.epoch, who.warp_epoch, fences, who.thread}, role.strong};
}

bool BlockOrder::is_ordered(const Use& use, const Who& who) {
  if (use.block == 0 || use.block == who.block + 1) return true;
  const std::uint32_t other = use.block - 1;
  const BlockState& state = state_of(who.block);
  const auto tells_of_use = [&](const FenceHistory::Telling& telling) {
    // Atomic operations of one thread are seen in order on all hardware so far, fence
    // or none.
    if (use.is_change)
      return telling.epoch > use.access.epoch ||
             (telling.epoch == use.access.epoch && telling.fences >= use.access.fences);
    return state_of(other).fences.covers(use.access, telling);
  };
  for (const KnownOfAll* known : {&state.known, &state.of_warp[who.thread / lane_count]})
    if (*known != nullptr && (**known)[other].epoch != 0 && tells_of_use((**known)[other]))
      return true;
  return false;
}

// With a fence in front of it, an update may be what gives a lock back, and whoever looks waits.
bool BlockOrder::may_be_lost(const Unit& unit, const Who& who) {
  return unit.updated && unit.store.access.fences == 0 && !is_ordered(unit.store, who);
}

// The first conflict; all units are gone through.
template <class F>
std::optional<BlockOrder::Conflict> BlockOrder::for_units(std::uint64_t offset, std::uint64_t bytes,
                                                          F&& conflicts) {
  std::optional<Conflict> first;
  const std::uint64_t last = ((offset + bytes - 1) >> unit_shift_) + 1;
  for (std::uint64_t index = offset >> unit_shift_; index < last && !gave_up_; ++index) {
    const Use* other = conflicts(*unit_at(index), index);
    if (other == nullptr || first) continue;
    first = Conflict{index << unit_shift_, other->block - 1, false, other->is_change};
  }
  spend(1);
  return first;
}

std::optional<BlockOrder::Conflict> BlockOrder::load(const Who& who, std::uint64_t offset,
                                                     std::uint64_t bytes, OrderRole role) {
  const Use now = use_of(who, role);
  Use sum;  // that others may have yet to add to
  auto conflict = for_units(offset, bytes, [&](Unit& unit, std::uint64_t index) -> const Use* {
    if (role.strong) unit.look = {who.block + 1, who.thread, may_be_lost(unit, who)};
    if (role.acquires) {
      hear(who, index);
      unit.forget_changes();
    }
    const bool ordered = is_ordered(unit.store, who);
    if (role.strong) {
      if (ordered || unit.store.strong) return nullptr;
      if (unit.store.access.fences == 0) return &unit.store;
      hear_of_store(who, unit.store);
      return nullptr;
    }
    for (const Use* change : {&unit.load, &unit.earlier_load})
      if (change->adds_up && !is_ordered(*change, who)) sum = *change;
    unit.remember(now);
    return !ordered ? &unit.store : sum.block != 0 ? &sum : nullptr;
  });
  if (conflict) conflict->was_store = !conflict->was_change;
  return conflict;
}

std::optional<BlockOrder::Conflict> BlockOrder::store(const Who& who, std::uint64_t offset,
                                                      std::uint64_t bytes, OrderRole role) {
  if (role.releases) fence(who, 1u << who.thread % lane_count);
  const Use now = use_of(who, role);
  Use lost;
  auto conflict = for_units(offset, bytes, [&](Unit& unit, std::uint64_t index) -> const Use* {
    const Use* other = nullptr;
    unit.updated = role.strong && !role.hands_on && unit.look.is_by(who);
    if (unit.updated && unit.look.may_be_lost) {
      lost = unit.store;
      other = &lost;
    }
    if (!role.strong)
      for (const Use* load : {&unit.load, &unit.earlier_load})
        if (!is_ordered(*load, who)) other = load;
    unit.store = now;
    if (role.strong) tell(who, index);
    return other;
  });
  if (conflict) conflict->was_update = lost.block != 0;
  return conflict;
}

std::optional<BlockOrder::Conflict> BlockOrder::change(const Who& who, std::uint64_t offset,
                                                       std::uint64_t bytes, OrderRole role) {
  if (role.releases) fence(who, 1u << who.thread % lane_count);
  Use now = use_of(who, role);
  now.is_change = true;
  now.adds_up = role.adds_up;
  Use early;  // that has read what this one adds to
  auto conflict = for_units(offset, bytes, [&](Unit& unit, std::uint64_t index) -> const Use* {
    if (role.acquires) hear(who, index);
    if (role.adds_up)
      for (const Use* load : {&unit.load, &unit.earlier_load})
        if (!load->is_change && !is_ordered(*load, who)) early = *load;
    tell(who, index);
    if (role.is_blind)
      unit.remember(now);
    else
      unit.forget_changes();
    if (is_ordered(unit.store, who) || unit.store.strong)
      return early.block != 0 ? &early : nullptr;
    // Who does not look at what it changes waits for no flag.
    if (unit.store.access.fences == 0 || role.is_blind) {
      early = {};
      return &unit.store;
    }
    hear_of_store(who, unit.store);
    return nullptr;
  });
  if (conflict) conflict->was_store = early.block == 0;
  return conflict;
}

}  // namespace klab::sim
