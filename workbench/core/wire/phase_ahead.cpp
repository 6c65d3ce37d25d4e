// run_local_phase() in a thread of its own, held until its turn.
#include "core/wire/phase_ahead.hpp"

#include <chrono>
#include <utility>

#include "core/wire/runner_client.hpp"

namespace klab {
namespace {

using Clock = std::chrono::steady_clock;

/// How often its end, and whether it was canceled, is looked for.
constexpr auto end_interval = std::chrono::milliseconds(5);

Request waiting(Request request) {
  request.waits = true;
  return request;
}

}  // namespace

PhaseAhead::PhaseAhead(std::filesystem::path runner, Request request, double time_limit_s,
                       bool open_room)
    : request_(std::move(request)) {
  control_.hold();
  thread_ = std::jthread([this, runner = std::move(runner), time_limit_s, open_room] {
    outcome_ = run_local_phase(
        runner, waiting(request_), time_limit_s, [this](const Record& record) { take(record); },
        &given_up_, &control_, open_room);
    is_over_ = true;
  });
}

PhaseAhead::~PhaseAhead() { given_up_ = true; }

void PhaseAhead::wait_until_awake(const std::atomic<bool>* canceled) const {
  while (!is_awake() && !(canceled && canceled->load())) std::this_thread::sleep_for(end_interval);
}

void PhaseAhead::take(const Record& record) {
  if (std::holds_alternative<record::Device>(record)) is_awake_ = true;
  const std::lock_guard lock(mutex_);
  said_.push_back(record);
  if (on_record_ != nullptr && *on_record_) (*on_record_)(record);
  if (std::holds_alternative<record::Done>(record)) is_done_ = true;
}

/// Only what is over has an outcome of its own.
PhaseOutcome PhaseAhead::outcome() {
  if (is_over_) return outcome_;
  const std::lock_guard lock(mutex_);
  PhaseOutcome outcome{.records = said_};
  outcome.error = outcome.reported_failure();
  return outcome;
}

const PhaseOutcome& PhaseAhead::at_end() {
  if (thread_.joinable()) thread_.join();
  return outcome_;
}

PhaseOutcome PhaseAhead::run(const std::function<void(const Record&)>& on_record,
                             const std::atomic<bool>* canceled) {
  const auto began = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    on_record_ = &on_record;
    for (const Record& record : said_)
      if (on_record) on_record(record);
  }
  control_.begin();
  control_.write("\n");
  control_.close_input();
  while (!is_done_ && !is_over_) {
    if (canceled && canceled->load()) given_up_ = true;
    std::this_thread::sleep_for(end_interval);
  }
  {
    const std::lock_guard lock(mutex_);
    on_record_ = nullptr;  // the caller's, who goes on
  }
  PhaseOutcome ended = outcome();
  ended.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return ended;
}

}  // namespace klab
