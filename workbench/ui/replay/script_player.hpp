// ScriptPlayer: does the steps of a script, each once the window has settled from the one before.
#pragma once

#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "ui/replay/key_script.hpp"
#include "ui/replay/script.hpp"
#include "ui/session/session.hpp"
#include "ui/window/window.hpp"

namespace klab::ui {

/// What a script acts on.
struct ScriptStage {
  std::function<Session&()> session;
  std::function<bool()> busy;  ///< something runs or is being looked for
  /// Starts over with a recording of which everything has arrived, or only what came until then.
  std::function<Result<>(const std::filesystem::path& recording, std::optional<double> until_s)>
      replay;
  std::function<void()> print_statistics;
};

class ScriptPlayer {
 public:
  /// `folder`: where relative names of pictures and recordings begin.
  ScriptPlayer(std::vector<ScriptStep> steps, std::filesystem::path folder, ScriptStage stage)
      : steps_(std::move(steps)), folder_(std::move(folder)), stage_(std::move(stage)) {}

  /// Call before each frame. Errors name the line.
  Result<> advance(Window& window);
  bool done() const { return next_ == steps_.size() && !keys_; }
  /// Waits for a moment: until then the window draws only what changes by itself.
  bool sleeping() const;
  /// Waits for the pictures that are still being written. Errors name the line of the first that
  /// could not be.
  Result<> finish();

 private:
  /// True once the step is over.
  Result<bool> act(const ScriptStep& step, Window& window);
  Result<bool> open(const ScriptStep& step);
  Result<bool> wait(const ScriptStep& step);
  Error failed(const ScriptStep& step, const std::string& what) const;

  std::vector<ScriptStep> steps_;
  std::filesystem::path folder_;
  ScriptStage stage_;
  std::optional<KeyScript> keys_;
  std::size_t next_ = 0;
  std::optional<double> waiting_since_s_;
  int rest_ = 0;                                ///< frames to let pass
  std::vector<std::future<Result<>>> writing_;  ///< pictures
};

}  // namespace klab::ui
