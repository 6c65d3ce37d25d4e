// The text that is edited: what is not touched stays byte by byte, and every step can be undone.
#include "ui/edit/text_document.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <random>

#include "ui/edit/characters.hpp"

namespace klab::ui {
namespace {

const std::string smile = "\xF0\x9F\x98\x80";
/// Latin-1, UTF-8, both line ends, a form feed, NUL, a lone carriage return, no last line end.
const std::string hard = std::string("// caf\xE9 \xC3\xA9 ") + smile + "\r\n\f\tint a;\n" +
                         std::string("\0\r x", 4) + "\n\n  last \xFF";

TextDocument at(std::string text, std::size_t anchor, std::size_t caret) {
  TextDocument document(std::move(text));
  document.apply(edit::Select{anchor, caret});
  return document;
}
void type(TextDocument& document, const std::string& characters) {
  for (const char c : characters) document.apply(edit::Type{std::string(1, c)});
}
void undo(TextDocument& document, int times = 1) {
  while (times-- > 0) document.apply(edit::Undo{});
}

EditAct random_act(std::mt19937& random, std::size_t size) {
  const auto below = [&](std::size_t n) { return random() % n; };
  switch (below(13)) {
    case 0:
      return edit::BreakLine{};
    case 1:
      return edit::Paste{"p\r\nq\n" + smile};
    case 2:
      return edit::Erase{static_cast<Motion>(below(10))};
    case 3:
      return edit::Select{below(size + 1), below(size + 1)};
    case 4:
      return edit::Indent{};
    case 5:
      return edit::Outdent{};
    case 6:
      return edit::ToggleComment{};
    case 7:
      return edit::ReplaceAll{"a", "bb"};
    case 8:
    case 9:
      return edit::Move{static_cast<Motion>(below(10)), below(2) == 0,
                        1 + static_cast<int>(below(9))};
    default:
      return edit::Type{std::string(1, "a} /\x80"[below(5)])};
  }
}

}  // namespace

TEST_CASE("Whatever is done can be undone to the last byte, and done again", "[ui][edit]") {
  const auto seed = GENERATE(Catch::Generators::range(1u, 60u));
  CAPTURE(seed);
  std::mt19937 random(seed);
  TextDocument document(hard);
  for (int i = 0; i < 200; ++i) {
    document.apply(random_act(random, document.text().size()));
    REQUIRE(document.selection().to() <= document.text().size());
  }
  const std::string typed = document.text();
  undo(document, 400);
  CHECK(document.text() == hard);
  for (int i = 0; i < 400; ++i) document.apply(edit::Redo{});
  CHECK(document.text() == typed);
}

TEST_CASE("A letter typed anywhere changes no other byte", "[ui][edit]") {
  for (std::size_t place = 0; place <= hard.size(); ++place) {
    TextDocument document = at(hard, place, place);
    document.apply(edit::Type{"x"});
    CHECK(document.text() == hard.substr(0, place) + "x" + hard.substr(place));
  }
}

TEST_CASE(
    "The caret goes over characters: one byte that is not UTF-8, four of an emoji, both of a "
    "line end",
    "[ui][edit]") {
  const std::string text = "\xE9" + smile + "\r\nz";
  TextDocument document(text);
  std::vector<std::size_t> places;
  for (int i = 0; i < 5; ++i) {
    places.push_back(document.caret());
    document.apply(edit::Move{Motion::right});
  }
  CHECK(places == std::vector<std::size_t>{0, 1, 5, 7, 8});
  for (std::size_t i = places.size() - 1; i-- > 0;) {
    document.apply(edit::Move{Motion::left});
    CHECK(document.caret() == places[i]);
  }
  document.apply(edit::Place{5});
  document.apply(edit::Erase{Motion::left});
  CHECK(document.text() == "\xE9\r\nz");
}

TEST_CASE("New lines end as the file's do", "[ui][edit]") {
  TextDocument document = at("a {\r\nb\r\n", 3, 3);
  document.apply(edit::BreakLine{});
  CHECK(document.text() == "a {\r\n  \r\nb\r\n");
  document.apply(edit::Paste{"one\ntwo\r\n"});
  CHECK(document.text() == "a {\r\n  one\r\ntwo\r\n\r\nb\r\n");
  TextDocument unix_text = at("a\nb", 3, 3);
  unix_text.apply(edit::Paste{"1\r\n2"});
  CHECK(unix_text.text() == "a\nb1\n2");
}

TEST_CASE("Tab indents the selected lines, and Shift+Tab takes that back", "[ui][edit]") {
  TextDocument document = at("one\n  two\n\nthree\nfour", 1, 17);
  document.apply(edit::Indent{});
  CHECK(document.text() == "  one\n    two\n\n  three\nfour");
  CHECK(document.selected() == "ne\n    two\n\n  three\n");
  document.apply(edit::Outdent{});
  CHECK(document.text() == "one\n  two\n\nthree\nfour");
  document.apply(edit::Outdent{});
  CHECK(document.text() == "one\ntwo\n\nthree\nfour");
  undo(document, 3);
  CHECK(document.text() == "one\n  two\n\nthree\nfour");
  CHECK(document.selection() == Selection{1, 17});
  TextDocument within = at("int a;", 4, 5);
  within.apply(edit::Indent{});  // what is selected is never lost
  CHECK(within.text() == "  int a;");
  TextDocument none = at("abc", 3, 3);
  none.apply(edit::Indent{});
  CHECK(none.text() == "abc ");
  TextDocument tabbed = at("\tabc", 0, 0);
  tabbed.apply(edit::Outdent{});
  CHECK(tabbed.text() == "abc");
}

TEST_CASE("Lines become comments and code again", "[ui][edit]") {
  TextDocument document = at("  a;\n    b;\n\n  // c\nd\n", 2, 20);
  document.apply(edit::ToggleComment{});
  CHECK(document.text() == "  // a;\n  //   b;\n\n  // // c\nd\n");
  document.apply(edit::ToggleComment{});
  CHECK(document.text() == "  a;\n    b;\n\n  // c\nd\n");
  TextDocument one = at("//x", 1, 1);
  one.apply(edit::ToggleComment{});
  CHECK(one.text() == "x");
  TextDocument empty;
  empty.apply(edit::ToggleComment{});
  CHECK(empty.text().empty());
}

TEST_CASE("Undo takes back a word, or all that was erased at once", "[ui][edit]") {
  TextDocument document;
  type(document, "one two  three");
  undo(document);
  CHECK(document.text() == "one two  ");
  undo(document);
  CHECK(document.text() == "one ");
  document.apply(edit::Redo{});
  for (int i = 0; i < 5; ++i) document.apply(edit::Erase{Motion::left});
  CHECK(document.text() == "one ");
  undo(document);
  CHECK(document.text() == "one two  ");
  document.apply(edit::Move{Motion::text_begin});
  type(document, "ab");
  document.apply(edit::Move{Motion::right});
  document.apply(edit::Move{Motion::left});
  type(document, "cd");  // the caret was elsewhere in between
  undo(document);
  CHECK(document.text() == "abone two  ");
  document.apply(edit::Redo{});
  document.apply(edit::Redo{});
  CHECK(document.text() == "abcdone two  ");
}

TEST_CASE("A long text that was erased comes back by one undo", "[ui][edit]") {
  const std::string text(50'000, 'x');
  TextDocument document(text);
  document.apply(edit::Select{0, text.size()});
  document.apply(edit::Erase{Motion::right});
  CHECK(document.text().empty());
  undo(document);
  CHECK(document.text() == text);
}

TEST_CASE("Replacing all is one step, and capitals count where they are looked for", "[ui][edit]") {
  TextDocument document("row Row\nrows ROW");
  document.apply(edit::ReplaceAll{"row", "line"});
  CHECK(document.text() == "line line\nlines line");
  undo(document);
  CHECK(document.text() == "row Row\nrows ROW");
  document.apply(edit::ReplaceAll{"Row", ""});
  CHECK(document.text() == "row \nrows ROW");
  document.apply(edit::ReplaceAll{"absent", "x"});
  CHECK(document.text() == "row \nrows ROW");
}

TEST_CASE("What another program saved is one step that can be undone, and keeps the caret's line",
          "[ui][edit]") {
  TextDocument document;
  document.become("one\ntwo\nthree\n");  // as it is opened: nothing to undo
  undo(document);
  CHECK(document.text() == "one\ntwo\nthree\n");
  document.apply(edit::Place{9});
  document.become("zero\none\ntwo\nthree\n");
  CHECK(document.line() == 4);
  undo(document);
  CHECK(document.text() == "one\ntwo\nthree\n");
  CHECK(document.line() == 3);
}

TEST_CASE("Going down over a short line keeps the column", "[ui][edit]") {
  TextDocument document = at("abcdef\nab\n\tcdef", 5, 5);
  document.apply(edit::Move{Motion::down});
  CHECK(document.caret() == 9);
  document.apply(edit::Move{Motion::down});
  CHECK(document.caret() == 12);  // behind the tab, which is four columns wide
  document.apply(edit::Move{Motion::up, false, 9});
  CHECK(document.caret() == 0);
}

TEST_CASE(
    "Home goes to the first letter and then to the first column; words are gone over as a whole",
    "[ui][edit]") {
  TextDocument document = at("  ab_1 += cd;\n", 13, 13);
  document.apply(edit::Move{Motion::line_begin});
  CHECK(document.caret() == 2);
  document.apply(edit::Move{Motion::line_begin});
  CHECK(document.caret() == 0);
  std::vector<std::size_t> places;
  for (int i = 0; i < 6; ++i) {
    document.apply(edit::Move{Motion::word_right});
    places.push_back(document.caret());
  }
  CHECK(places == std::vector<std::size_t>{2, 7, 10, 12, 13, 14});
  document.apply(edit::Move{Motion::word_left});
  document.apply(edit::Move{Motion::word_left});
  CHECK(document.caret() == 12);
}

TEST_CASE("A line is drawn with a box for what no font has, a column for each character",
          "[ui][edit]") {
  CHECK(shown_line("a\tb") == "a   b");
  CHECK(shown_line("caf\xE9") == "caf□");
  CHECK(shown_line("€ é 漢") == "€ é 漢");  // which a font may have
  CHECK(shown_line(smile + "\f") == "□□");
  CHECK(column_of(smile + "\tx", 5) == 4);
  CHECK(byte_at_column("\tab", 5) == 2);
  CHECK(byte_at_column("ab", 9) == 2);
}

}  // namespace klab::ui
