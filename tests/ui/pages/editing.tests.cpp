// Typing in the window: where keys go, what makes room, and what comes back.
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <fstream>

#include "core/course/workbook.hpp"
#include "ui/app/workbench_view.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/replay/key_script.hpp"
#include "ui/session/session.hpp"
#include "ui/support/fixture.hpp"
#include "ui/support/null_backend.hpp"
#include "ui/support/scripted_services.hpp"
#include "ui/window/typed_characters.hpp"

namespace klab::ui {
namespace {

/// The second lab, started, in a window without a display.
struct Opened {
  SampleCourse course;
  ScriptedLauncher launcher;
  Session session{course.tree(), launcher};
  NullBackend null;
  std::string saved;

  explicit Opened(float width = 1280, float height = 800)
      : null(width, height, 1, Appearance::light) {
    session.apply(command::OpenLab{1});
    session.apply(command::StartLab{});
    saved = page().kernels->mine.text;
    settle();
  }
  const Model& model() const { return session.model(); }
  const LabPage& page() const { return model().page; }
  const CodeView& view() const { return page().state.view; }
  const std::string& text() const { return page().document.text(); }
  void frame() {
    draw_and_apply(null, session);
    session.tick(model().now_s + 1.0 / 60);
  }
  void settle() {
    for (int i = 0; i < 6; ++i) frame();
  }
  void keys(const std::string& names) {
    for (KeyScript script(names); !script.done(); frame()) script.advance();
    frame();
  }
  /// In the frame right behind the keys before.
  void type(const std::string& words) {
    type_characters(words);
    frame();
  }
  /// Everything at once, as a slow frame meets it; a key goes down (+) or up (-), or is a letter.
  void at_once(std::initializer_list<std::pair<ImGuiKey, char>> events) {
    ImGuiIO& io = ImGui::GetIO();
    for (const auto& [key, act] : events) {
      if (key == ImGuiKey_LeftCtrl) io.AddKeyEvent(ImGuiMod_Ctrl, act == '+');
      if (key != ImGuiKey_None) io.AddKeyEvent(key, act == '+');
      if (key == ImGuiKey_None) type_characters(std::string(1, act));
    }
    for (int i = 0; i < 20; ++i) frame();
  }
  /// Height of the editor.
  float editor_height() const {
    for (const ImGuiWindow* one : ImGui::GetCurrentContext()->Windows)
      if (std::string_view(one->Name).find("/editor_") != std::string_view::npos && one->Active)
        return one->InnerRect.GetHeight();
    return 0;
  }
};

}  // namespace

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
  window.keys("Tab Tab Tab Tab");  // previous, next, close, and what replaces
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
  window.keys("Tab Tab Tab Tab");
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

TEST_CASE("The first look at the code in a low window shows eight lines of it", "[ui][editing]") {
  ScriptedServices services;
  Opened window(640, 480);
  window.session.use(services.both());
  window.session.apply(command::ShowPage{Page::code});
  for (int i = 0; i < 30; ++i) window.frame();  // until it asks
  CompileFacts facts{.number = static_cast<std::int64_t>(services.questions.size()),
                     .compute_capability = ComputeCapability{9, 0}};
  facts.kernels = {{.report = {.kernel = "scale_rows(Args)", .registers = 22},
                    .block_threads = 256,
                    .dynamic_shared_bytes = 1024}};
  add_occupancy(facts);
  services.answers.push_back(facts);
  window.settle();
  REQUIRE(window.page().state.facts.found);                              // two rows of it
  CHECK(window.editor_height() / theme().font.mono->FontSize >= 8 + 1);  // with the padding above
}

TEST_CASE("While one types, head and gates make room, and come back by Esc and by saving",
          "[ui][editing]") {
  struct Case {
    float width, height;
    int least_lines;
  };
  for (const Case& one : {Case{1280, 800, 29}, Case{640, 480, 18}}) {
    CAPTURE(one.width, one.height);
    Opened window(one.width, one.height);
    window.keys("F4");
    window.settle();
    const float before = window.editor_height();
    window.type("x");
    window.settle();
    const float during = window.editor_height();
    CHECK(during > before + 100);
    CHECK(during / theme().font.mono->FontSize >= static_cast<float>(one.least_lines));
    CHECK(window.model().window.typing);
    window.keys("Escape");
    window.settle();
    CHECK(window.editor_height() < before + 1);
    window.keys("F4");
    window.type("y");
    window.keys("Ctrl+S");
    window.settle();
    CHECK_FALSE(window.model().window.typing);
  }
  Opened tall(1280, 1000);
  tall.keys("F4");
  tall.type("x");
  CHECK_FALSE(code_makes_room(tall.model()));
}

TEST_CASE("A wide window shows 100 columns of code, and its border can be moved", "[ui][editing]") {
  for (const float width : {1920.0f, 2560.0f}) {
    CAPTURE(width);
    Opened window(width, 1080);
    window.session.apply(typed_over(std::string(100, 'x')));
    window.keys("F4 End");
    window.settle();
    const auto scrolled = [] {
      float most = 0;
      for (const ImGuiWindow* one : ImGui::GetCurrentContext()->Windows)
        most = std::max(most, one->Scroll.x);
      return most;
    };
    CHECK(scrolled() == 0);
    CHECK_FALSE(window.model().window.split);
    window.keys("Escape Alt+Left Alt+Left");
    REQUIRE(window.model().window.split);
    const float moved = *window.model().window.split;
    window.keys("Alt+Right");
    CHECK(*window.model().window.split > moved);
  }
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

TEST_CASE("The message of a line that is too long for its end stands in full below the code",
          "[ui][editing]") {
  Opened window;
  window.session.apply(typed_over(std::string(200, 'x') + "\n"));
  CheckResult failed = std::get<CheckResult>(recording("build_failed").events.back().event);
  window.session.apply(command::RunCheck{});
  window.session.apply(command::SettlePrediction{true});
  window.launcher.pending.push_back(failed);
  window.frame();
  REQUIRE_FALSE(window.page().messages.empty());
  window.session.apply(command::ShowPage{Page::code});
  watch_clipped_texts(true);
  window.settle();
  CHECK(clipped_texts().empty());
  watch_clipped_texts(false);
}

TEST_CASE("Find has a button for the mouse", "[ui][editing]") {
  Opened window;
  const auto& all = ImGui::GetCurrentContext()->Windows;
  const auto page = std::find_if(all.begin(), all.end(), [](ImGuiWindow* one) {
    return std::string_view(one->Name).find("/page_") != std::string_view::npos &&
           std::count(one->Name, one->Name + std::strlen(one->Name), '/') == 2;
  });
  REQUIRE(page != all.end());
  const ImGuiID button = (*page)->GetID("find");
  REQUIRE(std::count(drawn_controls().begin(), drawn_controls().end(), button) == 1);
  ImGui::ActivateItemByID(button);
  window.settle();
  CHECK(window.view().finding);
  window.type("row");  // it has the keyboard
  CHECK(window.view().needle == "row");
}

}  // namespace klab::ui
