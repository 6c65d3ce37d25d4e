// Typing in the window: where keys go, and what comes back.
#include <imgui.h>
#include <imgui_internal.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "core/course/workbook.hpp"
#include "ui/pages/opened.hpp"
#include "ui/pages/panels.hpp"

namespace klab::ui {

TEST_CASE("The first Ctrl+G takes its number, and none of it lands in the kernel",
          "[ui][editing]") {
  Opened window;
  window.keys("F4");
  window.keys("Ctrl+G");
  window.type("17");
  CHECK(window.view().line_wanted == "17");
  window.keys("Enter");
  CHECK(window.text() == window.saved);
  CHECK_FALSE(window.view().going_to_line);
  CHECK(window.page().document.line() == 17);
  window.type("x");  // the caret went along, and has the keyboard
  CHECK(window.page().document.line() == 17);
  CHECK(window.text() != window.saved);
}

TEST_CASE("A number beyond the last line leads to the last line", "[ui][editing]") {
  for (const char* number : {"99999", "4294967295", "99999999999999999999"}) {
    Opened window;
    window.keys("F4 Ctrl+G");
    window.type(number);
    window.keys("Enter");
    CAPTURE(number);
    const std::string& text = window.text();
    const auto lines = std::count(text.begin(), text.end(), '\n');
    CHECK(window.page().document.line() == lines + 1);
    CHECK(window.view().line == lines + 1);
  }
}

TEST_CASE("Keys that arrive in one frame count in their order, with what was held for each",
          "[ui][editing]") {
  Opened window;
  window.keys("F4");
  // Ctrl+A, then h: no Ctrl+H, which opens the bar, though Ctrl went up just before.
  window.at_once({{ImGuiKey_LeftCtrl, '+'},
                  {ImGuiKey_A, '+'},
                  {ImGuiKey_A, '-'},
                  {ImGuiKey_LeftCtrl, '-'},
                  {ImGuiKey_H, '+'},
                  {ImGuiKey_None, 'h'},
                  {ImGuiKey_I, '+'},
                  {ImGuiKey_H, '-'},
                  {ImGuiKey_None, 'i'},
                  {ImGuiKey_I, '-'}});
  CHECK(window.text() == "hi");
  CHECK_FALSE(window.view().finding);
  // Ctrl is let go before the letter is, and the next key goes down before the last is up.
  window.at_once({{ImGuiKey_LeftCtrl, '+'},
                  {ImGuiKey_A, '+'},
                  {ImGuiKey_LeftCtrl, '-'},
                  {ImGuiKey_A, '-'},
                  {ImGuiKey_None, 'a'},
                  {ImGuiKey_None, 'b'},
                  {ImGuiKey_Backspace, '+'},
                  {ImGuiKey_LeftArrow, '+'},
                  {ImGuiKey_Backspace, '-'},
                  {ImGuiKey_LeftArrow, '-'},
                  {ImGuiKey_None, 'c'}});
  CHECK(window.text() == "ca");
  CHECK(window.model().window.zoom == 1);
}

TEST_CASE("The first Ctrl+F takes what is typed; Esc closes it, and the caret is at the match",
          "[ui][editing]") {
  Opened window;
  window.keys("F4 Ctrl+F");
  window.type("launch");
  CHECK(window.view().needle == "launch");
  CHECK(window.page().document.selected() == "launch");
  window.keys("Enter");
  window.keys("Escape");
  CHECK_FALSE(window.view().finding);
  CHECK(window.view().needle == "launch");
  CHECK(window.text() == window.saved);
  window.type("x");
  CHECK(window.text().size() == window.saved.size() - 5);
}

TEST_CASE("Ctrl+F gives the open bar the keyboard, and Esc in the code closes the bar first",
          "[ui][editing]") {
  Opened window;
  window.keys("Ctrl+F");
  window.type("row");
  window.session.apply(command::EditMine{});
  window.settle();
  window.keys("Ctrl+F");
  window.type("gain");
  CHECK(window.view().needle == "gain");
  CHECK(window.text() == window.saved);
  window.session.apply(command::EditMine{});
  window.settle();
  window.keys("Escape");
  CHECK_FALSE(window.view().finding);
  CHECK(ImGui::GetIO().WantTextInput);  // the code still has the keyboard
  window.keys("Escape");
  window.settle();
  CHECK_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_CASE("Every bar takes its keys whichever was open before", "[ui][editing]") {
  Opened window;
  window.keys("F4");
  for (int round = 0; round < 3; ++round)
    for (const char* chord : {"Ctrl+G", "Ctrl+F", "Ctrl+H"}) {
      window.keys(chord);
      window.type("7");
    }
  window.keys("Escape");
  CHECK(window.text() == window.saved);
}

TEST_CASE("Replacing goes from match to match, or all at once, and can be undone",
          "[ui][editing]") {
  Opened window;
  window.session.apply(typed_over("row row rows\n"));
  window.keys("Ctrl+H");
  window.type("row");
  window.keys("Tab");
  window.type("line");
  REQUIRE(window.view().replacement == "line");
  window.keys("Enter");
  CHECK(window.text() == "line row rows\n");
  window.keys("Enter");
  CHECK(window.text() == "line line rows\n");
  window.session.apply(command::EditCode{{edit::ReplaceAll{"line", "row"}}});
  CHECK(window.text() == "row row rows\n");
  window.keys("F4 Ctrl+Z");
  CHECK(window.text() == "line line rows\n");
}

TEST_CASE("An emoji and bytes that are not UTF-8 are found in the kernel, and replaced",
          "[ui][editing]") {
  Opened window;
  window.session.apply(typed_over("// caf\xE9 😀\n// caf\xE9 😀\n"));
  window.keys("Ctrl+H");
  window.type("😀");
  CHECK(window.view().needle == "😀");
  CHECK(window.page().document.selected() == "😀");
  window.keys("Tab");
  window.type("🦀");
  window.keys("Enter");
  CHECK(window.text() == "// caf\xE9 🦀\n// caf\xE9 😀\n");
  window.session.apply(command::EditCode{{edit::Select{3, 7}}});
  window.keys("Ctrl+F");
  window.type("\x08");  // no character
  CHECK(window.view().needle == "caf\xE9");
  window.keys("Ctrl+A Ctrl+C End Ctrl+V");
  CHECK(window.view().needle ==
        "caf\xE9"
        "caf\xE9");
  window.keys("Ctrl+Z");
  CHECK(window.view().needle == "caf\xE9");
  window.keys("Enter");
  CHECK(window.page().document.selected() == "caf\xE9");
}

TEST_CASE("The journal and the list of labs are searched for any character", "[ui][editing]") {
  Opened window;
  window.keys("Ctrl+L");
  window.type("😀 漢");
  CHECK(window.model().list.filter == "😀 漢");
  window.keys("Escape");
  CHECK(window.model().list.filter.empty());
  for (const char* note : {"Fewer sectors 😀", "More sectors"}) {
    window.session.apply(command::EditNote{{edit::Type{note}}});
    window.session.apply(command::AddNote{});
  }
  window.session.apply(command::ShowPage{Page::journal});
  window.settle();
  ImVec2 head;  // of the page, which begins with the field
  for (const ImGuiWindow* one : ImGui::GetCurrentContext()->Windows)
    if (const std::string_view name = one->Name;
        one->Active && name.rfind('/') == name.find("/page_") && name.find('/') != name.npos)
      head = one->DC.CursorStartPos;
  click(head.x + 60, head.y + 24, [&] { window.frame(); });
  ImGui::SetClipboardText("😀\nsectors");
  window.keys("Ctrl+V");
  CHECK(window.model().journal.query.words == "😀 sectors");
  CHECK(window.model().journal.shown.size() == 1);
}

TEST_CASE("Undo outlives Esc, other pages, saving and other labs", "[ui][editing]") {
  Opened window;
  window.keys("F4");
  window.type("typed");
  window.keys("Escape Alt+1 Alt+2");
  window.session.apply(command::SaveCode{});
  window.session.apply(command::OpenLab{0});
  window.settle();
  window.session.apply(command::OpenLab{1});
  window.settle();
  CHECK(window.text() != window.saved);
  window.keys("F4 Ctrl+Z");
  CHECK(window.text() == window.saved);
  CHECK(window.page().draft == window.saved);  // the file has what was saved
}

TEST_CASE("Saving leaves the page and the caret where they are", "[ui][editing]") {
  Opened window;
  window.session.apply(command::RunCheck{});
  window.session.apply(command::SettlePrediction{true});
  window.launcher.running = false;
  window.launcher.pending.push_back(std::get<CheckResult>(recording("slow").events.back().event));
  window.frame();
  window.keys("F4 Ctrl+G");
  window.type("9");
  window.keys("Enter");
  window.type("x");
  const Selection before = window.page().document.selection();
  window.keys("Ctrl+S");
  CHECK(window.launcher.started.size() == 2);  // it was checked
  CHECK(window.model().window.shown_page == Page::code);
  CHECK(window.page().document.selection() == before);
  CHECK_FALSE(window.page().draft);
}

TEST_CASE("A note holds what was typed, emoji too, and Tab leaves its field", "[ui][editing]") {
  Opened window;
  window.session.apply(command::ShowPage{Page::journal});
  window.settle();
  ImVec2 field;
  for (const ImGuiWindow* one : ImGui::GetCurrentContext()->Windows)
    if (std::string_view(one->Name).find("/words_") != std::string_view::npos)
      field = one->InnerRect.GetCenter();
  click(field.x, field.y, [&] { window.frame(); });
  window.type("Fewer sectors 😀");
  window.keys("Enter Tab");
  window.type("lost");
  const JournalPage& journal = window.model().journal;
  CHECK(journal.drafts.at("02-coalescing").text() == "Fewer sectors 😀\n");
  CHECK_FALSE(writing_note());
  click(field.x, field.y, [&] { window.frame(); });
  window.keys("Ctrl+Enter");
  REQUIRE_FALSE(journal.entries.empty());
  CHECK(journal.entries.back().text == "Fewer sectors 😀");
  CHECK(window.launcher.started.empty());  // elsewhere Ctrl+Enter checks
}

TEST_CASE("A note that was reached by keyboard takes line breaks", "[ui][editing]") {
  Opened window;
  window.session.apply(command::ShowPage{Page::journal});
  window.settle();
  ImGuiContext& context = *ImGui::GetCurrentContext();
  for (ImGuiWindow* one : context.Windows)
    if (std::string_view(one->Name).find("/words_") != std::string_view::npos) {
      ImGui::FocusWindow(one);
      context.NavNextActivateId = one->GetID("text");
    }
  context.NavDisableHighlight = false;
  window.frame();
  window.type("a");
  window.keys("Enter");
  window.type("b");
  CHECK(window.model().journal.drafts.at("02-coalescing").text() == "a\nb");
}

TEST_CASE("A save in the window changes no byte that was not typed", "[ui][editing]") {
  Opened window;
  const std::string bytes =
      "// caf\xE9 \xF0\x9F\x98\x80\r\n\fint a;\r\n// no last line end \xE2\x82\xAC";
  const auto file = workbook_file(*window.model().lab());
  std::ofstream(file, std::ios::binary) << bytes;
  window.session.tick(window.model().now_s + 1);
  CHECK(window.text() == bytes);
  window.keys("F4 Ctrl+Home Down");
  window.type("x");
  window.keys("Ctrl+S");
  const std::string at_second_line = "// caf\xE9 \xF0\x9F\x98\x80\r\n";
  CHECK(text_of(file) == at_second_line + "x" + bytes.substr(at_second_line.size()));
}

}  // namespace klab::ui
