// What the sides of a timing are told of each other, with runners that a shell script stands in
// for.
#include "core/timing/runner_sides.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "core/base/files.hpp"
#include "support/scripted_runner.hpp"

using namespace klab;

namespace {

/// Notes what it is asked for, and ends.
const std::string notes_its_part =
    "case \"$request\" in\n"
    "*'\"gives_pages_to\":1'*) part=gives;;\n*'\"takes_pages\":true'*) part=takes;;\n"
    "*) part=alone;;\nesac\n"
    "[ -S /proc/self/fd/4 ] && part=\"$part through a socket\"\n"
    "echo \"$part\" >> \"$0.parts\"";

std::vector<std::string> parts_of(const test::ScriptedRunner& runner) {
  std::istringstream noted(read_file(runner.program.string() + ".parts").value());
  std::vector<std::string> parts;
  for (std::string line; std::getline(noted, line);) parts.push_back(line);
  std::sort(parts.begin(), parts.end());
  return parts;
}

}  // namespace

TEST_CASE("the first side gives its pages to the others, and one started anew has its own",
          "[core][timing]") {
  const test::ScriptedRunner runner(notes_its_part);
  Request request{.phase = Phase::time};
  // What a request from elsewhere says of pages is nobody's.
  request.gives_pages_to = 1;
  for (const VariantName& name : {VariantName::flawed, VariantName::mine})
    request.plugins.push_back({name, "/" + name.name() + ".so"});
  RunnerSides sides(runner.program, request, test::long_s, nullptr);
  (void)sides.start(request.plugins.front());  // when all that wait are awake, or have ended
  CHECK(parts_of(runner) ==
        std::vector<std::string>{"gives through a socket", "takes through a socket"});

  CHECK_FALSE(sides.start(request.plugins.front())->sample({}));
  CHECK(parts_of(runner).front() == "alone");
}

TEST_CASE("all processes of all sides lie on the pages of the first one", "[core][timing]") {
  const test::ScriptedRunner runner(
      "case \"$request\" in\n"
      "*'\"gives_pages_to\":3'*) part=gives;;\n*'\"takes_pages\":true'*) part=takes;;\n"
      "*) part=alone;;\nesac\necho \"$part\" >> \"$0.parts\"");
  Request request{.phase = Phase::time};
  request.processes = 2;
  for (const VariantName& name : {VariantName::flawed, VariantName::mine})
    request.plugins.push_back({name, "/" + name.name() + ".so"});
  RunnerSides sides(runner.program, request, test::long_s, nullptr);
  (void)sides.start(request.plugins.front());
  CHECK(parts_of(runner) == std::vector<std::string>{"gives", "takes", "takes", "takes"});
}

TEST_CASE("a side that is timed alone shares nothing", "[core][timing]") {
  const test::ScriptedRunner runner(notes_its_part);
  Request request{.phase = Phase::time};
  request.plugins = {{VariantName::flawed, "/f.so"}};
  RunnerSides sides(runner.program, request, test::long_s, nullptr);
  CHECK_FALSE(sides.start(request.plugins.front())->sample({}));
  CHECK(parts_of(runner) == std::vector<std::string>{"alone"});
}
