// The verbs with a runner elsewhere, and the ones that hand over to the window.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/program.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a runner that cannot be reached is told by every verb that needs one, exit code 4",
          "[cli][remote]") {
  const Program klab;
  const std::string runner = "sh -c 'echo no route to host >&2; exit 255'";
  for (const std::vector<std::string>& verb : {std::vector<std::string>{"device"},
                                               {"check", "2", "--variant", "flawed"},
                                               {"compare", "2", "--variant", "optimized"}}) {
    auto arguments = verb;
    arguments.insert(arguments.end(), {"--runner", runner});
    const auto run = klab.run(arguments);
    CAPTURE(verb.front());
    CHECK(run.exit_code == 4);
    CHECK_THAT(run.out + run.err, Says("no route to host"));
    CHECK_THAT(run.out + run.err, ContainsSubstring("--runner"));
  }
}

TEST_CASE("the runner may stand before the verb, after it, or in the environment",
          "[cli][remote]") {
  const Program klab;
  CHECK_THAT(klab.run({"--runner", "no-such-runner-1", "device"}).err,
             ContainsSubstring("no-such-runner-1"));
  CHECK_THAT(klab.run({"device", "--runner", "no-such-runner-2"}).err,
             ContainsSubstring("no-such-runner-2"));
  CHECK_THAT(klab.run_command({"env", "KLAB_RUNNER=no-such-runner-3", Program::program(), "--root",
                               klab.folder.path().string(), "device"})
                 .err,
             ContainsSubstring("no-such-runner-3"));
  CHECK(klab.run({"device", "--runner", "ssh 'host"}).exit_code == 2);
}

TEST_CASE("with --json the error of a runner that does not answer is told", "[cli][remote]") {
  const Program klab;
  const auto run = klab.run({"check", "2", "--variant", "flawed", "--json", "--runner", "false"});
  const auto json = parse(run.out);
  REQUIRE(json.contains("errors"));
  CHECK(json["errors"][0]["code"] == "no_runner");
  CHECK(json["verdict"] == "not checkable here");
}

TEST_CASE("doctor with a runner looks at that one and not at those here", "[cli][remote]") {
  const Program klab;
  const auto run = klab.run({"doctor", "--json", "--runner", "false"});
  bool found = false;
  for (const auto& finding : parse(run.out)) {
    CHECK(finding["subject"] != "simulator");
    CHECK(finding["subject"] != "driver");
    if (finding["subject"] != "runner") continue;
    found = true;
    CHECK(finding["works"] == false);
    CHECK(finding["needed"] == true);
  }
  CHECK(found);
}

TEST_CASE("a profiler does not run through a remote runner", "[cli][remote]") {
  const Program klab;
  const auto run = klab.run({"profile", "2", "--variant", "flawed", "--runner", "false"});
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.err, Says("beside its kernel"));
}

TEST_CASE("ui and present hand over to the window, and say so where there is none", "[cli][ui]") {
  const Program klab;  // its build tree holds no window
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"ui"},
                                                    {"ui", "--script", "a.klab", "--theme", "dark"},
                                                    {"ui", "present", "coalescing"},
                                                    {"present"},
                                                    {"present", "2"}}) {
    const auto run = klab.run(arguments);
    CAPTURE(arguments.size(), run.err);
    CHECK(run.exit_code == 4);
    CHECK_THAT(run.err, ContainsSubstring("klab-workbench"));
  }
  CHECK(klab.run({"present", "nothing"}).exit_code == 2);
}

TEST_CASE("the window's options arrive as they were written", "[cli][ui]") {
  const Program klab;
  const auto program = klab.folder.write("build/bin/klab-workbench",
                                         "#!/bin/sh\nfor w in \"$@\"; do echo \"<$w>\"; done\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string root = "<--root>\n<" + klab.folder.path().string() + ">\n";
  CHECK(klab.run({"ui", "--script", "a b.klab", "--theme", "dark"}).out ==
        root + "<--script>\n<a b.klab>\n<--theme>\n<dark>\n");
  CHECK(klab.run({"ui", "--runner", "ssh host r"}).out == root + "<--runner>\n<ssh host r>\n");
  const std::string slides = root + "<--present>\n<--lab>\n<02-coalescing>\n";
  CHECK(klab.run({"present", "2"}).out == slides);
  CHECK(klab.run({"ui", "present", "2"}).out == slides);
  CHECK(klab.run({"ui", "--help"}).out == root + "<--help>\n");
}
