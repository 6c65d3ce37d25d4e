// Recording: the events of one check as JSON lines with their times, to replay it later.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "ui/launcher.hpp"

namespace klab::ui {

struct RecordedEvent {
  double at_s = 0;  ///< since the check began
  RunEvent event;
};

struct Recording {
  std::string lab;   ///< id
  std::string note;  ///< where it comes from; shown while it is replayed
  std::vector<RecordedEvent> events;
};

/// A recording has a head line {"recording": 1, "lab", "note"}, then a line an event: {"at_s",
/// "kind", "phase", "text", "record"}, then {"at_s", "result"} and any number of {"at_s",
/// "investigation"}. Errors: ErrorCode::io naming the line.
Result<Recording> read_recording(const std::filesystem::path& path);

std::string recording_head(std::string_view lab, std::string_view note);
std::string encode_line(const RecordedEvent& event);

/// `work` that also writes to `path`: a check its events while it runs, over what stood there; an
/// investigation what it found, after the check.
Work recorded(Work work, std::filesystem::path path, std::string note);

}  // namespace klab::ui
