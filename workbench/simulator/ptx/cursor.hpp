// A position in a token sequence; the first error is kept and ends all reading.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <span>

#include "simulator/ptx/text.hpp"

namespace klab::sim::ptx {

class Cursor {
 public:
  Cursor(std::span<const Token> tokens, std::size_t at, std::size_t end)
      : tokens_(tokens), at_(at), end_(end) {}

  bool done() const { return error.has_value() || at_ >= end_; }
  const Token& peek(std::size_t ahead = 0) const {
    static const Token none;
    return at_ + ahead < end_ ? tokens_[at_ + ahead] : none;
  }
  Token take() {
    const Token token = peek();
    if (at_ < end_) ++at_;
    return token;
  }
  bool accept(std::string_view text) {
    if (done() || !peek().is(text)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text))
      fail(fmt::format("'{}' expected, found '{}'", text, peek().text.substr(0, 40)));
  }
  std::string_view name() {
    const Token token = take();
    if (token.kind != TokenKind::word)
      fail(fmt::format("a name was expected, found '{}'", token.text.substr(0, 40)));
    return token.text;
  }
  // An unsigned integer of at most `most`.
  std::uint64_t integer(std::uint64_t most) {
    const Token token = take();
    const auto number = parse_number(token.text);
    if (!number || number->kind != Number::Kind::integer || number->bits > most) {
      fail(fmt::format("a number up to {} was expected, found '{}'", most,
                       token.text.substr(0, 40)));
      return 0;
    }
    return number->bits;
  }
  // Skips to behind the brace that closes the one just taken.
  void skip_braces() {
    for (std::size_t depth = 1; depth > 0 && !done();) {
      const Token token = take();
      if (token.is("{")) ++depth;
      if (token.is("}")) --depth;
      if (depth > 0 && done()) fail("a closing brace is missing");
    }
  }
  void fail(std::string message) {
    if (!error) error = ParseError{std::move(message), line()};
  }
  std::uint32_t line() const {
    return tokens_.empty() ? 0 : tokens_[at_ < tokens_.size() ? at_ : tokens_.size() - 1].line;
  }
  std::size_t position() const { return at_; }

  std::optional<ParseError> error;

 private:
  std::span<const Token> tokens_;
  std::size_t at_, end_;
};

// One variable from behind its state space to before `;`, `,`, `)` or its initializer.
Variable read_variable(Cursor& cursor, Space space);

}  // namespace klab::sim::ptx
