// RooflinePlot: roofs first, then ridges, then the kernels and the arrows between them.
#include "ui/pages/investigations/roofline_plot.hpp"

#include <algorithm>
#include <cmath>

#include "core/measure/format.hpp"
#include "ui/look/plot_frame.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/model.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

constexpr MemoryLevel roofed_levels[] = {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::l1};

std::string brief_level(MemoryLevel level) {
  return level == MemoryLevel::dram ? "Memory" : level == MemoryLevel::l2 ? "L2" : "L1";
}

std::string of_level(MemoryLevel level) {
  if (level == MemoryLevel::requested) return "requested byte";
  return level == MemoryLevel::dram ? "byte of device memory"
                                    : "byte from the " + brief_level(level);
}

/// A label on a patch of the surface's colour, so that lines behind it do not cross the letters.
void draw_label(ImDrawList& list, ImVec2 at, ImU32 color, const std::string& words) {
  const Theme& t = theme();
  const float width = text_width(t.font.label, words), line = t.font.label->FontSize;
  list.AddRectFilled(ImVec2(at.x - t.px(3), at.y - t.px(1)),
                     ImVec2(at.x + width + t.px(3), at.y + line + t.px(1)),
                     faded(t.color.surface, 0.88f), t.px(3));
  draw_text(list, t.font.label, at, color, words);
}

/// The unit whose roof the kernels are held against: that of the first that has operations.
Arithmetic unit_of(const Roofline& roofline) {
  for (const RooflineKernel& kernel : roofline.kernels)
    if (const auto unit = main_arithmetic(roofline.ceilings, kernel)) return *unit;
  return Arithmetic::fp32;
}

struct Extent {
  std::vector<double> x, y;
};

/// What must be on the plot at whatever level, so that switching levels moves points, not axes.
Extent extent_of(const Roofline& roofline, Arithmetic unit) {
  Extent all;
  for (const MemoryLevel level : roofed_levels) {
    if (const auto meet = ridge(roofline.ceilings, level, unit)) all.x.push_back(*meet);
    for (const RooflineKernel& kernel : roofline.kernels)
      if (const auto here = intensity(kernel, level)) all.x.push_back(*here);
  }
  for (const RooflineKernel& kernel : roofline.kernels)
    if (const auto rate = flop_rate(kernel)) all.y.push_back(*rate);
  for (const Arithmetic one : all_arithmetic)
    if (const auto roof = arithmetic_roof(roofline.ceilings, one); roof.rate)
      all.y.push_back(*roof.rate);
  const double lowest = all.x.empty() ? 1 : *std::min_element(all.x.begin(), all.x.end());
  if (!all.x.empty()) {
    // Room for the labels of the roofs at either end.
    all.x.push_back(std::max(lowest, 1e-3) / 8);
    all.x.push_back(*std::max_element(all.x.begin(), all.x.end()) * 30);
  }
  if (!all.y.empty()) all.y.push_back(*std::max_element(all.y.begin(), all.y.end()) / 1e3);
  return all;
}

/// Beside the line, on the side where no kernel can be; the labels of close lines stand one above
/// the other.
void label_memory_roof(ImDrawList& list, const PlotFrame& frame, double rate, double low_x, int row,
                       const std::string& words, ImU32 color) {
  const Theme& t = theme();
  const float line = t.font.label->FontSize, width = text_width(t.font.label, words);
  float y = frame.bottom - static_cast<float>(row + 1) * (line + t.px(7)) - t.px(10);
  float x = frame.x(frame.value_at(y + line / 2) / rate) - t.px(8) - width;
  if (x < frame.left + t.px(4)) {
    x = frame.left + t.px(6);
    y = std::min(y, frame.y(low_x * rate) - line - t.px(6));
  }
  draw_label(list, ImVec2(x, y), color, words);
}

void draw_memory_roofs(ImDrawList& list, const PlotFrame& frame, const Roofline& roofline,
                       MemoryLevel shown, double low_x, double top) {
  const Theme& t = theme();
  for (const bool strong : {false, true})
    for (const MemoryLevel level : roofed_levels) {
      const Roof roof = memory_roof(roofline.ceilings, level);
      if (!roof.rate || strong != (level == shown)) continue;
      list.AddLine(frame.at(low_x, low_x * *roof.rate), frame.at(top / *roof.rate, top),
                   strong ? t.color.text : faded(t.color.faint, 0.75f), t.px(strong ? 2.2f : 1.2f));
    }
  int row = 0;
  for (const MemoryLevel level : roofed_levels) {
    const Roof roof = memory_roof(roofline.ceilings, level);
    if (!roof.rate) continue;
    label_memory_roof(list, frame, *roof.rate, low_x, row++,
                      brief_level(level) + "  " + format_bytes_per_s(roof.rate),
                      level == shown ? t.color.text : t.color.faint);
  }
}

/// The main roof's label first; one that would cover another stands left of it, as a name alone.
void label_arithmetic_roofs(ImDrawList& list, const PlotFrame& frame, const Roofline& roofline,
                            Arithmetic main) {
  const Theme& t = theme();
  const float line = t.font.label->FontSize + t.px(3);
  std::vector<ImVec2> taken;  // where labels begin
  const auto place = [&](Arithmetic unit) {
    const Roof roof = arithmetic_roof(roofline.ceilings, unit);
    if (!roof.rate) return;
    const float y = frame.y(*roof.rate) - line, edge = frame.right - t.px(4);
    float right = edge;
    for (const ImVec2& one : taken)
      if (std::abs(one.y - y) < line) right = std::min(right, one.x - t.px(12));
    std::string words(roof.label);
    if (right == edge) words += "  " + format_flop_per_s(roof.rate);
    taken.emplace_back(right - text_width(t.font.label, words), y);
    draw_label(list, taken.back(), unit == main ? t.color.text : t.color.faint, words);
  };
  place(main);
  for (const Arithmetic unit : all_arithmetic)
    if (unit != main) place(unit);
}

void draw_arithmetic_roofs(ImDrawList& list, const PlotFrame& frame, const Roofline& roofline,
                           Arithmetic main, MemoryLevel level) {
  const Theme& t = theme();
  const Roof memory = memory_roof(roofline.ceilings, level);
  for (const Arithmetic unit : all_arithmetic) {
    const Roof roof = arithmetic_roof(roofline.ceilings, unit);
    if (!roof.rate) continue;
    const bool strong = unit == main;
    const float y = frame.y(*roof.rate);
    const float from = memory.rate ? frame.x(*roof.rate / *memory.rate) : frame.left;
    list.AddLine(ImVec2(from, y), ImVec2(frame.right, y),
                 strong ? t.color.text : faded(t.color.faint, 0.75f), t.px(strong ? 2.2f : 1.2f));
  }
  label_arithmetic_roofs(list, frame, roofline, main);
}

/// A word about the ridge under the pointer, or nothing.
std::string draw_ridge(ImDrawList& list, const PlotFrame& frame, const Roofline& roofline,
                       MemoryLevel level, Arithmetic unit) {
  const Theme& t = theme();
  const auto meet = ridge(roofline.ceilings, level, unit);
  const Roof roof = arithmetic_roof(roofline.ceilings, unit);
  if (!meet || !roof.rate) return {};
  const ImVec2 at = frame.at(*meet, *roof.rate);
  for (float y = at.y; y < frame.bottom; y += t.px(8))
    list.AddLine(ImVec2(at.x, y), ImVec2(at.x, std::min(y + t.px(3), frame.bottom)),
                 faded(t.color.faint, 0.8f));
  list.AddCircle(at, t.px(5), t.color.text, 20, t.px(1.6f));
  const std::string words = "ridge " + format_number(meet);
  draw_label(list, ImVec2(at.x + t.px(5), frame.bottom - t.font.label->FontSize - t.px(5)),
             t.color.soft, words);
  const ImVec2 mouse = ImGui::GetMousePos();
  if (std::hypot(mouse.x - at.x, mouse.y - at.y) > t.px(12)) return {};
  return "Ridge: at " + format_number(meet) + " flop per " + of_level(level) +
         " both roofs allow the same. Left of it memory limits, right of it arithmetic.";
}

void draw_arrow(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color) {
  const Theme& t = theme();
  const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  const float clear = t.px(12);
  if (length < 2.5f * clear) return;
  const ImVec2 step(dx / length, dy / length);
  const ImVec2 begin(from.x + step.x * clear, from.y + step.y * clear);
  const ImVec2 end(to.x - step.x * clear, to.y - step.y * clear);
  list.AddLine(begin, end, color, t.px(1.8f));
  const float head = t.px(8);
  const ImVec2 back(end.x - step.x * head, end.y - step.y * head);
  const ImVec2 side(-step.y * head * 0.5f, step.x * head * 0.5f);
  list.AddTriangleFilled(end, ImVec2(back.x + side.x, back.y + side.y),
                         ImVec2(back.x - side.x, back.y - side.y), color);
}

std::string kernel_words(const Roofline& roofline, const RooflineKernel& kernel, MemoryLevel level,
                         Arithmetic unit) {
  const auto here = intensity(kernel, level);
  std::string words =
      variant_title(kernel.variant) + ": " + format_number(here) + " flop per " + of_level(level);
  if (const auto rate = flop_rate(kernel)) {
    words += "\n" + format_flop_per_s(rate) + " in " + typeset(format_seconds(kernel.seconds));
    const auto most = attainable(roofline.ceilings, level, unit, here.value_or(0));
    if (most && *most > 0)
      words += "\n" + format_percent(100 * *rate / *most) + " of the " + format_flop_per_s(most) +
               " that the roofs allow here";
  }
  return words;
}

std::string draw_kernels(ImDrawList& list, const PlotFrame& frame, const Roofline& roofline,
                         MemoryLevel level, Arithmetic unit) {
  const Theme& t = theme();
  std::string words;
  std::optional<ImVec2> before;
  std::vector<std::pair<const RooflineKernel*, ImVec2>> places;
  for (const RooflineKernel& kernel : roofline.kernels) {
    const auto here = intensity(kernel, level), rate = flop_rate(kernel);
    if (!here || !rate) continue;
    ImVec2 at = frame.at(*here, *rate);
    // A kernel without operations has no place on logarithmic axes: it stands in the corner.
    at.x = std::clamp(at.x, frame.left + t.px(8), frame.right - t.px(8));
    at.y = std::clamp(at.y, frame.top + t.px(8), frame.bottom - t.px(8));
    if (before) draw_arrow(list, *before, at, t.color.soft);
    before = at;
    places.emplace_back(&kernel, at);
  }
  const ImVec2 mouse = ImGui::GetMousePos();
  for (const auto& [kernel, at] : places) {
    draw_marker(list, kernel->variant, at, t.px(7));
    if (std::hypot(mouse.x - at.x, mouse.y - at.y) < t.px(13))
      words = kernel_words(roofline, *kernel, level, unit);
  }
  return words;
}

}  // namespace

void plot_roofline(const char* id, const Roofline& roofline, MemoryLevel level, float height) {
  const Arithmetic unit = unit_of(roofline);
  const Extent all = extent_of(roofline, unit);
  const bool wide = ImGui::GetContentRegionAvail().x > theme().px(460);
  Axis x = log_axis(all.x, 10, wide ? 8 : 5), y = log_axis(all.y, 10, 6);
  x.format = [](double v) { return format_number(v); };
  y.format = [](double v) { return format_flop_per_s(v); };
  x.label = "flop per " + of_level(level);
  const PlotFrame frame(id, x, y, height);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const PlotClip clip(frame);
  double top = 0;
  for (const Arithmetic one : all_arithmetic)
    top = std::max(top, arithmetic_roof(roofline.ceilings, one).rate.value_or(0));
  draw_memory_roofs(list, frame, roofline, level, x.low, top > 0 ? top : y.high);
  draw_arithmetic_roofs(list, frame, roofline, unit, level);
  std::string words = draw_ridge(list, frame, roofline, level, unit);
  if (const auto about = draw_kernels(list, frame, roofline, level, unit); !about.empty())
    words = about;
  if (frame.hovered()) tooltip(words);
}

void plot_intensities(const char* id, const Roofline& roofline, MemoryLevel level, float height) {
  const Theme& t = theme();
  std::vector<double> values;
  for (const RooflineKernel& kernel : roofline.kernels)
    if (const auto here = intensity(kernel, level)) values.push_back(*here);
  std::optional<double> task;
  if (roofline.least_flops && roofline.least_bytes && *roofline.least_bytes > 0)
    task = *roofline.least_flops / *roofline.least_bytes;
  if (task) values.push_back(*task);
  if (!values.empty()) {
    values.push_back(*std::max_element(values.begin(), values.end()) * 3);
    values.push_back(std::max(*std::min_element(values.begin(), values.end()), 1e-3) / 3);
  }
  Axis x = log_axis(values, 10, 8);
  x.format = [](double v) { return format_number(v); };
  x.label = "flop per " + of_level(level) + ", counted";
  const PlotFrame frame(id, x, Axis{}, height);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const PlotClip clip(frame);
  if (task) {
    const float at = frame.x(*task);
    list.AddLine(ImVec2(at, frame.top), ImVec2(at, frame.bottom), t.color.faint, t.px(1.6f));
    const std::string words = "the task's least bytes: " + format_number(task);
    const float width = text_width(t.font.label, words);
    draw_label(list, ImVec2(std::min(at + t.px(6), frame.right - width), frame.top), t.color.soft,
               words);
  }
  float y = frame.top + t.px(26);
  const float step =
      std::max(t.px(20), (frame.bottom - y) / static_cast<float>(roofline.kernels.size() + 1));
  for (const RooflineKernel& kernel : roofline.kernels) {
    y += step * 0.8f;
    const auto here = intensity(kernel, level);
    if (!here) continue;
    const float at = std::clamp(frame.x(*here), frame.left + t.px(8), frame.right - t.px(8));
    list.AddLine(ImVec2(at, frame.top), ImVec2(at, frame.bottom),
                 faded(t.of_variant(kernel.variant), 0.6f), t.px(2));
    draw_marker(list, kernel.variant, ImVec2(at, y), t.px(6.5f));
    const std::string words = variant_title(kernel.variant) + "  " + format_number(here);
    const float width = text_width(t.font.label, words);
    const bool left = at + t.px(12) + width > frame.right;
    draw_label(list,
               ImVec2(left ? at - t.px(14) - width : at + t.px(12), y - t.font.label->FontSize / 2),
               t.color.text, words);
  }
}

}  // namespace klab::ui
