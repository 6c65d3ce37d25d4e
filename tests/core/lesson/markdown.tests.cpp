// Markdown as values: every block and span in order, whatever the text.
#include "core/lesson/markdown.hpp"

#include <catch2/catch_test_macros.hpp>

namespace klab::markdown {

TEST_CASE("Markdown becomes blocks in order", "[core][markdown]") {
  const auto document = parse(
      "# Title\n\nText with **bold**, `code` and [a link](x).\n\n- one\n- two\n  1. inner\n\n"
      "> quoted\n\n```cuda\nint a;\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n---\n<b>html</b>\n");
  REQUIRE(document.size() >= 8);
  CHECK(document[0].kind == Block::Kind::heading);
  CHECK(document[1].spans[1].strong);
  CHECK(document[1].spans[3].code);
  CHECK(document[1].spans[5].link == "x");
  CHECK(document[2].marker == "•");
  CHECK(document[4].marker == "1.");
  CHECK(document[4].indent == 2);
  CHECK(document[5].quote == 1);
  CHECK(document[6].code == "int a;");
  CHECK(document[6].language == "cuda");
  REQUIRE(document[7].rows.size() == 2);
  CHECK(document[7].aligns[1] == Align::right);
  CHECK(document[7].rows[1][1][0].text == "2");
}

TEST_CASE("A bare address is a link, and a picture is known by its text", "[core][markdown]") {
  const Document document = parse("See https://example.org and ![a bank](bank.png).");
  REQUIRE(document.size() == 1);
  const Spans& spans = document.front().spans;
  REQUIRE(spans.size() == 5);
  CHECK(spans[1].link == "https://example.org");
  CHECK(spans[3].image);
  CHECK(spans[3].text == "a bank");
  CHECK(plain(spans) == "See https://example.org and a bank.");
}

TEST_CASE("Hostile Markdown is only text", "[core][markdown]") {
  CHECK(parse("").empty());
  CHECK_FALSE(parse(std::string(5000, '>') + " deep").empty());
  CHECK_FALSE(parse("| a |\n|---|\n| " + std::string(100000, 'x') + " |").empty());
  parse(std::string("\0\xff\xfe**", 5));
}

}  // namespace klab::markdown
