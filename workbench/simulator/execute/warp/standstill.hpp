// Whether all threads of a launch wait for what none of them will ever do: spinning on a flag, at a
// barrier in memory that counts too many. Nobody can tell that from one of them alone.
#pragma once
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/base/finding.hpp"

namespace klab::sim {

struct BlockState;
struct LaunchState;

// That one launch may keep busy.
inline constexpr unsigned most_host_threads = 256;

// A worker's blocks, as far as they are looked at together with those of the others.
class Turns {
 public:
  enum class Round : std::uint8_t { still, moved, stopped };
  // Gives each block a turn: whether one of them got past something, or the launch ended.
  virtual Round take_turns() = 0;
  virtual void collect(std::vector<const BlockState*>& blocks) const = 0;

 protected:
  ~Turns() = default;
};

// Where all workers of a launch meet once none of their blocks gets on. Whoever comes last gives
// the blocks of all of them turns while the others wait, and compares what each thread holds and
// all memory: what comes back as it was, with the clock held, and again with later ones, comes back
// for ever.
class Standstill {
 public:
  explicit Standstill(LaunchState& launch) : launch_(launch) {}

  void enter(Turns& worker);
  void leave(Turns& worker);
  // Waits a moment for the other workers. Ends the launch where it stands still.
  void meet();
  // Whether the threads come back to where they were while each block takes its turns: those of a
  // loop that reads what may change, and counts on, do not. For the only worker of a launch.
  bool comes_back();
  // What %globaltimer reads in a warp that has executed so many instructions.
  std::uint64_t now(std::uint64_t executed);

  // Threads that wait at one place.
  struct Group {
    const SourceLocation* where = nullptr;
    std::uint64_t threads = 0, blocks = 0;
    const BlockState* last = nullptr;
  };

 private:
  std::unique_lock<std::mutex> against_others();
  std::span<Turns* const> workers() const { return {workers_.data(), entered_}; }
  bool stands_still();
  std::uint64_t latest();
  enum class Of : std::uint8_t { threads, threads_and_memory };
  bool repeats(Of what = Of::threads_and_memory);
  Turns::Round take_turns();
  std::uint64_t digest_of_threads() const;
  std::optional<std::uint64_t> digest_of_memory() const;
  void end_launch();
  std::string describe(const std::vector<Group>& groups, std::size_t blocks) const;

  LaunchState& launch_;
  std::mutex mutex_;
  std::condition_variable looked_;
  // A place for each, that a launch need not ask for memory.
  std::array<Turns*, most_host_threads> workers_;
  std::size_t entered_ = 0;
  std::size_t here_ = 0;
  std::uint64_t looks_ = 0;
  std::uint64_t held_ = 0;                // the time, while it is held
  std::uint64_t ahead_ = 0;               // of the host's clock, or of the count of instructions
  std::atomic<std::uint64_t> latest_{0};  // that was told, where time is counted
};

}  // namespace klab::sim
