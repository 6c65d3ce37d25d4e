// Sweep: time and counters over a range of one parameter, with the crossover.
#include <algorithm>
#include <cmath>

#include "core/base/text.hpp"
#include "core/investigate/sweep_rules.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"
#include "ui/look/plot_frame.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/investigation_frame.hpp"
#include "ui/pages/panels.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

/// The value of one variant at one point, where it is known.
struct Place {
  double x = 0;
  double y = 0;
  std::optional<Interval> interval;
};
using Lines = std::map<VariantName, std::vector<Place>>;

Lines times_of(const Sweep& sweep) {
  Lines lines;
  for (const SweepPoint& point : sweep.points)
    for (const auto& [variant, seconds] : point.seconds)
      lines[variant].push_back({static_cast<double>(point.value), seconds.median, seconds});
  return lines;
}

Lines ratios_of(const Sweep& sweep) {
  Lines lines;
  for (const SweepPoint& point : sweep.points)
    for (const auto& [variant, ratio] : point.ratio)
      lines[variant].push_back({static_cast<double>(point.value), ratio.median, ratio});
  return lines;
}

Lines counters_of(const Sweep& sweep, const std::string& metric) {
  Lines lines;
  for (const SweepPoint& point : sweep.points)
    for (const auto& [variant, counters] : point.counters)
      if (const auto found = counters.find(metric); found != counters.end() && found->second.value)
        lines[variant].push_back({static_cast<double>(point.value), *found->second.value, {}});
  return lines;
}

bool are_powers_of_two(const Sweep& sweep) {
  return sweep.points.size() > 1 &&
         std::all_of(sweep.points.begin(), sweep.points.end(), [](const SweepPoint& point) {
           return point.value > 0 && (point.value & (point.value - 1)) == 0;
         });
}

Axis x_axis(const Sweep& sweep) {
  std::vector<double> values;
  for (const SweepPoint& point : sweep.points) values.push_back(static_cast<double>(point.value));
  const bool wide = ImGui::GetContentRegionAvail().x > theme().px(460);
  Axis axis = log_axis(values, are_powers_of_two(sweep) ? 2 : 10, wide ? 9 : 5);
  // Few values are their own best ticks.
  if (values.size() <= (wide ? 9u : 5u)) axis.ticks = values;
  axis.format = [](double v) { return format_count(std::round(v)); };
  axis.label = sweep.label;
  return axis;
}

std::vector<double> heights_of(const Lines& lines) {
  std::vector<double> values;
  for (const auto& [variant, places] : lines)
    for (const Place& place : places) {
      values.push_back(place.y);
      if (place.interval) values.insert(values.end(), {place.interval->low, place.interval->high});
    }
  return values;
}

/// In the order of `variants`, each thinner than the one before, so that equal ones are all seen.
void draw_lines(const PlotFrame& frame, const Sweep& sweep, const Lines& lines) {
  const Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto thinner = [&](std::size_t i) {
    return static_cast<float>(std::min<std::size_t>(i, 2));
  };
  for (std::size_t v = 0; v < sweep.variants.size(); ++v) {
    const VariantName& variant = sweep.variants[v];
    const auto found = lines.find(variant);
    if (found == lines.end()) continue;
    const auto& places = found->second;
    const ImU32 color = t.of_variant(variant);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Place& place = places[i];
      if (i)
        list.AddLine(frame.at(places[i - 1].x, places[i - 1].y), frame.at(place.x, place.y), color,
                     t.px(4.8f - 1.8f * thinner(v)));
      if (!place.interval) continue;
      const float at = frame.x(place.x);
      list.AddLine(ImVec2(at, frame.y(place.interval->low)),
                   ImVec2(at, frame.y(place.interval->high)), color, t.px(5));
    }
  }
  for (std::size_t v = 0; v < sweep.variants.size(); ++v)
    if (const auto found = lines.find(sweep.variants[v]); found != lines.end())
      for (const Place& place : found->second)
        draw_marker(list, sweep.variants[v], frame.at(place.x, place.y),
                    t.px(7.0f - 2.2f * thinner(v)), v == 0);
}

void draw_crossings(const PlotFrame& frame, const Sweep& sweep) {
  const Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const VariantName& variant : sweep.variants)
    for (const Crossover& one : crossovers(sweep.points, variant)) {
      list.AddRectFilled(ImVec2(frame.x(one.from), frame.top),
                         ImVec2(frame.x(one.to), frame.bottom),
                         faded(t.of_variant(variant), 0.10f));
      if (!one.at) continue;
      const float at = frame.x(*one.at);
      for (float y = frame.top; y < frame.bottom; y += t.px(9))
        list.AddLine(ImVec2(at, y), ImVec2(at, std::min(y + t.px(5), frame.bottom)),
                     t.of_variant(variant), t.px(1.6f));
      const std::string words = "crossover " + format_count(std::round(*one.at));
      const float width = text_width(t.font.label, words);
      draw_text(list, t.font.label, ImVec2(std::min(at + t.px(6), frame.right - width), frame.top),
                t.color.text, words);
    }
}

/// The numbers of the point nearest to the pointer.
void hover(const PlotFrame& frame, const Sweep& sweep, const Lines& lines, const Format& format) {
  if (!frame.hovered() || sweep.points.empty()) return;
  const Theme& t = theme();
  const float mouse = ImGui::GetMousePos().x;
  const auto distance = [&](const SweepPoint& point) {
    return std::abs(frame.x(static_cast<double>(point.value)) - mouse);
  };
  const SweepPoint& nearest =
      *std::min_element(sweep.points.begin(), sweep.points.end(),
                        [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  const float at = frame.x(static_cast<double>(nearest.value));
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at, frame.top), ImVec2(at, frame.bottom),
                                      faded(t.color.text, 0.35f));
  std::string words = sweep.label + " " + format_count(static_cast<double>(nearest.value)) + "  (" +
                      klab::to_string(nearest.size) + ")";
  for (const VariantName& variant : sweep.variants)
    if (const auto found = lines.find(variant); found != lines.end())
      for (const Place& place : found->second) {
        if (place.x != static_cast<double>(nearest.value)) continue;
        words += "\n" + variant_title(variant) + "  " + format(place.y);
        if (place.interval)
          words +=
              "  (" + format(place.interval->low) + " to " + format(place.interval->high) + ")";
      }
  if (nearest.error) words += "\n" + nearest.error->what;
  tooltip(words);
}

void draw_legend(const Sweep& sweep) {
  const Theme& t = theme();
  for (std::size_t i = 0; i < sweep.variants.size(); ++i) {
    if (i) ImGui::SameLine(0, t.px(18));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_marker(*ImGui::GetWindowDrawList(), sweep.variants[i],
                ImVec2(at.x + t.px(6), at.y + t.font.body->FontSize / 2), t.px(5));
    ImGui::Dummy(ImVec2(t.px(16), t.font.body->FontSize));
    ImGui::SameLine(0, t.px(2));
    text(t.font.body, t.color.soft, variant_title(sweep.variants[i]));
  }
}

void draw_times(const Sweep& sweep) {
  const Theme& t = theme();
  const Lines times = times_of(sweep), ratios = ratios_of(sweep);
  const Format seconds = [](double v) { return typeset(format_seconds(v)); };
  const Format ratio = [](double v) { return format_ratio(v); };
  const Card card("times");
  text(t.font.strong, t.color.text, "Time by " + sweep.label);
  gap(2);
  draw_legend(sweep);
  gap(6);
  {
    Axis y = log_axis(heights_of(times), 10, 6);
    y.format = seconds;
    const PlotFrame frame("time", x_axis(sweep), y, t.px(250));
    const PlotClip clip(frame);
    draw_crossings(frame, sweep);
    draw_lines(frame, sweep, times);
    hover(frame, sweep, times, seconds);
  }
  if (!ratios.empty()) {
    gap(8);
    text(t.font.label, t.color.faint,
         "Ratio of " + variant_title(sweep.variants.front()) + " to each: above 1x it is faster");
    std::vector<double> heights = heights_of(ratios);
    heights.push_back(1);
    Axis y = log_axis(heights, 2, 6);
    y.format = ratio;
    const PlotFrame frame("ratio", x_axis(sweep), y, t.px(180));
    const PlotClip clip(frame);
    ImGui::GetWindowDrawList()->AddLine(ImVec2(frame.left, frame.y(1)),
                                        ImVec2(frame.right, frame.y(1)), t.color.text, t.px(1.4f));
    draw_crossings(frame, sweep);
    draw_lines(frame, sweep, ratios);
    hover(frame, sweep, ratios, ratio);
  }
  gap(4);
  for (const VariantName& variant : sweep.variants)
    if (const std::string words = crossover_text(sweep, variant); !words.empty())
      text(t.font.strong, t.color.text, words, true);
}

void draw_counter(const Sweep& sweep, const std::string& name, bool legend) {
  const Metric* metric = find_metric(name);
  const Lines lines = counters_of(sweep, name);
  if (!metric || lines.empty()) return;
  const Theme& t = theme();
  gap(10);
  const Card card(name.c_str());
  text(t.font.strong, t.color.text, metric->label, true);
  tooltip(metric->meaning);
  gap(2);
  if (legend) draw_legend(sweep);
  const Format format = [metric](double v) { return typeset(format_value(v, metric->unit)); };
  Axis y = straight_axis(heights_of(lines), 4);
  y.format = [](double v) { return format_number(v); };
  const PlotFrame frame("counter", x_axis(sweep), y, t.px(170));
  const PlotClip clip(frame);
  draw_lines(frame, sweep, lines);
  hover(frame, sweep, lines, format);
}

/// What a sweep could vary here; only the size if the lab declares nothing more.
void draw_choice(const Model& model, Commands& commands) {
  const Lab* lab = model.lab();
  if (!lab || lab->parameters.empty()) return;
  gap(10);
  std::vector<std::string> labels{"Size (" + lab->dimensions[swept_dimension(lab->sizes.timing)] +
                                  ")"};
  std::size_t selected = 0;
  for (const Parameter& one : lab->parameters) {
    if (one.name == model.investigations.sweep.parameter) selected = labels.size();
    labels.push_back(capitalized(one.name));
  }
  if (const auto clicked = segments("parameter", labels, selected))
    commands.push_back(
        command::SetSweep{{.parameter = *clicked == 0 ? std::string(size_parameter)
                                                      : lab->parameters[*clicked - 1].name}});
}

}  // namespace

void draw_sweep(const Model& model, Commands& commands) {
  const Theme& t = theme();
  draw_choice(model, commands);
  const Investigation* found = investigation_frame(
      model, commands, InvestigationKind::sweep,
      {.title = "Nothing swept yet",
       .what = model.counts_only()
                   ? "Runs each kernel over a range of values, and shows its counters at each. "
                     "Times need a GPU."
                   : "Runs each kernel over a range of values, and shows its time and "
                     "counters at each and where the faster one begins to win.",
       .button = "Sweep"});
  if (!found) return;
  const auto* sweep = std::get_if<Sweep>(&found->found);
  if (!sweep || sweep->points.empty()) return;
  const bool timed = found->backend != Backend::simulator;
  if (timed) draw_times(*sweep);
  bool legend = !timed;
  for (const std::string& metric : sweep->metrics) {
    draw_counter(*sweep, metric, legend);
    legend = false;
  }
  gap(10);
  for (const SweepPoint& point : sweep->points)
    if (point.error)
      text(t.font.small, t.color.unsure,
           sweep->label + " " + format_count(static_cast<double>(point.value)) + ": " +
               point.error->what,
           true);
  for (const std::string& note : sweep->notes) text(t.font.small, t.color.faint, note, true);
}

}  // namespace klab::ui
