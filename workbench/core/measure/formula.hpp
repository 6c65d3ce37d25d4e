// Formulas over named counts, such as "100 * hits / (hits + misses)": how metrics are data.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace klab {

// Grammar: numbers, names (a letter, then letters, digits, '_' and '.'), + - * / with the usual
// precedence, parentheses, and max(a, b).

/// The distinct names a formula uses, in order of first use; empty if it is not a formula.
std::vector<std::string> formula_inputs(std::string_view formula);

/// The formula with each name replaced by what `replacement` returns for it, in parentheses where
/// that differs from the name.
std::string replace_inputs(std::string_view formula,
                           const std::function<std::string(std::string_view)>& replacement);

/// The formula's value; nullopt if it is not a formula, an input is missing or not finite, or a
/// divisor is zero.
std::optional<double> evaluate_formula(
    std::string_view formula,
    const std::function<std::optional<double>(std::string_view)>& value_of);

}  // namespace klab
