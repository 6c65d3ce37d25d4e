// One kernel file for every way in which a check can end: none of them may hang, crash or invent
// anything.
#include "support/checking.hpp"
#include "support/dynamic_tests.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "core/admission/expectation.hpp"

using namespace klab;
using namespace klab::test;

namespace {

const std::filesystem::path fixtures = tree().root / "tests" / "fixtures";
const std::filesystem::path two_devices = fixtures / "two_devices";

/// The part of the first line after the last semicolon must appear in the gate's text.
std::string promised_text(const Expectation& expected) {
  const std::size_t at = expected.reason.rfind("; ");
  return at == std::string::npos ? "" : expected.reason.substr(at + 2);
}

void ends_as_promised(const Lab& lab, const Variant& variant, Backend backend,
                      const Tree& here = tree()) {
  const Expectation expected = expectation_of(variant.path);
  REQUIRE(expected.passes + expected.gates.size() == 1);
  if (here.remote.empty())
    require_runnable(lab, backend);
  else
    require_backend(backend);
  const CheckResult result = run_check(lab, variant, backend, here);
  INFO(describe(result));
  // What hangs is ended: at the limit, or on a busy machine at ten of them.
  for (const auto& [phase, seconds] : result.phase_seconds)
    CHECK(seconds < 10 * lab.time_limit_s + 60);
  if (expected.passes) {
    CHECK(outcome_of(result, GateName::correct) == Outcome::pass);
    CHECK(outcome_of(result, GateName::cause) == Outcome::pass);
    return;
  }
  bool said = false;
  for (const Gate& gate : result.gates) {
    if (gate.name != expected.gates.front()) continue;
    CHECK(gate.outcome != Outcome::pass);
    CHECK_FALSE(gate.advice.empty());
    said = said || (gate.detail + shell_words(gate.advice)).find(promised_text(expected)) !=
                       std::string::npos;
  }
  CHECK(said);
  for (const Gate& gate : result.gates)
    if (gate.name == GateName::time || gate.name == GateName::same_work ||
        gate.name == GateName::cause)
      CHECK_FALSE(gate.measured);
}

/// Those that could break the wire to a runner elsewhere, where this machine's simulator plays the
/// other machine.
const std::set<std::string> tried_remotely = {"wrong_answer", "wrong_exit", "wrong_host_crash",
                                              "wrong_infinite_loop", "slow_floods_stdout"};

/// Folders of remote requests that are still there.
int left_behind() {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
    count += entry.path().filename().string().starts_with("klab-scratch-");
  return count;
}

void ends_as_promised_remotely(const Lab& lab, const Variant& variant) {
  require_backend(Backend::simulator);
  const test::TemporaryFolder temporary;
  ::setenv("TMPDIR", temporary.path().c_str(), 1);
  Tree remote = tree();
  remote.remote = remote.runner(true).string();
  ends_as_promised(lab, variant, Backend::automatic, remote);
  CHECK(left_behind() == 0);
  ::unsetenv("TMPDIR");
}

const bool fixtures_registered = [] {
  // The tests keep references to them.
  static const std::vector<Lab> one_device = load_course(fixtures).labs;
  static const std::vector<Lab> of_two = load_course(two_devices).labs;
  std::vector<std::reference_wrapper<const Lab>> labs(one_device.begin(), one_device.end());
  labs.insert(labs.end(), of_two.begin(), of_two.end());
  for (const Lab& lab : labs)
    for (const Backend backend : {Backend::simulator, Backend::gpu})
      for (const Variant& variant : variants(lab))
        if (variant.name != VariantName::flawed && variant.name != VariantName::optimized) {
          const std::string name(to_string(backend));
          const std::string of = lab.gpus > 1 ? "for two devices " : "";
          add_test(name + ": fixture " + of + variant.name.name() + " ends as its first line says",
                   "[fixture][" + name + "]",
                   [&lab, variant, backend] { ends_as_promised(lab, variant, backend); });
        }
  for (const Lab& lab : one_device)
    for (const Variant& variant : variants(lab))
      if (tried_remotely.contains(variant.name.name()))
        add_test("remote: fixture " + variant.name.name() + " ends as its first line says",
                 "[fixture][remote]", [&lab, variant] { ends_as_promised_remotely(lab, variant); });
  return true;
}();

}  // namespace

TEST_CASE("the fixture labs can be read", "[fixture]") {
  REQUIRE(fixtures_registered);
  const Course course = load_course(fixtures);
  for (const Error& error : course.broken) FAIL_CHECK(error.what);
  REQUIRE(course.labs.size() == 2);
  const Course pairs = load_course(two_devices);
  for (const Error& error : pairs.broken) FAIL_CHECK(error.what);
  REQUIRE(pairs.labs.size() == 1);
  CHECK(pairs.labs.front().gpus == 2);
}
