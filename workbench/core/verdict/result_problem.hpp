// ResultProblem: what is wrong with a result.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace klab {

enum class ResultProblem {
  none,
  wrong_value,
  nan_missing,       ///< a value where NaN is right
  infinity_missing,  ///< a value where infinity is right
  not_written,
  not_read,  ///< of inputs, nothing at all
  guard_overwritten,
  former_overwritten,  ///< where a buffer was in an earlier launch
  input_changed,
  unjoined_stream,
};

/// In words: "wrong value", "guard overwritten"; empty for none.
std::string_view to_string(ResultProblem problem);
std::optional<ResultProblem> result_problem_from(std::string_view words);

/// For nlohmann::json: in words. What is no problem of ours throws.
template <class Json>
void to_json(Json& json, ResultProblem problem) {
  json = std::string(to_string(problem));
}
template <class Json>
void from_json(const Json& json, ResultProblem& problem) {
  const auto read = result_problem_from(json.template get_ref<const std::string&>());
  if (!read) throw std::invalid_argument("unknown problem");
  problem = *read;
}

}  // namespace klab
