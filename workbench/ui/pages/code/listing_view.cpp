// CodeListingView: only the visible lines are drawn.
#include "ui/pages/code/listing_view.hpp"

#include <algorithm>

#include "ui/look/code_lines.hpp"
#include "ui/look/widgets.hpp"
#include "ui/text/code_view.hpp"
#include "ui/text/markdown.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

void draw_state(const ListingState* state) {
  const Theme& t = theme();
  gap(14);
  ImGui::Indent(t.px(14));
  const float room = ImGui::GetContentRegionAvail().x - t.px(14);
  if (state && state->error) {
    text(t.font.strong, t.color.text, state->error->what, true, room);
    gap(4);
    draw_prose(window_words(state->error->remedy), t.color.soft);
  } else {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_icon(*ImGui::GetWindowDrawList(), Icon::spinner, ImVec2(at.x + t.px(8), at.y + t.px(9)),
              t.px(16), t.color.soft);
    ImGui::Indent(t.px(24));
    text(t.font.body, t.color.soft, "Building the file to list it.");
    ImGui::Unindent(t.px(24));
  }
  ImGui::Unindent(t.px(14));
}

/// Bytes of `line` that stand for an instruction's name, for its colour: "ld.global.f32", "FMUL".
std::pair<std::size_t, std::size_t> mnemonic(std::string_view line, ListingKind kind) {
  std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {0, 0};
  // The address stands first.
  if (kind == ListingKind::sass)
    begin = line.find_first_not_of(' ', std::min(line.find(' ', begin), line.size()));
  if (begin != std::string_view::npos && line[begin] == '@')
    begin = line.find_first_not_of(" \t", std::min(line.find(' ', begin), line.size()));
  if (begin == std::string_view::npos || begin >= line.size()) return {0, 0};
  return {begin, std::min(line.find_first_of(" \t;", begin), line.size())};
}

void draw_line(ImDrawList& list, const ListingLine& line, ListingKind kind, ImVec2 at) {
  const Theme& t = theme();
  const std::string shown = lines_of(line.text).front();
  const std::string_view text = shown;
  if (line.is_head || !line.source_line)
    return draw_text(list, t.font.mono, at, line.is_head ? t.color.text : t.color.faint, text);
  const auto [begin, end] = mnemonic(text, kind);
  float x = at.x;
  const auto piece = [&](std::size_t from, std::size_t to, ImU32 color) {
    const std::string_view part = text.substr(from, to - from);
    draw_text(list, t.font.mono, ImVec2(x, at.y), color, part);
    x += text_width(t.font.mono, part);
  };
  piece(0, begin, t.color.faint);
  piece(begin, end, t.color.code_keyword);
  piece(end, text.size(), t.color.text);
}

/// Scrolls to the first line of the chosen source line, once after it was chosen.
void follow(const CodeListing& listing, int chosen, float height) {
  if (!once_changed("followed", chosen)) return;
  const auto at = std::find_if(listing.lines.begin(), listing.lines.end(),
                               [&](const ListingLine& line) { return line.source_line == chosen; });
  if (at == listing.lines.end()) return;
  const float y = static_cast<float>(at - listing.lines.begin()) * height;
  const float top = ImGui::GetScrollY(), room = ImGui::GetWindowHeight();
  if (y < top || y + height > top + room) ImGui::SetScrollY(std::max(0.0f, y - room / 3));
}

}  // namespace

void draw_listing(const Model& model, const CodeFile& file, Commands& commands) {
  const CodeState& code = model.page.state;
  if (!code.view.listing) return;
  const auto at = std::find_if(code.listings.begin(), code.listings.end(), [&](const auto& entry) {
    return entry.first.variant == file.variant && entry.first.kind == *code.view.listing;
  });
  const ListingState* state = at == code.listings.end() ? nullptr : &at->second;
  if (!state || !state->found) return draw_state(state);
  const Theme& t = theme();
  const CodeListing& listing = *state->found;
  ImGui::BeginChild("listing", ImVec2(0, 0), 0,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = code_line_height();
  const float gutter = text_width(t.font.mono, "0000") + t.px(20);
  follow(listing, code.view.line, height);
  gap(8);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float left = ImGui::GetWindowPos().x, right = left + ImGui::GetWindowWidth();
  float widest = 0;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(listing.lines.size()), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const ListingLine& line = listing.lines[static_cast<std::size_t>(i)];
      const ImVec2 row(origin.x, origin.y + height * static_cast<float>(i));
      widest = std::max(widest, text_width(t.font.mono, line.text));
      if (line.source_line && *line.source_line == code.view.line)
        list.AddRectFilled(ImVec2(left, row.y), ImVec2(right, row.y + height),
                           faded(t.color.accent, 0.10f));
      if (line.source_line) {
        const std::string label = std::to_string(*line.source_line);
        draw_text(list, t.font.mono,
                  ImVec2(row.x + gutter - t.px(14) - text_width(t.font.mono, label), row.y),
                  faded(t.color.faint, 0.8f), label);
      }
      draw_line(list, line, listing.kind, ImVec2(row.x + gutter, row.y));
      if (line.source_line && ImGui::IsWindowHovered() &&
          ImGui::IsMouseHoveringRect(ImVec2(left, row.y), ImVec2(right, row.y + height)) &&
          ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        CodeView view = code.view;
        view.line = *line.source_line;
        view.reveal = view.line;
        commands.push_back(command::SetCodeView{std::move(view)});
      }
    }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy(ImVec2(gutter + widest + t.px(40),
                      height * static_cast<float>(listing.lines.size()) + t.px(16)));
  ImGui::EndChild();
}

}  // namespace klab::ui
