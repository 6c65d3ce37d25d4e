// Spawning the runner and turning every way it can end into an error with a remedy.
#include "core/runner_client.hpp"

#include "core/process.hpp"

namespace klab {
namespace {

/// Where the runner was when it ended: "in time, sample 12 of 40".
std::string place(const Request& request, const PhaseOutcome& outcome) {
  std::string text = "in phase " + std::string(to_string(request.phase));
  const auto steps = outcome.all<record::Progress>();
  if (steps.empty()) return text;
  const record::Progress& last = steps.back();
  text += ", step \"" + last.step + "\"";
  if (last.index) text += " " + std::to_string(*last.index);
  if (last.index && last.total) text += " of " + std::to_string(*last.total);
  return text;
}

Error ending(const Request& request, const ProcessResult& run, const PhaseOutcome& outcome,
             double limit_s) {
  if (run.was_canceled) return make_error(ErrorCode::canceled, "The check was stopped.");
  if (run.timed_out)
    return make_error(ErrorCode::hang, "The kernel did not finish within " +
                                           std::to_string(static_cast<int>(limit_s)) +
                                           " s and was killed " + place(request, outcome) +
                                           "; the GPU is free again.");
  if (run.signal != 0)
    return make_error(
        ErrorCode::crash,
        "The runner ended by " + describe_signal(run.signal) + " " + place(request, outcome) + ".",
        {}, run.err);
  return make_error(ErrorCode::runner_failed,
                    "The runner ended with exit code " + std::to_string(run.exit_code) + " " +
                        place(request, outcome) + " without finishing.",
                    {}, run.err);
}

}  // namespace

PhaseOutcome run_phase(const Tree& tree, bool simulator, const Request& request,
                       double time_limit_s, const std::function<void(const Record&)>& on_record,
                       const std::atomic<bool>* canceled) {
  PhaseOutcome outcome;
  const auto runner = tree.runner(simulator);
  std::error_code ignored;
  if (!std::filesystem::exists(runner, ignored)) {
    outcome.error = make_error(ErrorCode::runner_failed, runner.string() + " is not built.",
                               "Run `./klab` to build it.");
    return outcome;
  }
  bool greeted = false, done = false;
  std::optional<Error> broken;
  const auto on_line = [&](std::string_view line) {
    if (broken || done) return;
    auto record = decode_record(line);
    if (!record) {
      broken = record.error();
      return;
    }
    if (const auto* hello = std::get_if<record::Hello>(&*record)) {
      greeted = true;
      if (hello->protocol != protocol_version)
        broken = make_error(ErrorCode::protocol_mismatch,
                            "The runner speaks version " + std::to_string(hello->protocol) +
                                " of the protocol, klab " + std::to_string(protocol_version) + ".");
    } else if (!greeted) {
      broken = make_error(ErrorCode::protocol_mismatch, "The runner did not introduce itself.");
    }
    if (broken) return;
    done = std::holds_alternative<record::Done>(*record);
    outcome.records.push_back(std::move(*record));
    if (on_record) on_record(outcome.records.back());
  };

  const ProcessRequest process{.command = {runner.string(), "--records-fd", "3"},
                               .input = encode(request) + "\n",
                               .time_limit_s = time_limit_s,
                               .with_records = true};
  const auto run = run_process(process, on_line, canceled);
  if (!run) {
    outcome.error = run.error();
    return outcome;
  }
  outcome.seconds = run->seconds;
  outcome.output = run->out + run->err;
  const auto failures = outcome.all<record::Failure>();
  if (broken)
    outcome.error = broken;
  else if (run->was_canceled)
    outcome.error = ending(request, *run, outcome, time_limit_s);
  else if (!failures.empty())
    outcome.error = failures.front().error;
  else if (!done)
    outcome.error = ending(request, *run, outcome, time_limit_s);
  return outcome;
}

}  // namespace klab
