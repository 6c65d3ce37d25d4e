// Code, bars: find, replace, and the line to go to.
#include <imgui.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "ui/edit/characters.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/code/parts.hpp"
#include "ui/text/text_field.hpp"

namespace klab::ui {
namespace {

/// On the middle of the field before it.
void words_beside(std::string_view words, ImU32 ink) {
  const Theme& t = theme();
  ImGui::SameLine(0, t.px(10));
  const float top = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(top + (ImGui::GetFrameHeight() - t.font.small->FontSize) / 2);
  text(t.font.small, ink, words);
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosY(top);
  ImGui::Dummy(ImVec2(0, 0));
}

/// The next item of the line stands behind the field that was drawn at `at` before others.
void stand_behind(ImVec2 at, float width) {
  ImGui::SetCursorPos(at);
  ImGui::Dummy(ImVec2(width, ImGui::GetFrameHeight()));
}

bool is_mine(const Model& model) {
  const CodeFile* file = shown_file(model.page);
  return file && file->variant == VariantName::mine && model.replaying.empty();
}

ByteRange bytes_of(std::string_view text, const TextMatch& match) {
  const std::size_t from = line_offset(text, match.line);
  return {from + match.begin, from + match.end};
}

/// Shows a match, and selects it where the text can be edited.
void show_match(const Model& model, const TextMatch& match, CodeView& view, Commands& commands) {
  view.reveal = match.line;
  if (!is_mine(model)) return;
  const ByteRange range = bytes_of(model.page.document.text(), match);
  commands.push_back(command::EditCode{{edit::Select{range.begin, range.end}}});
}

/// The first match from where the caret's selection begins, or from the first line.
int first_match(const Model& model, const std::vector<TextMatch>& matches) {
  if (!is_mine(model)) return 0;
  const TextDocument& document = model.page.document;
  const auto from = document.selection().from();
  const auto at = std::find_if(matches.begin(), matches.end(), [&](const TextMatch& match) {
    return bytes_of(document.text(), match).begin >= from;
  });
  return at == matches.end() ? 0 : static_cast<int>(at - matches.begin());
}

void step(const Model& model, const std::vector<TextMatch>& matches, int by, CodeView view,
          Commands& commands) {
  const auto current = current_match(matches.size(), view.match + by);
  if (!current) return;
  view.match = static_cast<int>(*current);
  show_match(model, matches[*current], view, commands);
  commands.push_back(command::SetCodeView{std::move(view)});
}

void look_for(const Model& model, std::string needle, CodeView view, Commands& commands) {
  view.needle = std::move(needle);
  const auto found = find_all(shown_text(model.page, *shown_file(model.page)), view.needle);
  view.match = first_match(model, found);
  if (!found.empty())
    show_match(model, found[static_cast<std::size_t>(view.match)], view, commands);
  commands.push_back(command::SetCodeView{std::move(view)});
}

/// Puts the replacement where the current match is, and shows the next one.
void replace_one(const Model& model, const std::vector<TextMatch>& matches, CodeView view,
                 Commands& commands) {
  const auto current = current_match(matches.size(), view.match);
  if (!current) return;
  TextDocument after = model.page.document;
  const ByteRange range = bytes_of(after.text(), matches[*current]);
  const EditAct act = edit::Replace{range.begin, range.end, view.replacement};
  after.apply(act);
  EditActs acts{act};
  const auto left = find_all(after.text(), view.needle);
  const auto next = std::find_if(left.begin(), left.end(), [&](const TextMatch& match) {
    return bytes_of(after.text(), match).begin >= after.caret();
  });
  view.match = next == left.end() ? 0 : static_cast<int>(next - left.begin());
  if (!left.empty()) {
    const TextMatch& match = left[static_cast<std::size_t>(view.match)];
    const ByteRange bytes = bytes_of(after.text(), match);
    acts.push_back(edit::Select{bytes.begin, bytes.end});
  }
  commands.push_back(command::EditCode{std::move(acts)});
  commands.push_back(command::SetCodeView{std::move(view)});
}

std::string count_words(const std::vector<TextMatch>& matches, const CodeView& view) {
  const auto current = current_match(matches.size(), view.match);
  if (current) return std::to_string(*current + 1) + " of " + std::to_string(matches.size());
  return view.needle.empty() ? "Enter: next" : "not found";
}

/// The field alone: Tab leads from what is found to what replaces it, and only then to buttons.
TextFieldResult draw_replacement(const Model& model, float width, Commands& commands) {
  CodeView view = model.page.state.view;
  const TextFieldResult field =
      text_field("##replace", view.replacement, {.hint = "Replace with", .width = width});
  if (field.changed) commands.push_back(command::SetCodeView{std::move(view)});
  if (field.escaped) close_bar(model, commands);
  return field;
}

void draw_replace_buttons(const Model& model, const std::vector<TextMatch>& matches,
                          const TextFieldResult& field, Commands& commands) {
  const Theme& t = theme();
  const CodeView& view = model.page.state.view;
  const bool any = !matches.empty();
  ImGui::SameLine(0, t.px(10));
  const bool one = button("replace one", "Replace", {.kind = ButtonKind::quiet, .enabled = any});
  ImGui::SameLine(0, t.px(4));
  if (button("replace all", "All", {.kind = ButtonKind::quiet, .enabled = any}))
    commands.push_back(command::EditCode{{edit::ReplaceAll{view.needle, view.replacement}}});
  if (any && (one || field.entered)) replace_one(model, matches, view, commands);
}

void draw_find(const Model& model, const std::vector<TextMatch>& matches, bool take,
               Commands& commands) {
  const Theme& t = theme();
  const CodeView view = model.page.state.view;
  std::string needle = view.needle;
  const float width = std::min(t.px(230), ImGui::GetContentRegionAvail().x * 0.4f);
  const bool replacing = view.replacing && is_mine(model);
  const ImVec2 first = ImGui::GetCursorPos();
  const TextFieldResult field =
      text_field("##find", needle, {.hint = "Find", .width = width, .take = take});
  const ImVec2 second = ImGui::GetCursorPos();
  const TextFieldResult replacement =
      replacing ? draw_replacement(model, width, commands) : TextFieldResult();
  stand_behind(first, width);
  if (field.escaped)  // which takes back what was typed; it stays for the next time
    close_bar(model, commands);
  else if (field.changed)
    look_for(model, needle, view, commands);
  else if (field.entered)
    step(model, matches, ImGui::GetIO().KeyShift ? -1 : 1, view, commands);
  const ImU32 ink = matches.empty() && !view.needle.empty() ? t.color.bad : t.color.soft;
  words_beside(count_words(matches, view), ink);
  ImGui::SameLine(0, t.px(10));
  const ButtonLook look{.kind = ButtonKind::quiet, .enabled = !matches.empty()};
  if (button("previous", "Previous", look)) step(model, matches, -1, view, commands);
  ImGui::SameLine(0, t.px(4));
  if (button("next", "Next", look)) step(model, matches, 1, view, commands);
  ImGui::SameLine(0, t.px(4));
  if (icon_button("close find", Icon::close, "Close (Esc)")) close_bar(model, commands);
  if (!replacing) return;
  stand_behind(second, width);
  draw_replace_buttons(model, matches, replacement, commands);
}

/// Of `text`, whose last line is meant by every larger number; 0 if there is none in `digits`.
int line_in(const std::string& digits, std::string_view text) {
  const int last = line_number(text, text.size());
  int line = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  return read.ec == std::errc::result_out_of_range ? last : std::min(line, last);
}

void draw_go_to_line(const Model& model, bool take, Commands& commands) {
  const Theme& t = theme();
  CodeView view = model.page.state.view;
  const TextFieldResult field =
      text_field("##line", view.line_wanted,
                 {.hint = "Line", .width = t.px(110), .take = take, .digits = true});
  words_beside("Enter: go there", t.color.soft);
  if (field.escaped) return close_bar(model, commands);
  if (field.entered) {
    const int line = line_in(view.line_wanted, shown_text(model.page, *shown_file(model.page)));
    view.going_to_line = false;
    view.line_wanted.clear();
    if (line > 0) view.reveal = view.line = line;
    commands.push_back(command::SetCodeView{std::move(view)});
    if (is_mine(model)) commands.push_back(command::EditMine{});
  } else if (field.changed) {
    commands.push_back(command::SetCodeView{std::move(view)});
  }
}

/// What is selected within a line is looked for.
std::string selected_words(const Model& model) {
  const std::string_view selected = model.page.document.selected();
  const bool one_line = selected.find_first_of("\r\n") == std::string_view::npos;
  return is_mine(model) && one_line ? std::string(selected) : std::string();
}

}  // namespace

void close_bar(const Model& model, Commands& commands) {
  CodeView view = model.page.state.view;
  view.finding = view.replacing = view.going_to_line = false;
  view.line_wanted.clear();
  commands.push_back(command::SetCodeView{std::move(view)});
  if (is_mine(model)) commands.push_back(command::EditMine{});
}

void open_bar(const Model& model, CodeBar bar, Commands& commands) {
  CodeView view = model.page.state.view;
  view.finding = bar != CodeBar::line;
  view.replacing = bar == CodeBar::replace;
  view.going_to_line = bar == CodeBar::line;
  view.line_wanted.clear();
  view.take_keyboard = true;
  if (model.window.reading_page != Page::code || model.window.shown_page != Page::code)
    commands.push_back(command::ShowPage{Page::code});
  if (const std::string words = selected_words(model); view.finding && !words.empty())
    return look_for(model, words, std::move(view), commands);
  commands.push_back(command::SetCodeView{std::move(view)});
}

void draw_bar(const Model& model, const std::vector<TextMatch>& matches, Commands& commands) {
  const CodeView& view = model.page.state.view;
  const bool take = fulfil(model, Wish::code_bar, commands);
  if (!view.finding && !view.going_to_line) return;
  gap(4);
  if (view.finding)
    draw_find(model, matches, take, commands);
  else
    draw_go_to_line(model, take, commands);
}

void take_code_keys(const Model& model, Commands& commands) {
  if (!shown_file(model.page)) return;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); };
  if (pressed(ImGuiKey_F)) open_bar(model, CodeBar::find, commands);
  if (pressed(ImGuiKey_H)) open_bar(model, CodeBar::replace, commands);
  if (pressed(ImGuiKey_G)) open_bar(model, CodeBar::line, commands);
  if (!pressed(ImGuiKey_P)) return;
  CodeView view = model.page.state.view;
  if (!view.listing)
    view.listing = ListingKind::ptx;
  else if (*view.listing == ListingKind::ptx)
    view.listing = ListingKind::sass;
  else
    view.listing.reset();
  commands.push_back(command::SetCodeView{std::move(view)});
}

}  // namespace klab::ui
