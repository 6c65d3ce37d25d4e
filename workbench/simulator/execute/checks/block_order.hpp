// In what order the blocks of a launch use global memory, where fences, atomic operations and flags
// may put them in one.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simulator/execute/checks/fence_history.hpp"
#include "simulator/program/program.hpp"

namespace klab::sim {

// Who tells by an atomic operation or a flag, tells all that its block had fenced before and all
// that it had heard of itself; who reads that word hears of it, and so does its block behind the
// next barrier. Two plain accesses of one place by different blocks, at least one of them a store,
// have to be so ordered, and a plain store and an atomic operation whose result nobody looks at;
// a plain load and one that adds, too, since others may have yet to add (of a minimum or of a flag
// many look at what is there so far).
// Neither two stores are looked at nor what is atomic or volatile on both sides, but for one thing:
// where two blocks look at a place and then store there, with no fence anywhere, one of the two may
// be lost. For one thread of the host: who reads has to come behind who told.
class BlockOrder {
 public:
  struct Who {
    std::uint32_t block = 0;
    std::uint32_t epoch = 0, warp_epoch = 0;  // the checker's
    std::uint16_t thread = 0;
  };
  struct Conflict {
    std::uint64_t offset = 0;                    // of the unit
    std::uint32_t block = 0;                     // the other one
    bool was_store = false, was_change = false;  // or a load
    bool was_update = false;                     // a store by who had looked at the place, as now
  };

  // `unit_bytes`: of the smallest store. Nothing is kept of what came before.
  BlockOrder(std::uint64_t blocks, std::uint32_t warps, std::uint32_t unit_bytes);

  void fence(const Who& who, std::uint32_t lanes);
  void meet(std::uint32_t block);  // a barrier of the block
  void end(std::uint32_t block);   // nobody of it will ask any more

  std::optional<Conflict> load(const Who& who, std::uint64_t offset, std::uint64_t bytes,
                               OrderRole role);
  std::optional<Conflict> store(const Who& who, std::uint64_t offset, std::uint64_t bytes,
                                OrderRole role);
  std::optional<Conflict> change(const Who& who, std::uint64_t offset, std::uint64_t bytes,
                                 OrderRole role);  // an atomic operation

 private:
  // What is known of each block: where it told last.
  using Known = std::vector<FenceHistory::Telling>;
  using KnownOfAll = std::shared_ptr<Known>;
  struct BlockState {
    FenceHistory fences;
    KnownOfAll known;                 // to all its threads
    std::vector<KnownOfAll> of_warp;  // besides
    std::vector<KnownOfAll> heard;    // by warp: the last that it was told, which is in the others
    bool any_of_warp = false;
  };
  struct Use {
    std::uint32_t block = 0;  // and one; 0: none
    FenceHistory::Access access;
    bool strong = false;
    bool is_change = false;  // by an atomic operation that nobody has looked at yet
    bool adds_up = false;    // and that is a part of a sum
  };
  // The last one who looked at a place without a plain load.
  struct Look {
    std::uint32_t block = 0;  // and one; 0: none
    std::uint16_t thread = 0;
    bool may_be_lost = false;  // what it saw was an update that nothing puts in front of it
    bool is_by(const Who& who) const { return block == who.block + 1 && thread == who.thread; }
  };
  struct Unit {
    Use store, load, earlier_load;  // the two of different blocks; or changes
    Look look;
    bool updated = false;  // the store is by who had looked
    void remember(const Use& use) {
      if (load.block != use.block) earlier_load = load;
      load = use;
    }
    // Who looks at the place has its own behind all changes.
    void forget_changes() {
      for (Use* use : {&load, &earlier_load})
        if (use->is_change) *use = {};
    }
  };
  static constexpr std::uint64_t page_units = 256;
  using Page = std::vector<Unit>;

  BlockState& state_of(std::uint32_t block);
  Unit* unit_at(std::uint64_t index);
  Use use_of(const Who& who, OrderRole role);
  bool is_ordered(const Use& use, const Who& who);
  bool may_be_lost(const Unit& unit, const Who& who);
  void join(KnownOfAll& into, const KnownOfAll& from);
  FenceHistory::Telling& own(KnownOfAll& known, std::uint32_t block);
  FenceHistory::Telling telling_of(const Who& who);
  void tell(const Who& who, std::uint64_t unit);
  void hear(const Who& who, std::uint64_t unit);
  void hear_of_store(const Who& who, Use& store);
  template <class F>
  std::optional<Conflict> for_units(std::uint64_t offset, std::uint64_t bytes, F&& conflicts);
  void spend(std::uint64_t work);

  std::uint64_t blocks_;
  std::uint32_t warps_, unit_shift_;
  std::vector<std::unique_ptr<BlockState>> states_;     // by block
  std::unordered_map<std::uint64_t, KnownOfAll> told_;  // by unit
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t last_page_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
  std::uint64_t spent_ = 0;
  bool gave_up_ = false;  // it would take too long, or too much memory: nothing is found any more
};

}  // namespace klab::sim
