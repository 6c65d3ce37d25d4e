// A side's turns, asked of its runner.
#include "core/timing/runner_sides.hpp"

#include <utility>

#include "core/timing/phase_timing.hpp"
#include "core/wire/runner_talk.hpp"

namespace klab {

class RunnerSides::OneSide : public Side {
 public:
  OneSide(const std::filesystem::path& runner, const Request& request, double time_limit_s,
          const std::atomic<bool>* canceled)
      : talk_(runner, request, time_limit_s, canceled) {}

  void wait_until_awake() { talk_.wait_until_awake(); }
  void give_up() { talk_.give_up(); }

  Result<Sampled> sample(const Turn& turn) override {
    auto answer = talk_.ask(turn);
    if (!answer) return answer.error();
    const auto* sample = std::get_if<record::Sample>(&answer->record);
    if (!sample) return another_answer();
    return Sampled{*sample, answer->seconds};
  }
  Result<record::Verified> verify() override {
    auto answer = talk_.ask({.act = Turn::Act::verify});
    if (!answer) return answer.error();
    const auto* verified = std::get_if<record::Verified>(&answer->record);
    if (!verified) return another_answer();
    return *verified;
  }
  Result<record::Timed> end() override {
    const PhaseOutcome outcome = talk_.end();
    if (outcome.error) return *outcome.error;
    if (const auto timed = timed_by(outcome)) return *timed;
    return another_answer();
  }

 private:
  static Error another_answer() {
    return make_error(ErrorCode::protocol_mismatch,
                      "The runner answered something else than it was asked.",
                      "Check again; if it stays so, run " + Act{Verb::setup} +
                          " to build runner and workbench anew.");
  }

  RunnerTalk talk_;
};

/// What a timing holds of one: once it has ended, its process may go on letting go of its device
/// for as long as there are others.
class RunnerSides::InTurns : public Side {
 public:
  InTurns(RunnerSides& sides, std::unique_ptr<OneSide> side)
      : sides_(sides), side_(std::move(side)) {}
  ~InTurns() override {
    if (has_ended_) sides_.ended_.push_back(std::move(side_));
  }
  InTurns(const InTurns&) = delete;
  InTurns& operator=(const InTurns&) = delete;

  Result<Sampled> sample(const Turn& turn) override { return side_->sample(turn); }
  Result<record::Verified> verify() override { return side_->verify(); }
  Result<record::Timed> end() override {
    has_ended_ = true;
    return side_->end();
  }

 private:
  RunnerSides& sides_;
  std::unique_ptr<OneSide> side_;
  bool has_ended_ = false;
};

RunnerSides::RunnerSides(std::filesystem::path runner, Request request, double time_limit_s,
                         const std::atomic<bool>* canceled)
    : runner_(std::move(runner)),
      request_(std::move(request)),
      time_limit_s_(time_limit_s),
      canceled_(canceled) {
  for (const PluginRequest& plugin : request_.plugins) waiting_[plugin.variant] = make(plugin);
}

RunnerSides::~RunnerSides() { give_up(); }

void RunnerSides::give_up() {
  for (const auto& [variant, side] : waiting_) side->give_up();
  for (const auto& side : ended_) side->give_up();
}

std::unique_ptr<Side> RunnerSides::start(const PluginRequest& plugin) {
  for (const auto& [variant, side] : waiting_) side->wait_until_awake();
  const auto waiting = waiting_.find(plugin.variant);
  auto side =
      waiting == waiting_.end() ? make(plugin) : std::move(waiting_.extract(waiting).mapped());
  return std::make_unique<InTurns>(*this, std::move(side));
}

std::unique_ptr<RunnerSides::OneSide> RunnerSides::make(const PluginRequest& plugin) const {
  Request own = request_;
  own.plugins = {plugin};
  own.in_turns = own.waits = true;
  return std::make_unique<OneSide>(runner_, own, time_limit_s_, canceled_);
}

}  // namespace klab
