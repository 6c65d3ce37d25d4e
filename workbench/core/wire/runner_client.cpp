// Spawning the runner and turning every way it can end into an error with a remedy.
#include "core/wire/runner_client.hpp"

#include <random>

#include "core/process/process.hpp"
#include "core/process/scratch_folder.hpp"
#include "core/wire/record_reader.hpp"
#include "core/wire/remote_client.hpp"

namespace klab {
namespace {

std::string fresh_secret() {
  std::random_device source;
  std::string secret;
  for (int i = 0; i < 32; ++i) secret += "0123456789abcdef"[source() % 16];
  return secret;
}

Error ending(const Request& request, const ProcessResult& run, const PhaseOutcome& outcome,
             double limit_s) {
  if (run.was_canceled) return make_error(ErrorCode::canceled, "The check was stopped.");
  if (run.timed_out)
    return make_error(ErrorCode::hang, "The kernel did not finish within " +
                                           std::to_string(static_cast<int>(limit_s)) +
                                           " s and was killed " + reached_step(request, outcome) +
                                           "; the GPU is free again.");
  if (run.signal != 0)
    return make_error(ErrorCode::crash,
                      "The runner ended by " + describe_signal(run.signal) + " " +
                          reached_step(request, outcome) + ".",
                      {}, run.err);
  return make_error(ErrorCode::runner_failed,
                    "The runner ended with exit code " + std::to_string(run.exit_code) + " " +
                        reached_step(request, outcome) + " without finishing.",
                    {}, run.err);
}

}  // namespace

PhaseOutcome run_phase(const Tree& tree, bool simulator, const Request& request,
                       double time_limit_s, const std::function<void(const Record&)>& on_record,
                       const std::atomic<bool>* canceled) {
  if (!tree.remote.empty())
    return run_remote_phase(tree.remote, request, time_limit_s, on_record, canceled);
  return run_local_phase(tree.runner(simulator), request, time_limit_s, on_record, canceled,
                         nullptr, tree.open_room);
}

PhaseOutcome run_local_phase(const std::filesystem::path& runner, const Request& request,
                             double time_limit_s,
                             const std::function<void(const Record&)>& on_record,
                             const std::atomic<bool>* canceled, ProcessControl* control,
                             bool open_room) {
  PhaseOutcome outcome;
  std::error_code ignored;
  if (!std::filesystem::exists(runner, ignored)) {
    outcome.error = make_error(ErrorCode::runner_failed, runner.string() + " is not built.",
                               "Run " + Act{Verb::build} + " to build it.");
    return outcome;
  }
  Request sent = request;
  sent.secret = fresh_secret();
  // A fresh one for every phase: what a kernel file leaves there, no later one finds. Where none is
  // loaded, the user's folder stays, in which all look for the GPU's lock.
  std::optional<ScratchFolder> scratch;
  if (!request.plugins.empty())
    if (auto made = ScratchFolder::make()) scratch.emplace(std::move(*made));
  sent.scratch = scratch ? scratch->path().string() : std::string();
  RecordReader reader(outcome, on_record, false, sent.secret);
  ProcessRequest process{.command = {runner.string(), "--records-fd", "3"},
                         .input = encode(sent) + "\n",
                         .control = control,
                         .scratch = sent.scratch,
                         .time_limit_s = time_limit_s,
                         .with_records = true};
  if (scratch) process.environment["TMPDIR"] = sent.scratch;
  if (open_room) process.environment["KLAB_ROOM"] = "open";
  const auto run = run_process(
      process, [&](std::string_view line) { return reader.take(line); }, canceled);
  if (!run) {
    outcome.error = run.error();
    return outcome;
  }
  outcome.seconds = run->seconds;
  outcome.output = run->out + run->err;
  const auto failures = outcome.all<record::Failure>();
  if (reader.broken())
    outcome.error = reader.broken();
  else if (run->was_canceled)
    outcome.error = ending(request, *run, outcome, time_limit_s);
  else if (!failures.empty())
    outcome.error = failures.front().error;
  else if (!reader.done())
    outcome.error = ending(request, *run, outcome, time_limit_s);
  return outcome;
}

}  // namespace klab
