// Talking to a runner elsewhere, and telling every way in which that can fail.
#include "core/wire/remote_client.hpp"

#include "core/process/command_line.hpp"
#include "core/process/process.hpp"
#include "core/wire/record_reader.hpp"
#include "core/wire/remote_request.hpp"

namespace klab {
namespace {

/// A remote runner says something every second while it lives: longer silence is a dead connection.
/// Connecting may take this long as well.
constexpr double silence_limit_s = 30;
/// The remote runner keeps the phase's own limit and may have to wait in line for its GPU.
constexpr double longest_phase_s = 3600;
/// What a POSIX shell, and ssh after it, answers for a command that is not there.
constexpr int not_found_code = 127, not_executable_code = 126;

std::string first_line(const std::string& text) {
  return text.substr(0, std::min(text.find('\n'), std::size_t{160}));
}

/// What went wrong before any runner introduced itself.
Error no_answer(const std::string& command, const ProcessResult& run, const RecordReader& reader) {
  const std::string name = "`" + command + "`";
  const std::string said = reader.noise() + run.err;
  const auto failure = [&](ErrorCode code, const std::string& what,
                           const std::string& remedy = {}) {
    return make_error(code, what, remedy, said);
  };
  if (run.fell_silent || run.timed_out)
    return failure(ErrorCode::no_runner, name + " did not answer within " +
                                             std::to_string(static_cast<int>(silence_limit_s)) +
                                             " s.");
  if (run.err.find("--records-fd") != std::string::npos)
    return failure(ErrorCode::protocol_mismatch,
                   name + " starts a runner of an older version, which cannot work remotely.",
                   "Build the same version of Kernel Lab on both machines.");
  if (run.exit_code == not_found_code || run.exit_code == not_executable_code)
    return failure(ErrorCode::no_runner, name + " found no runner to start: " + first_line(run.err),
                   "Give the runner's whole path on that machine, such as "
                   "kernel-lab/build/release/bin/klab-runner-gpu.");
  if (!reader.noise().empty())
    return failure(ErrorCode::no_runner, name +
                                             " printed something else than a runner's answer: \"" +
                                             first_line(reader.noise()) + "\".");
  std::string what = name + " ended with " +
                     (run.signal != 0 ? describe_signal(run.signal)
                                      : "exit code " + std::to_string(run.exit_code)) +
                     " before a runner answered.";
  if (!run.err.empty()) what += " It says: " + first_line(run.err);
  return failure(ErrorCode::no_runner, what);
}

Error broken_off(const std::string& command, const std::string& where, const ProcessResult& run) {
  const std::string how = run.fell_silent || run.timed_out ? "fell silent" : "broke off";
  return make_error(ErrorCode::no_runner,
                    "The connection through `" + command + "` " + how + " " + where + ".",
                    "Check that the machine is up and the network holds, then check again; nothing "
                    "of yours is lost.",
                    run.err);
}

}  // namespace

PhaseOutcome run_remote_phase(const std::string& command, const Request& request,
                              double time_limit_s,
                              const std::function<void(const Record&)>& on_record,
                              const std::atomic<bool>* canceled) {
  PhaseOutcome outcome;
  auto words = split_command(command);
  auto input = encode_remote_request(request, time_limit_s);
  if (!words || !input) {
    outcome.error = words ? input.error() : words.error();
    return outcome;
  }
  words->push_back("--remote");
  RecordReader reader(outcome, on_record, true);
  const auto run = run_process(
      {.command = std::move(*words),
       .input = std::move(*input),
       .time_limit_s = longest_phase_s,
       .records_on_output = true,
       .silence_limit_s = silence_limit_s},
      [&](std::string_view line) { return reader.take(line); }, canceled);
  if (!run) {
    outcome.error = make_error(ErrorCode::no_runner, run.error().what);
    return outcome;
  }
  outcome.seconds = run->seconds;
  outcome.output = run->err;
  outcome.left_out_bytes = run->left_out_bytes;
  const auto failures = outcome.all<record::Failure>();
  if (run->was_canceled)
    outcome.error = make_error(ErrorCode::canceled, "The check was stopped.");
  else if (reader.broken())
    outcome.error = reader.broken();
  else if (!failures.empty())
    outcome.error = failures.front().error;
  else if (!reader.greeted())
    outcome.error = no_answer(command, *run, reader);
  else if (!reader.done())
    outcome.error = broken_off(command, reached_step(request, outcome), *run);
  return outcome;
}

}  // namespace klab
