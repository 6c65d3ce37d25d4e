// klab: reads the command line and runs one verb.
#include <algorithm>
#include <CLI/CLI.hpp>
#include <csignal>

#include "cli/main/grammar.hpp"
#include "cli/main/version.hpp"

namespace klab::cli {
namespace {

const char* const footer =
    "Examples:\n  klab start coalescing\n  klab watch 2\n  klab help check\n\n"
    "A lab is named by number (2), slug (coalescing), id (02-coalescing) or unique prefix (coal).\n"
    "Exit codes: 0 pass, 1 fail, 2 usage or broken lab, 3 inconclusive, 4 not checkable here,\n"
    "130 stopped by Ctrl-C.";

/// What stands before or after any verb.
struct CommonOptions {
  std::string root, runner;
};

void define(CLI::App& app, CommonOptions& options, Act& act) {
  app.footer(footer);
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.set_help_flag("-h,--help", "this text");
  app.set_version_flag("--version", version_text(), "the version, commit and toolkit");
  app.add_option("--root", options.root, "the repository, if it is not the one klab was built in")
      ->type_name("FOLDER");
  app.add_option("--runner", options.runner,
                 "command of a runner elsewhere, such as 'ssh host klab-runner-gpu'; also "
                 "KLAB_RUNNER in the environment")
      ->type_name("COMMAND");
  app.fallthrough();  // --root and --runner may also stand after the verb
  add_learner_verbs(app, act);
  add_check_verbs(app, act);
  add_investigation_verbs(app, act);
  add_journal_verbs(app, act);
  add_machine_verbs(app, act);
  add_window_verbs(app, act);
  add_course_verbs(app, act);
  add_shell_verbs(app, act);
}

/// What reads JSON gets it also where the command line is wrong.
bool wants_json(const CLI::App& app) {
  const auto chosen = chosen_verbs(app);
  if (!chosen.empty())
    if (const CLI::Option* flag = chosen.back()->get_option_no_throw("--json"))
      return flag->count() > 0;
  const auto words = app.remaining(true);
  return std::find(words.begin(), words.end(), "--json") != words.end();
}

int run(int argc, char** argv) {
  CommonOptions options;
  Act act;
  CLI::App app("Kernel Lab: find what makes a CUDA kernel slow, fix it, and prove why it is fast.",
               "klab");
  define(app, options, act);
  const Context bare{{}, Terminal::of(stdout), Terminal::of(stderr)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    if (const auto unknown = unknown_verb(app)) return fail(bare, *unknown);
    show(bare, hanging(bare.out, app.help()));
    return exit_ok;
  } catch (const CLI::Success& message) {
    print(std::string(message.what()) + "\n");
    return exit_ok;
  } catch (const CLI::ParseError& refusal) {
    return fail(bare, usage_error(app, refusal), wants_json(app));
  }
  const auto context = make_context(options.root, options.runner);
  if (!context) return fail(bare, context.error(), wants_json(app));
  return act(*context);
}

/// What could not be written was not said: a verb whose output is lost has not done its work.
int finish(int code) {
  const auto lost = output_failure();
  if (reader_left()) {  // as where nothing ignored the signal: who closes a pipe has read enough
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  return lost ? fail({{}, Terminal::of(stdout), Terminal::of(stderr)}, *lost) : code;
}

}  // namespace
}  // namespace klab::cli

int main(int argc, char** argv) {
  // A file that may grow no further (`ulimit -f`) is told as a failed write, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  return klab::cli::finish(klab::cli::run(argc, argv));
}
