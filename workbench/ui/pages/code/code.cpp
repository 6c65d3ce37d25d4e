// Code: mine, flawed and optimized, with the compiler's messages at their lines, what each line
// costs, and what it became.
#include <algorithm>

#include "ui/look/widgets.hpp"
#include "ui/pages/code/listing_view.hpp"
#include "ui/pages/code/parts.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/code_view.hpp"
#include "ui/text/markdown.hpp"
#include "ui/text/text_editor.hpp"

namespace klab::ui {
namespace {

/// A listing stands beside the source from this width on, below it in a narrower region.
constexpr float listing_beside_above = 760;

/// Messages that point into `file`, by its name: compilers print the path they were given. Those of
/// the shown text replace those of the last build.
std::vector<CompilerMessage> messages_in(const Model& model, const CodeFile& file) {
  std::vector<CompilerMessage> own;
  if (file.variant != VariantName::mine) return own;
  const FactsState& facts = model.page.state.facts;
  const bool fresh =
      facts.found && (!facts.found->error || facts.found->error->code == ErrorCode::build_failed);
  for (const CompilerMessage& message : fresh ? facts.found->messages : model.page.messages)
    if (std::filesystem::path(message.file).filename() == file.path.filename())
      own.push_back(message);
  return own;
}

void draw_absent(const Model& model, const CodeFile& file, Commands& commands) {
  const Theme& t = theme();
  gap(24);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (file.variant == VariantName::optimized)
    draw_icon(*ImGui::GetWindowDrawList(), Icon::lock, ImVec2(at.x + t.px(10), at.y + t.px(10)),
              t.px(18), t.color.faint);
  const float indent = t.px(32);
  if (file.variant == VariantName::optimized) ImGui::Indent(indent);
  draw_prose(file.absent, t.color.soft);
  if (file.variant == VariantName::mine &&
      model.entry()->progress.status == LabStatus::not_started) {
    gap(10);
    if (button("start", "Start this lab",
               {.kind = ButtonKind::primary, .icon = Icon::play, .key = "F5"}))
      commands.push_back(command::StartLab{});
  }
  if (file.variant == VariantName::optimized) {
    draw_give_up(model, commands);
    ImGui::Unindent(indent);
  }
}

void draw_path(const Model& model, const CodeFile& file, Commands& commands) {
  const Theme& t = theme();
  const std::string path = file.path.lexically_relative(model.lab()->root).string();
  const float path_width = text_width(t.font.mono, path) + t.px(34);
  ImGui::SameLine();
  const float room = ImGui::GetContentRegionMax().x - ImGui::GetCursorPosX();
  if (room > path_width) {
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - path_width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(*ImGui::GetWindowDrawList(), t.font.mono,
              ImVec2(at.x, at.y + (t.px(30) - t.font.mono->FontSize) / 2), t.color.faint, path);
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - t.px(30));
  }
  if (icon_button("copy", Icon::copy, "Copy the file's full path, to open it in your editor")) {
    ImGui::SetClipboardText(file.path.c_str());
    commands.push_back(command::Notify{"Path copied. Save the file and it is checked again."});
  }
}

void begin_frame(const char* id, ImVec2 size) {
  const Theme& t = theme();
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, t.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, t.color.surface);
  ImGui::BeginChild(id, size, ImGuiChildFlags_Border, ImGuiWindowFlags_NavFlattened);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

/// A line that was clicked is the chosen one while a listing is open.
void choose_line(const Model& model, std::optional<int> line, Commands& commands) {
  CodeView view = model.page.state.view;
  if (!line || !view.listing || *line == view.line) return;
  view.line = *line;
  commands.push_back(command::SetCodeView{std::move(view)});
}

bool is_edited(const Model& model, const CodeFile& file) {
  return file.variant == VariantName::mine && model.replaying.empty();
}

void draw_editor(const Model& model, EditorMarks& marks, Commands& commands) {
  const CodeView& view = model.page.state.view;
  marks.take_caret = fulfil(model, Wish::code, commands);
  EditorResult result = text_editor("editor", model.page.document, marks);
  const bool in_bar = view.finding || view.going_to_line;
  if (result.escaped && in_bar)
    close_bar(model, commands);
  else if (result.escaped)
    leave_editor();
  // What makes room comes back only behind a click that it would move away from the pointer.
  const bool left = (!result.editing || result.escaped) && !in_bar && !ImGui::IsMouseDown(0);
  if (result.keyed && !model.window.typing) commands.push_back(command::SetTyping{true});
  if (left && model.window.typing) commands.push_back(command::SetTyping{false});
  if (!result.acts.empty()) commands.push_back(command::EditCode{std::move(result.acts)});
}

void draw_source(const Model& model, const CodeFile& file, const HeatColumn& heat,
                 std::span<const CompilerMessage> messages, const std::vector<TextMatch>& matches,
                 Commands& commands) {
  const LabPage& page = model.page;
  EditorMarks marks{.messages = messages, .goto_line = page.goto_line, .matches = matches};
  if (page.state.view.listing) marks.chosen_line = page.state.view.line;
  if (page.state.view.finding)
    marks.current_match = current_match(matches.size(), page.state.view.match);
  marks.gutter_width = heat_width(heat);
  if (!heat.unit.empty())
    marks.draw_gutter = [&](ImDrawList& list, int number, ImVec2 at, float height) {
      draw_heat(list, heat, number, at, height);
    };
  if (is_edited(model, file)) return draw_editor(model, marks, commands);
  choose_line(model, code_view(file.variant.shown().c_str(), file.text, marks), commands);
}

void draw_source_and_listing(const Model& model, const CodeFile& file, const HeatColumn& heat,
                             const std::vector<TextMatch>& matches, Commands& commands) {
  const Theme& t = theme();
  ImVec2 room(ImGui::GetContentRegionAvail().x, ImGui::GetContentRegionAvail().y - t.px(14));
  const std::vector<CompilerMessage> messages = messages_in(model, file);
  const CompilerMessage* told = is_edited(model, file) ? message_told(model, messages) : nullptr;
  if (told) room.y -= message_height(*told, room.x) + t.px(4);
  const bool listed = model.page.state.view.listing.has_value();
  const bool beside = listed && room.x >= t.px(listing_beside_above);
  const float space = t.px(8);
  const ImVec2 part = !listed  ? room
                      : beside ? ImVec2((room.x - space) / 2, room.y)
                               : ImVec2(room.x, (room.y - space) / 2);
  begin_frame("frame", part);
  draw_source(model, file, heat, messages, matches, commands);
  ImGui::EndChild();
  if (listed) {
    if (beside) ImGui::SameLine(0, space);
    begin_frame("listing frame", part);
    draw_listing(model, file, commands);
    ImGui::EndChild();
  }
  if (!told) return;
  gap(4);
  draw_message(model, *told, commands);
}

/// Room for three texts side by side, by the columns of code that each can show.
bool has_room_for_three() {
  constexpr float fewest_characters = 48;
  return ImGui::GetContentRegionAvail().x >=
         3 * fewest_characters * text_width(theme().font.mono, "0");
}

/// Whether three texts are wanted where two are easier to read.
bool choose_three(const Model& model, Commands& commands) {
  CodeView view = model.page.state.view;
  if (const auto clicked =
          segments("beside", {"Mine, optimized", "All three"}, view.all_beside ? 1 : 0)) {
    view.all_beside = *clicked == 1;
    commands.push_back(command::SetCodeView{view});
  }
  return view.all_beside;
}

/// Flawed, mine, and optimized where it is open; without much room the last two.
void draw_comparison(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const LabPage& page = model.page;
  const KernelFiles& files = *page.kernels;
  const bool open = files.optimized.absent.empty();
  const bool with_flawed = !open || has_room_for_three() || choose_three(model, commands);
  const HeatColumn flawed = heat_column(model, files.flawed);
  const HeatColumn mine = heat_column(model, files.mine);
  const HeatColumn optimized = heat_column(model, files.optimized);
  std::vector<ComparedCode> texts = {
      {files.flawed.title, files.flawed.text, faded(t.color.flawed, 0.14f), &flawed},
      {files.mine.title, shown_text(page, files.mine), t.color.accent_soft, &mine}};
  if (open)
    texts.push_back({files.optimized.title, files.optimized.text, t.color.good_soft, &optimized});
  if (!with_flawed) texts.erase(texts.begin());
  begin_frame("frame", ImVec2(0, -t.px(14)));
  code_comparison("comparison", texts);
  ImGui::EndChild();
}

}  // namespace

void draw_code(const Model& model, Commands& commands) {
  const Theme& t = theme();
  const LabPage& page = model.page;
  if (!page.kernels) return;
  const bool comparing = page.shown_code == CodeChoice::side_by_side;
  const auto files = page.kernels->all();
  const auto shown = static_cast<std::size_t>(page.shown_code);
  const CodeFile& file = *files[comparing ? 0 : shown];
  std::vector<std::string> titles;
  for (const CodeFile* one : files) titles.push_back(one->title);
  if (model.can_compare_code()) titles.push_back("Side by side");
  gap(10);
  if (const auto clicked = segments("variants", titles, shown))
    commands.push_back(command::ShowCode{static_cast<CodeChoice>(*clicked)});
  if (!file.absent.empty()) return draw_absent(model, file, commands);
  if (page.draft && file.variant == VariantName::mine) {
    ImGui::SameLine(0, t.px(12));
    if (button("save", page.changed_on_disk ? "Save, keep both" : "Save", {.key = "Ctrl+S"}))
      commands.push_back(command::SaveCode{});
  }
  draw_path(model, file, commands);
  const bool edited = !comparing && is_edited(model, file);
  if (!edited && model.window.typing) commands.push_back(command::SetTyping{false});
  const bool all = !(edited && only_code_fits(model));
  if (all) draw_facts(model, file, commands);
  if (comparing) {
    gap(4);
    return draw_comparison(model, commands);
  }
  const HeatColumn heat = heat_column(model, file);
  if (all) draw_code_tools(model, file, heat, commands);
  const std::vector<TextMatch> matches =
      page.state.view.finding ? find_all(shown_text(page, file), page.state.view.needle)
                              : std::vector<TextMatch>();
  draw_bar(model, matches, commands);
  gap(4);
  draw_source_and_listing(model, file, heat, matches, commands);
}

}  // namespace klab::ui
