// A recording is data from anywhere: read or refused, whatever it holds.
#include "ui/replay/recording.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/mutations.hpp"
#include "support/temporary_folder.hpp"
#include "ui/support/fixture.hpp"

namespace klab::ui {

TEST_CASE("Whatever a recording holds, it is read or refused with its line", "[ui][recording]") {
  const test::TemporaryFolder folder;
  std::vector<std::string> examples;
  for (const char* name : {"build_failed", "wrong", "crashed", "timeline"})
    examples.push_back(text_of(recording_path(name)));
  test::for_mutations(examples, 300, [&](const std::string& text) {
    const auto read = read_recording(folder.write("a.jsonl", text));
    if (!read) {
      CHECK(read.error().what.find("exception") == std::string::npos);
      return;
    }
    for (const RecordedEvent& event : read->events) CHECK_FALSE(encode_line(event).empty());
  });
}

TEST_CASE("A record that nests without end is refused", "[ui][recording]") {
  const test::TemporaryFolder folder;
  const std::string deep(1'000'000, '[');
  const auto read = read_recording(
      folder.write("a.jsonl", recording_head("02-coalescing", "") + "\n" +
                                  R"({"at_s":0,"kind":"record","phase":"verify","record":)" + deep +
                                  std::string(deep.size(), ']') + "}\n"));
  REQUIRE_FALSE(read);
  CHECK(read.error().what ==
        "Line 2 of the recording " + (folder.path() / "a.jsonl").string() + " nests too deep.");
}

TEST_CASE("The phase of an event comes back; one of another version is none", "[ui][recording]") {
  const test::TemporaryFolder folder;
  const auto phase_of = [&](const std::string& line) {
    const auto read =
        read_recording(folder.write("a.jsonl", recording_head("02-coalescing", "") + "\n" + line));
    REQUIRE(read);
    return std::get<CheckEvent>(read->events.front().event).phase;
  };
  for (const CheckPhase phase : {CheckPhase(Phase::counters), CheckPhase(OwnPhase::second_look)})
    CHECK(phase_of(encode_line({0, CheckEvent{.phase = phase}})) == phase);
  CHECK_FALSE(phase_of(R"({"at_s":0,"kind":"phase_started","phase":"dreaming"})"));
}

TEST_CASE("A recording names no folder of the machine, not even where a course's links lead",
          "[ui][recording]") {
  const test::TemporaryFolder folder;
  const auto root = folder.path() / "course", elsewhere = folder.path() / "elsewhere";
  std::filesystem::create_directories(elsewhere / "kernels");
  std::filesystem::create_directories(root);
  std::filesystem::create_directory_symlink(elsewhere / "kernels", root / "kernels");
  const std::string told =
      (elsewhere / "kernels/02/flawed.cu").string() + ":3, " + (root / "labs/02").string();
  const std::string line = encode_line({0, CheckEvent{.text = told}}, root);
  CAPTURE(line);
  CHECK(line.find(folder.path().string()) == std::string::npos);
  CHECK(line.find(R"("kernels/02/flawed.cu:3, labs/02")") != std::string::npos);
}

}  // namespace klab::ui
