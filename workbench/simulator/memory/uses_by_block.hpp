// Which block of a launch used which bytes of global memory, to see two of them that race.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>

namespace klab::sim {

// Blocks (or clusters of them) run in no order, so what one stores is for no other to read or
// change, nor to store over what another has read, unless something orders them. Which kernels have
// nothing that could is for the caller to know. Nor is a sum that others add to there for anybody
// to read before all have, whoever comes first here; of a minimum or a flag many look at what is
// there so far. Two that store at one place are no matter here: they may store the same.
class UsesByBlock {
 public:
  explicit UsesByBlock(std::uint64_t arena_bytes);
  ~UsesByBlock();
  UsesByBlock(const UsesByBlock&) = delete;
  UsesByBlock& operator=(const UsesByBlock&) = delete;
  // The system gave no address space for it.
  bool failed() const;

  void forget_all();
  // A launch of so many blocks, none of whose stores is smaller than a unit (1, 2 or 4 bytes).
  // `watches_sums`: nobody is told that others have added, who then reads.
  void begin(std::uint64_t blocks, std::uint32_t unit_bytes, bool watches_sums);

  enum class Use : std::uint8_t { stored, read, added, changed };
  struct Conflict {
    std::uint64_t offset = 0;            // of the unit in the arena
    std::optional<std::uint64_t> block;  // the other one; absent: several
    Use use = Use::stored;               // what it did there
  };
  // By block number `block` of this launch; what it conflicts with, if anything. Several threads
  // may tell at once.
  std::optional<Conflict> read(std::uint64_t block, std::uint64_t offset, std::uint64_t bytes);
  // By an atomic operation: a part of a sum, at which nobody looks; or any other.
  std::optional<Conflict> add(std::uint64_t block, std::uint64_t offset, std::uint64_t bytes);
  std::optional<Conflict> change(std::uint64_t block, std::uint64_t offset, std::uint64_t bytes);
  std::optional<Conflict> store(std::uint64_t block, std::uint64_t offset, std::uint64_t bytes);

 private:
  using Tag = std::uint32_t;  // base_ + 1 + block; up to base_: of an earlier launch

  struct Units {
    std::uint64_t first = 0, last = 0;
    Tag own = 0;
  };
  // Tags by unit: the last one. By chunk: one of this launch's, if any unit there has one. Units of
  // a chunk that has none are neither looked at nor read before they are written: the system
  // would bring a page into being for each, which takes longer than all the rest.
  struct Tags {
    Tag *units = nullptr, *chunks = nullptr;
  };
  static constexpr std::uint32_t chunk_shift = 10;  // a page of tags

  std::optional<Units> units_of(std::uint64_t block, std::uint64_t offset,
                                std::uint64_t bytes) const;
  template <class Body>
  static void by_chunk(const Units& units, Body body);
  std::optional<Conflict> conflict_in(const Tags& tags, const Units& units, Use use) const;
  void mark(const Tags& tags, const Units& units) const;
  void mark_last(const Tags& tags, const Units& units) const;

  std::uint64_t units_, chunks_;
  Tags writers_, readers_, adders_, changers_;
  std::atomic<bool> any_sum_ = false, any_change_ = false;  // in this launch
  bool watches_sums_ = false;
  Tag base_ = 0, several_ = 0;
  std::uint32_t unit_shift_ = 2;
};

}  // namespace klab::sim
