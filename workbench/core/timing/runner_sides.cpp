// A side's turns, asked of its runner.
#include "core/timing/runner_sides.hpp"

#include <utility>

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
    const PhaseOutcome& outcome = talk_.end();
    if (outcome.error) return *outcome.error;
    const auto ends = outcome.all<record::Timed>();
    if (ends.empty()) return another_answer();
    return ends.back();
  }

 private:
  static Error another_answer() {
    return make_error(ErrorCode::protocol_mismatch,
                      "The runner answered something else than it was asked.");
  }

  RunnerTalk talk_;
};

RunnerSides::RunnerSides(std::filesystem::path runner, Request request, double time_limit_s,
                         const std::atomic<bool>* canceled)
    : runner_(std::move(runner)),
      request_(std::move(request)),
      time_limit_s_(time_limit_s),
      canceled_(canceled) {
  for (const PluginRequest& plugin : request_.plugins) waiting_[plugin.variant] = make(plugin);
}

RunnerSides::~RunnerSides() {
  for (const auto& [variant, side] : waiting_) side->give_up();
}

std::unique_ptr<Side> RunnerSides::start(const PluginRequest& plugin) {
  for (const auto& [variant, side] : waiting_) side->wait_until_awake();
  const auto waiting = waiting_.find(plugin.variant);
  if (waiting == waiting_.end()) return make(plugin);
  return std::move(waiting_.extract(waiting).mapped());
}

std::unique_ptr<RunnerSides::OneSide> RunnerSides::make(const PluginRequest& plugin) const {
  Request own = request_;
  own.plugins = {plugin};
  own.in_turns = own.waits = true;
  return std::make_unique<OneSide>(runner_, own, time_limit_s_, canceled_);
}

}  // namespace klab
