// Spawning the runner and turning every way it can end into an error with a remedy.
#include "core/wire/runner_client.hpp"

#include <csignal>
#include <random>

#include "core/process/process.hpp"
#include "core/process/scratch_folder.hpp"
#include "core/wire/record_reader.hpp"
#include "core/wire/remote_client.hpp"

namespace klab {
namespace {

/// Of the time after which a runner is killed: a launch that is under way then has the rest.
constexpr double patience = 0.75;

std::string fresh_secret() {
  std::random_device source;
  std::string secret;
  for (int i = 0; i < 32; ++i) secret += "0123456789abcdef"[source() % 16];
  return secret;
}

/// What in a kernel file's host code mostly ends a process by this signal.
std::string advice_for(int signal) {
  switch (signal) {
    case SIGABRT:
      return "Something in the host code called abort(): a failed assert, std::terminate, or an "
             "exception that left a destructor. What it printed says which.";
    case SIGFPE:
      return "Look in the host code for a division of integers by zero, such as by an extent that "
             "was rounded down.";
    case SIGILL:
    case SIGTRAP:
      return "Look in the host code for a function that ends without a `return`, or for a trap.";
    case SIGSEGV:
    case SIGBUS:
      return "Look at the host code in `launch`: it must not read or write through null or device "
             "pointers, nor call itself without end. A host function or a thread runs later, when "
             "`args` is gone: give it a copy.";
    default:
      return "Something outside ended it; where it was for want of memory, `dmesg` says so. Check "
             "again.";
  }
}

Error ending(const Request& request, const ProcessResult& run, const PhaseOutcome& outcome,
             double limit_s) {
  const std::string reached = " " + reached_step(request, outcome);
  if (run.was_canceled) return make_error(ErrorCode::canceled, "The check was stopped.");
  if (run.timed_out)
    return make_error(
        ErrorCode::hang,
        "The kernel file did not finish within " + std::to_string(static_cast<int>(limit_s)) +
            " s and was killed" + reached + ".",
        "Look for a loop that never ends, on the device or on the host, for a barrier "
        "that not every thread of the block reaches, and for work that the host does "
        "by itself, or waits for, again and again: it may only take long.");
  if (run.signal != 0)
    return make_error(ErrorCode::crash,
                      "The runner ended by " + describe_signal(run.signal) + reached + ".",
                      request.plugins.empty() ? Advice() : Advice(advice_for(run.signal)), run.err);
  // Where nothing of a learner's runs, it is the machine or the runner that is at fault.
  if (!request.plugins.empty())
    return make_error(ErrorCode::crash,
                      "The kernel file's host code ended the program, with exit code " +
                          std::to_string(run.exit_code) + "," + reached + ".",
                      "Leave out what ends it, such as exit(): `launch` has to return, also when a "
                      "call of CUDA failed.",
                      run.err);
  return make_error(ErrorCode::runner_failed,
                    "The runner ended with exit code " + std::to_string(run.exit_code) + reached +
                        " without finishing.",
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
  if (!sent.patience_s) sent.patience_s = patience * time_limit_s;
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
  outcome.left_out_bytes = run->left_out_bytes;
  if (reader.broken())
    outcome.error = reader.broken();
  else if (run->was_canceled)
    outcome.error = ending(request, *run, outcome, time_limit_s);
  else if (const auto failure = outcome.reported_failure())
    outcome.error = failure;
  else if (!reader.done())
    outcome.error = ending(request, *run, outcome, time_limit_s);
  return outcome;
}

}  // namespace klab
