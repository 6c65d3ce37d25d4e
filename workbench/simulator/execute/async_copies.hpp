// Copies into shared memory that were asked for and not waited for (cp.async), of one block.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace klab::sim {

// A thread's copies form groups: commit() closes one, wait() ends all but the youngest. The
// simulator carries each out at once, so only this tells that on a GPU it could still be under way.
// Places are units of shared memory, as the checker counts them.
class AsyncCopies {
 public:
  struct Copy {
    std::uint32_t first = 0, units = 0;  // where to
    std::uint32_t location = 0;          // of the instruction, in Program::locations
    std::uint32_t thread = 0;
    std::uint64_t group = 0;
  };

  AsyncCopies(std::size_t units, std::uint32_t threads) : owners_(units), threads_(threads) {}

  bool empty() const { return under_way_ == 0; }
  void forget_all();

  void begin(Copy copy);
  void commit(std::uint32_t thread) { ++threads_[thread].committed; }
  // Ends those of the thread that are not in its `left` youngest groups, and returns them.
  std::vector<Copy> wait(std::uint32_t thread, std::uint64_t left);
  // The same for all of them, closed into a group or not.
  std::vector<Copy> wait_for_all(std::uint32_t thread);

  // The copy that may still write to a unit.
  std::optional<Copy> copy_to(std::size_t unit) const;

 private:
  struct Thread {
    std::uint64_t committed = 0;
    std::vector<Copy> under_way;  // in the order in which they were asked for
  };
  std::vector<Copy> end_before(std::uint32_t thread, std::uint64_t group);

  std::vector<std::uint32_t> owners_;  // by unit: the thread and one; 0: no copy
  std::vector<Thread> threads_;
  std::size_t under_way_ = 0;
};

}  // namespace klab::sim
