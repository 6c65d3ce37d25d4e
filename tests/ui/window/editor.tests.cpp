// The editor: what is typed, indented, undone, and kept in the recorded path.
#include "ui/text/text_editor.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "core/base/sha256.hpp"
#include "ui/edit/code_indent.hpp"
#include "ui/look/widgets.hpp"
#include "ui/replay/recording.hpp"
#include "ui/replay/script.hpp"
#include "ui/support/null_backend.hpp"
#include "ui/window/typed_characters.hpp"

namespace klab::ui {
namespace {

/// The editor alone, with the keyboard in it.
struct Typing {
  NullBackend backend{800, 600, 1, Appearance::light};
  TextDocument document;
  bool first = true;

  explicit Typing(std::string begin = {}) : document(std::move(begin)) {
    for (int i = 0; i < 4; ++i) frame();
  }
  const std::string& text() const { return document.text(); }
  void frame() {
    EditorResult result;
    backend.frame([&] {
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(ImVec2(800, 600));
      ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
      result = text_editor("editor", document, {.take_caret = std::exchange(first, false)});
      ImGui::End();
    });
    for (const EditAct& act : result.acts) document.apply(act);
  }
  void type(const char* characters) {
    type_characters(characters);
    for (int i = 0; i < 3; ++i) frame();
  }
  void press(ImGuiKey key, std::initializer_list<ImGuiKey> modifiers = {}) {
    for (const bool down : {true, false}) {
      for (const ImGuiKey modifier : modifiers) ImGui::GetIO().AddKeyEvent(modifier, down);
      ImGui::GetIO().AddKeyEvent(key, down);
      frame();
      frame();
    }
  }
};

}  // namespace

TEST_CASE("A new line begins where its line began, deeper behind a brace", "[ui][code]") {
  const auto after = [](const std::string& text) { return indent_typed(text, text.size()); };
  CHECK(after("  int a;\n") == Indentation{0, "  "});
  CHECK(after("void f() {\n") == Indentation{0, "  "});
  CHECK(after("  if (x) { \n") == Indentation{0, "    "});
  CHECK(after("\n") == Indentation{});
  CHECK(after("int a") == Indentation{});
  CHECK(indent_typed("", 0) == Indentation{});
  CHECK(indent_typed("ab", 3) == Indentation{});
}

TEST_CASE("A closing brace goes below the line that opened it", "[ui][code]") {
  const auto after = [](const std::string& text) { return indent_typed(text, text.size()); };
  CHECK(after("void f() {\n  {\n    }") == Indentation{5, "  }"});
  CHECK(after("void f() {\n  a();\n  }") == Indentation{3, "}"});
  CHECK(after("int a[] = {1}") == Indentation{});  // not alone on its line
  CHECK(after("  }") == Indentation{});            // nothing opened it
}

TEST_CASE("A tab is blanks up to an even column", "[ui][code]") {
  CHECK(indent_typed("\t", 1) == Indentation{1, "  "});
  CHECK(indent_typed("a;\nint\t", 7) == Indentation{1, " "});
}

TEST_CASE("Indentation comes with typing and goes with undo", "[ui][code]") {
  Typing editor;
  editor.type("void f() {");
  editor.press(ImGuiKey_Enter);
  CHECK(editor.text() == "void f() {\n  ");
  editor.type("a();");
  editor.press(ImGuiKey_Enter);
  editor.press(ImGuiKey_Tab);
  editor.type("b();");
  editor.press(ImGuiKey_Enter);
  editor.type("}");
  CHECK(editor.text() == "void f() {\n  a();\n    b();\n}");
  editor.press(ImGuiKey_Backspace);
  editor.press(ImGuiKey_Backspace);
  CHECK(editor.text() == "void f() {\n  a();\n    b();");
  for (int i = 0; i < 40; ++i) editor.press(ImGuiKey_Z, {ImGuiMod_Ctrl});
  CHECK(editor.text().empty());
}

TEST_CASE("What is pasted or deleted is not indented", "[ui][code]") {
  Typing editor("{\n  x}");
  editor.press(ImGuiKey_End, {ImGuiMod_Ctrl});
  editor.press(ImGuiKey_LeftArrow);
  editor.press(ImGuiKey_Backspace);
  editor.press(ImGuiKey_Delete);
  CHECK(editor.text() == "{\n  ");
  ImGui::SetClipboardText("  }\n  }");
  editor.press(ImGuiKey_V, {ImGuiMod_Ctrl});
  CHECK(editor.text() == "{\n    }\n  }");
}

TEST_CASE("Keys indent, outdent and comment the selected lines, and one undo takes each back",
          "[ui][code]") {
  Typing editor("one\ntwo\nthree\n");
  editor.press(ImGuiKey_DownArrow, {ImGuiMod_Shift});
  editor.press(ImGuiKey_DownArrow, {ImGuiMod_Shift});
  editor.press(ImGuiKey_Tab);
  CHECK(editor.text() == "  one\n  two\nthree\n");
  editor.press(ImGuiKey_Tab, {ImGuiMod_Shift});
  CHECK(editor.text() == "one\ntwo\nthree\n");
  editor.press(ImGuiKey_Slash, {ImGuiMod_Ctrl});
  CHECK(editor.text() == "// one\n// two\nthree\n");
  editor.press(ImGuiKey_Z, {ImGuiMod_Ctrl});
  CHECK(editor.text() == "one\ntwo\nthree\n");
  editor.press(ImGuiKey_Y, {ImGuiMod_Ctrl});
  CHECK(editor.text() == "// one\n// two\nthree\n");
}

TEST_CASE("Emoji and what no font has are typed, cut and pasted as they are", "[ui][code]") {
  Typing editor("// caf\xE9\r\n");
  editor.type("😀€漢");
  CHECK(editor.text() == "😀€漢// caf\xE9\r\n");
  editor.press(ImGuiKey_A, {ImGuiMod_Ctrl});
  editor.press(ImGuiKey_X, {ImGuiMod_Ctrl});
  CHECK(editor.text().empty());
  editor.press(ImGuiKey_V, {ImGuiMod_Ctrl});
  editor.press(ImGuiKey_Enter);
  CHECK(editor.text() == "😀€漢// caf\xE9\n\n");  // the emptied text had no line end of its own
}

TEST_CASE("Characters beyond the fonts' first set are loaded once, and asked for once",
          "[ui][code]") {
  const NullBackend backend(800, 600, 1, Appearance::light);
  const ImFont* mono = theme().font.mono;
  want_glyphs("€ → é ├ plain");
  CHECK_FALSE(glyphs_wanted());
  want_glyphs("ж and 漢");
  REQUIRE(glyphs_wanted());
  load_fonts(1);
  CHECK_FALSE(glyphs_wanted());
  mono = theme().font.mono;
  CHECK(mono->FindGlyphNoFallback(u'ж') != nullptr);
  CHECK(mono->FindGlyph(u'漢') == mono->FindGlyph(u'□'));
  want_glyphs("ж and 漢");
  CHECK_FALSE(glyphs_wanted());
}

TEST_CASE("The mouse places the caret, selects words and lines, and drags", "[ui][code]") {
  Typing editor("int alpha;\nint beta;\n");
  ImGuiIO& io = ImGui::GetIO();
  const float gutter = text_width(theme().font.mono, "0000") + 24;
  const auto point = [&](float column, float line) {
    return ImVec2(gutter + column * text_width(theme().font.mono, "0"),
                  10 + (line + 0.5f) * theme().font.mono->FontSize);
  };
  const auto clicks = [&](ImVec2 at, int count) {
    io.AddMousePosEvent(at.x, at.y);
    editor.frame();
    for (int i = 0; i < 2 * count; ++i) {
      io.AddMouseButtonEvent(0, i % 2 == 0);
      editor.frame();
    }
  };
  clicks(point(3, 1), 1);
  CHECK(editor.document.caret() == 14);
  clicks(point(6, 0), 2);
  CHECK(editor.document.selected() == "alpha");
  clicks(point(1, 1), 3);
  CHECK(editor.document.selected() == "int beta;\n");
  for (int i = 0; i < 40; ++i) editor.frame();  // no fourth click
  io.AddMousePosEvent(point(0, 0).x, point(0, 0).y);
  io.AddMouseButtonEvent(0, true);
  editor.frame();
  editor.frame();
  io.AddMousePosEvent(point(3, 0).x, point(3, 0).y);
  editor.frame();
  io.AddMouseButtonEvent(0, false);
  editor.frame();
  editor.frame();
  CHECK(editor.document.selected() == "int");
}

TEST_CASE("The first click beside the code acts, whether drawn before the editor or behind it",
          "[ui][code]") {
  NullBackend backend{800, 600, 1, Appearance::light};
  const TextDocument document("int a;\n");
  int before = 0, behind = 0;
  bool editing = false, first = true;
  const auto frame = [&] {
    backend.frame([&] {
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(ImVec2(800, 600));
      ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
      before += ImGui::Button("before", ImVec2(100, 50));
      ImGui::SetCursorPos(ImVec2(0, 100));
      const EditorMarks marks{.take_caret = std::exchange(first, false)};
      editing = text_editor("editor", document, marks, 300).editing;
      ImGui::SetCursorPos(ImVec2(0, 500));
      behind += ImGui::Button("behind", ImVec2(100, 50));
      ImGui::End();
    });
  };
  const auto click = [&](float x, float y) {
    ImGui::GetIO().AddMousePosEvent(x, y);
    frame();
    for (const bool down : {true, false}) {
      ImGui::GetIO().AddMouseButtonEvent(0, down);
      frame();
      frame();
    }
  };
  for (int i = 0; i < 4; ++i) frame();
  REQUIRE(editing);
  click(50, 25);
  CHECK(before == 1);
  CHECK_FALSE(editing);
  click(300, 200);
  REQUIRE(editing);
  click(50, 525);
  CHECK(behind == 1);
  CHECK_FALSE(editing);
}

TEST_CASE("The caret is followed to the end of a long line", "[ui][code]") {
  Typing editor(std::string(300, 'x'));
  const auto scrolled = [] {
    float most = 0;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      most = std::max(most, window->Scroll.x);
    return most;
  };
  CHECK(scrolled() == 0);
  editor.press(ImGuiKey_End);
  CHECK(scrolled() > 1000);
  editor.press(ImGuiKey_Home);
  CHECK(scrolled() == 0);
}

TEST_CASE("The recorded path is of the kernel that its script types", "[ui][code]") {
  const auto steps = read_script(KLAB_SOURCE_DIR "/docs/path/coalescing.klab");
  REQUIRE(steps);
  std::string text;
  const auto type = [&](const std::string& typed) {
    text += typed;
    const Indentation change = indent_typed(text, text.size());
    text.resize(text.size() - change.remove);
    text += change.insert;
  };
  for (const ScriptStep& step : *steps) {
    if (step.act == ScriptStep::Act::type)
      for (const char character : step.text) type(std::string(1, character));
    if (step.act != ScriptStep::Act::key) continue;
    if (step.text == "Ctrl+A Delete") text.clear();
    if (step.text == "Ctrl+S") break;
    if (step.text == "Tab") type("\t");
    if (step.text.starts_with("Enter")) type("\n");
    if (step.text == "Enter Enter") type("\n");
  }
  const auto recorded = read_recording(KLAB_SOURCE_DIR "/docs/results/window-02-coalescing.jsonl");
  REQUIRE(recorded);
  std::string digest;
  for (const RecordedEvent& event : recorded->events)
    if (const auto* result = std::get_if<CheckResult>(&event.event)) digest = result->source_digest;
  CHECK(digest == sha256(text));
}

}  // namespace klab::ui
