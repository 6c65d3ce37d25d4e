// Roofline: each kernel under the measured ceilings, and what it means to be there.
#include <algorithm>

#include "core/base/text.hpp"
#include "core/journal/report.hpp"
#include "core/measure/format.hpp"
#include "ui/look/plot_frame.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/investigation_frame.hpp"
#include "ui/pages/investigations/roofline_plot.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/markdown.hpp"
#include "ui/words/typeset.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

constexpr MemoryLevel roofed[] = {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::l1};

ImU32 ink_of(Standing::Kind kind) {
  const Palette& color = theme().color;
  switch (kind) {
    case Standing::Kind::impossible:
      return color.bad;
    case Standing::Kind::at_memory:
    case Standing::Kind::at_arithmetic:
      return color.good;
    case Standing::Kind::far:
      return color.unsure;
    default:
      return color.text;
  }
}

/// As a name of its own: "L2" of "the L2", "Device memory" of "device memory".
std::string roof_name(const Roof& roof) {
  constexpr std::string_view article = "the ";
  std::string_view name = roof.label;
  if (name.starts_with(article)) name.remove_prefix(article.size());
  return capitalized(name);
}

/// A bar for each roof, the one that binds first.
void draw_shares(const Roofline& roofline, const RooflineKernel& kernel) {
  const Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto shares = roof_shares(roofline.ceilings, kernel);
  float names = 0, number = 0;
  for (const RoofShare& share : shares) {
    names = std::max(names, text_width(t.font.body, roof_name(share.roof)));
    number = std::max(number, text_width(t.font.strong, format_percent(share.percent)) + t.px(12));
  }
  for (const RoofShare& share : shares) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = t.font.body->FontSize;
    const float from = at.x + names + t.px(14), to = std::max(at.x + width - number, from + 1);
    const float middle = at.y + line / 2, half = t.px(4.5f);
    draw_text(list, t.font.body, at, t.color.soft, roof_name(share.roof));
    list.AddRectFilled(ImVec2(from, middle - half), ImVec2(to, middle + half), t.color.off_soft,
                       t.px(4));
    const auto part = static_cast<float>(std::clamp(share.percent / 100, 0.0, 1.0));
    list.AddRectFilled(ImVec2(from, middle - half),
                       ImVec2(std::max(from + t.px(2), from + part * (to - from)), middle + half),
                       t.of_variant(kernel.variant), t.px(4));
    const std::string percent = format_percent(share.percent);
    draw_text(list, t.font.strong, ImVec2(at.x + width - text_width(t.font.strong, percent), at.y),
              t.color.text, percent);
    ImGui::Dummy(ImVec2(width, line + t.px(3)));
  }
}

void draw_kernel_card(const Roofline& roofline, const RooflineKernel& kernel) {
  const Theme& t = theme();
  const Card card("kernel");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_marker(*ImGui::GetWindowDrawList(), kernel.variant,
              ImVec2(at.x + t.px(8), at.y + t.font.strong->FontSize / 2), t.px(6));
  ImGui::Indent(t.px(24));
  text(t.font.strong, t.color.text, variant_title(kernel.variant));
  ImGui::Unindent(t.px(24));
  if (const auto rate = flop_rate(kernel)) {
    const std::string words =
        format_flop_per_s(rate) + " in " + typeset(format_seconds(kernel.seconds));
    ImGui::SameLine(ImGui::GetContentRegionMax().x - text_width(t.font.body, words));
    text(t.font.body, t.color.soft, words);
  }
  gap(4);
  draw_shares(roofline, kernel);
  const Standing stands = standing(roofline, kernel);
  draw_prose(window_words(stands.meaning), ink_of(stands.kind), t.font.strong);
  for (const std::string* more : {&stands.position, &stands.waste})
    if (!more->empty()) text(t.font.body, t.color.soft, *more, true);
}

/// What the plot cannot show, and how to get it.
std::string absent_roofs(const Ceilings& ceilings) {
  std::string names;
  const auto add = [&](const Roof& roof) {
    if (!roof.rate) names += (names.empty() ? "" : ", ") + std::string(roof.label);
  };
  for (const MemoryLevel level : roofed) add(memory_roof(ceilings, level));
  for (const Arithmetic unit : all_arithmetic) add(arithmetic_roof(ceilings, unit));
  if (names.empty()) return {};
  return "Not measured on this device: " + names + ". " + window_words(unmeasured_remedy);
}

void draw_plot(const Roofline& roofline, bool simulated) {
  const Theme& t = theme();
  const Card card("plot");
  if (simulated) {
    text(t.font.strong, t.color.text, "Intensity, counted by the simulator");
    gap(4);
    plot_intensities("intensities", roofline, MemoryLevel::requested,
                     t.px(64 + 34 * static_cast<float>(roofline.kernels.size())));
    text(t.font.small, t.color.faint,
         "Roofs and rates need a GPU: a simulator has no clock. Requested bytes are those that "
         "loads and stores touch, before any cache.",
         true);
    return;
  }
  const ImGuiID level = ImGui::GetID("level");
  int shown = std::clamp(ImGui::GetStateStorage()->GetInt(level), 0, 2);
  if (const auto clicked =
          segments("levels", {"Device memory", "L2", "L1"}, static_cast<std::size_t>(shown)))
    ImGui::GetStateStorage()->SetInt(level, shown = static_cast<int>(*clicked));
  gap(4);
  plot_roofline("roofline", roofline, roofed[shown], t.px(340));
  if (const std::string absent = absent_roofs(roofline.ceilings); !absent.empty())
    draw_prose(absent, t.color.unsure, t.font.small);
  if (!roofline.ceilings.date.empty())
    text(t.font.small, t.color.faint,
         "Roofs as measured on this device, " + short_date(roofline.ceilings.date) +
             " UTC. Rates are operations over the time without a profiler.",
         true);
}

}  // namespace

void draw_roofline(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const Investigation* found = investigation_frame(
      model, commands, InvestigationKind::roofline,
      {.title = "No roofline yet",
       .what = model.counts_only()
                   ? "Counts each kernel's operations for each byte (intensity): where under the "
                     "roofs of a GPU it would stand. How high needs a GPU."
                   : "Shows how near each kernel comes to the fastest that a device can "
                     "be: its operations for each byte (intensity) against its "
                     "rate, under the ceilings that were measured here.",
       .button = model.counts_only() ? "Count the intensity" : "Measure the roofline"});
  if (!found) return;
  const auto* roofline = std::get_if<Roofline>(&found->found);
  if (!roofline) return;
  draw_plot(*roofline, found->backend == Backend::simulator);
  for (std::size_t i = 0; i < roofline->kernels.size(); ++i) {
    gap(10);
    ImGui::PushID(static_cast<int>(i));
    draw_kernel_card(*roofline, roofline->kernels[i]);
    ImGui::PopID();
  }
  gap(10);
  for (const Advice& note : roofline->notes)
    draw_prose(window_words(note), t.color.faint, t.font.small);
}

}  // namespace klab::ui
