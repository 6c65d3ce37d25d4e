// The launches of one size, and what they came to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "runner/phases/trial.hpp"
#include "runner/problem/affordable.hpp"
#include "runner/problem/leak_watch.hpp"

namespace klab::runner {

/// The launches at each size.
enum class Turn : std::uint64_t {
  usual,
  unusual,
  elsewhere,
  same_place,
  alike,  ///< the same scalars at all sizes
  in_a_row,
  changed,
  reversed
};

/// Writes what the checker found since it was last asked; `right`: the result is.
void report_findings(PhaseSetup& setup, const Plugin& plugin, bool right);

/// The launches of one size. `refused`: kernel files whose launches CUDA does not take.
class SizeCheck {
 public:
  SizeCheck(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
            std::map<VariantName, LeakWatch>& memory, int launches = 1);
  /// In the memory of a larger one, which outlives it.
  SizeCheck(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
            std::map<VariantName, LeakWatch>& memory, const SizeCheck& room);
  /// Of a row of sizes, all asked for before the first has run.
  SizeCheck(PhaseSetup& setup, const std::vector<Size>& row, std::set<VariantName>& refused,
            std::map<VariantName, LeakWatch>& memory);

  void leave_out(const VariantName& variant) { left_out_.insert(variant); }

  /// Each kernel file that was right so far.
  void launch_each(Turn turn);

  /// See Trial.
  void move(std::size_t buffer) { trial_.move(buffer); }
  bool exchange(std::size_t one, std::size_t other) { return trial_.exchange(one, other); }
  /// From now on; see ProblemMemory::fill().
  void change(std::size_t number) { changed_ = number; }

  /// What the last launch of each came to. True if all are right.
  bool tell() const;
  /// Kernel files that CUDA launched, with a wrong result.
  std::vector<VariantName> wrong() const;
  /// What the usual launches took.
  void tell_cost(Affordable& affordable) const;
  /// What the launch had done that did not end, as a share of what one may execute.
  std::optional<double> stopped_at() const { return stopped_at_; }
  /// It would not have ended, however long it had been given.
  bool deadlocked() const { return deadlocked_; }

 private:
  SizeCheck(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
            std::map<VariantName, LeakWatch>& memory, Trial trial);
  bool is_out(std::size_t i) const;
  bool takes_long(double seconds);
  bool has_unusual_inputs(Turn turn) const;
  void prepare(const Plugin& plugin, Trial& trial, Turn turn) const;
  Grown kept_by(const Plugin& plugin, Trial& trial, Turn turn, const std::optional<Held>& before);
  Grown kept_on(Grown kept, const Plugin& plugin, Trial& trial, Turn turn) const;
  Grown kept_again(Grown kept, const Plugin& plugin, Trial& trial) const;
  void launch(std::size_t i, Turn turn);

  PhaseSetup& setup_;
  const Size& size_;
  std::set<VariantName>& refused_;
  std::set<VariantName> left_out_;
  std::map<VariantName, LeakWatch>& memory_;
  Trial trial_;
  std::optional<Trial> elsewhere_;
  std::optional<std::size_t> changed_;
  std::vector<record::Verified> results_;
  std::vector<double> seconds_;  ///< of the last launch; 0 where only what is executed counts
  std::vector<std::optional<double>> shares_;
  std::optional<double> stopped_at_;
  bool deadlocked_ = false;
  std::vector<std::uint64_t> pieces_;  ///< of host memory, the largest
};

}  // namespace klab::runner
