// Tests of what to look for where a result is wrong.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/judge/judge.hpp"
#include "support/passing_check.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;
using klab::test::Passing;

TEST_CASE("a wrong value behind others that are right is looked for in what is kept",
          "[core][judge]") {
  Passing passing;
  record::Verified wrong{.variant = VariantName::mine,
                         .size = {257},
                         .correct = false,
                         .problem = ResultProblem::wrong_value,
                         .buffer = "out",
                         .index = 3};
  wrong.want = 1.0;
  wrong.got = 2.0;
  const record::Verified right{.variant = VariantName::mine, .size = {31}, .correct = true};
  passing.evidence.verified = {right, right, wrong};
  CHECK_THAT(shell_words(passing.gate(GateName::correct).advice),
             ContainsSubstring("2 runs before this one are right") &&
                 ContainsSubstring("kept from one launch to the next"));
  wrong.want = 1e-42;
  wrong.got = 0.0;
  passing.evidence.verified = {right, wrong};
  CHECK_THAT(shell_words(passing.gate(GateName::correct).advice),
             ContainsSubstring("takes small numbers for zero") && !ContainsSubstring(".ftz"));
  passing.evidence.flushes = true;
  CHECK_THAT(shell_words(passing.gate(GateName::correct).advice), ContainsSubstring(".ftz"));
  wrong.problem = ResultProblem::infinity_missing;
  wrong.want.reset();
  wrong.got = 3.5;
  passing.evidence.verified = {wrong};
  CHECK_THAT(passing.gate(GateName::correct).detail, ContainsSubstring("(got 3.5)"));
}

TEST_CASE("what the wrong value is like says what to look for", "[core][judge]") {
  Passing passing;
  record::Verified wrong{.variant = VariantName::mine,
                         .size = {31},
                         .problem = ResultProblem::wrong_value,
                         .buffer = "out",
                         .index = 3};
  const auto advice = [&] {
    passing.evidence.verified = {wrong};
    return shell_words(passing.gate(GateName::correct).advice);
  };
  wrong.want = 31.0298917;
  wrong.got = 31.0298004;
  CHECK_THAT(advice(), ContainsSubstring("right to about 18 bits"));
  wrong.got = 31.1;
  CHECK_THAT(advice(), ContainsSubstring("by hand"));
  wrong.got.reset();
  wrong.want = -0.0;
  wrong.got_text = record::zero_of_other_sign;
  CHECK_THAT(advice(), ContainsSubstring("Only a zero's sign differs"));
  wrong.problem = ResultProblem::nan_missing;
  wrong.want.reset();
  CHECK_THAT(advice(), ContainsSubstring("fminf and fmaxf drop NaN"));
}

TEST_CASE("what was right in front of a wrong result says where to look", "[core][judge]") {
  Passing passing;
  record::Verified wrong{.variant = VariantName::mine,
                         .size = {257},
                         .problem = ResultProblem::not_written,
                         .buffer = "out",
                         .index = 3};
  const auto advice_behind = [&](const std::vector<Size>& right) {
    passing.evidence.verified.clear();
    for (const Size& size : right)
      passing.evidence.verified.push_back(
          {.variant = VariantName::mine, .size = size, .correct = true});
    passing.evidence.verified.push_back(wrong);
    return shell_words(passing.gate(GateName::correct).advice);
  };
  CHECK_THAT(advice_behind({{31}}), ContainsSubstring("look at what this size has"));
  CHECK_THAT(advice_behind({{31}, {257}, {31}}),
             ContainsSubstring("kept from another size or other inputs at these addresses") &&
                 !ContainsSubstring("what this size has"));
  wrong.unusual = true;
  CHECK_THAT(advice_behind({{31}}), ContainsSubstring("1 run before this one is right; this "
                                                      "one has unusual inputs"));
  CHECK_THAT(advice_behind({}), ContainsSubstring("This run has unusual inputs"));
  wrong.unusual = false;
  wrong.in_other_memory = true;
  CHECK_THAT(advice_behind({}), ContainsSubstring("The same size was right just before"));
  wrong.in_other_memory = false;
  wrong.multiprocessors = 5;
  CHECK_THAT(advice_behind({{31}, {31}}),
             ContainsSubstring("a block takes several in turn") && !ContainsSubstring("kept from"));
}
