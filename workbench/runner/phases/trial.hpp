// Trial: the one way in which every phase launches a kernel file, so that a launch cannot tell
// whether it is warm-up, timed, checked or counted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/phases/phase_setup.hpp"
#include "runner/phases/platform.hpp"
#include "runner/problem/problem_memory.hpp"

namespace klab::runner {

/// Launches kernel files at one size: new inputs, scalars, poison and guards each time, the
/// device's state as it was at the start, an empty L2, an idle device; and the results captured
/// right behind.
class Trial {
 public:
  /// `launches` in a row, each with buffers of its own, as far as memory for all of them is
  /// reasonable; `guard`: see ProblemMemory. Errors: RunnerError.
  Trial(PhaseSetup& setup, const Size& size, Where where, int launches = 1,
        std::size_t guard = guard_around_buffers());
  /// One launch, in the memory of a larger one, which outlives it; see ProblemMemory.
  Trial(PhaseSetup& setup, const Size& size, Where where, const Trial& room);
  /// The same of different sizes, as many as there are.
  Trial(PhaseSetup& setup, const std::vector<Size>& row, Where where);

  const Size& size() const { return size_; }
  int launches() const { return static_cast<int>(parts_.size()); }

  /// Puts one buffer of each launch into other memory, while all others stay where they are.
  void move(std::size_t buffer);

  /// Exchanges the memory of two buffers; false where they are not alike. See ProblemMemory.
  bool exchange(std::size_t one, std::size_t other);

  /// See ProblemMemory, of all launches.
  std::vector<DeviceEdge*> edges();

  /// Everything up to the launch but for the inputs in device memory. The device is idle then.
  /// `changed`: see ProblemMemory::fill().
  void prepare(const Plugin& plugin, std::uint64_t seed, bool unusual = false,
               std::optional<std::size_t> changed = {});
  /// The launch as it is timed. Where the device is timed the stream is held until the host has
  /// asked for everything, and only then do the inputs arrive, the last words of them right before
  /// the clock starts: nothing is to be won before. Seconds of one launch; absent on the simulator.
  std::optional<double> run(const Plugin& plugin);

  /// run() in pieces, for those who watch it and need the device idle before the launch.
  void deliver(const Plugin& plugin);
  void launch(const Plugin& plugin);
  /// The same once more, on what the former launch leaves: after launch() and before any wait.
  void launch_again(const Plugin& plugin);
  void capture(const Plugin& plugin);
  /// Of the first of the launches, as prepare() bound them.
  const void* args() const { return parts_.front().args; }
  /// Of a measurement, of the first of the launches; null for any other lab.
  Jobs* jobs() { return parts_.front().workload->jobs(); }

  /// The last launches, checked in full: results as captured, guards, inputs, and whether work went
  /// on behind. The first that is wrong, else the last.
  record::Verified verify(const Plugin& plugin);

 private:
  /// One launch of them: buffers, and a workload that keeps their Args.
  struct Part {
    std::unique_ptr<Workload> workload;
    ProblemMemory memory;
    const void* args = nullptr;
    std::optional<BufferPlace> early;  ///< written before its inputs were there
  };

  void add_part(const Size& size, Where where, std::size_t guard);
  void add_part(std::unique_ptr<Workload> workload, ProblemMemory memory);
  std::optional<double> run_held(const Plugin& plugin);
  std::optional<double> run_waiting(const Plugin& plugin);
  void look_beside();
  void join_second(const Plugin& plugin);
  void use_before();
  record::Verified verify(const Plugin& plugin, Part& part) const;

  PhaseSetup& setup_;
  Size size_;
  std::vector<Part> parts_;
  Event start_, stop_;
  bool second_first_ = false;  ///< see join_second()
};

/// A stream as launches are given it.
Stream make_given_stream();

/// Says of a result that this element is the first wrong one.
void describe_values(record::Verified& verified, const Mismatch& mismatch,
                     const std::string& buffer);

/// The state of all devices of a launch, as it was when this was first called; the first one is
/// current then. Errors: RunnerError.
void reset_devices(PhaseSetup& setup);

/// The seed of the usual inputs of a size: different for each size and each `turn` of one request.
std::uint64_t derived_seed(std::uint64_t seed, const Size& size, std::uint64_t turn);

}  // namespace klab::runner
