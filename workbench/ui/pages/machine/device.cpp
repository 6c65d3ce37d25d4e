// Device: facts, what the driver reports right now, ceilings, and what is not permitted here.
#include <algorithm>
#include <cmath>

#include "core/base/text.hpp"
#include "core/journal/report.hpp"
#include "core/measure/format.hpp"
#include "ui/look/plot_frame.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/investigation_frame.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/markdown.hpp"
#include "ui/words/typeset.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

int drawn_in_frame = -1;

void row(const char* name, const std::string& value) {
  if (value.empty()) return;
  const Theme& t = theme();
  text(t.font.body, t.color.soft, name);
  ImGui::SameLine(t.px(300));
  text(t.font.body, t.color.text, value, true);
}

std::string capacity(std::int64_t bytes) {
  return bytes > 0 ? format_capacity(static_cast<double>(bytes)) : std::string();
}

void draw_facts(const Model& model) {
  const Theme& t = theme();
  const Card card("facts");
  if (!model.machine.device) {
    text(t.font.title, t.color.text, model.machine.error ? "No device" : "Looking for a device");
    if (model.machine.error) draw_prose(window_words(*model.machine.error), t.color.bad);
    return;
  }
  const DeviceFacts& device = *model.machine.device;
  text(t.font.title, t.color.text, printable(device.name), true);
  gap(4);
  row("Compute capability", format_capability(device.compute_capability) +
                                (device.chip.empty() ? "" : " (" + printable(device.chip) + ")"));
  row("Driver", printable(device.driver));
  row("Multiprocessors",
      device.multiprocessors > 0 ? std::to_string(device.multiprocessors) : std::string());
  row("Memory", capacity(device.memory_bytes));
  row("L2 cache", capacity(device.l2_bytes));
  row("Shared memory per multiprocessor", capacity(device.shared_per_multiprocessor_bytes));
  row("Registers per multiprocessor",
      device.registers_per_multiprocessor > 0
          ? format_count(static_cast<double>(device.registers_per_multiprocessor))
          : std::string());
  if (device.simulated)
    text(t.font.body, t.color.soft,
         "There is no GPU here: kernels run on the simulator, which counts what addresses and "
         "control flow decide and has no clocks, power or temperature. On a machine with a CUDA "
         "GPU this page shows them live.",
         true);
}

using Reading = std::optional<double> record::DeviceSample::*;

/// One live value: what it is, its number, and its last minute.
struct Gauge {
  const char* name;
  Reading value;
  double scale;      ///< from the record's unit to the shown one
  const char* unit;  ///< with a space before it
  Reading most;      ///< the upper end; nullptr: `high`
  double high;
};

constexpr Gauge gauges[] = {
    {"SM clock", &record::DeviceSample::sm_clock_mhz, 1, " MHz",
     &record::DeviceSample::sm_clock_most_mhz, 0},
    {"Memory clock", &record::DeviceSample::memory_clock_mhz, 1, " MHz", nullptr, 0},
    {"Power", &record::DeviceSample::power_w, 1, " W", &record::DeviceSample::power_limit_w, 0},
    {"Temperature", &record::DeviceSample::temperature_c, 1, " °C", nullptr, 100},
    {"Memory in use", &record::DeviceSample::memory_used_bytes, 1.0 / (1 << 30), " GiB",
     &record::DeviceSample::memory_total_bytes, 0},
    {"Busy", &record::DeviceSample::busy_pct, 1, " %", nullptr, 100}};

std::string whole(double value) { return format_count(static_cast<double>(std::llround(value))); }

void draw_gauge(const Gauge& gauge, const std::vector<record::DeviceSample>& samples) {
  const Theme& t = theme();
  std::vector<double> values;
  double high = gauge.high;
  for (const record::DeviceSample& sample : samples)
    if (const auto value = sample.*gauge.value) {
      values.push_back(*value);
      if (gauge.high == 0) high = std::max(high, *value);
    }
  text(t.font.label, t.color.faint, gauge.name);
  std::string words(missing_text);
  if (!values.empty()) words = whole(values.back() * gauge.scale) + gauge.unit;
  std::string of;
  if (gauge.most && !samples.empty())
    if (const auto most = samples.back().*gauge.most) {
      of = " of " + whole(*most * gauge.scale);
      high = std::max(high, *most);
    }
  text(t.font.title, t.color.text, words);
  if (!of.empty()) {
    ImGui::SameLine(0, 0);
    text(t.font.body, t.color.faint, of);
  }
  ImGui::PushID(gauge.name);
  plot_recent("recent", values, 0, high, t.px(34), t.color.accent);
  ImGui::PopID();
}

void draw_throttling(const record::DeviceSample& latest) {
  const Theme& t = theme();
  gap(6);
  if (latest.throttle_reasons.empty())
    text(t.font.body, t.color.good, "Nothing holds the clock down.");
  for (const std::string& reason : latest.throttle_reasons)
    text(t.font.body, t.color.unsure, throttle_sentence(printable(reason)), true);
}

void draw_live(const Model& model) {
  const Theme& t = theme();
  const DeviceReport& report = model.machine.report;
  if (!model.machine.device || model.machine.device->simulated) return;
  gap(10);
  const Card card("live");
  text(t.font.strong, t.color.text, "Right now");
  if (model.running() || (!report.samples.empty() && report.samples.back().held)) {
    ImGui::SameLine(0, t.px(10));
    text(t.font.body, t.color.faint, "paused: asking the driver would disturb what is measured");
  }
  gap(4);
  if (!model.replaying.empty())
    return text(t.font.body, t.color.soft, "A recording is replayed: nothing is live.");
  if (report.problem) return draw_prose(window_words(*report.problem), t.color.unsure);
  std::vector<record::DeviceSample> samples;
  for (const record::DeviceSample& sample : report.samples)
    if (!sample.held) samples.push_back(sample);
  if (samples.empty()) return text(t.font.body, t.color.soft, "Asking the driver …");
  const float width = ImGui::GetContentRegionAvail().x;
  const int columns = width > t.px(560) ? 3 : width > t.px(340) ? 2 : 1;
  if (ImGui::BeginTable("gauges", columns, ImGuiTableFlags_SizingStretchSame)) {
    for (const Gauge& gauge : gauges) {
      ImGui::TableNextColumn();
      draw_gauge(gauge, samples);
    }
    ImGui::EndTable();
  }
  draw_throttling(samples.back());
}

/// The page's key counts unless something else has the keyboard.
bool measure_key(const Model& model) {
  const ImGuiIO& io = ImGui::GetIO();
  return !io.WantTextInput && !io.KeyCtrl && !io.KeyAlt && !model.window.help_open &&
         !model.window.asking_prediction && ImGui::IsKeyPressed(ImGuiKey_M, false);
}

void draw_values(const Ceilings& ceilings) {
  const Theme& t = theme();
  for (const CeilingInfo& info : ceiling_catalogue()) {
    const auto value = ceilings.value(info.name);
    text(t.font.body, t.color.soft, info.label);
    tooltip(info.meaning);
    const std::string words =
        value ? typeset(format_value(value, info.unit)) : std::string("not measured here");
    ImFont* font = value ? t.font.strong : t.font.body;
    ImGui::SameLine(ImGui::GetContentRegionMax().x - text_width(font, words));
    text(font, value ? t.color.text : t.color.faint, words);
  }
}

/// The button that measures, and its key.
void draw_measure_button(const Model& model, bool first, Commands& commands) {
  gap(6);
  const bool free = !model.running();
  const bool pressed = button("measure", first ? "Measure" : "Measure again",
                              {.kind = first ? ButtonKind::primary : ButtonKind::secondary,
                               .icon = Icon::play,
                               .key = "M",
                               .enabled = free});
  if (pressed || (free && measure_key(model))) commands.push_back(command::MeasureCeilings{});
}

void draw_ceilings(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const DeviceReport& report = model.machine.report;
  const Ceilings ceilings = model.ceilings();
  const bool replayed = !model.replaying.empty();
  if (replayed && ceilings.values.empty()) return;
  gap(10);
  const Card card("ceilings");
  text(t.font.strong, t.color.text, "What this device was measured to do at best");
  if (!ceilings.date.empty()) {
    const std::string date = short_date(ceilings.date) + " UTC";
    text(t.font.small, t.color.faint, replayed ? "recorded, " + date : date, true);
  }
  gap(4);
  if (!model.machine.device || model.machine.device->simulated)
    return text(t.font.body, t.color.soft,
                "The bytes and operations that a GPU manages in a second can be measured only on "
                "one: the simulator has no clock.",
                true);
  if (replayed) return draw_values(ceilings);
  for (const auto* problem : {&report.ceilings_problem, &model.machine.measuring_problem})
    if (*problem) draw_prose(window_words(**problem), t.color.bad);
  if (const auto& run = model.machine.measuring) {
    draw_under_way(run->text, model.now_s - run->began_s, run->canceling, commands);
    gap(4);
  }
  if (!ceilings.values.empty())
    draw_values(ceilings);
  else if (!model.machine.measuring)
    text(t.font.body, t.color.soft,
         "Not measured yet. It takes some seconds, once; the first check does it too.", true);
  if (!model.machine.measuring) draw_measure_button(model, ceilings.values.empty(), commands);
}

void draw_permissions(const Model& model) {
  const Theme& t = theme();
  if (model.machine.report.health.empty()) return;
  gap(10);
  const Card card("permissions");
  text(t.font.strong, t.color.text, "What works and what is permitted");
  gap(4);
  for (const HealthCheck& check : model.machine.report.health) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_icon(*ImGui::GetWindowDrawList(),
              icon_of(check.works ? Outcome::pass : Outcome::inconclusive),
              ImVec2(at.x + t.px(8), at.y + t.font.body->FontSize / 2), t.px(14),
              check.works ? t.color.good : t.color.unsure);
    ImGui::Indent(t.px(26));
    text(t.font.body, t.color.text, printable(check.what), true);
    if (!check.remedy.empty()) draw_prose(window_words(check.remedy), t.color.soft);
    ImGui::Unindent(t.px(26));
  }
}

}  // namespace

bool device_page_visible() { return drawn_in_frame == ImGui::GetFrameCount(); }

void draw_device(const Model& model, Commands& commands) {
  drawn_in_frame = ImGui::GetFrameCount();
  gap(10);
  draw_facts(model);
  draw_live(model);
  draw_ceilings(model, commands);
  draw_permissions(model);
}

}  // namespace klab::ui
