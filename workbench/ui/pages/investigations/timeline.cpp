// Timeline: calls, streams, copies, kernels and the gaps between them.
#include <imgui_internal.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text/kernel_name.hpp"
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/timeline_words.hpp"
#include "ui/pages/investigation_frame.hpp"
#include "ui/pages/investigations/timeline_plot.hpp"
#include "ui/pages/panels.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

constexpr double zoom_step = 0.7;
constexpr double pan_step = 0.15;
constexpr std::size_t shown_names = 12;

constexpr ImGuiKey arrows[] = {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                               ImGuiKey_DownArrow};

std::string seconds(double ns) { return typeset(format_seconds(ns * 1e-9)); }

/// What the frame's input makes of the view; the last change wins.
struct Changes {
  const Timeline& timeline;
  TimelineView view;
  bool changed = false;
  void to(TimelineView next) {
    view = std::move(next);
    changed = true;
  }
};

/// The picture's keys count unless something else has the keyboard.
bool keys_are_ours(const Model& model) {
  const ImGuiIO& io = ImGui::GetIO();
  return !io.WantTextInput && !io.KeyCtrl && !io.KeyAlt && !model.window.help_open &&
         !model.window.asking_prediction;
}

void pick_variant(Changes& c) {
  const std::size_t next = c.view.only ? *c.view.only + 1 : 0;
  c.to(only(c.view, next < c.timeline.variants.size() ? std::optional(next) : std::nullopt));
}

void take_plot_keys(Changes& c, Commands& commands, ImGuiID plot, bool arrows_too) {
  const auto held = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, true); };
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); };
  const TimelineRange shown = shown_range(c.timeline, c.view);
  const double middle_ns = (shown.from_ns + shown.to_ns) / 2;
  if (held(ImGuiKey_Equal) || held(ImGuiKey_KeypadAdd))
    c.to(zoomed(c.timeline, c.view, middle_ns, zoom_step));
  if (held(ImGuiKey_Minus) || held(ImGuiKey_KeypadSubtract))
    c.to(zoomed(c.timeline, c.view, middle_ns, 1 / zoom_step));
  if (held(ImGuiKey_RightBracket)) c.to(next_span(c.timeline, c.view, 1));
  if (held(ImGuiKey_LeftBracket)) c.to(next_span(c.timeline, c.view, -1));
  if (pressed(ImGuiKey_F) || pressed(ImGuiKey_Home)) c.to(fitted(c.view));
  if (pressed(ImGuiKey_G)) c.to(next_gap(c.timeline, c.view, ImGui::GetIO().KeyShift ? -1 : 1));
  if (pressed(ImGuiKey_M)) c.to(measured(c.timeline, c.view));
  if (pressed(ImGuiKey_E)) commands.push_back(command::ExportTimeline{});
  if (pressed(ImGuiKey_H))
    if (const TimelineSpan* span = picked_span(c.timeline, c.view)) {
      const auto& recorded = c.timeline.variants[c.view.picked->variant]->recorded;
      c.to(highlighted(c.timeline, c.view, recorded.names[span->name]));
    }
  if (pressed(ImGuiKey_V) && c.timeline.variants.size() > 1) pick_variant(c);
  if (!arrows_too) return;
  // Otherwise the arrows would move to the next control.
  for (const ImGuiKey key : arrows) ImGui::SetKeyOwner(key, plot);
  const auto own = [&](ImGuiKey key) {
    return ImGui::IsKeyPressed(key, plot, ImGuiInputFlags_Repeat);
  };
  if (own(ImGuiKey_LeftArrow)) c.to(panned(c.timeline, c.view, -pan_step));
  if (own(ImGuiKey_RightArrow)) c.to(panned(c.timeline, c.view, pan_step));
  if (own(ImGuiKey_UpArrow)) c.to(next_lane(c.timeline, c.view, -1));
  if (own(ImGuiKey_DownArrow)) c.to(next_lane(c.timeline, c.view, 1));
}

void take_plot_mouse(Changes& c, const TimelineHover& hover, float plot_width) {
  const ImGuiIO& io = ImGui::GetIO();
  const TimelineRange shown = shown_range(c.timeline, c.view);
  const double ns_per_pixel = shown.length_ns() / std::max(plot_width, 1.0f);
  if (ImGui::IsItemHovered() && hover.in_plot) {
    // The page would scroll with the same wheel.
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    if (io.MouseWheel != 0 && io.KeyShift)
      c.to(panned(c.timeline, c.view, -io.MouseWheel * pan_step));
    else if (io.MouseWheel != 0)
      c.to(zoomed(c.timeline, c.view, hover.at_ns, std::pow(zoom_step, io.MouseWheel)));
    if (io.MouseWheelH != 0) c.to(panned(c.timeline, c.view, -io.MouseWheelH * pan_step));
  }
  if (ImGui::IsItemActivated() && io.KeyShift && hover.in_plot) {
    c.view.measure_from_ns = hover.at_ns;
    c.view.measure_to_ns.reset();
    c.changed = true;
  } else if (ImGui::IsItemActive() && io.KeyShift && c.view.measure_from_ns) {
    c.view.measure_to_ns = hover.at_ns;
    c.changed = true;
  } else if (ImGui::IsItemActive() && io.MouseDelta.x != 0 && ImGui::IsMouseDragging(0, 3)) {
    c.to(panned(c.timeline, c.view, -io.MouseDelta.x * ns_per_pixel / shown.length_ns()));
  }
  const bool clicked = ImGui::IsItemDeactivated() && ImGui::IsItemHovered() && !io.KeyShift &&
                       io.MouseDragMaxDistanceSqr[0] < 9;
  if (!clicked) return;
  c.view.picked = hover.span;
  c.view.highlight.reset();
  c.changed = true;
  if (!hover.span) return;
  if (const TimelineSpan* span = picked_span(c.timeline, c.view)) {
    const auto& recorded = c.timeline.variants[hover.span->variant]->recorded;
    c.to(highlighted(c.timeline, c.view, recorded.names[span->name]));
  }
}

void tell_hover(const Timeline& timeline, const TimelineHover& hover) {
  if (ImGui::IsItemActive()) return;
  if (hover.gap) {
    tooltip("The GPU had nothing to do for " +
            seconds(static_cast<double>(hover.gap->duration_ns())) + ": " +
            std::string(to_string(hover.gap->reason)) + ".\n" +
            std::string(explanation(hover.gap->reason)));
  } else if (hover.span) {
    const TracedVariant& traced = *timeline.variants[hover.span->variant];
    const TimelineTrack& track = traced.recorded.tracks[hover.span->track];
    const auto& lane = traced.lanes[hover.span->track].lanes[hover.span->lane];
    tooltip(describe(traced, track, track.spans[lane.span[hover.span->index]]));
  }
}

void draw_controls(Changes& c, Commands& commands) {
  const Theme& t = theme();
  std::vector<std::string> labels;
  for (const auto& one : c.timeline.variants)
    labels.push_back(variant_title(one->recorded.variant));
  if (labels.size() > 1) {
    labels.emplace_back("All");
    if (const auto chosen = segments("variants", labels, c.view.only.value_or(labels.size() - 1)))
      c.to(only(c.view, *chosen + 1 < labels.size() ? std::optional(*chosen) : std::nullopt));
    ImGui::SameLine();
  }
  const ButtonLook fit{.kind = ButtonKind::quiet, .key = "F", .enabled = c.view.range.has_value()};
  const ButtonLook save{.key = "E"};
  const float wide = button_size("Fit", fit).x + button_size("Export", save).x + t.px(8);
  if (ImGui::GetContentRegionMax().x - ImGui::GetCursorPosX() < wide) ImGui::NewLine();
  if (button("fit", "Fit", fit)) c.to(fitted(c.view));
  ImGui::SameLine();
  if (button("export", "Export", save)) commands.push_back(command::ExportTimeline{});
  tooltip("Writes a Chrome trace into the workbook; ui.perfetto.dev opens it.");
}

void draw_status(const Changes& c) {
  const Theme& t = theme();
  std::string words;
  if (const TimelineSpan* span = picked_span(c.timeline, c.view)) {
    const TracedVariant& traced = *c.timeline.variants[c.view.picked->variant];
    words = describe(traced, traced.recorded.tracks[c.view.picked->track], *span);
    for (std::size_t at = words.find('\n'); at != std::string::npos; at = words.find('\n', at))
      words.replace(at, 1, " · ");
  } else if (c.view.measure_from_ns && c.view.measure_to_ns) {
    const double length = std::abs(*c.view.measure_to_ns - *c.view.measure_from_ns);
    words = "Measured " + (c.timeline.order_only() ? steps_text(length) : seconds(length));
  } else if (c.timeline.order_only()) {
    words = "Wheel or + - zooms, drag or arrows move, Shift+drag counts steps.";
  } else {
    words = "Wheel or + - zooms, drag or arrows move, Shift+drag measures, G shows the next gap.";
  }
  text(t.font.small, t.color.soft, words, true);
}

/// A line of cells at fixed columns; the first takes what is left.
void draw_row(const std::vector<std::string>& cells, ImFont* font, ImU32 color) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, column = t.px(84);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 1; i < cells.size(); ++i) {
    const float right = at.x + width - column * static_cast<float>(cells.size() - 1 - i);
    draw_text(list, font, ImVec2(right - text_width(font, cells[i]), at.y), color, cells[i]);
  }
  const float room = width - column * static_cast<float>(cells.size() - 1);
  draw_text(list, font, at, color, cut(font, cells.front(), std::max(room, t.px(40))));
  ImGui::Dummy(ImVec2(width, font->FontSize + t.px(4)));
}

void draw_names(Changes& c, const TracedVariant& traced, std::size_t number) {
  const Theme& t = theme();
  ImGui::PushID(static_cast<int>(number));
  const bool roomy = ImGui::GetContentRegionAvail().x > t.px(520);
  const bool timed = !traced.recorded.order_only;
  const auto row_of = [&](const NameRow& row) {
    std::vector<std::string> cells{short_name(row.name),
                                   format_count(static_cast<double>(row.count))};
    if (!timed) {
      cells.push_back(row.bytes ? format_bytes(static_cast<double>(*row.bytes)) : "");
      return cells;
    }
    cells.push_back(seconds(static_cast<double>(row.total_ns)));
    if (roomy) cells.push_back(seconds(static_cast<double>(row.self_ns)));
    if (roomy) cells.push_back(seconds(row.mean_ns));
    cells.push_back(format_percent(row.share_pct));
    return cells;
  };
  draw_row(!timed ? std::vector<std::string>{"Name", "Count", "Bytes"}
           : roomy
               ? std::vector<std::string>{"Name", "Count", "Total", "Self", "Mean", "Of the runs"}
               : std::vector<std::string>{"Name", "Count", "Total", "Of the runs"},
           t.font.label, t.color.faint);
  std::size_t shown = 0;
  for (const NameRow& row : traced.analysis.names) {
    if (row.kind == TrackKind::range || shown == shown_names) continue;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(static_cast<int>(shown++));
    const bool clicked = area("name", ImVec2(width, t.font.small->FontSize + t.px(4)));
    const bool lit = c.view.highlight && c.view.highlight->name == row.name;
    if (item_hot() || lit)
      ImGui::GetWindowDrawList()->AddRectFilled(
          ImVec2(at.x - t.px(6), at.y - t.px(1)),
          ImVec2(at.x + width + t.px(6), at.y + t.font.small->FontSize + t.px(3)),
          lit ? t.color.accent_soft : t.color.off_soft, t.px(4));
    tooltip("Highlights all spans of this name.");
    ImGui::SetCursorScreenPos(at);
    draw_row(row_of(row), t.font.small, is_gpu_work(row.kind) ? t.color.text : t.color.soft);
    ImGui::PopID();
    if (clicked) c.to(highlighted(c.timeline, c.view, row.name));
  }
  ImGui::PopID();
}

void draw_gap_reasons(const TracedVariant& traced) {
  const Theme& t = theme();
  for (const GapSum& sum : traced.analysis.gap_sums) {
    if (sum.reason == GapReason::between_runs) continue;
    gap(4);
    text(t.font.strong, t.color.bad,
         fmt::format("{}: {} gaps, {} in all", to_string(sum.reason),
                     format_count(static_cast<double>(sum.count)),
                     seconds(static_cast<double>(sum.total_ns))));
    text(t.font.small, t.color.soft, explanation(sum.reason), true);
  }
}

void draw_losses(const VariantTimeline& recorded) {
  const Theme& t = theme();
  const auto tell = [&](std::int64_t count, const char* why) {
    if (count > 0)
      text(t.font.small, t.color.unsure, format_count(static_cast<double>(count)) + why, true);
  };
  tell(recorded.dropped_over_limit, " spans are missing: more than the recording may hold.");
  tell(recorded.dropped_by_profiler,
       " records are missing: CUPTI had no room or no time for them.");
}

void draw_readings(Changes& c) {
  const Theme& t = theme();
  for (const std::size_t v : shown_variants(c.timeline, c.view)) {
    const TracedVariant& traced = *c.timeline.variants[v];
    gap(10);
    ImGui::PushID(static_cast<int>(v));
    {
      const Card card("reading");
      text(t.font.title, t.color.text, variant_title(traced.recorded.variant));
      const auto count = [&](std::int64_t RunReading::*member) {
        return format_count(traced.analysis.median_of(member));
      };
      text(t.font.body, t.color.text,
           fmt::format("Kernels a run: {} · copies and fills: {} · calls that wait for the GPU: {} "
                       "· allocations and releases: {}",
                       count(&RunReading::kernels), count(&RunReading::copies),
                       count(&RunReading::waits), count(&RunReading::allocations)),
           true);
      draw_losses(traced.recorded);
      draw_gap_reasons(traced);
      gap(10);
      draw_names(c, traced, v);
    }
    ImGui::PopID();
  }
}

}  // namespace

void draw_timeline(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const Investigation* found =
      investigation_frame(model, commands, InvestigationKind::timeline,
                          {.title = "Nothing traced yet",
                           .what = "Records the calls of the CPU and the work of the GPU on one "
                                   "clock: kernels, copies, waits and the gaps between them. The "
                                   "simulator has no clock and shows their order.",
                           .button = "Trace the kernels"});
  const auto* timeline = found ? std::get_if<Timeline>(&found->found) : nullptr;
  if (!timeline || timeline->variants.empty()) return;
  Changes c{*timeline, model.investigations.timeline};
  draw_controls(c, commands);
  gap(6);
  {
    const Card card("timeline");
    const float plot_width = ImGui::GetContentRegionAvail().x - timeline_label_width();
    const TimelineHover hover = plot_timeline("plot", *timeline, c.view);
    const ImGuiID plot = ImGui::GetItemID();
    take_plot_mouse(c, hover, plot_width);
    tell_hover(*timeline, hover);
    const bool focused = ImGui::IsItemFocused() || !ImGui::GetIO().NavVisible;
    if (keys_are_ours(model)) take_plot_keys(c, commands, plot, focused);
    draw_status(c);
  }
  draw_readings(c);
  gap(8);
  if (c.timeline.order_only())
    text(t.font.small, t.color.faint, order_only_words, true);
  else
    text(t.font.small, t.color.faint,
         "Traced while the profiler watched every call: this shows order and proportion. How fast "
         "the kernel is says the check.",
         true);
  if (c.changed) commands.push_back(command::SetTimelineView{std::move(c.view)});
}

}  // namespace klab::ui
