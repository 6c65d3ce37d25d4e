// PTX text to tokens.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace klab::sim::ptx {

enum class TokenKind : std::uint8_t { word, number, string, punctuation, end };

// A word is a name, an opcode with its suffixes or a directive: `%r1`, `ld.global.f32`, `.reg`.
// A string's text is without its quotes.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::uint32_t line = 0;

  bool is(std::string_view what) const { return kind != TokenKind::string && text == what; }
};

// Comments are dropped; the last token is `end`. The tokens point into `text`.
std::vector<Token> tokenize(std::string_view text);

// The bits of a PTX number: decimal, 0x, 0, 0b, 0f (as 32 bits), 0d and decimal fractions (64
// bits).
struct Number {
  enum class Kind : std::uint8_t { integer, float32, float64 } kind = Kind::integer;
  std::uint64_t bits = 0;
};
std::optional<Number> parse_number(std::string_view text);

}  // namespace klab::sim::ptx
