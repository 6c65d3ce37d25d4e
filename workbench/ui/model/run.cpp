// Run: folding events into what is shown.
#include "ui/model/run.hpp"

#include <algorithm>
#include <iterator>

#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace klab::ui {
namespace {

/// A learner's kernel decides how many records arrive, so what is kept has a bound.
constexpr std::size_t most_kept_samples = 100'000;
constexpr std::size_t most_entries = 1'000;
constexpr std::size_t most_lines = 20'000;

template <class T>
void keep(std::vector<T>& list, const T& value, std::size_t most) {
  if (list.size() < most) list.push_back(value);
}

PhaseProgress* find_phase(Run& run, std::optional<CheckPhase> wanted) {
  const auto at = std::find_if(run.phases.begin(), run.phases.end(),
                               [&](const PhaseProgress& phase) { return phase.phase == wanted; });
  return at == run.phases.end() ? nullptr : &*at;
}

void absorb_record(Run& run, const Record& record, PhaseProgress* phase) {
  if (const auto* sample = std::get_if<record::Sample>(&record)) {
    keep(run.samples_s[sample->variant], sample->seconds, most_kept_samples);
  } else if (const auto* progress = std::get_if<record::Progress>(&record); progress && phase) {
    phase->text = progress->step;
    phase->index = progress->index;
    phase->total = progress->total;
  } else if (const auto* device = std::get_if<record::Device>(&record)) {
    run.device = device->facts;
  } else if (const auto* verified = std::get_if<record::Verified>(&record)) {
    keep(run.verified, *verified, most_entries);
  } else if (const auto* set = std::get_if<record::CounterSet>(&record)) {
    for (const auto& [name, value] : set->values) run.counters[set->variant][name] = value;
  } else if (const auto* costs = std::get_if<record::LineCosts>(&record)) {
    std::vector<LineHeat>& lines = run.lines[costs->variant];
    lines = costs->lines;
    if (lines.size() > most_lines) lines.resize(most_lines);
  }
}

}  // namespace

Run begin_run(std::string lab, VariantName variant, double now_s, bool counts_only, LabKind kind,
              TimingMode timing) {
  Run run;
  run.lab = std::move(lab);
  run.variant = std::move(variant);
  run.active = true;
  run.began_s = now_s;
  // "judge" is none of them: it takes no time.
  run.phases = {{OwnPhase::build, "Build", "Building your kernel"},
                {Phase::verify, "Compare results", "Comparing results with the reference"},
                {Phase::time, "Time", "Timing against the flawed kernel"},
                {Phase::counters, "Count", "Counting what the kernels do"},
                {Phase::trace, "Trace", "Tracing launches, copies and waits"}};
  if (kind == LabKind::measurement)
    run.phases = {{OwnPhase::build, "Build", "Building your file"},
                  {Phase::verify, "Compare results", "Looking at what it reports"},
                  {Phase::agreement, "Measure", "Measuring the same jobs beside it"}};
  const auto time = std::find_if(run.phases.begin(), run.phases.end(), [](const auto& phase) {
    return phase.phase == CheckPhase(Phase::time);
  });
  if (time == run.phases.end()) return run;
  if (counts_only)
    run.phases.erase(time);
  else if (timing == TimingMode::wall)
    std::iter_swap(time, run.phases.end() - 1);  // the processors have to be idle by then
  return run;
}

const std::vector<LineHeat>* costs_in(const Run& run, const VariantName& variant) {
  return find_in(are_former(run, variant) ? run.former.lines : run.lines, variant);
}

bool are_former(const Run& run, const VariantName& variant) {
  return !run.lines.contains(variant) && run.former.lines.contains(variant);
}

void absorb(Run& run, const CheckEvent& event, double now_s) {
  if (!run.active) return;
  const double since_s = now_s - run.began_s;
  PhaseProgress* phase = find_phase(run, event.phase);
  if (event.kind != CheckEvent::Kind::queued) run.waiting_for.clear();
  switch (event.kind) {
    case CheckEvent::Kind::queued:
      run.waiting_for = event.text.empty() ? "Another check uses the GPU." : event.text;
      break;
    case CheckEvent::Kind::building:
    case CheckEvent::Kind::phase_started:
      run.note = phase ? "" : event.text;
      if (!phase) break;
      if (phase->phase == CheckPhase(Phase::time)) run.samples_s.clear();  // it may begin anew
      if (phase->state != PhaseProgress::State::running) phase->began_s = since_s;
      phase->state = PhaseProgress::State::running;
      phase->text = event.text;
      break;
    case CheckEvent::Kind::phase_ended:
      if (!phase) break;
      phase->state = PhaseProgress::State::done;
      phase->took_s = since_s - phase->began_s;
      phase->text = event.text;
      break;
    case CheckEvent::Kind::record:
      if (event.record) absorb_record(run, *event.record, phase);
      break;
  }
}

void finish(Run& run, CheckResult result, double now_s) {
  for (PhaseProgress& phase : run.phases)
    if (phase.state == PhaseProgress::State::running) {
      phase.state = PhaseProgress::State::done;
      phase.took_s = now_s - run.began_s - phase.began_s;
    }
  run.active = false;
  run.canceling = false;
  run.waiting_for.clear();
  run.note.clear();
  run.former = {};
  run.result = std::move(result);
}

std::string phase_words(const PhaseProgress& phase) {
  std::string words = phase.doing;
  if (phase.index && phase.total)
    words += ", " + std::to_string(*phase.index) + " of " + std::to_string(*phase.total);
  return words;
}

const PhaseProgress* running_phase(const Run& run) {
  for (const PhaseProgress& phase : run.phases)
    if (phase.state == PhaseProgress::State::running) return &phase;
  return nullptr;
}

std::vector<CompilerMessage> messages_of(const CheckResult& result) {
  for (const Error& error : result.errors)
    if (error.code == ErrorCode::build_failed) return parse_compiler_messages(error.detail);
  return {};
}

const CompilerMessage* first_error_in(const std::filesystem::path& file,
                                      std::span<const CompilerMessage> messages) {
  const CompilerMessage* first = first_error(messages);
  const bool there =
      first && first->line > 0 && std::filesystem::path(first->file).filename() == file.filename();
  return there ? first : nullptr;
}

std::string at_its_line(const CompilerMessage& message) {
  return (message.line > 0 ? "Line " + std::to_string(message.line) + ": " : "") + told(message);
}

}  // namespace klab::ui
