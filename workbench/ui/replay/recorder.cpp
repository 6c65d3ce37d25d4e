// Recorder: one line an event, each on disk before the next.
#include "ui/replay/recorder.hpp"

#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>

#include "core/base/files.hpp"
#include "ui/replay/recording.hpp"

namespace klab::ui {
namespace {

using Clock = std::chrono::steady_clock;

class Recorder {
 public:
  Recorder(std::filesystem::path path, std::string note)
      : path_(std::move(path)), note_(std::move(note)) {}

  /// Over what stood there.
  void begin(const Lab& lab) {
    began_ = Clock::now();
    begun_ = true;
    keep(write_file(path_, recording_head(lab.id, note_) + "\n"));
  }
  /// What stands there from another time is nothing to go on with.
  void go_on(const Lab& lab) {
    if (!begun_) begin(lab);
  }
  void write(RunEvent event, const Lab& lab) {
    const std::chrono::duration<double> since = Clock::now() - began_;
    keep(append_to_file(path_, encode_line({since.count(), std::move(event)}, lab.root) + "\n"));
  }

 private:
  /// A recording with a hole is none: that is said, once.
  void keep(const Result<>& written) {
    if (written || std::exchange(has_failed_, true)) return;
    std::fprintf(stderr, "The recording is incomplete. %s\n", written.error().what.c_str());
  }

  std::filesystem::path path_;
  std::string note_;
  bool has_failed_ = false;
  Clock::time_point began_ = Clock::now();
  bool begun_ = false;
};

}  // namespace

Result<Work> recorded(Work work, const std::filesystem::path& path, std::string note) {
  if (auto writable = append_to_file(path, ""); !writable) return writable.error();
  const auto recorder = std::make_shared<Recorder>(path, std::move(note));
  Work both = work;
  both.check = [recorder, check = work.check](const CheckRequest& request,
                                              const OnCheckEvent& on_event,
                                              const std::atomic<bool>& canceled) {
    recorder->begin(request.lab);
    const auto write_and_tell = [&](const CheckEvent& event) {
      recorder->write(event, request.lab);
      on_event(event);
    };
    CheckResult result = check(request, write_and_tell, canceled);
    recorder->write(result, request.lab);
    return result;
  };
  both.investigate = [recorder, investigate = work.investigate](const InvestigationRequest& request,
                                                                const OnCheckEvent& on_event,
                                                                const std::atomic<bool>& canceled) {
    recorder->go_on(request.lab);
    Investigation found = investigate(request, on_event, canceled);
    recorder->write(found, request.lab);
    return found;
  };
  return both;
}

}  // namespace klab::ui
