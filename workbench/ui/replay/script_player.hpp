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
  /// `script`: the file that the steps come from. Relative names of pictures and recordings begin
  /// in its folder.
  ScriptPlayer(std::vector<ScriptStep> steps, std::filesystem::path script, ScriptStage stage)
      : steps_(std::move(steps)), script_(std::move(script)), stage_(std::move(stage)) {}

  /// Call before each frame. Errors name the script and the line.
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
  /// The same with the remedy of what failed.
  Error failed(const ScriptStep& step, const Error& error) const;
  /// A file that the script names.
  std::filesystem::path named(const ScriptStep& step) const;

  std::vector<ScriptStep> steps_;
  std::filesystem::path script_;
  ScriptStage stage_;
  std::optional<KeyScript> keys_;
  std::size_t next_ = 0;
  std::optional<double> waiting_since_s_;
  /// ImGui needs a few frames to settle sizes and scroll bars, also before the first act: nothing
  /// was drawn yet.
  static constexpr int frames_to_settle = 8;
  int rest_ = frames_to_settle;                 ///< frames to let pass
  std::vector<std::future<Result<>>> writing_;  ///< pictures
};

}  // namespace klab::ui
