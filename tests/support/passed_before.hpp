// PassedBefore: what a test takes long for is not done again where it passed with the same files.
#pragma once

#include <algorithm>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/files.hpp"
#include "core/base/sha256.hpp"

namespace klab::test {

/// Everything that a result follows from, as text.
class Inputs {
 public:
  Inputs& text(const std::string& text) {
    all_ += text + '\n';
    return *this;
  }
  /// A source file: by what it says.
  Inputs& source(const std::filesystem::path& file) {
    const auto bytes = read_file(file, std::size_t{64} << 20);
    return text(file.string() + ' ' + sha256(bytes ? *bytes : std::string()));
  }
  /// Those files of a folder, and of all below it, that `wanted` takes.
  template <class Wanted>
  Inputs& sources(const std::filesystem::path& folder, const Wanted& wanted) {
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, none))
      if (entry.is_regular_file() && wanted(entry.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) source(file);
    return *this;
  }
  /// A program or library that the build made: by when it did.
  Inputs& built(const std::filesystem::path& file) {
    std::error_code none;
    const auto when = std::filesystem::last_write_time(file, none).time_since_epoch().count();
    return text(file.string() + ' ' + std::to_string(when) + ' ' +
                std::to_string(std::filesystem::file_size(file, none)));
  }
  std::string digest() const { return sha256(all_); }

 private:
  std::string all_;
};

/// Whether a test passed with these inputs in this build tree. Never known where KLAB_TEST_AGAIN is
/// set: what is drawn at random is drawn anew then.
class PassedBefore {
 public:
  PassedBefore(const std::filesystem::path& folder, const Inputs& inputs)
      : file_(folder / inputs.digest()) {
    std::ifstream in(file_);
    if (in && std::getenv("KLAB_TEST_AGAIN") == nullptr)
      said_.emplace(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  explicit PassedBefore(const Inputs& inputs)
      : PassedBefore(std::filesystem::path(KLAB_BINARY_DIR) / "passed", inputs) {}

  /// What note_if_passed() was given then; nullopt if it has to be done.
  const std::optional<std::string>& said() const { return said_; }
  /// It passed, if no assertion of this test case fails. `what` else there is to say of it, such as
  /// what could not be tested here.
  void note_if_passed(std::string what = {}) const {
    pending().emplace_back(file_, std::move(what));
  }

  using Pending = std::vector<std::pair<std::filesystem::path, std::string>>;
  /// Of the test case that is under way.
  static Pending& pending() {
    static Pending notes;
    return notes;
  }

 private:
  std::filesystem::path file_;
  std::optional<std::string> said_;
};

/// Writes at the end of a test case what is to be noted of it.
class NotesWhatPassed : public Catch::EventListenerBase {
 public:
  using EventListenerBase::EventListenerBase;
  void testCaseEnded(const Catch::TestCaseStats& ended) override {
    const bool passed = ended.totals.assertions.failed == 0;
    for (const auto& [file, what] : std::exchange(PassedBefore::pending(), {})) {
      if (!passed) continue;
      std::error_code none;
      std::filesystem::create_directories(file.parent_path(), none);
      (void)!write_file(file, what);
    }
  }
};

}  // namespace klab::test

CATCH_REGISTER_LISTENER(klab::test::NotesWhatPassed)
