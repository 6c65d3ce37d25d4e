// Formulas over named counts: one recursive descent that evaluates while it reads.
#include "core/measure/formula.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace klab {
namespace {

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c) || c == '_' || c == '.'; }

/// The length of the name at the start of `text`.
std::size_t name_length(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), continues_name) -
                                  text.begin());
}

using ValueOf = std::function<std::optional<double>(std::string_view)>;

/// Reads one formula. `malformed` is about its text, `missing` about its inputs.
class Reader {
 public:
  Reader(std::string_view text, const ValueOf& value_of) : rest_(text), value_of_(value_of) {}

  double read() {
    const double value = sum(0);
    if (peek() != '\0') malformed = true;
    return value;
  }

  bool malformed = false;
  bool missing = false;

 private:
  static constexpr int deepest = 32;

  char peek() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) malformed = true;
  }

  double sum(int depth) {
    double value = product(depth);
    while (!malformed) {
      if (take('+')) {
        value += product(depth);
      } else if (take('-')) {
        value -= product(depth);
      } else {
        break;
      }
    }
    return value;
  }

  double product(int depth) {
    double value = factor(depth);
    while (!malformed) {
      if (take('*')) {
        value *= factor(depth);
      } else if (take('/')) {
        const double divisor = factor(depth);
        if (divisor == 0) missing = true;
        value /= divisor;
      } else {
        break;
      }
    }
    return value;
  }

  double factor(int depth) {
    if (depth == deepest) malformed = true;
    if (malformed) return 0;
    if (take('(')) {
      const double value = sum(depth + 1);
      expect(')');
      return value;
    }
    if (is_digit(peek())) return number();
    if (starts_name(peek())) return name(depth);
    malformed = true;
    return 0;
  }

  double number() {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) malformed = true;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (continues_name(peek())) malformed = true;
    return value;
  }

  double name(int depth) {
    const std::string_view name = rest_.substr(0, name_length(rest_));
    rest_.remove_prefix(name.size());
    if (name == "max" && take('(')) {
      const double a = sum(depth + 1);
      expect(',');
      const double b = sum(depth + 1);
      expect(')');
      return std::max(a, b);
    }
    const auto value = value_of_(name);
    if (!value || !std::isfinite(*value)) missing = true;
    return value.value_or(0);
  }

  std::string_view rest_;
  const ValueOf& value_of_;
};

}  // namespace

std::vector<std::string> formula_inputs(std::string_view formula) {
  std::vector<std::string> inputs;
  const ValueOf note = [&](std::string_view name) {
    if (std::find(inputs.begin(), inputs.end(), name) == inputs.end()) inputs.emplace_back(name);
    return 1.0;
  };
  Reader reader(formula, note);
  reader.read();
  if (reader.malformed) return {};
  return inputs;
}

std::string replace_inputs(std::string_view formula,
                           const std::function<std::string(std::string_view)>& replacement) {
  std::string result;
  while (!formula.empty()) {
    if (is_digit(formula.front())) {  // a number, whose exponent is no name
      const std::size_t length = name_length(formula);
      result += formula.substr(0, length);
      formula.remove_prefix(length);
    } else if (starts_name(formula.front())) {
      const std::string_view name = formula.substr(0, name_length(formula));
      const std::string other = name == "max" ? std::string(name) : replacement(name);
      result += other == name ? other : '(' + other + ')';
      formula.remove_prefix(name.size());
    } else {
      result += formula.front();
      formula.remove_prefix(1);
    }
  }
  return result;
}

std::optional<double> evaluate_formula(
    std::string_view formula,
    const std::function<std::optional<double>(std::string_view)>& value_of) {
  Reader reader(formula, value_of);
  const double value = reader.read();
  if (reader.malformed || reader.missing || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace klab
