// profile: runs a lab's kernel under NVIDIA's profilers, or says how to.
#include <algorithm>

#include "cli/verbs/check_session.hpp"
#include "core/base/files.hpp"
#include "core/check/prepared_lab.hpp"
#include "core/process/process.hpp"
#include "core/record/profiler_command.hpp"
#include "core/wire/protocol.hpp"

namespace klab::cli {
namespace {

/// A profiler slows everything down by passes and tracing.
constexpr double profile_time_limit_s = 600;
constexpr double profiled_s = 0.2;

/// In single quotes for a shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string shell_text(const std::vector<std::string>& command, const std::string& request) {
  std::string text;
  for (const std::string& word : command) {
    const bool plain = word.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "-_./,=+:") == std::string::npos;
    text += (text.empty() ? "" : " ") + (plain ? word : quoted(word));
  }
  return text + " < " + quoted(request) + " 3> /dev/null";
}

/// Builds what is needed and writes the runner's request to a file; the answer is its path.
Result<std::filesystem::path> write_request(const Context& context, const CheckRequest& check) {
  PreparedLab prepared{.lab = check.lab, .tree = context.tree, .seed = check.seed.value_or(1)};
  // Without a GPU the command is printed for a machine that has one.
  if (!prepared.choose(Backend::gpu, &canceled_by_user())) {
    prepared.chosen.device.compute_capability =
        std::max(default_compute_capability, check.lab.minimum_compute_capability);
    prepared.chosen.device.gpus = check.lab.gpus;
  }
  if (auto equipped = prepared.equip(); !equipped) return equipped.error();
  if (auto added =
          prepared.add({VariantName::mine, check.source}, &canceled_by_user(), check.variant);
      !added)
    return added.error();
  if (auto added = prepared.add_workload(&canceled_by_user()); !added) return added.error();
  Request request = prepared.request(Phase::time);
  request.time_cap_s = profiled_s;
  const auto path = context.tree.build / "profiles" / (check.lab.folder + ".request.json");
  if (auto written = write_file(path, encode(request) + "\n"); !written) return written.error();
  return path;
}

}  // namespace

int profile(const Context& context, const ProfileOptions& options) {
  const auto check = check_request(context, {.lab = options.lab, .variant = options.variant});
  if (!check) return fail(context, check.error());
  if (!context.tree.remote.empty())
    return fail(context, make_error(ErrorCode::usage, "A profiler runs beside its kernel.",
                                    "Run `./klab profile` on the machine with the GPU, without "
                                    "--runner and KLAB_RUNNER."));
  const auto request = write_request(context, *check);
  if (!request) return fail(context, request.error());
  const std::string output =
      (context.tree.build / "profiles" / (check->lab.folder + "-" + check->variant.shown()))
          .string();
  std::vector<std::string> command = profiler_command(options.tool, output);
  command.insert(command.end(), {context.tree.runner(false).string(), "--records-fd", "3"});

  const bool present = !programs_called(options.tool).empty();
  if (!present || options.print_only) {
    if (!present)
      print(paragraph(
          context.out,
          options.tool + " is not installed here. Where it is, this shows the kernel:", 2));
    print("\n" + shell_text(command, request->string()) + "\n\n");
    return exit_ok;
  }
  const auto text = read_file(*request);
  if (!text) return fail(context, text.error());
  const auto run = run_process({.command = command,
                                .input = *text,
                                .time_limit_s = profile_time_limit_s,
                                .with_records = true},
                               {}, &canceled_by_user());
  if (!run) return fail(context, run.error());
  if (run->exit_code != 0 || run->signal != 0)
    return fail(context,
                make_error(ErrorCode::runner_failed, options.tool + " did not finish its profile.",
                           "Run the command printed by `./klab profile --print " + check->lab.slug +
                               "` to see its messages.",
                           run->err));
  print(run->out + "\n  Open the report with `" +
        (options.tool == "ncu" ? "ncu-ui " + output + ".ncu-rep"
                               : "nsys-ui " + output + ".nsys-rep") +
        "`.\n  A profiler slows the kernel down: its durations are not run times.\n");
  return exit_ok;
}

}  // namespace klab::cli
