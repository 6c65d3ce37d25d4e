// A runner that lies, babbles or never ends costs one phase and little time.
#include "core/wire/runner_client.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/wire/record_reader.hpp"
#include "support/environment.hpp"
#include "support/in_full.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Longer than any test may take: what ends earlier was ended for its own sake.
constexpr double long_s = 100;

/// Answers as a shell script that stands in for the runner; in it, `say LINE` writes a record that
/// begins with the request's secret.
PhaseOutcome answer_of(const std::string& script, bool open_room = false,
                       const Request& request = {.phase = Phase::verify}) {
  const test::TemporaryFolder folder;
  const auto runner =
      folder.write("runner",
                   "#!/bin/sh\nread -r request\n"
                   "secret=$(echo \"$request\" | sed 's/.*\"secret\":\"\\([0-9a-f]*\\)\".*/\\1/')\n"
                   "say() { printf '%s%s\\n' \"$secret\" \"$1\" >&3; }\n" +
                       script + "\n");
  std::filesystem::permissions(runner, std::filesystem::perms::owner_all);
  return run_local_phase(runner, request, long_s, {}, nullptr, nullptr, open_room);
}

const std::string hello = R"(say '{"type":"hello","protocol":3,"backend":"gpu"}'; )";
const std::string device =
    R"({"type":"device","facts":{"name":"A GPU","compute_capability":90,"driver":"580.1"}})";
const std::string verdict =
    R"({"type":"verified","variant":"candidate","size":[1],"seed":1,"correct":true})";
const std::string done = R"(say '{"type":"done"}'; )";

Error failure_of(const std::string& script) {
  const PhaseOutcome outcome = answer_of(script);
  REQUIRE(outcome.error);
  CHECK(outcome.seconds < long_s);
  return *outcome.error;
}

}  // namespace

TEST_CASE("a runner that knows the request's secret is believed", "[core][wire]") {
  const PhaseOutcome outcome = answer_of(hello + "say '" + device + "'; " + done);
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  CHECK(outcome.all<record::Device>().size() == 1);
}

TEST_CASE("the room is left open for the runner that is asked to, and for no other",
          "[core][wire]") {
  const std::string script = hello + "[ \"$KLAB_ROOM\" != open ] || say '" + device + "'; " + done;
  CHECK(answer_of(script, true).all<record::Device>().size() == 1);
  CHECK(answer_of(script, false).all<record::Device>().empty());
}

TEST_CASE("a line without the secret is not believed, and what follows neither", "[core][wire]") {
  const PhaseOutcome outcome =
      answer_of(hello + "echo '" + verdict + "' >&3; say '" + verdict + "'; " + done);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::protocol_mismatch);
  CHECK_THAT(outcome.error->what, ContainsSubstring("Something else than the runner"));
  CHECK(outcome.all<record::Verified>().empty());
}

TEST_CASE("a runner that knows of no secret is told as an older one", "[core][wire]") {
  const Error older =
      failure_of(R"(echo '{"type":"hello","protocol":2,"backend":"gpu"}' >&3; cat >/dev/null)");
  CHECK(older.code == ErrorCode::protocol_mismatch);
  CHECK_THAT(older.what, ContainsSubstring("older version"));
  CHECK_THAT(shell_words(older.remedy), ContainsSubstring("--setup"));
}

TEST_CASE("a runner of this version that found no secret could not read the request",
          "[core][wire]") {
  const Error unread =
      failure_of("echo '{\"type\":\"hello\",\"protocol\":" + std::to_string(protocol_version) +
                 ",\"backend\":\"gpu\"}' >&3; cat >/dev/null");
  CHECK(unread.code == ErrorCode::protocol_mismatch);
  CHECK_THAT(unread.what, ContainsSubstring("cannot read what it was asked"));
}

TEST_CASE(
    "a kernel file gets a temporary folder of its own, and watching the user's, where the "
    "GPU's lock is",
    "[core][wire]") {
  const test::TemporaryFolder users;
  const test::Environment place("TMPDIR", users.path().string());
  const std::string tells =
      hello + "[ \"$TMPDIR\" != '" + users.path().string() + "' ] || say '" + device + "'; " + done;
  CHECK(answer_of(tells, false, {.phase = Phase::live}).all<record::Device>().size() == 1);
  const Request loads{.phase = Phase::verify,
                      .plugins = {{VariantName("mine"), (users.path() / "mine.so").string()}}};
  CHECK(answer_of(tells, false, loads).all<record::Device>().empty());
}

TEST_CASE("garbage, a line without end and records without end are ended at once", "[core][wire]") {
  CHECK(failure_of("while :; do echo garbage >&3; done").code == ErrorCode::protocol_mismatch);
  CHECK(failure_of(hello + "cat /dev/zero >&3").code == ErrorCode::protocol_mismatch);
  // yes writes faster than a shell can.
  const Error endless = failure_of(
      hello + "yes \"$secret{\\\"type\\\":\\\"progress\\\",\\\"step\\\":\\\"s\\\"}\" >&3");
  CHECK_THAT(endless.what, ContainsSubstring("without end"));
}

TEST_CASE("records are bounded by their bytes as well", "[core][wire]") {
  PhaseOutcome outcome;
  const std::function<void(const Record&)> ignored;
  constexpr std::size_t bound = 100'000;
  RecordReader reader(outcome, ignored, false, {}, bound);
  REQUIRE(reader.take(R"({"type":"hello","protocol":3,"backend":"gpu"})"));
  const std::string large = R"({"type":"progress","step":")" + std::string(10'000, 'x') + "\"}";
  std::size_t taken = 0;
  while (reader.take(large)) taken += large.size();
  CHECK(taken <= bound);
  CHECK(taken > bound / 2);
  CHECK(reader.broken());
}

TEST_CASE("however host code ends the program, that is told with what to do about it",
          "[core][wire]") {
  const Request loads{.phase = Phase::verify, .plugins = {{VariantName("mine"), "mine.so"}}};
  const auto ending = [&](const std::string& how) {
    const PhaseOutcome outcome = answer_of(hello + how, false, loads);
    REQUIRE(outcome.error);
    CHECK(outcome.error->code == ErrorCode::crash);
    return outcome.error->what + " " + shell_words(outcome.error->remedy);
  };
  for (const std::string code : {"0", "3"})
    CHECK_THAT(ending("exit " + code),
               ContainsSubstring("ended the program, with exit code " + code) &&
                   ContainsSubstring("`launch` has to return"));
  CHECK_THAT(ending("kill -ABRT $$"), ContainsSubstring("called abort()"));
  CHECK_THAT(ending("kill -FPE $$"), ContainsSubstring("division of integers by zero"));
  CHECK_THAT(ending("kill -ILL $$"), ContainsSubstring("without a `return`"));
  CHECK_THAT(ending("kill -SEGV $$"), ContainsSubstring("null or device pointers"));
  CHECK_THAT(ending("kill -KILL $$"), ContainsSubstring("want of memory"));
}

TEST_CASE("a runner that ends with nothing of a learner's in it is no kernel file's fault",
          "[core][wire]") {
  CHECK(failure_of(hello + "exit 3").code == ErrorCode::runner_failed);
}
