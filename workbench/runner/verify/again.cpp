// Launches that come after others: what a kernel file keeps from one to the next is found there.
#include "runner/verify/again.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/problem/leak_watch.hpp"
#include "runner/problem/one_changed.hpp"
#include "runner/problem/where_to_check.hpp"
#include "runner/verify/chosen_sizes.hpp"
#include "runner/verify/size_check.hpp"
#include "runner/verify/warps_in_reverse.hpp"

namespace klab::runner {
namespace {

/// Sizes that are easily taken for one another, in the same memory and with the same scalars:
/// nothing but the size itself tells them apart. What is kept at each change is watched below.
bool verify_alike(PhaseSetup& setup, std::set<VariantName>& refused) {
  const std::vector<Size>& sizes = setup.request.alike;
  std::map<VariantName, LeakWatch> memory;
  // Places that are large enough for all. The simulator hands them out again; a GPU's addresses
  // would come back by chance.
  std::optional<SizeCheck> room;
  if (!sizes.empty()) room.emplace(setup, sizes.front(), refused, memory);
  if (is_simulated()) room.reset();
  return std::all_of(sizes.begin(), sizes.end(), [&](const Size& size) {
    memory.clear();
    SizeCheck check = room ? SizeCheck(setup, size, refused, memory, *room)
                           : SizeCheck(setup, size, refused, memory);
    check.launch_each(Turn::alike);
    return check.tell();
  });
}

/// Small sizes in a row, each in the memory that the one before it gave back: a plan that is kept
/// by an address alone is of another size.
bool verify_up_and_down(PhaseSetup& setup, std::set<VariantName>& refused,
                        const Affordable& affordable) {
  bool right = true;
  constexpr int fewest_changes = 3;  // that tell what is kept at each from what is kept for good
  // Watched apart: a plan for each address is made anew here, and kept, launch after launch. On the
  // way down all sizes have been there, and only the first is that of the launch before: what takes
  // memory now does so at each change.
  std::map<VariantName, LeakWatch> memory;
  const std::vector<Size> sizes = up_and_down(setup, affordable);
  // Places that are large enough for all, so that each size finds the one before at its own.
  if (!sizes.empty()) SizeCheck(setup, sizes[sizes.size() / 2], refused, memory);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i <= sizes.size() / 2) memory.clear();
    if (const auto changes = static_cast<int>(sizes.size() / 2) - 1;
        i == sizes.size() / 2 && changes >= fewest_changes)
      for (const Plugin& plugin : setup.plugins)
        memory.emplace(plugin.variant(), LeakWatch(changes));
    SizeCheck check(setup, sizes[i], refused, memory);
    check.launch_each(Turn::same_place);
    right &= check.tell();
  }
  return right;
}

bool verify_in_same_place(PhaseSetup& setup, std::set<VariantName>& refused,
                          const Affordable& affordable) {
  // Results that two machines compare are those of the sizes that both try.
  const bool digests = setup.request.digest_results;
  if (!is_simulated()) return digests || verify_alike(setup, refused);
  reuse_addresses(true);
  bool right = verify_up_and_down(setup, refused, affordable);
  right = right && (digests || verify_alike(setup, refused));
  reuse_addresses(false);
  return right;
}

record::Finding not_in_a_row(const VariantName& variant, int launches) {
  return {variant,
          FindingKind::not_in_a_row,
          "Of " + std::to_string(launches) +
              " launches in a row, all asked for before the first one has run, not all are right. "
              "Each is right alone: what the host keeps for a launch, such as page-locked memory, "
              "is written again while the device has still to read it, or what counts the launches "
              "begins anew. Pass with each launch what belongs to it, or wait for an event before "
              "it is written again.",
          {},
          {},
          {}};
}

/// Launches that are all asked for before the first one has run: what the host writes for a launch,
/// and writes again for a later one, may not have been read yet. True if all are right.
bool are_right_in_a_row(PhaseSetup& setup, SizeCheck check, const Plugin& plugin, int launches) {
  for (const Plugin& other : setup.plugins)
    if (!(other.variant() == plugin.variant())) check.leave_out(other.variant());
  check.launch_each(Turn::in_a_row);
  for (const VariantName& wrong : check.wrong()) setup.out.write(not_in_a_row(wrong, launches));
  return check.tell();
}

bool are_right_in_a_row(PhaseSetup& setup, const Plugin& plugin, const Size& size, int launches,
                        std::set<VariantName>& refused) {
  std::map<VariantName, LeakWatch> memory;
  return are_right_in_a_row(setup, SizeCheck(setup, size, refused, memory, launches), plugin,
                            launches);
}

/// Two launches with the same arguments, the second one asked for before the first has run: what
/// the host keeps for just these may be written again while the device has still to read it. The
/// second works on what the first leaves, so that of their results nothing is known.
void look_at_repeated(PhaseSetup& setup, const Plugin& plugin, const Size& size) {
  if (!setup.request.full_checks || setup.workload->jobs() != nullptr) return;
  Trial trial(setup, size, Where::host);
  trial.prepare(plugin, setup.request.seed);
  trial.deliver(plugin);
  trial.launch(plugin);
  trial.launch_again(plugin);
  wait_for_device(setup, plugin);
  report_findings(setup, plugin, true);
}

/// The same of sizes up and down: what follows from the size alone does not change in the others.
/// What a file measures it waits for.
bool are_right_up_and_down(PhaseSetup& setup, const Plugin& plugin, std::set<VariantName>& refused,
                           const Affordable& affordable) {
  const std::vector<Size> row = up_and_down(setup, affordable);
  if (row.empty() || setup.workload->jobs() != nullptr) return true;
  std::map<VariantName, LeakWatch> memory;
  return are_right_in_a_row(setup, SizeCheck(setup, row, refused, memory), plugin,
                            static_cast<int>(row.size()));
}

/// More than the places that a kernel file uses by turns; and, of a size whose launches are short,
/// so many that a number of 9 bits begins anew, or of 8 where a launch measures, and so asks for
/// dozens of kernels.
bool verify_in_a_row(PhaseSetup& setup, std::set<VariantName>& refused,
                     const Affordable& affordable) {
  constexpr int some = 10;
  const int many = setup.workload->jobs() != nullptr ? 270 : 550;
  constexpr double share_of_many = 0.02, at_most = 0.2;  // of what one launch may execute
  const std::vector<Size> sizes = small_and_short(setup, affordable);
  if (!is_simulated() || sizes.empty()) return true;
  // Results that two machines compare were recorded of the second launch.
  const bool digests = setup.request.digest_results;
  bool right = true;
  for (const Plugin& plugin : setup.plugins) {
    if (refused.contains(plugin.variant())) continue;
    right &= are_right_in_a_row(setup, plugin, sizes.back(), digests ? 2 : some, refused);
    if (right) look_at_repeated(setup, plugin, sizes.back());
    right &= digests || are_right_up_and_down(setup, plugin, refused, affordable);
    auto tiny = affordable.last_within(plugin.variant(), sizes, share_of_many / many);
    if (!tiny) tiny = affordable.last_within(plugin.variant(), {sizes.front()}, at_most / many);
    if (tiny && !digests) right &= are_right_in_a_row(setup, plugin, *tiny, many, refused);
  }
  return right;
}

bool is_filled(const BufferSpec& spec) {
  return spec.role == Role::input || spec.role == Role::inout;
}

/// One buffer after the other in other memory, with the same inputs and scalars, all other buffers
/// where they were: a plan that is kept by some of the addresses leads back to the former memory.
/// Then two by two exchanged: it may be kept by their sum.
bool is_right_elsewhere(SizeCheck& check, std::size_t buffers) {
  check.launch_each(Turn::changed);
  bool right = check.tell();
  for (std::size_t buffer = 0; buffer < buffers && right; ++buffer) {
    check.move(buffer);
    check.launch_each(Turn::changed);
    right = check.tell();
  }
  for (std::size_t one = 0; one < buffers; ++one)
    for (std::size_t other = one + 1; other < buffers && right; ++other) {
      if (!check.exchange(one, other)) continue;
      check.launch_each(Turn::changed);
      right = check.tell();
    }
  return right;
}

/// The same where each extent in turn is as long as in any of these sizes: a graph of fifty steps
/// is made where there are so many. A GPU would need a tenth of a second for it; there the second
/// look does it.
bool verify_long_ones_elsewhere(PhaseSetup& setup, const std::vector<Size>& sizes,
                                std::set<VariantName>& refused, const Affordable& affordable) {
  if (!is_simulated()) return true;
  constexpr double very_short = 0.002;  // of what one may execute
  for (std::size_t extent = 0; extent < sizes.back().size(); ++extent) {
    const Size* longest = nullptr;
    for (const Size& size : sizes) {
      const bool is_short =
          std::all_of(setup.plugins.begin(), setup.plugins.end(), [&](const Plugin& plugin) {
            return affordable.took_no_more(plugin.variant(), size, very_short);
          });
      if (is_short && (!longest || size[extent] > (*longest)[extent])) longest = &size;
    }
    if (!longest || *longest == sizes.back()) continue;
    std::map<VariantName, LeakWatch> memory;
    SizeCheck check(setup, *longest, refused, memory);
    if (!is_right_elsewhere(check, setup.workload->buffers(*longest).size())) return false;
  }
  return true;
}

/// Launches that differ little from the one before: what is moved; then one element of each input
/// in turn, and the scalars: a result that is kept by a look at some of them is not right any more.
bool verify_changed(PhaseSetup& setup, std::set<VariantName>& refused,
                    const Affordable& affordable) {
  std::vector<Size> sizes = small_and_short(setup, affordable);
  std::erase_if(sizes, [&](const Size& size) { return !is_quick(*setup.workload, size); });
  if (sizes.empty()) return true;
  const Size& largest = sizes.back();
  // Watched apart: whoever keeps a plan for each set of addresses makes a new one here each time.
  std::map<VariantName, LeakWatch> memory;
  SizeCheck check(setup, largest, refused, memory);
  const std::vector<BufferSpec> specs = setup.workload->buffers(largest);
  bool right = is_right_elsewhere(check, specs.size());
  // Of elements, one may be just what is looked at.
  for (std::size_t i = 0; i < rounds_of_changes * (specs.size() + 1) && right; ++i) {
    const std::size_t input = i % (specs.size() + 1);
    if (input < specs.size() && !is_filled(specs[input])) continue;
    check.change(i);
    check.launch_each(Turn::changed);
    right = check.tell();
  }
  return right && verify_long_ones_elsewhere(setup, sizes, refused, affordable);
}

/// The same at one larger size, with one element of one input, whichever that is.
bool verify_one_changed_at(PhaseSetup& setup, const Size& size, std::set<VariantName>& refused,
                           const Affordable& affordable) {
  constexpr double short_launch = 0.02;  // of what one may execute
  const std::vector<BufferSpec> specs = setup.workload->buffers(size);
  std::vector<std::size_t> filled;
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (is_filled(specs[i])) filled.push_back(i);
  if (filled.empty()) return true;
  std::map<VariantName, LeakWatch> memory;
  SizeCheck check(setup, size, refused, memory);
  for (const Plugin& plugin : setup.plugins)
    if (is_simulated() && !affordable.last_within(plugin.variant(), {size}, short_launch))
      check.leave_out(plugin.variant());
  check.launch_each(Turn::changed);
  if (!check.tell()) return false;
  check.change(filled[setup.request.seed % filled.size()]);
  check.launch_each(Turn::changed);
  return check.tell();
}

}  // namespace

bool verify_small_sizes_again(PhaseSetup& setup, std::set<VariantName>& refused,
                              const Affordable& affordable, const Patience& patience) {
  using Again = bool (*)(PhaseSetup&, std::set<VariantName>&, const Affordable&);
  constexpr std::pair<const char*, Again> all[] = {
      {"with the warps in reverse", verify_warps_in_reverse},
      {"with one thing changed", verify_changed},
      {"in the same place", verify_in_same_place},
      {"in a row", verify_in_a_row}};
  for (const auto& [how, again] : all) {
    if (patience.is_over(share_of_long_ones)) return true;
    setup.out.progress(std::string("verify again, ") + how);
    if (!again(setup, refused, affordable)) return false;
  }
  return true;
}

bool verify_one_changed(PhaseSetup& setup, std::set<VariantName>& refused,
                        const Affordable& affordable, const Patience& patience) {
  // Results that two machines compare are those of the launches before.
  if (setup.request.digest_results) return true;
  const std::vector<Size> sizes = large_and_quick(setup);
  return std::all_of(sizes.begin(), sizes.end(), [&](const Size& size) {
    return patience.is_over(share_of_long_ones) ||
           verify_one_changed_at(setup, size, refused, affordable);
  });
}

}  // namespace klab::runner
