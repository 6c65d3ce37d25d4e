// Checking: from the question what to expect to what a check's result changes.
#pragma once

#include "ui/background/launcher.hpp"
#include "ui/session/kernel_file.hpp"

namespace klab::ui {

class Checking {
 public:
  Checking(Desk& desk, KernelFile& file, Launcher& launcher)
      : desk_(desk), file_(file), launcher_(launcher) {}

  /// Copies the flawed kernel, and asks what to expect unless that was said before.
  void start();
  /// Leaves the questions once all are answered, and says how many are not; else asks or runs.
  void run_or_settle();
  /// `stay`: the page that is being read stays; the result is shown beside it where there is room.
  void run_now(bool stay = false);
  void settle_prediction(bool skipped);
  /// The file changed: checks it if that is wanted, once what runs has ended.
  void follow_save(bool stay);
  /// Checks what was saved while something else ran.
  void follow_end();
  /// Nothing follows what is being stopped.
  void forget_saves() { run_again_ = false; }
  void take(const CheckEvent& event);
  void take(const CheckResult& result);

 private:
  void ask_or_run(bool stay = false);
  /// Says what has to end before `before` can follow, unless it is the open lab's own check, which
  /// is in sight.
  void tell_what_runs(const std::string& before = "");
  void take_launch(const record::Launched& launched);
  void take_compiled(const CheckResult& result);
  void take_result(const CheckResult& result);
  std::vector<int> answers_to(const std::string& lab) const;

  Desk& desk_;
  KernelFile& file_;
  Launcher& launcher_;
  bool run_again_ = false;  ///< the file was saved while its check ran
};

}  // namespace klab::ui
