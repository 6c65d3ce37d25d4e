// The journal's rows: date, verdict, what happened, ratio.
#include <algorithm>

#include "core/journal/report.hpp"
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/journal_parts.hpp"

namespace klab::ui {
namespace {

constexpr float row_height = 34;

bool is_chosen(const JournalPage& journal, std::int64_t number) {
  return std::find(journal.chosen.begin(), journal.chosen.end(), number) != journal.chosen.end();
}

/// A box that adds the entry to the comparison or takes it out.
void draw_box(const JournalEntry& entry, bool chosen, ImVec2 at, Commands& commands) {
  const Theme& t = theme();
  ImGui::SetCursorScreenPos(at);
  if (area("beside", ImVec2(t.px(30), t.px(row_height))))
    commands.push_back(command::ChooseEntry{entry.number, true});
  tooltip("Choose two to compare them");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 center(at.x + t.px(16), at.y + t.px(row_height / 2));
  const ImVec2 low(center.x - t.px(7), center.y - t.px(7));
  const ImVec2 high(center.x + t.px(7), center.y + t.px(7));
  if (chosen) {
    list.AddRectFilled(low, high, t.color.accent_fill, t.px(4));
    const ImVec2 check[] = {ImVec2(center.x - t.px(3.5f), center.y),
                            ImVec2(center.x - t.px(1), center.y + t.px(3)),
                            ImVec2(center.x + t.px(4), center.y - t.px(3))};
    list.AddPolyline(check, 3, t.color.on_accent, 0, t.px(1.6f));
  } else {
    list.AddRect(low, high, item_hot() ? t.color.accent : faded(t.color.faint, 0.7f), t.px(4));
  }
}

/// Draws what the entry says from `x` to `right`.
void draw_words(const JournalPage& journal, const JournalEntry& entry, float x, float right,
                float middle) {
  const Theme& t = theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto put = [&](ImFont* font, ImU32 color, float at, const std::string& value) {
    draw_text(list, font, ImVec2(at, middle - font->FontSize / 2), color, value);
  };
  put(t.font.small, t.color.faint, x, short_date(entry.date));
  x += t.px(122);
  if (entry.verdict)
    draw_verdict_icon(list, *entry.verdict, passes_provisionally(entry.gates),
                      ImVec2(x + t.px(6), middle), t.px(12));
  x += t.px(22);
  if (entry.ratio) {
    const std::string ratio = format_ratio(entry.ratio->median);
    right -= text_width(t.font.strong, ratio) + t.px(8);
    put(t.font.strong, t.color.text, right, ratio);
  }
  if (journal.all_labs) {
    put(t.font.label, t.color.soft, x, entry.lab);
    x += text_width(t.font.label, entry.lab) + t.px(10);
  }
  const bool own =
      entry.kind == JournalEntry::Kind::attempt || entry.kind == JournalEntry::Kind::note;
  ImFont* font = entry.kind == JournalEntry::Kind::note ? t.font.italic
                 : own                                  ? t.font.body
                                                        : t.font.small;
  const std::string words =
      cut(font, journal.row_of(entry), std::max(right - x - t.px(12), t.px(20)));
  put(font, own ? t.color.text : t.color.soft, x, words);
}

void draw_row(const JournalPage& journal, const JournalEntry& entry, float width,
              Commands& commands) {
  const Theme& t = theme();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = t.px(row_height), box = t.px(30);
  const ImVec2 end(at.x + width, at.y + height);
  ImGui::PushID(static_cast<int>(entry.number));
  const bool chosen = is_chosen(journal, entry.number);
  ImGui::SetCursorScreenPos(ImVec2(at.x + box, at.y));
  if (area("row", ImVec2(width - box, height)))
    commands.push_back(command::ChooseEntry{entry.number, ImGui::GetIO().KeyCtrl});
  tooltip(journal.row_of(entry));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (chosen || item_hot())
    list.AddRectFilled(at, end, chosen ? t.color.accent_soft : faded(t.color.off, 0.12f), t.px(6));
  draw_box(entry, chosen, at, commands);
  draw_words(journal, entry, at.x + t.px(36), end.x, at.y + height / 2);
  ImGui::PopID();
  ImGui::SetCursorScreenPos(ImVec2(at.x, end.y));
}

}  // namespace

void draw_journal_list(const Model& model, Commands& commands, float height) {
  const Theme& t = theme();
  const JournalPage& journal = model.journal;
  const float needed = t.px(row_height) * static_cast<float>(journal.shown.size()) + t.px(16);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, t.px(10));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(t.px(6), t.px(8)));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, t.color.surface);
  ImGui::BeginChild("entries", ImVec2(0, std::min(height, needed)), ImGuiChildFlags_Border,
                    ImGuiWindowFlags_NavFlattened);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const float width = ImGui::GetContentRegionAvail().x;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(journal.shown.size()), t.px(row_height));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      draw_row(journal, journal.entries[journal.shown[static_cast<std::size_t>(i)]], width,
               commands);
  clipper.End();
  ImGui::PopStyleVar();
  ImGui::EndChild();
  text(t.font.small, t.color.faint,
       std::to_string(journal.shown.size()) + (journal.shown.size() == 1 ? " entry" : " entries") +
           ". Choose one to look at it, tick two to compare them.",
       true);
}

}  // namespace klab::ui
