// The words for each problem.
#include "core/verdict/result_problem.hpp"

#include "core/base/names.hpp"

namespace klab {
namespace {

constexpr std::pair<ResultProblem, std::string_view> problem_words[] = {
    {ResultProblem::none, ""},
    {ResultProblem::wrong_value, "wrong value"},
    {ResultProblem::nan_missing, "wrong value where NaN is right"},
    {ResultProblem::infinity_missing, "wrong value where infinity is right"},
    {ResultProblem::not_written, "not written"},
    {ResultProblem::not_read, "no element was read"},
    {ResultProblem::guard_overwritten, "guard overwritten"},
    {ResultProblem::former_overwritten, "written where the array was in an earlier launch"},
    {ResultProblem::input_changed, "input changed"},
    {ResultProblem::unjoined_stream, "work on another stream is not joined"}};

}  // namespace

std::string_view to_string(ResultProblem problem) { return name_in(problem_words, problem); }

std::optional<ResultProblem> result_problem_from(std::string_view words) {
  return value_in(problem_words, words);
}

}  // namespace klab
