// Text of unknown origin, and wrapping.
#include "core/base/text.hpp"

#include <catch2/catch_test_macros.hpp>

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

TEST_CASE("escaped text shows what a terminal could obey", "[core][text]") {
  CHECK(escaped("a\033[2Jb\x7f") == "a\\x1b[2Jb\\x7f");
  CHECK(escaped("\xc2\x9b"
                "31m\xff") == "\\xc2\\x9b31m\\xff");
  CHECK(escaped("one\r\ntwo\rthree\t→") == "one\ntwo\\x0dthree\t→");
}
