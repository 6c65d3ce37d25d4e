// Session: the window's state and rules without a window. Commands and events go in, the model
// comes out. The rules of each page are in `pages`.
#pragma once

#include <string>

#include "core/base/tree.hpp"
#include "ui/model/commands.hpp"
#include "ui/session/kernel_file.hpp"
#include "ui/session/pages/check.hpp"
#include "ui/session/pages/code.hpp"
#include "ui/session/pages/device.hpp"
#include "ui/session/pages/investigation.hpp"
#include "ui/session/pages/journal.hpp"
#include "ui/session/pages/present.hpp"

namespace klab::ui {

class Session {
 public:
  /// Reads the course of `tree`. Checks go through `launcher`, which must outlive the session.
  Session(Tree tree, Launcher& launcher);
  /// Keeps what was typed: closing loses nothing, and saves nothing that was not asked for.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Model& model() const { return model_; }
  bool wants_to_quit() const { return quit_; }
  /// What the learner has to know once the window is closed; empty if nothing.
  const std::string& farewell() const { return file_.farewell(); }

  void apply(const Command& command);
  /// Advances the clock, takes in what the launcher delivered and looks at the watched file.
  /// True if something that is shown has changed.
  bool tick(double now_s);
  /// True while something moves by itself (a run, a notice about to go, a pause in typing).
  bool animating() const {
    return model_.running() || model_.window.notice.has_value() || code_.pausing();
  }

  /// What checks run on, once it was found out.
  void set_device(const Result<Chosen>& chosen) { measuring_.set_device(chosen); }
  /// Facts and listings of the shown code; without them the page says less.
  void use(CodeServices services) { code_.use(services); }
  /// The code page waits for an answer of theirs.
  bool awaits_code() const { return code_.awaits(); }
  void take(DeviceReport report) { model_.machine.report = std::move(report); }
  /// Names what is replayed instead of run.
  void set_replaying(std::string note) { model_.replaying = std::move(note); }
  /// Shows what a recording found of the open lab, as if it had just been found.
  void show_recorded(const Investigation& found) {
    investigating_.keep(found.lab, found, model_.page.saved_text());
  }
  /// Starts the replay without asking for a prediction or for the learner's file.
  void replay_now() { checking_.run_now(); }

 private:
  void open(std::size_t index);
  void show_hint();
  void give_up(bool sure);
  void show_explanation();
  void answer(const command::AnswerPrediction& given);
  void edit_mine();
  void save_and_check();
  void stop();
  void take(const RunEvent& event);
  void take(const CheckEvent& event);
  /// Takes in what another program wrote.
  bool look_around();

  Desk desk_;
  Model& model_;  ///< the desk's
  Launcher& launcher_;
  KernelFile file_;
  CodeFollowing code_;
  Checking checking_;
  Investigating investigating_;
  Measuring measuring_;
  Remembering remembering_;
  Presenting presenting_;
  double next_look_s_ = 0;
  bool quit_ = false;
};

}  // namespace klab::ui
