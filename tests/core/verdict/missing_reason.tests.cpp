// Tests of why a counter has no value: as a value, in words, and back.
#include "core/verdict/missing_reason.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace klab;

namespace {

std::string said(const MissingReason& reason) { return shell_words(words_of(reason)); }

}  // namespace

TEST_CASE("What records say of a missing counter is read as the reason that it was",
          "[core][missing_reason]") {
  for (const MissingReason& reason : {MissingReason{MissingKind::not_collected},
                                      {MissingKind::unknown_metric, "speed"},
                                      {MissingKind::no_counter},
                                      {MissingKind::not_on_chip, "GH100"},
                                      {MissingKind::unknown_counter, "dram__bytes on GH100"},
                                      {MissingKind::not_countable, "dram__bytes on GH100"},
                                      {MissingKind::no_finite_value},
                                      {MissingKind::needs_gpu},
                                      {MissingKind::nothing_counted},
                                      {MissingKind::records_dropped, "12"},
                                      {MissingKind::unseen_spills},
                                      {MissingKind::not_in_report},
                                      {MissingKind::unseen_in_graph}}) {
    CAPTURE(said(reason));
    CHECK_FALSE(said(reason).empty());
    CHECK(missing_from(said(reason)) == reason);
  }
  CHECK(missing_from("").empty());
}

TEST_CASE("Lines that were written before reasons were values keep their words",
          "[core][missing_reason]") {
  CHECK(said({MissingKind::unknown_metric, "x"}) == "the metric catalogue has no 'x'");
  CHECK(said({MissingKind::not_on_chip, "GH100"}) == "not available on GH100");
  CHECK(said({MissingKind::records_dropped, "3"}) ==
        "3 activity records did not fit the trace's buffers");
  CHECK(missing_from("needs a GPU").kind == MissingKind::needs_gpu);
  CHECK(missing_from("not available on ").kind == MissingKind::told);
  const MissingReason other = missing_from("not on this chip");
  CHECK(other.kind == MissingKind::told);
  CHECK(other.about == "not on this chip");
}

TEST_CASE("A phase that failed leaves what happened and its remedy, with the act in it",
          "[core][missing_reason]") {
  const Error denied{ErrorCode::profiler_denied, "Counters are refused.",
                     Act{Verb::doctor} + Advice(" says what to set."), ""};
  const MissingReason reason = missing_by(denied);
  CHECK(reason.about == denied.what);
  CHECK(reason.remedy == denied.remedy);
  CHECK(said(reason) == "Counters are refused. `./klab doctor` says what to set.");
  // Read again, the act is one still, so that the window names its page.
  CHECK(words_of(missing_from(said(reason))) == words_of(reason));
}
