// Fixture: copying and removing.
#include "ui/support/fixture.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace klab::ui {
namespace fs = std::filesystem;

SampleCourse::SampleCourse() {
  std::string name = (fs::temp_directory_path() / "klab-ui-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  root_ = name;
  fs::copy(fs::path(KLAB_UI_DATA) / "course", root_, fs::copy_options::recursive);
}

SampleCourse::~SampleCourse() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path recording_path(const std::string& name) {
  return fs::path(KLAB_UI_DATA) / (name + ".jsonl");
}

Recording recording(const std::string& name) {
  auto read = read_recording(recording_path(name));
  if (!read) throw std::runtime_error(read.error().what);
  return std::move(*read);
}

std::vector<RunEvent> ScriptedLauncher::drain() {
  for (const RunEvent& event : pending)
    if (!std::holds_alternative<CheckEvent>(event)) running = false;
  return std::exchange(pending, {});
}

}  // namespace klab::ui
