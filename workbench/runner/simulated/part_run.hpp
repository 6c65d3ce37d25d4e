// A launch at a size that exists only where it is touched, and some of its blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runner/device/cuda_handles.hpp"
#include "runner/phases/phase_setup.hpp"
#include "runner/simulated/reach.hpp"
#include "runner/simulated/simulator_link.hpp"
#include "runner/workload/workload.hpp"

namespace klab::runner {

inline constexpr std::uint64_t blocks_in_part = 4;
/// Warp instructions of those blocks: a second's work.
inline constexpr std::uint64_t budget_in_part = 3'000'000;
/// Of a look at the first turns of a block's loops: enough for several, few since it is checked.
inline constexpr std::uint64_t budget_of_turns = 150'000;
/// Grids whose blocks together take no more than half of this are run whole.
inline constexpr std::uint64_t budget = 60'000'000;

inline double count_of(const SimulatorReport& report, std::string_view name) {
  return find_count(report, name).value_or(0);
}

/// Zero at first, but for small arrays in host memory: where an input tells lengths or beginnings,
/// addresses follow from it.
class PartBuffers {
 public:
  /// Errors: RunnerError with out_of_memory where there is too little address space.
  PartBuffers(const Workload& workload, const Size& size, std::uint64_t seed);

  const std::vector<BufferSpec>& specs() const { return specs_; }
  const Problem& problem() const { return problem_; }
  std::byte* at(std::size_t buffer) const;

  void mark_ends() const;
  std::vector<Stretch> stretches() const;
  /// The first output whose last element was not written; whether this one's was not.
  std::optional<std::size_t> without_end() const;
  bool is_as_marked(std::size_t output) const;
  /// The first input, where of none of those beyond 32-bit indices the last elements were touched.
  std::optional<std::size_t> unread_end() const;
  /// Whether a block that goes so many times farther than what ran so far comes to where an index
  /// or a number of bytes may begin anew, or to an array's end. Where it walks through a long row
  /// from its beginning it does not, however long it runs.
  bool comes_to_more(std::uint64_t times) const;

 private:
  std::vector<BufferSpec> specs_;
  std::vector<DeviceBuffer> device_;
  std::vector<PinnedBuffer> pinned_;
  Problem problem_;
};

/// What the launches that follow run: so many blocks of each larger grid, from `first` on or some
/// from both ends.
struct Part {
  std::uint64_t blocks = blocks_in_part;
  std::optional<std::uint64_t> first{};
  std::uint64_t times_the_budget = 1;
  bool more_memory = true;  ///< so many times more, too
  bool of_several = false;  ///< kernels
  bool turns = false;       ///< only the first turns of their loops, not to their end
  bool checked = false;     ///< for what threads of a block do to each other
};
void configure(const Part& part);

enum class Ran { whole_launch, several_kernels, part_not_to_its_end, grid_not_to_its_end };
/// Runs the launch as `part` says, which is configured. several_kernels where there are more than
/// one and part.of_several was not asked for, or more than can be run. Whatever leaves its memory
/// is written as a finding. `report`: what was counted, also where it did not come to its end.
/// Errors: RunnerError.
Ran run_part(PhaseSetup& setup, const Plugin& plugin, const PartBuffers& buffers, const Part& part,
             SimulatorReport* report = nullptr);
/// Configures that as well. Whether the launch comes to its end, or is of one kernel at all.
bool ends(PhaseSetup& setup, const Plugin& plugin, const PartBuffers& buffers, const Part& part);

/// The input that the one block which was run, and did not come to an end, goes through again and
/// again: it has been through all elements that 32 bits can tell apart, and stays there for as long
/// as some rounds take.
std::optional<std::size_t> going_round(PhaseSetup& setup, const Plugin& plugin,
                                       const PartBuffers& buffers);

}  // namespace klab::runner
