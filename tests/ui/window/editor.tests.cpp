// The editor: what is typed, indented, undone, and kept in the recorded path.
#include "ui/text/text_editor.hpp"

#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "core/base/sha256.hpp"
#include "ui/replay/recording.hpp"
#include "ui/replay/script.hpp"
#include "ui/support/null_backend.hpp"
#include "ui/text/code_indent.hpp"

namespace klab::ui {
namespace {

/// The editor alone, with the keyboard in it.
struct Typing {
  NullBackend backend{800, 600, 1, Appearance::light};
  std::string text;
  bool first = true;

  explicit Typing(std::string begin = {}) : text(std::move(begin)) {
    for (int i = 0; i < 4; ++i) frame();
  }
  void frame() {
    backend.frame([&] {
      ImGui::SetNextWindowSize(ImVec2(800, 600));
      ImGui::Begin("window");
      text_editor("editor", text, {.take_caret = std::exchange(first, false)});
      ImGui::End();
    });
  }
  void type(const char* characters) {
    ImGui::GetIO().AddInputCharactersUTF8(characters);
    for (int i = 0; i < 3; ++i) frame();
  }
  void press(ImGuiKey key, ImGuiKey modifier = ImGuiKey_None) {
    for (const bool down : {true, false}) {
      if (modifier != ImGuiKey_None) ImGui::GetIO().AddKeyEvent(modifier, down);
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
  CHECK(editor.text == "void f() {\n  ");
  editor.type("a();");
  editor.press(ImGuiKey_Enter);
  editor.press(ImGuiKey_Tab);
  editor.type("b();");
  editor.press(ImGuiKey_Enter);
  editor.type("}");
  CHECK(editor.text == "void f() {\n  a();\n    b();\n}");
  editor.press(ImGuiKey_Backspace);
  editor.press(ImGuiKey_Backspace);
  CHECK(editor.text == "void f() {\n  a();\n    b();");
  for (int i = 0; i < 40; ++i) editor.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(editor.text.empty());
}

TEST_CASE("What is pasted or deleted is not indented", "[ui][code]") {
  Typing editor("{\n  x}");
  editor.press(ImGuiKey_End, ImGuiMod_Ctrl);
  editor.press(ImGuiKey_LeftArrow);
  editor.press(ImGuiKey_Backspace);
  editor.press(ImGuiKey_Delete);
  CHECK(editor.text == "{\n  ");
  ImGui::SetClipboardText("  }\n  }");
  editor.press(ImGuiKey_V, ImGuiMod_Ctrl);
  CHECK(editor.text == "{\n    }\n  }");
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
