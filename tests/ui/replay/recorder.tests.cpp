// What --record writes can be replayed elsewhere, and tells nothing of the machine.
#include "ui/replay/recorder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "core/course/lab.hpp"
#include "ui/replay/recording.hpp"
#include "ui/support/fixture.hpp"

namespace klab::ui {
namespace {

/// A check that tells what a compiler says of a file of the course.
CheckResult check_with_paths(const CheckRequest& request, const OnCheckEvent& on_event,
                             const std::atomic<bool>&) {
  const std::string file = (request.lab.root / "workbook" / "02_coalescing.cu").string();
  on_event({CheckEvent::Kind::building, OwnPhase::build, {}, "Building " + file});
  CheckResult result;
  result.lab = request.lab.id;
  result.errors.push_back(make_error(ErrorCode::build_failed, file + ":3: wrong, see " + file));
  return result;
}

Investigation find_nothing(const InvestigationRequest& request, const OnCheckEvent&,
                           const std::atomic<bool>&) {
  Investigation found{.kind = request.kind, .lab = request.lab.id};
  found.errors.push_back(make_error(ErrorCode::unsupported, "Nothing."));
  return found;
}

struct Course {
  SampleCourse files;
  Lab lab = load_course(files.root()).labs.at(1);
  std::filesystem::path path = files.root() / "out.jsonl";
  std::atomic<bool> canceled = false;
  Work work() const {
    auto both = recorded(Work{check_with_paths, find_nothing, {}}, path, "a test");
    REQUIRE(both);
    return *both;
  }
};

}  // namespace

TEST_CASE("A recording names the course's files relative to it", "[ui][recording]") {
  Course course;
  const CheckRequest request{.tree = Tree(), .lab = course.lab};
  course.work().check(
      request, [](const CheckEvent&) {}, course.canceled);
  const std::string written = text_of(course.path);
  CHECK(written.find(course.files.root().string()) == std::string::npos);
  const auto read = read_recording(course.path);
  REQUIRE(read);
  CHECK(std::get<CheckEvent>(read->events.at(0).event).text ==
        "Building workbook/02_coalescing.cu");
  CHECK(std::get<CheckResult>(read->events.at(1).event).errors.at(0).what ==
        "workbook/02_coalescing.cu:3: wrong, see workbook/02_coalescing.cu");
}

TEST_CASE("Investigations without a check are a recording too, over what stood there",
          "[ui][recording]") {
  Course course;
  std::ofstream(course.path) << "from another time\n";
  const Work work = course.work();
  InvestigationRequest request{
      .kind = InvestigationKind::stalls, .tree = Tree(), .lab = course.lab};
  work.investigate(request, {}, course.canceled);
  request.kind = InvestigationKind::sweep;
  work.investigate(request, {}, course.canceled);
  const auto read = read_recording(course.path);
  REQUIRE(read);
  CHECK(read->lab == "02-coalescing");
  REQUIRE(read->events.size() == 2);
  CHECK(std::get<Investigation>(read->events[1].event).kind == InvestigationKind::sweep);
}

TEST_CASE("A recording that cannot be written is told before anything runs", "[ui][recording]") {
  const SampleCourse course;
  const auto refused = recorded({}, course.root() / "absent" / "out.jsonl", "");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::io);
  CHECK(refused.error().what.find("No such file") != std::string::npos);
}

}  // namespace klab::ui
