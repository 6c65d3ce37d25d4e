// The closed room, from within: a library that tries each forbidden thing is loaded by the real
// runner, and what it reports comes out at the other end.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <string>

#include "core/build/plugin_builder.hpp"
#include "core/process/room.hpp"
#include "core/wire/runner_client.hpp"
#include "support/checking.hpp"
#include "support/environment.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string untouched = "nobody may change this";

struct Trespass {
  std::string told;     ///< a line an act
  std::string file;     ///< what became of the file that was there for the taking
  std::string lasting;  ///< files that a phase left in the folder for temporary ones
};

/// The phase verify on the simulator, with `library` in the place of a kernel file.
PhaseOutcome verify_library(const std::string& library) {
  test::require_backend(Backend::simulator);
  const Tree tree = test::tree();
  const auto lab = load_lab(KLAB_SOURCE_DIR, "02_coalescing");
  const auto toolchain = find_toolchain(tree);
  REQUIRE(lab);
  REQUIRE(toolchain);
  const auto workload = build_workload(tree, *toolchain, *lab, default_compute_capability);
  REQUIRE(workload);
  return run_phase(tree, true,
                   {.phase = Phase::verify,
                    .lab = lab->id,
                    .workload = workload->library.string(),
                    .plugins = {{VariantName::mine, library}},
                    .sizes = {lab->sizes.checking.front()}},
                   60);
}

Trespass trespass() {
  const test::TemporaryFolder folder, temporary;
  const auto file = folder.path() / "ceilings.json";
  std::ofstream(file) << untouched;
  const test::Environment target("KLAB_TRESPASS_FILE", file.string());
  // A copy: where the room is open, it spoils it.
  const auto library = folder.path() / "library.so";
  std::filesystem::copy_file(KLAB_TRESPASSER, library);
  const test::Environment itself("KLAB_TRESPASS_LIBRARY", library.string());
  const test::Environment place("TMPDIR", temporary.path().string());
  const PhaseOutcome outcome = verify_library(library.string());
  Trespass result{.told = outcome.output + (outcome.error ? outcome.error->what : "")};
  if (const auto text = read_file(file)) result.file = *text;
  for (const auto& entry : std::filesystem::directory_iterator(temporary.path()))
    result.lasting += entry.path().filename().string() + " ";
  return result;
}

/// Whether it was told that the act was done; fails if nothing was told of it.
bool was_done(const Trespass& trespass, const std::string& act) {
  INFO(trespass.told);
  const std::size_t at = ("\n" + trespass.told).find("\n" + act + ": ");
  REQUIRE(at != std::string::npos);
  return trespass.told.substr(at + act.size() + 2).starts_with("done\n");
}

void require_landlock() {
  if (!offered_guards().landlock) SKIP("this kernel has no Landlock");
}
void require_filter() {
  if (!offered_guards().system_calls) SKIP("this kernel refuses no system calls");
}

}  // namespace

TEST_CASE("a kernel file cannot change, make or remove a file outside its scratch folder",
          "[runner][room]") {
  require_landlock();
  const Trespass trespassed = trespass();
  for (const char* act :
       {"write a file", "empty a file", "empty a file by reading", "remove a file", "make a file",
        "make a folder", "rename a file", "change a mode", "change a time",
        "write to shared memory", "write to the temporary folder", "write to the own library",
        "write to the own memory"}) {
    INFO(act);
    CHECK_FALSE(was_done(trespassed, act));
  }
  CHECK(trespassed.file == untouched);
}

TEST_CASE("a kernel file sees no file of the user's and no other process", "[runner][room]") {
  require_landlock();
  const Trespass trespassed = trespass();
  CHECK_FALSE(was_done(trespassed, "read a file"));
  CHECK_FALSE(was_done(trespassed, "look at another process"));
}

TEST_CASE("what a kernel file writes to its scratch folder is gone with the phase",
          "[runner][room]") {
  const Trespass trespassed = trespass();
  CHECK(was_done(trespassed, "write to the scratch folder"));
  CHECK(trespassed.lasting == "");
}

TEST_CASE("a kernel file can neither signal nor trace another process", "[runner][room]") {
  require_filter();
  const Trespass trespassed = trespass();
  CHECK_FALSE(was_done(trespassed, "signal another process"));
#ifndef __SANITIZE_ADDRESS__
  CHECK_FALSE(was_done(trespassed, "trace another process"));
#endif
}

TEST_CASE("a kernel file leaves nothing behind that runs on", "[runner][room]") {
  require_filter();
  const Trespass trespassed = trespass();
  for (const char* act : {"start a program", "leave the session", "leave the group"}) {
    INFO(act);
    CHECK_FALSE(was_done(trespassed, act));
  }
#ifndef __SANITIZE_ADDRESS__
  CHECK_FALSE(was_done(trespassed, "fork"));
#endif
}

TEST_CASE("a kernel file can neither write to code nor run what it wrote", "[runner][room]") {
  require_filter();
  const Trespass trespassed = trespass();
  for (const char* act :
       {"make code writable", "make code writable by a key", "map memory to write and run",
        "run what was written", "let all memory be run"}) {
    INFO(act);
    CHECK_FALSE(was_done(trespassed, act));
  }
}

TEST_CASE("a kernel file finds no function of the driver that reaches beyond its launch",
          "[runner][room]") {
  const Trespass trespassed = trespass();
  CHECK_FALSE(was_done(trespassed, "find a function of the profiler"));
  CHECK(was_done(trespassed, "ask for a tensor map"));
}

TEST_CASE("a kernel file counts nobody's events", "[runner][room]") {
  require_filter();
  CHECK_FALSE(was_done(trespass(), "count events"));
}

TEST_CASE("a kernel file reaches no network, keeps no memory and types nothing", "[runner][room]") {
  require_filter();
  const Trespass trespassed = trespass();
  for (const char* act : {"reach a network", "reach a network of version 6",
                          "keep memory for later", "type into the terminal"}) {
    INFO(act);
    CHECK_FALSE(was_done(trespassed, act));
  }
}

TEST_CASE("what CUDA needs stays possible in the room", "[runner][room]") {
  const Trespass trespassed = trespass();
  for (const char* act : {"start a thread", "name a thread", "signal itself", "read the own maps",
                          "write to nothing", "seal memory", "unseal memory", "load a library"}) {
    INFO(act);
    CHECK(was_done(trespassed, act));
  }
}

TEST_CASE("who starts klab can leave the room open", "[runner][room]") {
  const test::Environment open("KLAB_ROOM", "open");
  const Trespass trespassed = trespass();
  CHECK(was_done(trespassed, "write a file"));
  CHECK(was_done(trespassed, "fork"));
}

TEST_CASE("what a kernel file writes to the runner's descriptor is no record", "[runner][room]") {
  const PhaseOutcome outcome = verify_library(KLAB_FORGER);
  INFO((outcome.error ? outcome.error->what : ""));
  CHECK_FALSE(outcome.error);
  const auto verified = outcome.all<record::Verified>();
  REQUIRE(verified.size() == 1);
  CHECK_FALSE(verified.front().correct);
  CHECK(verified.front().problem == ResultProblem::not_written);
}
