// A side's turns, asked of its runner.
#include "core/timing/runner_sides.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/timing/phase_timing.hpp"
#include "core/wire/runner_talk.hpp"

namespace klab {
namespace {

Descriptor copy_of(const Descriptor& descriptor) {
  return Descriptor(descriptor.get() < 0 ? -1 : ::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 0));
}

}  // namespace

class RunnerSides::OneSide : public Side {
 public:
  OneSide(const std::filesystem::path& runner, const Request& request, double time_limit_s,
          const std::atomic<bool>* canceled, Descriptor handed_over)
      : talk_(runner, request, time_limit_s, canceled, std::move(handed_over)) {}

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
  start_all();
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

/// All on the pages of the first one: where in a device's memory a kernel's data lies makes some
/// per cent of its time, and of some kernels more. It sends as many messages as there are others,
/// and each of them receives one.
void RunnerSides::start_all() {
  std::array<int, 2> ends{-1, -1};
  const int processes = processes_a_side(request_);
  const int all = static_cast<int>(request_.plugins.size()) * processes;
  const bool together = request_.plugins.size() > 1 &&
                        ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0;
  Descriptor giver(ends[0]), taker(ends[1]);
  for (int i = 0; i < all; ++i) {
    const PluginRequest& plugin = request_.plugins[static_cast<std::size_t>(i / processes)];
    const bool is_first = i == 0;
    Request own = of(plugin);
    if (together && is_first) own.gives_pages_to = all - 1;
    if (together && !is_first) own.takes_pages = true;
    waiting_.emplace(plugin.variant,
                     std::make_unique<OneSide>(runner_, std::move(own), time_limit_s_, canceled_,
                                               is_first ? std::move(giver) : copy_of(taker)));
  }
}

/// One that is started anew lies on pages of its own.
std::unique_ptr<RunnerSides::OneSide> RunnerSides::make(const PluginRequest& plugin) const {
  return std::make_unique<OneSide>(runner_, of(plugin), time_limit_s_, canceled_, Descriptor());
}

Request RunnerSides::of(const PluginRequest& plugin) const {
  Request own = request_;
  own.plugins = {plugin};
  own.in_turns = own.waits = true;
  own.gives_pages_to = 0;
  own.takes_pages = false;
  return own;
}

}  // namespace klab
