// Session: a check, from the question what to expect to what its result changes.
#include <algorithm>
#include <utility>

#include "core/base/files.hpp"
#include "core/course/workbook.hpp"
#include "core/timeline/analysis.hpp"
#include "ui/session/library.hpp"
#include "ui/session/session.hpp"

namespace klab::ui {
namespace {

bool was_canceled(const CheckResult& result) {
  return std::any_of(result.errors.begin(), result.errors.end(),
                     [](const Error& error) { return error.code == ErrorCode::canceled; });
}

/// Why the check was refused hardware counters, if it was.
std::optional<Error> counter_obstacle_of(const CheckResult& result) {
  for (const Error& error : result.errors)
    if (error.code == ErrorCode::profiler_denied || error.code == ErrorCode::profiler_unsupported)
      return error;
  return std::nullopt;
}

}  // namespace

void Session::run_or_settle() {
  if (!model_.asking_prediction) return ask_or_run();
  const PredictionState& prediction = model_.page.prediction;
  const std::size_t open = prediction.answers.size() - prediction.answered();
  if (open == 0) return settle_prediction(false);
  notify((open == 1 ? "One question is" : std::to_string(open) + " questions are") +
         " still open. Answer, or choose \"Skip and check\" below them.");
}

void Session::ask_or_run(bool stay) {
  const Lab* lab = model_.lab();
  if (!lab || model_.running()) return;
  if (!model_.replaying.empty()) return run_now();
  if (!save()) return;
  if (learner_file(*lab) == LearnerFile::missing) {
    start_lab_now();
    if (learner_file(*lab) == LearnerFile::missing) return;
  }
  if (!model_.page.prediction.settled)
    model_.asking_prediction = true;
  else
    run_now(stay);
}

void Session::run_now(bool stay) {
  if (!model_.lab() || model_.running()) return;
  const Lab& lab = *model_.lab();
  model_.asking_prediction = false;
  CheckRequest request;
  request.tree = tree_;
  request.lab = lab;
  request.source = workbook_file(lab);
  request.backend = model_.backend;
  request.with_optimized = true;
  const PredictionState& prediction = model_.page.prediction;
  request.hides_causes =
      lab.kind == LabKind::mystery && (!prediction.settled || prediction.skipped);
  model_.runs[lab.id] = begin_run(lab.id, request.variant, model_.now_s);
  model_.running_lab = lab.id;
  model_.runs[lab.id].source = model_.page.code.empty() ? "" : model_.page.code.front().text;
  model_.page.messages.clear();
  if (stay)
    model_.bench_page = Page::result;
  else
    show(Page::result);
  launcher_.start(std::move(request));
}

void Session::settle_prediction(bool skipped) {
  PredictionState& prediction = model_.page.prediction;
  if (!model_.current || prediction.settled) return;
  prediction.settled = true;
  prediction.skipped = skipped;
  JournalEntry entry{.kind = JournalEntry::Kind::prediction, .lab = model_.lab()->id};
  for (std::optional<int>& answer : prediction.answers) {
    if (skipped) answer.reset();
    entry.answers.push_back(answer.value_or(-1));
  }
  note(std::move(entry));
  if (!model_.running()) run_now();
}

void Session::take(const RunEvent& event) {
  if (const auto* found = std::get_if<Investigation>(&event)) return take(*found);
  if (const auto* ceilings = std::get_if<Result<Ceilings>>(&event)) return take(*ceilings);
  const auto* told = std::get_if<CheckEvent>(&event);
  if (model_.measuring_ceilings) {
    if (told && !told->text.empty()) model_.measuring_ceilings->text = told->text;
    return;
  }
  if (model_.investigating) return take_investigation_event(std::get<CheckEvent>(event));
  if (!model_.checking()) return;
  Run& run = model_.runs[model_.running_lab];
  if (told) {
    absorb(run, *told, model_.now_s);
    if (run.device) {
      model_.device = run.device;
      model_.device_error.reset();
    }
    if (const auto* launched =
            told->record ? std::get_if<record::Launched>(&*told->record) : nullptr)
      take_launch(*launched);
    return;
  }
  const auto& result = std::get<CheckResult>(event);
  finish(run, result, model_.now_s);
  take_result(result);
  model_.running_lab.clear();
  if (std::exchange(run_again_, false)) ask_or_run(true);
}

void Session::take_launch(const record::Launched& launched) {
  if (launched.variant != "candidate" || launched.block_threads < 1) return;
  if (!model_.measured_occupancy) model_.measured_occupancy = model_.occupancy;
  model_.measured_occupancy->block_threads = launched.block_threads;
  model_.measured_occupancy->dynamic_shared_bytes = launched.dynamic_shared_bytes;
  model_.measured_launch = true;
}

void Session::take_result(const CheckResult& result) {
  if (const auto obstacle = counter_obstacle_of(result)) model_.counter_obstacle = obstacle;
  const std::string& id = model_.running_lab;
  const auto at = std::find_if(model_.labs.begin(), model_.labs.end(),
                               [&](const LabEntry& entry) { return entry.lab.id == id; });
  if (at == model_.labs.end() || was_canceled(result)) return;
  if (const auto kernels = result.compiler.find("candidate");
      kernels != result.compiler.end() && !kernels->second.empty()) {
    const KernelReport& kernel =
        *std::max_element(kernels->second.begin(), kernels->second.end(),
                          [](const auto& a, const auto& b) { return a.registers < b.registers; });
    OccupancyInput input = model_.measured_occupancy.value_or(model_.occupancy);
    input.registers_per_thread = kernel.registers;
    input.static_shared_bytes = kernel.static_shared_bytes;
    model_.measured_occupancy = input;
    model_.measured_kernel = short_name(kernel.kernel);
  }
  if (model_.replaying.empty()) {
    auto source = read_file(workbook_file(at->lab), longest_kept_source_bytes);
    std::vector<int> answers;
    if (model_.lab() && model_.lab()->id == id)
      for (const auto& answer : model_.page.prediction.answers)
        answers.push_back(answer.value_or(-1));
    note(attempt_entry(result, source ? *source : std::string(), std::move(answers)));
  } else if (result.verdict == Outcome::pass) {
    at->progress.status = LabStatus::passed;
  }
  if (!model_.lab() || model_.lab()->id != id) return;
  model_.page.messages = messages_of(result);
  reload_code(model_);
  open_what_was_earned(model_);
}

}  // namespace klab::ui
