// Formulas: what is read, what is refused, and when there is no value.
#include "core/measure/formula.hpp"

#include <limits>
#include <map>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace klab;

namespace {

std::optional<double> value(std::string_view formula,
                            const std::map<std::string, double, std::less<>>& inputs = {}) {
  return evaluate_formula(formula, [&](std::string_view name) -> std::optional<double> {
    const auto found = inputs.find(name);
    if (found == inputs.end()) return std::nullopt;
    return found->second;
  });
}

}  // namespace

TEST_CASE("a formula follows the precedence of arithmetic", "[core][formula]") {
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("10 - 4 - 3") == 3);
  CHECK(value("24 / 4 / 2") == 3);
  CHECK(value("2 * 1e-3") == 0.002);
  CHECK(value("max(2, 1 + 3)") == 4);
  CHECK(value("max(0, 1 - 3 / 2)") == 0);
}

TEST_CASE("names may hold dots and digits, as counters do", "[core][formula]") {
  const std::map<std::string, double, std::less<>> inputs{{"dram__bytes.sum", 64},
                                                          {"x_32b.avg.pct", 2}};
  CHECK(value("dram__bytes.sum / x_32b.avg.pct", inputs) == 32);
  CHECK(formula_inputs("100 * a.sum / (b.sum + a.sum)") ==
        std::vector<std::string>{"a.sum", "b.sum"});
}

TEST_CASE("a missing input, one that is not finite, and a zero divisor leave no value",
          "[core][formula]") {
  CHECK_FALSE(value("a / b", {{"a", 1}}));
  CHECK_FALSE(value("a / b", {{"a", 1}, {"b", 0}}));
  CHECK_FALSE(value("a / b", {{"a", 0}, {"b", 0}}));
  CHECK_FALSE(value("1 / (1 / b)", {{"b", 0}}));
  CHECK_FALSE(value("max(0, a / b)", {{"a", 0}, {"b", 0}}));
  CHECK_FALSE(value("a", {{"a", std::numeric_limits<double>::quiet_NaN()}}));
  CHECK_FALSE(value("0 * a", {{"a", std::numeric_limits<double>::infinity()}}));
  CHECK_FALSE(value("a * a", {{"a", 1e200}}));
  CHECK(value("a / b", {{"a", 0}, {"b", 4}}) == 0);
}

TEST_CASE("what is not a formula is refused", "[core][formula]") {
  for (const auto* text : {"", " ", "1 +", "* 2", "(1", "1)", "a b", "2x", "1 2", "a $ b", "max(1)",
                           "max(1, 2", "-1", "a..b +", "()"}) {
    INFO(text);
    CHECK_FALSE(value(text, {{"a", 1}, {"b", 1}}));
    CHECK(formula_inputs(text).empty());
  }
}

TEST_CASE("nesting without end is refused instead of exhausting the stack", "[core][formula]") {
  const std::string deep = std::string(100000, '(') + "1" + std::string(100000, ')');
  CHECK_FALSE(value(deep, {}));
  CHECK(value("((((((((1))))))))", {}) == 1);
}

TEST_CASE("replacing an input keeps the rest and the precedence", "[core][formula]") {
  const auto replaced = replace_inputs("2 * a.sum / max(b, 1e3)", [](std::string_view name) {
    return name == "a.sum" ? std::string("c + d") : std::string(name);
  });
  CHECK(replaced == "2 * (c + d) / max(b, 1e3)");
}
