// Turns on one side, run_local_phase() in a thread of its own on the other.
#include "core/wire/runner_talk.hpp"

#include <utility>

#include "core/wire/runner_client.hpp"

namespace klab {
namespace {

/// How often a wait looks whether it was canceled.
constexpr auto look_interval = std::chrono::milliseconds(20);

bool is_answer(const Record& record) {
  return std::holds_alternative<record::Sample>(record) ||
         std::holds_alternative<record::Verified>(record);
}

}  // namespace

RunnerTalk::RunnerTalk(std::filesystem::path runner, Request request, double time_limit_s,
                       const std::atomic<bool>* canceled, Descriptor handed_over)
    : variant_(request.plugins.empty() ? VariantName() : request.plugins.front().variant),
      canceled_(canceled),
      waits_(request.waits) {
  if (waits_) control_.hold();
  control_.hand_over(std::move(handed_over));
  thread_ = std::jthread([this, runner = std::move(runner), request = std::move(request),
                          time_limit_s] { run(runner, request, time_limit_s); });
}

RunnerTalk::~RunnerTalk() { given_up_ = true; }

void RunnerTalk::run(const std::filesystem::path& runner, const Request& request,
                     double time_limit_s) {
  PhaseOutcome outcome = run_local_phase(
      runner, request, time_limit_s, [this](const Record& record) { take(record); }, &given_up_,
      &control_);
  const std::lock_guard lock(mutex_);
  outcome_ = std::move(outcome);
  is_over_ = true;
  changed_.notify_all();
}

void RunnerTalk::take(const Record& record) {
  const std::lock_guard lock(mutex_);
  said_.push_back(record);
  is_awake_ |= std::holds_alternative<record::Device>(record);
  is_done_ |= std::holds_alternative<record::Done>(record);
  changed_.notify_all();
  if (!is_answer(record)) return;
  if (!is_asked_ || !answers_.empty()) {
    breach_ = make_error(ErrorCode::protocol_mismatch,
                         "The runner reported a result that nobody had asked for, so nothing of it "
                         "counts.",
                         "Have the kernel file open and write no descriptors.");
    given_up_ = true;
  }
  answered_ = Clock::now();
  answers_.push_back(record);
}

Error RunnerTalk::ending() const {
  if (breach_) return *breach_;
  return outcome_.error.value_or(
      make_error(ErrorCode::runner_failed, "The runner ended before its turn was over."));
}

void RunnerTalk::wait_until_awake() {
  std::unique_lock lock(mutex_);
  while (!is_awake_ && !is_over_ && !(canceled_ && canceled_->load()))
    changed_.wait_for(lock, look_interval);
}

/// Its word is any line.
void RunnerTalk::let_begin() {
  if (!std::exchange(waits_, false)) return;
  control_.begin();
  control_.write("\n");
}

Result<RunnerTalk::Answer> RunnerTalk::ask(const Turn& turn) {
  std::unique_lock lock(mutex_);
  if (is_over_ || breach_) return ending();
  is_asked_ = true;
  let_begin();
  const Clock::time_point asked = Clock::now();
  control_.go_on();
  control_.write(encode(turn) + "\n");
  while (answers_.empty() && !is_over_) {
    changed_.wait_for(lock, look_interval);
    if (canceled_ && canceled_->load()) given_up_ = true;
  }
  control_.pause();
  is_asked_ = false;
  if (answers_.empty() || breach_) return ending();
  Answer answer{std::move(answers_.front()),
                std::chrono::duration<double>(*answered_ - asked).count()};
  answers_.clear();
  std::visit(
      [&](auto& record) {
        if constexpr (requires { record.variant; }) record.variant = variant_;
      },
      answer.record);
  return answer;
}

PhaseOutcome RunnerTalk::end() {
  std::unique_lock lock(mutex_);
  control_.go_on();
  control_.close_input();
  while (!is_done_ && !is_over_) {
    changed_.wait_for(lock, look_interval);
    if (canceled_ && canceled_->load()) given_up_ = true;
  }
  PhaseOutcome outcome = is_over_ ? outcome_ : PhaseOutcome{.records = said_};
  if (!is_over_) outcome.error = outcome.reported_failure();
  if (breach_) outcome.error = breach_;
  return outcome;
}

}  // namespace klab
