// Recording: the events of one check as JSON lines with their times, to replay it later.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "ui/background/launcher.hpp"

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
/// Files of the course in `root` are written relative to it: a recording tells nothing of the
/// machine that it was made on.
std::string encode_line(const RecordedEvent& event, const std::filesystem::path& root = {});

}  // namespace klab::ui
