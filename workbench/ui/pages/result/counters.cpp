// Counters: the variants side by side, coloured by direction, each with its meaning and its source.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"
#include "core/verdict/lookup.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/words/typeset.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

const std::array<VariantName, 3> columns = {VariantName::flawed, VariantName::mine,
                                            VariantName::optimized};

using ByVariant = std::map<VariantName, Counters>;

const CauseTarget* target_of(const Lab& lab, std::string_view metric) {
  const auto at = std::find_if(lab.pass().causes.begin(), lab.pass().causes.end(),
                               [&](const CauseTarget& cause) { return cause.metric == metric; });
  return at == lab.pass().causes.end() ? nullptr : &*at;
}

std::string missing_words(const CounterValue& counter) {
  return plain_words(window_words(words_of(counter.reason)));
}

std::string words_for(const Model& model, const Metric& metric, const CounterValue* mine,
                      const CauseTarget* cause, const std::string& command) {
  std::string words = std::string(metric.label) + ". " + std::string(metric.meaning);
  if (metric.better != Direction::neither)
    words += metric.better == Direction::lower ? " Lower is better." : " Higher is better.";
  if (metric.ideal) words += " Ideal: " + typeset(format_value(metric.ideal, metric.unit)) + ".";
  for (const Term* term : terms_in(model.glossary, metric.label))
    words += "\n\n" + term->forms.front() + ": " + term->meaning;
  if (cause && !cause->why.empty()) words += "\n\nIn this lab: " + cause->why + ".";
  if (!metric.try_next.empty() && advice_open(model))
    words += "\n\n" + std::string(metric.try_next);
  if (mine && !mine->value && !mine->reason.empty())
    words += "\n\nNot obtained: " + missing_words(*mine);
  if (mine && mine->value) words += "\n\nSource: " + std::string(to_string(mine->source)) + ".";
  if (!command.empty()) words += "\n\nA click or Space copies: " + command;
  return words;
}

/// Large counts with a prefix, so that a column stays narrow: "17.04 M sectors". A `tight` table
/// leaves out what the label says: which thing was counted.
std::string short_value(std::optional<double> value, std::string_view unit, bool tight) {
  if (!is_count(unit) || !value) return typeset(format_value(value, unit));
  const std::string thing = tight || unit.empty() ? "" : " " + std::string(unit);
  const double size = std::abs(*value);
  if (size < 1e5) return format_value(value, tight ? "" : unit);
  const auto [factor, prefix] = size >= 1e9   ? std::pair(1e9, " G")
                                : size >= 1e6 ? std::pair(1e6, " M")
                                              : std::pair(1e3, " k");
  return format_number(*value / factor) + prefix + thing;
}

std::string value_words(const Metric& metric, const CounterValue& value, const CounterValue* flawed,
                        bool tight) {
  std::string words = short_value(value.value, metric.unit, tight);
  if (flawed != &value && direction(metric, flawed, &value) != 0)
    words = (*value.value < *flawed->value ? "↓ " : "↑ ") + words;
  return words;
}

void draw_value(const Metric& metric, const CounterValue* value, const CounterValue* flawed,
                bool strong, bool tight) {
  const Theme& t = theme();
  const float room = ImGui::GetContentRegionAvail().x;
  if (!value || !value->value) {
    if (!value) return;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() +
                         std::max(0.0f, room - text_width(t.font.small, missing_text)));
    text(t.font.small, t.color.faint, missing_text);
    return tooltip(missing_words(*value));
  }
  const int better = direction(metric, flawed, value);
  const ImU32 ink = better > 0 ? t.color.good : better < 0 ? t.color.bad : t.color.text;
  const std::string words = value_words(metric, *value, flawed, tight);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImFont* font = strong ? t.font.strong : t.font.small;
  ImGui::SetCursorScreenPos(ImVec2(at.x + std::max(0.0f, room - text_width(font, words)), at.y));
  text(font, ink, words);
  tooltip(typeset(format_value(value->value, metric.unit)) + ", " +
          std::string(to_string(value->source)));
}

void draw_row(const Model& model, const Metric& metric, const ByVariant& counters, bool tight,
              Commands& commands) {
  const Theme& t = theme();
  const std::string name(metric.name);
  const CauseTarget* cause = target_of(*model.lab(), metric.name);
  const CounterValue* flawed = find_counter(counters, VariantName::flawed, name);
  const CounterValue* mine = find_counter(counters, VariantName::mine, name);
  const std::string chip = model.machine.device && !model.machine.device->chip.empty()
                               ? model.machine.device->chip
                               : "GH100";
  const std::string command = metric.cupti.empty() ? "" : ncu_command(metric, chip);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(name.c_str());
  ImFont* font = cause ? t.font.strong : t.font.small;
  const float height = text_height(font, metric.label, width);
  if (area("metric", ImVec2(width, height + t.px(6))) && !command.empty()) {
    ImGui::SetClipboardText(command.c_str());
    commands.push_back(command::Notify{"Copied: " + command});
  }
  const bool hot = item_hot();
  tooltip(words_for(model, metric, mine, cause, command));
  ImGui::PopID();
  draw_wrapped(ImGui::GetWindowDrawList(), font, ImVec2(at.x, at.y + t.px(cause ? 1 : 2)),
               hot ? t.color.accent : t.color.text, metric.label, width);
  for (const VariantName& variant : columns) {
    ImGui::TableNextColumn();
    draw_value(metric, find_counter(counters, variant, name), flawed,
               cause && variant == VariantName::mine, tight);
  }
  ImGui::TableNextColumn();
  if (cause) {
    const bool met = mine && mine->value && cause->target.holds(*mine->value);
    text(t.font.small,
         !mine || !mine->value ? t.color.soft
         : met                 ? t.color.good
                               : t.color.bad,
         typeset(format_bound(cause->target, "")));  // the values beside it have the unit
  }
  if (tight) return;
  ImGui::TableNextColumn();
  const CounterValue* any = mine ? mine : flawed;
  if (any && any->value) text(t.font.small, t.color.faint, to_string(any->source));
}

/// Whether a kernel counts another value than the flawed one, or one where that has none. With one
/// kernel alone there is nothing to hold it against.
bool differs(const ByVariant& counters, const std::string& metric) {
  const CounterValue* flawed = find_counter(counters, VariantName::flawed, metric);
  int others = 0;
  for (const VariantName& variant : {VariantName::mine, VariantName::optimized}) {
    const CounterValue* value = find_counter(counters, variant, metric);
    if (!value) continue;
    ++others;
    if (!value->value) continue;
    if (!flawed || !flawed->value) return true;
    if (has_moved(*flawed->value, *value->value)) return true;
  }
  return others == 0;
}

bool known(const ByVariant& counters, std::string_view metric) {
  return std::any_of(counters.begin(), counters.end(), [&](const auto& variant) {
    return variant.second.contains(std::string(metric));
  });
}

/// Room for the widest number of any variant, so that none is cut off.
float number_width(const Lab& lab, const ByVariant& counters, bool tight) {
  const Theme& t = theme();
  float widest = text_width(t.font.label, "Optimized");
  for (const auto& [variant, values] : counters)
    for (const auto& [name, value] : values) {
      const Metric* metric = find_metric(name);
      if (!metric || !value.value) continue;
      const bool strong = variant == VariantName::mine && target_of(lab, name) != nullptr;
      widest = std::max(
          widest,
          text_width(strong ? t.font.strong : t.font.small,
                     value_words(*metric, value, find_counter(counters, VariantName::flawed, name),
                                 tight)));
    }
  return widest + t.px(2);
}

/// A tight table has no column for the sources: values name theirs when pointed at.
bool begin_table(const Lab& lab, const ByVariant& counters, bool tight) {
  const Theme& t = theme();
  if (!ImGui::BeginTable("counters", tight ? 5 : 6,
                         ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings))
    return false;
  const float number = number_width(lab, counters, tight);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  for (int i = 0; i < 3; ++i) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, number);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, t.px(52));
  if (!tight)
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed,
                            text_width(t.font.small, "measured") + t.px(2));
  return true;
}

void draw_heads(bool tight) {
  const Theme& t = theme();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (const VariantName& variant : columns) {
    ImGui::TableNextColumn();
    const std::string title = variant_title(variant);
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() +
                         std::max(0.0f, room - text_width(t.font.label, title)));
    text(t.font.label, t.of_variant(variant), title);
  }
  for (const char* title : {"Target", "Source"}) {
    if (tight && title == std::string("Source")) break;
    ImGui::TableNextColumn();
    text(t.font.label, t.color.faint, title);
  }
}

}  // namespace

void draw_counters(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const Run& run = *model.run();
  const ByVariant& counters = run.result ? run.result->counters : run.counters;
  if (std::none_of(counters.begin(), counters.end(),
                   [](const auto& v) { return !v.second.empty(); }))
    return;
  const Card card("counters");
  const bool simulated = run.result && run.result->backend == Backend::simulator;
  text(t.font.label, t.color.faint,
       simulated ? "What the simulator counted" : "What the hardware did");
  text(
      t.font.small, t.color.faint,
      "Point at a counter, or go to it with the arrows, for what it means; a click or Space copies "
      "the ncu command that shows it.",
      true);
  gap(4);
  const bool tight = ImGui::GetContentRegionAvail().x < t.px(640);
  if (!begin_table(*model.lab(), counters, tight)) return;
  draw_heads(tight);
  // What proves this lab's cause first, then what differs by group, and what does not last.
  for (const Metric& metric : metric_catalogue())
    if (target_of(*model.lab(), metric.name) && known(counters, metric.name))
      draw_row(model, metric, counters, tight, commands);
  for (const bool moved : {true, false}) {
    std::string_view group;
    for (const Metric& metric : metric_catalogue()) {
      if (target_of(*model.lab(), metric.name) || !known(counters, metric.name)) continue;
      if (differs(counters, std::string(metric.name)) != moved) continue;
      const std::string_view heading = moved ? metric.group : "the same for all kernels";
      if (heading != group) {
        group = heading;
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        gap(12);
        text(t.font.label, t.color.faint, capitalized(group));
      }
      draw_row(model, metric, counters, tight, commands);
    }
  }
  ImGui::EndTable();
}

}  // namespace klab::ui
