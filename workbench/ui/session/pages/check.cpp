// Checking: asking, running, and what a result changes.
#include "ui/session/pages/check.hpp"

#include <algorithm>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/text/kernel_name.hpp"
#include "core/check/withheld.hpp"
#include "core/course/workbook.hpp"
#include "ui/session/draft_store.hpp"
#include "ui/session/library.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

/// Why the check was refused hardware counters, if it was.
std::optional<Error> counter_obstacle_of(const CheckResult& result) {
  for (const Error& error : result.errors)
    if (error.code == ErrorCode::profiler_denied || error.code == ErrorCode::profiler_unsupported)
      return error;
  return std::nullopt;
}

}  // namespace

void Checking::run_or_settle() {
  if (!desk_.model.window.asking_prediction) return ask_or_run();
  const PredictionState& prediction = desk_.model.page.prediction;
  const std::size_t open = prediction.answers.size() - prediction.answered();
  if (open == 0) return settle_prediction(false);
  desk_.notify((open == 1 ? "One question is" : std::to_string(open) + " questions are") +
               " still open. Answer, or choose \"Skip and check\" below them.");
}

void Checking::start() {
  const Lab* lab = desk_.model.lab();
  if (!lab) return;
  file_.start();
  desk_.model.window.asking_prediction =
      learner_file(*lab) != LearnerFile::missing && !desk_.model.page.prediction.settled;
}

void Checking::ask_or_run(bool stay) {
  const Lab* lab = desk_.model.lab();
  if (!lab) return;
  if (!desk_.model.replaying.empty()) return run_now();
  // Starting takes no runner.
  const bool startable = learner_file(*lab) == LearnerFile::missing && !desk_.model.page.draft;
  if (desk_.model.running() && !startable) return tell_what_runs();
  if (!file_.save()) return;
  if (learner_file(*lab) == LearnerFile::missing) return start();
  if (const auto mine = read_learner_file(*lab); !mine)
    return desk_.notify(window_words(mine.error()), Outcome::fail);
  if (!desk_.model.page.prediction.settled)
    desk_.model.window.asking_prediction = true;
  else
    run_now(stay);
}

void Checking::tell_what_runs(const std::string& before) {
  const Model& model = desk_.model;
  if (!model.lab() || model.checks.running_lab == model.lab()->id) return;
  desk_.notify(before + what_has_to_end(model) + " Then press F5.");
}

void Checking::run_now(bool stay) {
  if (!desk_.model.lab() || desk_.model.running()) return;
  const Lab& lab = *desk_.model.lab();
  desk_.model.window.asking_prediction = false;
  CheckRequest request{.tree = desk_.tree, .lab = lab};
  request.source = workbook_file(lab);
  request.backend = desk_.model.machine.backend;
  request.with_optimized = true;
  const PredictionState& prediction = desk_.model.page.prediction;
  request.hides_causes =
      lab.kind == LabKind::mystery && (!prediction.settled || prediction.skipped);
  Run& run = desk_.model.checks.runs[lab.id];
  LineCostsOf former{std::move(run.source), std::move(run.lines)};
  run = begin_run(lab.id, request.variant, desk_.model.now_s, desk_.model.counts_only(), lab.kind,
                  lab.timing);
  run.source = desk_.model.page.saved_text();
  run.former = std::move(former);
  desk_.model.checks.running_lab = lab.id;
  desk_.model.page.messages.clear();
  if (stay)
    desk_.model.window.bench_page = Page::result;
  else
    desk_.show(Page::result);
  launcher_.start(std::move(request));
}

void Checking::settle_prediction(bool skipped) {
  PredictionState& prediction = desk_.model.page.prediction;
  if (!desk_.model.current || prediction.settled) return;
  prediction.settled = true;
  prediction.skipped = skipped;
  JournalEntry entry{.kind = JournalEntry::Kind::prediction, .lab = desk_.model.lab()->id};
  for (std::optional<int>& answer : prediction.answers) {
    if (skipped) answer.reset();
    entry.answers.push_back(answer.value_or(-1));
  }
  if (desk_.note(std::move(entry))) forget_answers(*desk_.model.lab());
  if (!desk_.model.running()) return run_now();
  desk_.model.window.asking_prediction = false;
  tell_what_runs("Not checked yet. ");
}

void Checking::follow_save(bool stay) {
  const Model& model = desk_.model;
  if (!model.watch) return;
  if (!model.page.prediction.settled)
    return desk_.notify("Not checked yet: F5 asks first what you expect.");
  if (!model.running()) {
    run_now(stay);
  } else if (model.investigations.running || model.checks.running_lab == model.lab()->id) {
    run_again_ = true;
    launcher_.cancel();
  } else {
    tell_what_runs("Not checked yet. ");
  }
}

void Checking::follow_end() {
  if (std::exchange(run_again_, false)) ask_or_run(true);
}

void Checking::take(const CheckEvent& event) {
  Model& model = desk_.model;
  if (!model.checking()) return;
  Run& run = model.checks.runs[model.checks.running_lab];
  absorb(run, event, model.now_s);
  if (run.device) {
    model.machine.device = run.device;
    model.machine.error.reset();
  }
  const auto* launched = event.record ? std::get_if<record::Launched>(&*event.record) : nullptr;
  if (launched) take_launch(*launched);
}

void Checking::take(const CheckResult& result) {
  Model& model = desk_.model;
  if (!model.checking()) return;
  finish(model.checks.runs[model.checks.running_lab], result, model.now_s);
  take_result(result);
  model.checks.running_lab.clear();
  follow_end();
}

void Checking::take_launch(const record::Launched& launched) {
  if (launched.variant != VariantName::mine || launched.block_threads < 1) return;
  OccupancyPage& page = desk_.model.occupancy;
  if (!page.measured) page.measured = page.input;
  page.measured->block_threads = launched.block_threads;
  page.measured->dynamic_shared_bytes = launched.dynamic_shared_bytes;
  page.measured_launch = true;
}

void Checking::take_compiled(const CheckResult& result) {
  const auto kernels = result.compiler.find(VariantName::mine);
  if (kernels == result.compiler.end() || kernels->second.empty()) return;
  const KernelReport& kernel =
      *std::max_element(kernels->second.begin(), kernels->second.end(),
                        [](const auto& a, const auto& b) { return a.registers < b.registers; });
  OccupancyPage& page = desk_.model.occupancy;
  if (!page.measured) page.measured = page.input;
  page.measured->registers_per_thread = kernel.registers;
  page.measured->static_shared_bytes = kernel.static_shared_bytes;
  page.measured_kernel = short_name(kernel.kernel);
  if (!page.chosen) page.input = page.of_kernel();
}

std::vector<int> Checking::answers_to(const std::string& lab) const {
  std::vector<int> answers;
  if (desk_.model.lab() && desk_.model.lab()->id == lab)
    for (const auto& answer : desk_.model.page.prediction.answers)
      answers.push_back(answer.value_or(-1));
  return answers;
}

void Checking::take_result(const CheckResult& result) {
  Model& model = desk_.model;
  if (const auto obstacle = counter_obstacle_of(result)) model.machine.counter_obstacle = obstacle;
  const std::string& id = model.checks.running_lab;
  const auto at = std::find_if(model.labs.begin(), model.labs.end(),
                               [&](const LabEntry& entry) { return entry.lab.id == id; });
  if (at == model.labs.end() || was_stopped(result)) return;
  take_compiled(result);
  if (model.replaying.empty()) {
    const auto source = read_file(workbook_file(at->lab), longest_kept_source_bytes);
    desk_.note(attempt_entry(result, source ? *source : std::string(), answers_to(id)));
  } else if (result.verdict == Outcome::pass) {
    at->progress.status = LabStatus::passed;
  }
  if (!model.lab() || model.lab()->id != id) return;
  model.page.messages = messages_of(result);
  reload_code(model);
  open_what_was_earned(model);
}

}  // namespace klab::ui
