// Diagnosis: what limits each kernel, with evidence, what it wastes, and what to try next.
#include <algorithm>

#include "core/base/text.hpp"
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/model/diagnosis_words.hpp"
#include "ui/pages/investigation_frame.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/markdown.hpp"
#include "ui/words/typeset.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

void draw_evidence(const char* id, const std::vector<EvidenceRow>& evidence) {
  const Theme& t = theme();
  if (evidence.empty() ||
      !ImGui::BeginTable(id, 4, ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings))
    return;
  float sources = 0;
  for (const EvidenceRow& row : evidence)
    sources = std::max(sources, text_width(t.font.small, to_string(row.source)));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.5f);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, t.px(104));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.0f);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, sources + t.px(4));
  for (const EvidenceRow& row : evidence) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    text(t.font.small, t.color.text, row.label, true);
    ImGui::TableNextColumn();
    const std::string value = typeset(format_value(row.value, row.unit));
    ImGui::SetCursorPosX(
        ImGui::GetCursorPosX() +
        std::max(0.0f, ImGui::GetContentRegionAvail().x - text_width(t.font.strong, value)));
    text(t.font.strong, t.color.text, value);
    ImGui::TableNextColumn();
    text(t.font.small, t.color.soft, row.says, true);
    ImGui::TableNextColumn();
    text(t.font.small, t.color.faint, to_string(row.source));
  }
  ImGui::EndTable();
}

void draw_class(const Diagnosis& diagnosis, const std::string& from, bool with_lacks) {
  const Theme& t = theme();
  const Card card("class");
  text(t.font.label, t.of_variant(diagnosis.variant), variant_title(diagnosis.variant) + from);
  text(t.font.title, t.color.text, diagnosis_title(diagnosis), true);
  gap(2);
  draw_prose(typeset(diagnosis.sentence), t.color.text);
  gap(6);
  draw_evidence("class evidence", diagnosis.evidence);
  if (diagnosis.confidence) {
    gap(8);
    const bool high = *diagnosis.confidence == Confidence::high;
    tag(std::string(to_string(*diagnosis.confidence)) + " confidence",
        high ? t.color.good : t.color.unsure, high ? t.color.good_soft : t.color.unsure_soft);
    ImGui::SameLine(0, t.px(10));
    text(t.font.small, t.color.soft, typeset(diagnosis.distance), true);
  }
  if (const std::string words = lacks_words(diagnosis); with_lacks && !words.empty()) {
    gap(6);
    draw_prose(words, t.color.faint, t.font.small);
  }
}

void draw_wastes(const Diagnosis& diagnosis) {
  const Theme& t = theme();
  if (diagnosis.wastes.empty()) return;
  gap(10);
  const Card card("waste");
  text(t.font.label, t.color.faint, "Work that the task does not need");
  for (std::size_t i = 0; i < diagnosis.wastes.size(); ++i) {
    const Waste& waste = diagnosis.wastes[i];
    gap(8);
    text(t.font.strong, t.color.bad, capitalized(waste.name));
    draw_prose(typeset(waste.sentence), t.color.text);
    gap(2);
    draw_evidence(("waste " + std::to_string(i)).c_str(), waste.evidence);
  }
}

void draw_experiments(const Diagnosis& diagnosis) {
  const Theme& t = theme();
  if (!diagnosis.withheld.empty()) {
    gap(10);
    draw_prose(plain_words(window_words(diagnosis.withheld)), t.color.faint, t.font.small);
  }
  if (diagnosis.experiments.empty()) return;
  gap(10);
  const Card card("experiments");
  text(t.font.label, t.color.faint, "Try next");
  int number = 0;
  for (const Experiment& experiment : diagnosis.experiments) {
    gap(6);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(*ImGui::GetWindowDrawList(), t.font.strong, ImVec2(at.x, at.y + t.px(4)),
              t.color.accent, std::to_string(++number));
    ImGui::Indent(t.px(22));
    draw_prose(window_words(experiment.act), t.color.text);
    draw_prose(experiment.expect, t.color.soft, t.font.small);
    ImGui::Unindent(t.px(22));
  }
}

void draw_kernel(const Model& model, const KernelFacts& facts, const std::string& from) {
  Diagnosis diagnosis = diagnose(facts);
  if (!advice_open(model)) diagnosis = without_experiments(std::move(diagnosis), model.lab()->slug);
  // What is known comes first: the simulator, which has no clock, knows waste and no class. That is
  // said once; every counter it lacks follows from it.
  if (!facts.simulated) draw_class(diagnosis, from, true);
  draw_wastes(diagnosis);
  draw_experiments(diagnosis);
  if (facts.simulated) {
    if (!diagnosis.wastes.empty()) gap(10);
    draw_class(diagnosis, from, false);
  }
  gap(10);
}

/// The variant that is looked at: the learner's where there is one, until another is chosen.
const KernelFacts& chosen(const StallReport& report) {
  const Theme& t = theme();
  std::vector<std::string> titles;
  std::size_t mine = 0;
  for (const KernelFacts& facts : report.facts) {
    if (facts.variant == VariantName::mine) mine = titles.size();
    titles.push_back(variant_title(facts.variant));
  }
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("variant");
  auto selected = static_cast<std::size_t>(storage.GetInt(id, static_cast<int>(mine)));
  if (selected >= titles.size()) selected = mine;
  if (titles.size() > 1) {
    if (const auto clicked = segments("variants", titles, selected)) {
      selected = *clicked;
      storage.SetInt(id, static_cast<int>(selected));
    }
    ImGui::Dummy(ImVec2(0, t.px(4)));
  }
  return report.facts[selected];
}

/// What the counters of the last check tell, before anything more was asked.
void draw_last_check(const Model& model) {
  const Run* run = model.run();
  if (!run || !run->result || model.running()) return;
  const KernelFacts facts = facts_from(*run->result, VariantName::mine);
  if (facts.counters.empty()) return;
  gap(10);
  draw_kernel(model, facts, ", from the counters of the last check");
}

}  // namespace

void draw_why(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const std::string words = summary(diagnose(facts_from(*model.run()->result, VariantName::mine)));
  if (words.empty()) return;
  const Card card("why");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 more = button_size("Diagnosis", {.kind = ButtonKind::quiet});
  const float indent = text_width(t.font.label, "Why") + t.px(12);
  const float room = ImGui::GetContentRegionAvail().x;
  const float width = room - indent - more.x - t.px(12);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  // Sentence and button share their middle line.
  const float tall = draw_wrapped(nullptr, t.font.body, at, t.color.text, typeset(words), width);
  const float height = std::max(tall, more.y);
  const float top = at.y + (height - tall) / 2;
  draw_text(list, t.font.label, ImVec2(at.x, top + t.font.body->Ascent - t.font.label->Ascent),
            t.color.faint, "Why");
  draw_wrapped(&list, t.font.body, ImVec2(at.x + indent, top), t.color.text, typeset(words), width);
  ImGui::Dummy(ImVec2(room, height));  // the card is as tall as the taller of both
  ImGui::SetCursorScreenPos(ImVec2(at.x + room - more.x, at.y + (height - more.y) / 2));
  if (button("diagnosis", "Diagnosis", {.kind = ButtonKind::quiet}))
    commands.push_back(command::ShowPage{Page::diagnosis});
}

void draw_diagnosis(const Model& model, Commands& commands) {
  const bool simulated = model.counts_only();
  // The simulator has nothing to sample: what its last check counted is all there is to see.
  if (simulated && !model.investigation(InvestigationKind::stalls)) draw_last_check(model);
  const Investigation* found = investigation_frame(
      model, commands, InvestigationKind::stalls,
      {.title = "Not diagnosed yet",
       .what = simulated ? "Counts what flawed, mine and optimized do, and says what of it the "
                           "task does not need. What warps wait for only a GPU can show."
                         : "Samples what the warps of each kernel wait for, line by line, and "
                           "names the class of the bottleneck with its evidence and the two "
                           "experiments to try next.",
       .button = "Diagnose the kernels"});
  if (!found) {
    if (!simulated) draw_last_check(model);
    return;
  }
  const auto& report = std::get<StallReport>(found->found);
  if (report.facts.empty()) return;
  const KernelFacts& facts = chosen(report);
  draw_kernel(model, facts, facts.simulated ? ", simulated counts" : "");
  draw_stalls(model, commands, *found, facts.variant);
}

}  // namespace klab::ui
