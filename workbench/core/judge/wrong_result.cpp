// By what is wrong with it, and by what was right in front of it.
#include "core/judge/wrong_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace klab {
namespace {

/// Nearer than this, it is the right element, worked out in another way.
constexpr double nearly_right = 1e-3;

bool is_flushed(const record::Verified& wrong) {
  const double want = std::abs(wrong.want.value_or(0));
  return want > 0 && want < std::numeric_limits<float>::min() && wrong.got == 0.0;
}

/// How many bits of a result are right that is wrong by little.
std::optional<int> right_bits(const record::Verified& wrong) {
  if (!wrong.got || wrong.want.value_or(0) == 0) return std::nullopt;
  const double relative = std::abs((*wrong.got - *wrong.want) / *wrong.want);
  if (relative == 0 || relative >= nearly_right) return std::nullopt;
  return static_cast<int>(-std::log2(relative));
}

/// What the value itself tells; empty where it tells nothing.
std::string told_by_value(const record::Verified& wrong, bool flushes) {
  if (is_flushed(wrong))
    return flushes ? "A number next to zero became 0: instructions with .ftz flush it, and so do "
                     "--use_fast_math and -ftz=true."
                   : "A small number became 0 or was left out: look for a comparison that takes "
                     "small numbers for zero.";
  if (wrong.got_text == record::zero_of_other_sign)
    return "Only a zero's sign differs: adding 0.0f, or multiplying by 0 or 1, may lose it.";
  if (wrong.unusual && wrong.got_text == "nan")
    return "0 times infinity and infinity less infinity are NaN: choose a value with ?: instead of "
           "multiplying by 0 or 1.";
  if (const auto bits = right_bits(wrong))
    return "It is right to about " + std::to_string(*bits) +
           " bits: look for rounding, cancellation or a lower precision rather than for an index.";
  return {};
}

std::string runs_are_right(std::size_t before) {
  return before == 1 ? "1 run before this one is right"
                     : std::to_string(before) + " runs before this one are right";
}

/// What was right before; empty where nothing was.
std::string told_by_runs(const record::Verified& wrong,
                         const std::vector<record::Verified>& verified) {
  const std::string kept = " (static variables, plans, graphs, counters on the device).";
  if (wrong.multiprocessors)
    return "It is right where there is a block for each tile. On a device with fewer "
           "multiprocessors a block takes several in turn: look at what its loop keeps from one "
           "turn to the next.";
  const auto before = static_cast<std::size_t>(&wrong - verified.data());
  if (wrong.unusual)
    return (before > 0 ? runs_are_right(before) + "; this one" : std::string("This run")) +
           " has unusual inputs, as far as the contract allows them: zeros of both signs, numbers "
           "next to zero, infinities, NaN, or all equal.";
  const auto same_size = [&](const auto& one) { return one.size == wrong.size && one.correct; };
  if (wrong.in_other_memory)
    return "The same size was right just before, in other memory: something is kept by the size "
           "that holds at those addresses alone" +
           kept;
  if (std::any_of(verified.data(), &wrong, same_size))
    return "The same size was right before, in other memory or with other inputs: something is "
           "kept from another size or other inputs at these addresses" +
           kept;
  if (before == 0) return {};
  return runs_are_right(before) +
         ": look at what this size has that those have not, and at what is kept from one launch to "
         "the next" +
         kept;
}

}  // namespace

std::string remedy_for(ResultProblem problem) {
  switch (problem) {
    case ResultProblem::not_written:
      return "Some outputs are never written, or only added to without being set first: check "
             "which threads cover which elements.";
    case ResultProblem::not_read:
      return "The loop ends before it begins: at this size an int no longer holds the number of "
             "elements. Count and index in std::int64_t.";
    case ResultProblem::guard_overwritten:
      return "It writes outside the buffer: guard the tail with an index check. compute-sanitizer "
             "names the line.";
    case ResultProblem::former_overwritten:
      return "Compare all addresses in `args` with those that a graph or plan is kept for, or set "
             "them anew before each launch.";
    case ResultProblem::input_changed:
      return "Inputs must stay as they are: write only to the outputs.";
    case ResultProblem::unjoined_stream:
      return "Launch on the stream that `launch` was given, or make it wait for the others with an "
             "event.";
    case ResultProblem::nan_missing:
      return "fminf and fmaxf drop NaN, comparisons with NaN are false, and 0 times infinity is "
             "NaN: nothing may be skipped.";
    case ResultProblem::none:
    case ResultProblem::wrong_value:
    case ResultProblem::infinity_missing:
      break;
  }
  return "Compute one wrong element by hand and compare; start with the smallest size that fails.";
}

std::string remedy_for(const record::Verified& wrong, const std::vector<record::Verified>& verified,
                       bool flushes) {
  const bool is_value = wrong.problem == ResultProblem::wrong_value;
  if (!is_value && wrong.problem != ResultProblem::not_written) return remedy_for(wrong.problem);
  const std::string value = is_value ? told_by_value(wrong, flushes) : std::string();
  const std::string runs = told_by_runs(wrong, verified);
  if (!value.empty()) return wrong.unusual ? value + " " + runs : value;
  if (runs.empty()) return remedy_for(wrong.problem);
  return (is_value ? "Compute one wrong element by hand and compare. "
                   : "Check which threads cover which elements. ") +
         runs;
}

WrongReport wrong_report(const record::Verified& wrong) {
  const std::string job = "Job " + std::to_string(wrong.index.value()) + " is reported with " +
                          (wrong.got ? fmt::format("{:.4g}", *wrong.got) : wrong.got_text) + " s";
  if (wrong.problem == ResultProblem::nan_missing)
    return {job + ", and was not run again in this call",
            "Run each job that you report on twice or more in every call: a time measured for "
            "another job, or in an earlier call, does not count for this one."};
  const std::string most =
      wrong.want && wrong.tolerance
          ? fmt::format(" and less than {:.4g} s", *wrong.want + *wrong.tolerance)
          : std::string();
  return {
      job + ": a reported time must be greater than 0 s" + most,
      "Look at what is subtracted from what, at the unit (`seconds`), and at whether each job's "
      "place is written."};
}

std::string remedy_for_later(ResultProblem problem) {
  if (problem != ResultProblem::wrong_value && problem != ResultProblem::not_written)
    return remedy_for(problem);
  return "Every launch gets new inputs, scalars and contents of its outputs. Plans, streams and "
         "memory may be kept from one launch to the next, results may not; and all work must be "
         "done once the given stream is.";
}

}  // namespace klab
