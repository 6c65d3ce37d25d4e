// ReplayLauncher: events come due by the clock.
#include "ui/replay/replay_launcher.hpp"

namespace klab::ui {
namespace {

CheckResult stopped(const std::string& lab) {
  CheckResult result;
  result.lab = lab;
  result.variant = VariantName::mine;
  result.conclusion = "The check was stopped.";
  result.errors.push_back(make_error(ErrorCode::canceled, "The check was stopped."));
  return result;
}

}  // namespace

ReplayLauncher::ReplayLauncher(Recording recording, std::function<double()> now_s, double speed)
    : recording_(std::move(recording)), now_s_(std::move(now_s)), speed_(speed) {}

void ReplayLauncher::start(CheckRequest request) {
  if (busy_) return;
  busy_ = true;
  canceled_ = false;
  began_s_ = now_s_();
  next_ = 0;
  lab_ = request.lab.id;
}

void ReplayLauncher::investigate(InvestigationRequest request) {
  if (busy_) return;
  busy_ = true;
  for (const RecordedEvent& recorded : recording_.events) {
    if (const auto* found = std::get_if<Investigation>(&recorded.event);
        found && found->kind == request.kind && found->lab == request.lab.id)
      asked_ = *found;
  }
  if (asked_) return;
  Investigation nothing{.kind = request.kind, .lab = request.lab.id};
  nothing.errors.push_back(make_error(
      ErrorCode::unsupported,
      "This recording holds no " + std::string(to_string(request.kind)) + " of this lab.",
      "Open the workbench without --replay to find it here, or record it with --record."));
  asked_ = std::move(nothing);
}

void ReplayLauncher::measure_ceilings(CeilingsRequest) {
  if (busy_) return;
  busy_ = true;
  asked_ = Result<Ceilings>(make_error(ErrorCode::unsupported, "A recording cannot be measured.",
                                       "Open the workbench without --replay to measure."));
}

void ReplayLauncher::cancel() { canceled_ = busy_; }

std::vector<RunEvent> ReplayLauncher::drain() {
  std::vector<RunEvent> due;
  if (!busy_) return due;
  if (asked_) {
    busy_ = false;
    due.push_back(std::move(*asked_));
    asked_.reset();
    return due;
  }
  if (canceled_) {
    busy_ = false;
    due.push_back(stopped(lab_));
    return due;
  }
  const double since_s = (now_s_() - began_s_) * speed_;
  const auto& events = recording_.events;
  while (next_ < events.size() && (speed_ == 0 || events[next_].at_s <= since_s)) {
    const RunEvent& event = events[next_++].event;
    if (!std::holds_alternative<Investigation>(event)) due.push_back(event);
  }
  // A recording without a result is one of a hang: it lasts until it is stopped.
  for (const RunEvent& event : due)
    if (std::holds_alternative<CheckResult>(event)) busy_ = false;
  return due;
}

}  // namespace klab::ui
