// Fixture: a copy of the sample course in a folder of its own, and recordings to replay.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "ui/background/launcher.hpp"
#include "ui/model/commands.hpp"
#include "ui/replay/recording.hpp"

namespace klab::ui {

/// tests/ui/data/course, copied so that a test may start labs and write a journal. Removed at the
/// end.
class SampleCourse {
 public:
  SampleCourse();
  ~SampleCourse();
  SampleCourse(const SampleCourse&) = delete;
  SampleCourse& operator=(const SampleCourse&) = delete;
  const std::filesystem::path& root() const { return root_; }
  Tree tree() const { return {.root = root_}; }

 private:
  std::filesystem::path root_;
};

/// The learner types this in place of everything.
inline command::EditCode typed_over(std::string text) {
  return {{edit::Select{0, std::string::npos}, edit::Type{std::move(text)}}};
}

/// The file's bytes; empty if it cannot be read.
std::string text_of(const std::filesystem::path& path);

/// tests/ui/data/<name>.jsonl
std::filesystem::path recording_path(const std::string& name);
Recording recording(const std::string& name);

/// Keeps what it was asked, and delivers what the test puts in.
struct ScriptedLauncher : Launcher {
  std::vector<CheckRequest> started;
  std::vector<InvestigationRequest> investigated;
  std::vector<CeilingsRequest> measured;
  std::vector<RunEvent> pending;
  bool running = false;
  int canceled = 0;

  void start(CheckRequest request) override {
    started.push_back(std::move(request));
    running = true;
  }
  void investigate(InvestigationRequest request) override {
    investigated.push_back(std::move(request));
    running = true;
  }
  void measure_ceilings(CeilingsRequest request) override {
    measured.push_back(std::move(request));
    running = true;
  }
  void cancel() override { ++canceled; }
  bool busy() const override { return running; }
  std::vector<RunEvent> drain() override;
};

}  // namespace klab::ui
