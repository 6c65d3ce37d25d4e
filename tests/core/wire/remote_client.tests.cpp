// Every way in which a runner elsewhere can fail to answer is a sentence with a remedy.
#include "core/wire/remote_client.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <thread>

#include "core/check/machine.hpp"
#include "core/timing/gpu_lock.hpp"
#include "support/in_full.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string remote_hello = R"({"type":"hello","protocol":3,"backend":"gpu"})";
const std::string remote_device =
    R"({"type":"device","facts":{"name":"A GPU","compute_capability":90,"driver":"580.1"}})";
const std::string progress = R"({"type":"progress","step":"sampling","index":3,"total":9})";
const std::string remote_done = R"({"type":"done"})";

/// Answers as a shell script that stands in for ssh.
PhaseOutcome remote_answer(const std::string& script, const std::atomic<bool>* canceled = nullptr) {
  return run_remote_phase("sh -c '" + script + "'", {.phase = Phase::device}, 20, {}, canceled);
}

/// The script that prints these lines after it has read the request.
std::string printing(std::initializer_list<std::string> lines) {
  std::string script = "cat >/dev/null; printf \"%s\\n\"";
  for (std::string line : lines) {
    std::string quoted;
    for (const char c : line) quoted += c == '"' ? std::string("\\\"") : std::string(1, c);
    script += " \"" + quoted + "\"";
  }
  return script;
}

Error remote_failure(const std::string& script) {
  const PhaseOutcome outcome = remote_answer(script);
  REQUIRE(outcome.error);
  CAPTURE(outcome.error->what, outcome.error->detail);
  CHECK_FALSE(outcome.error->remedy.empty());
  return *outcome.error;
}

}  // namespace

TEST_CASE("a runner behind a command answers with records on its output", "[core][remote]") {
  const PhaseOutcome outcome = remote_answer(
      printing({remote_hello, "", remote_device, remote_done}) + "; echo printed >&2");
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  CHECK(outcome.all<record::Device>().at(0).facts.name == "A GPU");
  CHECK(outcome.output == "printed\n");
}

TEST_CASE("what a login shell prints before the runner speaks is passed over", "[core][remote]") {
  CHECK_FALSE(
      remote_answer(printing({"Welcome!", "{\"a\":1}", remote_hello, remote_device, remote_done}))
          .error);
  const Error after = remote_failure(printing({remote_hello, "Welcome!", remote_done}));
  CHECK(after.code == ErrorCode::protocol_mismatch);
}

TEST_CASE("a command that does not exist is told by its name", "[core][remote]") {
  const auto outcome =
      run_remote_phase("no-such-program-here host", {.phase = Phase::device}, 20, {}, nullptr);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::no_runner);
  CHECK_THAT(outcome.error->what, ContainsSubstring("no-such-program-here"));
  CHECK_THAT(shell_words(outcome.error->remedy), ContainsSubstring("--runner"));
  const Error there = remote_failure("exec /no/such/klab-runner-gpu");
  CHECK(there.code == ErrorCode::no_runner);
  CHECK_THAT(there.what, ContainsSubstring("found no runner"));
  CHECK_THAT(shell_words(there.remedy), ContainsSubstring("whole path"));
}

TEST_CASE("a quote that does not end is a usage error", "[core][remote]") {
  const auto outcome = run_remote_phase("ssh 'host", {.phase = Phase::device}, 20, {}, nullptr);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::usage);
}

TEST_CASE("a runner of another version is told with both versions", "[core][remote]") {
  const Error newer =
      remote_failure(printing({R"({"type":"hello","protocol":77,"backend":"gpu"})"}));
  CHECK(newer.code == ErrorCode::protocol_mismatch);
  CHECK_THAT(newer.what, ContainsSubstring("77"));
  CHECK_THAT(shell_words(newer.remedy), ContainsSubstring("both machines"));
  const Error older = remote_failure("echo usage: klab-runner-gpu --records-fd N >&2; exit 2");
  CHECK(older.code == ErrorCode::protocol_mismatch);
  CHECK_THAT(older.what, ContainsSubstring("older"));
}

TEST_CASE("a connection that is refused or asks for a password tells what ssh said",
          "[core][remote]") {
  const Error refused = remote_failure("echo Permission denied >&2; exit 255");
  CHECK(refused.code == ErrorCode::no_runner);
  CHECK_THAT(refused.what, ContainsSubstring("Permission denied"));
  CHECK_THAT(refused.what, ContainsSubstring("255"));
}

TEST_CASE("garbage instead of records is quoted, however much of it there is", "[core][remote]") {
  const Error some = remote_failure(printing({"Last login: today", "\x1b[31mred"}));
  CHECK(some.code == ErrorCode::no_runner);
  CHECK_THAT(some.what, ContainsSubstring("Last login"));
  const Error much = remote_failure("cat >/dev/null; yes nonsense | head -c 1000000");
  CHECK_FALSE(much.what.empty());
  const Error binary = remote_failure("cat >/dev/null; head -c 100000 /dev/zero");
  CHECK_FALSE(binary.what.empty());
}

TEST_CASE("a connection that breaks off tells how far the phase had come", "[core][remote]") {
  const PhaseOutcome outcome =
      remote_answer(printing({remote_hello, remote_device, progress}) + "; kill -9 $$");
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::no_runner);
  CHECK_THAT(outcome.error->what, ContainsSubstring("broke off"));
  CHECK_THAT(outcome.error->what, ContainsSubstring("\"sampling\" 3 of 9"));
  CHECK(outcome.all<record::Device>().size() == 1);  // what came before is kept
}

TEST_CASE("a command that never answers can be stopped at once", "[core][remote]") {
  std::atomic<bool> canceled = false;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    canceled = true;
  });
  const PhaseOutcome outcome = remote_answer("sleep 1000", &canceled);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::canceled);
}

TEST_CASE("a named runner is the one that is used: nothing falls back to this machine",
          "[core][remote]") {
  const test::TemporaryFolder folder;
  folder.write("bin/klab-runner-sim", "");
  Tree tree{folder.path(), folder.path()};
  CHECK(choose_backend(tree, Backend::automatic)->simulator);
  tree.remote = "false";
  const auto none = choose_backend(tree, Backend::automatic);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ErrorCode::no_runner);

  tree.remote = "sh -c '" + printing({remote_hello, remote_device, remote_done}) + "'";
  const auto chosen = choose_backend(tree, Backend::automatic);
  REQUIRE(chosen);
  CHECK_FALSE(chosen->simulator);
  CHECK(chosen->capability() ==
        ComputeCapability{9, 0});  // plugins are built for the device that is there
  CHECK(choose_backend(tree, Backend::simulator).error().code == ErrorCode::usage);
}

TEST_CASE("each remote runner has a cache and a waiting line of its own", "[core][remote]") {
  const Tree local{"/r", "/b"}, one{"/r", "/b", "ssh one r"}, two{"/r", "/b", "ssh two r"};
  CHECK(local.cache() == "/b/cache");
  CHECK(one.cache() != two.cache());
  CHECK(one.cache().parent_path() == local.cache());
  const std::atomic<bool> canceled = false;
  const auto unexpected = [] { FAIL("the other GPU's line is another one"); };
  const std::string seed = std::to_string(fresh_seed());
  const GpuLock first({"/r", "/b", "ssh one " + seed}, unexpected, canceled);
  const GpuLock second({"/r", "/b", "ssh two " + seed}, unexpected, canceled);
}
