// Text of unknown origin, and wrapping.
#include "core/base/text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

using namespace klab;

TEST_CASE("nothing that a terminal could obey survives", "[core][text]") {
  CHECK(printable("a\033[31mb\033]0;title\007c") == "a[31mb]0;titlec");
  CHECK(printable("line\n\ttab\r") == "line\n\ttab");
  CHECK(printable("\xc2\x9b"
                  "31m") == "31m");
  CHECK(printable("größer → ✔") == "größer → ✔");
}

TEST_CASE("bytes that are not UTF-8 are replaced one by one", "[core][text]") {
  CHECK(printable("a\xff"
                  "b") == "a\uFFFDb");
  CHECK(printable("\xe2\x86") == "\uFFFD\uFFFD");
  CHECK(printable("\xc0\x80") == "\uFFFD\uFFFD");
  CHECK(printable("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");
  CHECK(printable("\xf4\x90\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST_CASE("the width counts code points and no control characters", "[core][text]") {
  CHECK(display_width("größe") == 5);
  CHECK(display_width("a\x01"
                      "b") == 2);
}

TEST_CASE("text wraps at words and keeps its own lines", "[core][text]") {
  CHECK(wrapped("one two three", 8) == "one two\nthree");
  CHECK(wrapped("one two three", 8, 2) == "one two\n  three");
  CHECK(wrapped("a\nb", 80) == "a\nb");
  CHECK(wrapped("incomprehensibilities", 5) == "incomprehensibilities");
}

TEST_CASE("shortened text ends behind a whole character", "[core][text]") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "abc...");
  CHECK(shortened("€€€€", 3) == "€€€...");
  CHECK(shortened("\xff\xff\xff", 2) == "\xff\xff...");
  CHECK(shortened("", 0).empty());
  CHECK(shortened("a", 0) == "...");
  CHECK(in_quotes("a\033[2J") == "\"a[2J\"");
  CHECK(in_quotes(std::string(100'000, 'a')) == "\"" + std::string(60, 'a') + "...\"");
}

TEST_CASE("escaped text shows what a terminal could obey", "[core][text]") {
  CHECK(escaped("a\033[2Jb\x7f") == "a\\x1b[2Jb\\x7f");
  CHECK(escaped("\xc2\x9b"
                "31m\xff") == "\\xc2\\x9b31m\\xff");
  CHECK(escaped("one\r\ntwo\rthree\t→") == "one\ntwo\\x0dthree\t→");
}

TEST_CASE("numbers of five digits and more are shown with separators, names and code are not",
          "[core][text]") {
  using Row = std::pair<const char*, const char*>;
  const auto [plain, shown] =
      GENERATE(Row{"after its budget of 100000 warp instructions.",
                   "after its budget of 100,000 warp instructions."},
               Row{"out[1234567]: got -52429.12345, want 10000 (of 65536)",
                   "out[1,234,567]: got -52,429.12345, want 10,000 (of 65,536)"},
               Row{"at size 16384 x 8192, seed 4431243250036855.",
                   "at size 16,384 x 8192, seed 4,431,243,250,036,855."},
               Row{"12345x", "12,345x"},
               Row{"1024 0.123456 0x12345 sm12345 a_12345 12345_a 12345ab",
                   "1024 0.123456 0x12345 sm12345 a_12345 12345_a 12345ab"},
               Row{"`--budget 1000000000` or /tmp/12345/x or 1,234,567 or 2026-11-24T10:00:00Z",
                   "`--budget 1000000000` or /tmp/12345/x or 1,234,567 or 2026-11-24T10:00:00Z"},
               Row{"", ""});
  CHECK(with_separators(plain) == shown);
  CHECK(with_separators(shown) == shown);
}
