// PTX text to tokens.
#include "simulator/ptx/lexer.hpp"

#include <bit>
#include <charconv>

namespace klab::sim::ptx {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word_start(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%' || c == '.'; }
bool is_word(char c) { return is_word_start(c) || is_digit(c); }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 4 + 1);
    while (skip_blank()) tokens.push_back(next());
    tokens.push_back({TokenKind::end, {}, line_});
    return tokens;
  }

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // Moves to the next token; false at the end of the text.
  bool skip_blank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_, ++at_;
      } else if (c == '/' && peek(1) == '/') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == '/' && peek(1) == '*') {
        skip_comment();
      } else if (c <= ' ') {
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }

  void skip_comment() {
    at_ += 2;
    while (at_ < text_.size() && !(text_[at_] == '*' && peek(1) == '/'))
      line_ += text_[at_++] == '\n';
    at_ = at_ + 2 < text_.size() ? at_ + 2 : text_.size();
  }

  Token next() {
    const std::size_t start = at_;
    const char c = text_[at_];
    if (c == '"') return quoted();
    if (is_digit(c)) {
      while (is_letter(peek(0)) || is_digit(peek(0)) || peek(0) == '.') ++at_;
      return {TokenKind::number, text_.substr(start, at_ - start), line_};
    }
    if (is_word_start(c)) {
      // "::" joins the parts of qualifiers such as shared::cluster; a single colon ends a label.
      for (;;) {
        if (is_word(peek(0))) {
          ++at_;
        } else if (peek(0) == ':' && peek(1) == ':' && is_word(peek(2))) {
          at_ += 2;
        } else {
          break;
        }
      }
      return {TokenKind::word, text_.substr(start, at_ - start), line_};
    }
    ++at_;
    return {TokenKind::punctuation, text_.substr(start, 1), line_};
  }

  Token quoted() {
    const std::size_t start = ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') ++at_;
    const Token token{TokenKind::string, text_.substr(start, at_ - start), line_};
    if (peek(0) == '"') ++at_;
    return token;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

std::optional<std::uint64_t> digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

std::optional<Number> parse_number(std::string_view text) {
  using Kind = Number::Kind;
  const auto made = [](Kind kind, std::optional<std::uint64_t> bits) -> std::optional<Number> {
    if (!bits) return std::nullopt;
    return Number{kind, *bits};
  };
  if (text.size() > 2 && text[0] == '0') {
    const char base = static_cast<char>(text[1] | 0x20);
    if (base == 'f' && text.size() == 10) return made(Kind::float32, digits(text.substr(2), 16));
    if (base == 'd' && text.size() == 18) return made(Kind::float64, digits(text.substr(2), 16));
  }
  if (text.find('.') != std::string_view::npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return Number{Kind::float64, std::bit_cast<std::uint64_t>(value)};
  }
  if (!text.empty() && (text.back() == 'U' || text.back() == 'u')) text.remove_suffix(1);
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    return made(Kind::integer, digits(text.substr(2), 16));
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
    return made(Kind::integer, digits(text.substr(2), 2));
  if (text.size() > 1 && text[0] == '0') return made(Kind::integer, digits(text.substr(1), 8));
  return made(Kind::integer, digits(text, 10));
}

}  // namespace klab::sim::ptx
