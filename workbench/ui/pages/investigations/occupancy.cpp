// Occupancy: a calculator with its limiter, and what each of its inputs would change.
#include <algorithm>

#include "core/base/text.hpp"
#include "core/measure/format.hpp"
#include "core/measure/occupancy.hpp"
#include "ui/look/plot.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

/// Compute capability 9.0 and later only: earlier ones know no clusters, and barriers never limit.
bool draw_cluster_and_barriers(OccupancyInput& input, const MultiprocessorLimits* limits) {
  if (!limits || limits->largest_cluster == 0) {
    const bool had = input.cluster_blocks.has_value();
    input.cluster_blocks.reset();
    return had;
  }
  bool changed = false;
  gap(2);
  int cluster = input.cluster_blocks.value_or(0);
  const std::string shown = cluster == 0   ? "none"
                            : cluster == 1 ? "1 block"
                                           : std::to_string(cluster) + " blocks";
  if (slider("##cluster", "Cluster", shown, cluster, 0, limits->largest_cluster)) {
    input.cluster_blocks = cluster == 0 ? std::nullopt : std::optional(cluster);
    changed = true;
  }
  if (limits->barriers > 0) {
    gap(2);
    changed |= slider("##barriers", "Barriers per block", std::to_string(input.barriers),
                      input.barriers, 1, 16);
  }
  return changed;
}

/// Whose values stand above, so that nobody takes an example for what was found.
std::string origin_words(const OccupancyPage& page) {
  if (!page.measured || page.measured_kernel.empty())
    return "Example values. After a check, your kernel's registers and shared memory stand here.";
  const OccupancyInput& mine = *page.measured;
  if (!page.shows_kernel())
    return "Values of your choice. " + page.measured_kernel + " has " +
           std::to_string(mine.registers_per_thread) + " registers" +
           (page.measured_launch
                ? ", and a block of " + std::to_string(mine.block_threads) + " threads."
                : ".");
  return page.measured_kernel + (page.measured_launch
                                     ? ": registers from the compiler, block from its last launch"
                                     : ", as the compiler reports it; the block is an example");
}

void draw_inputs(const Model& model, Commands& commands) {
  const Theme& t = theme();
  OccupancyInput input = model.occupancy.input;
  const auto known = multiprocessor_limits();
  int at = 0;
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i].compute_capability == input.compute_capability) at = static_cast<int>(i);
  bool changed = false;
  const std::string shown = to_string(input.compute_capability);
  if (slider("##capability", "Compute capability", shown, at, 0,
             static_cast<int>(known.size()) - 1)) {
    input.compute_capability = known[static_cast<std::size_t>(at)].compute_capability;
    changed = true;
  }
  gap(2);
  int warps = input.block_threads / warp_threads;
  const std::string threads = std::to_string(input.block_threads) + " threads";
  if (slider("##block", "Block size", threads, warps, 1, most_threads_per_block / warp_threads)) {
    input.block_threads = warps * warp_threads;
    changed = true;
  }
  gap(2);
  changed |=
      slider("##registers", "Registers per thread", std::to_string(input.registers_per_thread),
             input.registers_per_thread, 16, most_registers_per_thread);
  gap(2);
  int shared_kib =
      static_cast<int>((input.static_shared_bytes + input.dynamic_shared_bytes) / 1024);
  const MultiprocessorLimits* limits = find_multiprocessor_limits(input.compute_capability);
  const int most_kib = limits ? static_cast<int>(limits->shared_per_block_bytes / 1024) : 227;
  if (slider("##shared", "Shared memory per block", std::to_string(shared_kib) + " KiB", shared_kib,
             0, most_kib)) {
    input.static_shared_bytes = 0;
    input.dynamic_shared_bytes = std::int64_t{shared_kib} * 1024;
    changed = true;
  }
  if (limits) {
    const std::int64_t static_bytes =
        std::min(input.static_shared_bytes, limits->shared_per_block_bytes);
    const std::int64_t most_dynamic = limits->shared_per_block_bytes - static_bytes;
    if (static_bytes != input.static_shared_bytes || input.dynamic_shared_bytes > most_dynamic) {
      input.static_shared_bytes = static_bytes;
      input.dynamic_shared_bytes = std::min(input.dynamic_shared_bytes, most_dynamic);
    }
  }
  changed |= draw_cluster_and_barriers(input, limits);
  if (changed) commands.push_back(command::SetOccupancy{input});
  gap(8);
  const OccupancyPage& page = model.occupancy;
  if (page.measured &&
      button("apply", page.measured_launch ? "Use what was launched" : "Use my kernel's registers",
             {.kind = ButtonKind::secondary, .enabled = !page.shows_kernel()}))
    commands.push_back(command::SetOccupancy{page.of_kernel()});
  text(t.font.small, t.color.faint, origin_words(page), true);
}

std::string limiter_sentence(const Occupancy& found) {
  if (found.active_blocks == 0) return "This launch fails: not even one block fits.";
  std::string names;
  for (std::size_t i = 0; i < found.limiters.size(); ++i) {
    if (i) names += i + 1 == found.limiters.size() ? " and " : ", ";
    names += to_string(found.limiters[i]);
  }
  return capitalized(names) + (found.limiters.size() == 1 ? " limits it." : " limit it.");
}

void draw_limit(std::string_view label, std::optional<int> blocks, bool limits) {
  const Theme& t = theme();
  const float right = ImGui::GetContentRegionMax().x;
  text(limits ? t.font.strong : t.font.body, limits ? t.color.text : t.color.soft, label);
  const std::string words =
      blocks ? std::to_string(*blocks) + (*blocks == 1 ? " block" : " blocks") : "not used";
  ImFont* font = limits ? t.font.strong : t.font.body;
  ImGui::SameLine(right - text_width(font, words));
  text(font, limits ? t.color.bad : t.color.soft, words);
}

bool limited_by(const Occupancy& found, OccupancyLimit limit) {
  return std::find(found.limiters.begin(), found.limiters.end(), limit) != found.limiters.end();
}

void draw_outcome(const Occupancy& found) {
  const Theme& t = theme();
  text(t.font.display, t.color.text, format_percent(found.percent));
  text(t.font.body, t.color.soft,
       std::to_string(found.active_warps) + " of " + std::to_string(found.most_warps) +
           " warps, as " + std::to_string(found.active_blocks) +
           (found.active_blocks == 1 ? " block" : " blocks") + " per multiprocessor");
  gap(6);
  text(t.font.strong, found.active_blocks ? t.color.text : t.color.bad, limiter_sentence(found),
       true);
  gap(6);
  const BlockLimits& allowed = found.allowed;
  draw_limit("Warps", allowed.warps, limited_by(found, OccupancyLimit::warps));
  draw_limit("Block slots", allowed.blocks, limited_by(found, OccupancyLimit::blocks));
  draw_limit("Registers", allowed.registers, limited_by(found, OccupancyLimit::registers));
  draw_limit("Shared memory", allowed.shared_memory,
             limited_by(found, OccupancyLimit::shared_memory));
  if (allowed.barriers)
    draw_limit("Barriers", allowed.barriers, limited_by(found, OccupancyLimit::barriers));
  gap(8);
  text(t.font.small, t.color.faint,
       "Occupancy is a means: 50 to 75 % is often enough, and more warps do not help a kernel that "
       "is limited by something else.",
       true);
  if (!found.clusters_at_most) return;
  gap(6);
  text(t.font.strong, t.color.text,
       "At most " + std::to_string(*found.clusters_at_most) + " clusters at once");
  text(t.font.small, t.color.faint,
       "Modelled: all blocks of the device divided by the cluster's. A cluster must fit into one "
       "group of multiprocessors (GPC), so the device may hold fewer; only "
       "cudaOccupancyMaxActiveClusters knows.",
       true);
}

/// Occupancy while `set` moves one input over [low, high].
template <class Set>
StepCurve sweep(const OccupancyInput& input, int low, int high, int step, double current, Set set) {
  StepCurve curve;
  curve.high_y = 100;
  for (int value = low; value <= high; value += step) {
    OccupancyInput moved = input;
    set(moved, value);
    const auto found = occupancy(moved);
    curve.x.push_back(value);
    curve.y.push_back(found ? found->percent : 0);
    curve.why.push_back(found && found->active_blocks > 0 ? limiters_text(*found) : "does not fit");
  }
  curve.current_x = current;
  const auto now = occupancy(input);
  curve.current_y = now ? now->percent : 0;
  return curve;
}

void draw_curve(const char* id, const char* title, const StepCurve& curve) {
  const Theme& t = theme();
  gap(10);
  const Card card(id);
  text(t.font.label, t.color.faint, title);
  plot_steps(
      "curve", curve, t.px(96), [](double v) { return format_number(v); },
      [](double v) { return format_number(v) + " %"; });
}

/// Clusters at once by the size of a cluster, modelled.
void draw_clusters(const OccupancyInput& input, int largest) {
  const Theme& t = theme();
  StepCurve curve;
  for (int blocks = 1; blocks <= largest; ++blocks) {
    OccupancyInput moved = input;
    moved.cluster_blocks = blocks;
    const auto found = occupancy(moved);
    curve.x.push_back(blocks);
    curve.y.push_back(found ? found->clusters_at_most.value_or(0) : 0);
  }
  curve.current_x = *input.cluster_blocks;
  curve.current_y = curve.y[static_cast<std::size_t>(*input.cluster_blocks) - 1];
  curve.high_y = std::max(1.0, curve.y.front());
  gap(10);
  const Card card("by_cluster");
  text(t.font.label, t.color.faint, "Clusters at once, at most, by blocks of a cluster (modelled)");
  plot_steps(
      "curve", curve, t.px(96), [](double v) { return format_number(v); },
      [](double v) { return format_number(v); });
}

}  // namespace

void draw_occupancy(const Model& model, Commands& commands) {
  const Theme& t = theme();
  gap(10);
  const float width = ImGui::GetContentRegionAvail().x;
  const bool beside = width > t.px(620);
  OccupancyInput input = model.occupancy.input;
  const bool same_kind = model.machine.device && !model.machine.device->simulated &&
                         model.machine.device->compute_capability == input.compute_capability;
  if (same_kind && model.machine.device->multiprocessors > 0)
    input.multiprocessors = model.machine.device->multiprocessors;
  const auto found = occupancy(input);
  ImGui::BeginChild("inputs", ImVec2(beside ? width * 0.48f : 0, 0), ImGuiChildFlags_AutoResizeY,
                    ImGuiWindowFlags_NavFlattened);
  {
    const Card card("sliders");
    draw_inputs(model, commands);
  }
  ImGui::EndChild();
  if (beside) ImGui::SameLine(0, t.px(12));
  ImGui::BeginChild("outcome", ImVec2(0, 0), ImGuiChildFlags_AutoResizeY,
                    ImGuiWindowFlags_NavFlattened);
  {
    const Card card("numbers");
    if (found)
      draw_outcome(*found);
    else
      text(t.font.body, t.color.bad, window_words(found.error()), true);
  }
  ImGui::EndChild();
  draw_curve("by_block", "By block size (threads), and what limits it there",
             sweep(input, 32, most_threads_per_block, 32, input.block_threads,
                   [](OccupancyInput& i, int v) { i.block_threads = v; }));
  draw_curve("by_registers", "By registers per thread, and what limits it there",
             sweep(input, 16, most_registers_per_thread, 1, input.registers_per_thread,
                   [](OccupancyInput& i, int v) { i.registers_per_thread = v; }));
  const MultiprocessorLimits* limits = find_multiprocessor_limits(input.compute_capability);
  const int most_kib = limits ? static_cast<int>(limits->shared_per_block_bytes / 1024) : 99;
  draw_curve(
      "by_shared", "By shared memory per block (KiB), and what limits it there",
      sweep(input, 0, most_kib, 1,
            static_cast<double>(input.static_shared_bytes + input.dynamic_shared_bytes) / 1024,
            [](OccupancyInput& i, int v) {
              i.static_shared_bytes = 0;
              i.dynamic_shared_bytes = std::int64_t{v} * 1024;
            }));
  if (limits && limits->largest_cluster > 0 && input.multiprocessors && input.cluster_blocks)
    draw_clusters(input, limits->largest_cluster);
}

}  // namespace klab::ui
