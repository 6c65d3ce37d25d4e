// Races between streams: two pieces of work that use the same bytes, of which nothing says which
// comes first.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/memory/touched_memory.hpp"

namespace klab::sim {

/// Where a piece of work stands among the others.
struct WorkOrder {
  std::uint64_t stream = 0;           ///< or a number of its own for each branch of a graph
  std::uint64_t branch_of_graph = 0;  ///< the stream that the graph was launched into; 0: none
  bool legacy = false;                ///< on the default stream
  std::uint64_t sequence = 0;         ///< position in the order of the host's calls
  /// That position when the host had seen it end; what it asks for later comes later.
  std::uint64_t done_at = ~std::uint64_t{0};
  /// By stream: the last work there that comes before this, itself among them.
  std::map<std::uint64_t, std::uint64_t> after;
  bool allocates = false;  ///< brings the memory itself into being
  bool frees = false;      ///< or to its end
  std::string name;        ///< "kernel scale on stream 3", once it has run
};
using WorkOrderPointer = std::shared_ptr<const WorkOrder>;

struct StreamRace {
  WorkOrderPointer one, other;
  bool one_writes = false, other_writes = false;
  std::uint64_t address = 0;
};

/// Remembers who used which bytes, as long as work is pending that may be unordered with it.
class StreamRaces {
 public:
  bool empty() const { return uses_.empty(); }
  void clear() { uses_.clear(); }
  /// What `now` touched when it ran; the first race, if there is one.
  std::optional<StreamRace> add(const WorkOrderPointer& now, TouchedMemory touched);

 private:
  enum class How : std::uint8_t { reads, writes, adds };
  struct Use {
    WorkOrderPointer who;
    How how = How::reads;
  };
  struct Stretch {
    std::uint64_t end = 0;
    std::vector<Use> uses;
  };

  /// Makes `at` the border of two stretches where it lies within one.
  void split(std::uint64_t at);
  void use(ByteRange range, const Use& now, std::optional<StreamRace>& race);

  std::map<std::uint64_t, Stretch> uses_;  ///< by where it begins
};

}  // namespace klab::sim
