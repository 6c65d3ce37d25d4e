// klab: reads the command line and runs one verb.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <functional>

#include "cli/investigate.hpp"
#include "cli/verbs.hpp"
#include "core/names.hpp"

namespace klab::cli {
namespace {

/// What the verb that was asked for does; set by the parser.
using Act = std::function<int(const Context&)>;

const char* const footer =
    "A lab is named by number (2), slug (coalescing), id (02-coalescing) or unique prefix (coal).\n"
    "Exit codes: 0 pass, 1 fail, 2 usage or broken lab, 3 inconclusive, 4 not checkable here.";

/// Everything the options fill; lives as long as the parser.
struct Options {
  std::string root, runner, lab, output, html, text;
  std::vector<std::string> labs;
  bool json = false, flag = false, needed = false, live = false;
  std::optional<double> seconds;
  std::vector<int> answers;
  std::int64_t number = 0;
  CheckOptions check;
  OccupancyOptions occupancy;
  ProfileOptions profile;
  InvestigateOptions investigate;
  TraceOptions trace;
  SweepPlan sweep;
  AgreeOptions agree;
  BenchOptions bench;
};

CLI::App* add_verb(CLI::App& app, const std::string& name, const std::string& what, Act& act,
                   Act does) {
  CLI::App* verb = app.add_subcommand(name, what);
  verb->callback([&act, does = std::move(does)] { act = does; });
  return verb;
}

void add_learner_verbs(CLI::App& app, Options& o, Act& act) {
  const auto simple = [&](const char* name, const char* what,
                          int (*does)(const Context&, const std::string&)) {
    add_verb(app, name, what, act, [&o, does](const Context& c) { return does(c, o.lab); })
        ->add_option("lab", o.lab, "the lab")
        ->required();
  };
  add_verb(app, "list", "show the labs and how far you are", act, [&o](const Context& c) {
    return list(c, o.json);
  })->add_flag("--json", o.json, "an array of id, slug, title, category, status");
  simple("start", "copy the flawed kernel into workbook/, never over your work", start);
  simple("lesson", "read the lesson", lesson);
  CLI::App* verb = add_verb(app, "predict", "say what is wrong before you measure", act,
                            [&o](const Context& c) { return predict(c, o.lab, o.answers); });
  verb->add_option("lab", o.lab, "the lab")->required();
  verb->add_option("--answer", o.answers, "the number of a choice, once for each question");
  simple("hint", "show one more hint", hint);
  verb = add_verb(app, "solution", "show the optimized kernel and why it works, once you passed",
                  act, [&o](const Context& c) { return solution(c, o.lab, o.flag); });
  verb->add_option("lab", o.lab, "the lab")->required();
  verb->add_flag("--give-up", o.flag, "show it although the lab is not passed");
  simple("reset", "start over; your version is kept", reset);
}

void add_check_options(CLI::App* verb, CheckOptions& check, bool full) {
  verb->add_option("lab", check.lab, "the lab")->required();
  CLI::Option* file = verb->add_option("--file", check.file, "another kernel file");
  verb->add_option("--variant", check.variant, "flawed, optimized or one of the gallery")
      ->excludes(file);
  verb->add_option("--backend", check.backend, "auto, gpu or sim");
  if (!full) return;
  verb->add_option("--seed", check.seed, "repeat a run with the inputs of this seed");
  verb->add_option("--budget", check.budget,
                   "simulator: warp instructions one launch may execute (0: no limit)");
  verb->add_flag("--json", check.json, "one object with everything that was found");
}

void add_check_verbs(CLI::App& app, Options& o, Act& act) {
  CLI::App* verb = add_verb(app, "check", "check your kernel: right, fast, for the taught reason",
                            act, [&o](const Context& c) { return check(c, o.check); });
  add_check_options(verb, o.check, true);
  verb->add_flag("--quick", o.check.quick, "only whether it builds and is right");
  verb = add_verb(app, "watch", "check on every save, until Ctrl-C", act,
                  [&o](const Context& c) { return watch(c, o.check); });
  add_check_options(verb, o.check, false);
  verb = add_verb(app, "compare", "flawed, mine and optimized side by side", act,
                  [&o](const Context& c) { return compare(c, o.check); });
  add_check_options(verb, o.check, true);
}

/// What every investigation can be asked.
void add_investigate_options(CLI::App* verb, InvestigateOptions& options) {
  verb->add_option("lab", options.lab, "the lab")->required();
  verb->add_option("--variant", options.variants,
                   "mine, flawed, optimized or one of the gallery; may be given several times");
  verb->add_option("--file", options.file, "another kernel file instead of mine");
  verb->add_option("--backend", options.backend, "auto, gpu or sim");
  verb->add_flag("--json", options.json, "one object with everything that was found");
}

void add_investigation_verbs(CLI::App& app, Options& o, Act& act) {
  CLI::App* verb =
      add_verb(app, "roofline", "each kernel under the ceilings that this device was measured at",
               act, [&o](const Context& c) { return roofline(c, o.investigate); });
  add_investigate_options(verb, o.investigate);
  verb = add_verb(app, "sweep", "time and counters over sizes or a lab's parameter", act,
                  [&o](const Context& c) { return sweep(c, o.investigate, o.sweep); });
  add_investigate_options(verb, o.investigate);
  verb->add_option("--parameter", o.sweep.parameter,
                   "size (the largest extent), or a parameter that the lab declares");
  verb->add_option("--values", o.sweep.values, "whole numbers, separated by commas or blanks")
      ->delimiter(',');
  verb = add_verb(app, "stalls", "what the warps of each kernel wait for, and where", act,
                  [&o](const Context& c) { return stalls(c, o.investigate); });
  add_investigate_options(verb, o.investigate);
  verb = add_verb(app, "diagnose", "what limits each kernel, why, and what to try next", act,
                  [&o](const Context& c) { return diagnose(c, o.investigate, o.flag); });
  add_investigate_options(verb, o.investigate);
  verb->add_flag("--recorded", o.flag, "from the counters recorded in docs/results; runs nothing");
  verb = add_verb(app, "trace", "calls, kernels and copies over time, and the gaps", act,
                  [&o](const Context& c) { return trace(c, o.trace); });
  verb->add_option("lab", o.trace.lab, "the lab")->required();
  verb->add_option("--variant", o.trace.variants, "flawed, mine, optimized or one of the gallery");
  verb->add_option("--backend", o.trace.backend, "auto, gpu or sim");
  verb->add_option("--chrome", o.trace.chrome, "also write a file that ui.perfetto.dev opens");
  verb->add_flag("--json", o.trace.json, "one object with every span");
}

void add_machine_verbs(CLI::App& app, Options& o, Act& act) {
  CLI::App* verb = add_verb(app, "profile", "run a kernel under nsys or ncu, or print how", act,
                            [&o](const Context& c) { return profile(c, o.profile); });
  verb->add_option("lab", o.profile.lab, "the lab")->required();
  verb->add_option("--variant", o.profile.variant, "flawed, optimized or one of the gallery");
  verb->add_option("--tool", o.profile.tool, "nsys (timeline) or ncu (one kernel in depth)")
      ->check(CLI::IsMember({"nsys", "ncu"}));
  verb->add_flag("--print", o.profile.print_only, "print the command and run nothing");

  verb = add_verb(app, "occupancy", "how many blocks fit a multiprocessor, and what limits them",
                  act, [&o](const Context& c) { return occupancy(c, o.occupancy); });
  verb->add_option("lab", o.occupancy.lab, "take registers and shared memory from its kernel");
  verb->add_option("--variant", o.occupancy.variant, "flawed, optimized or one of the gallery");
  verb->add_option("--block", o.occupancy.block, "threads of a block");
  verb->add_option("--registers", o.occupancy.registers, "registers a thread");
  verb->add_option("--shared", o.occupancy.shared_bytes, "bytes of shared memory a block, dynamic");
  verb->add_option("--cc", o.occupancy.compute_capability, "compute capability, such as 90");
  verb->add_flag("--json", o.occupancy.json, "an array with one object a kernel");

  verb = add_verb(app, "facts", "registers, spills and occupancy of a file at once, not built", act,
                  [&o](const Context& c) { return facts(c, o.check); });
  verb->add_option("lab", o.check.lab, "the lab")->required();
  CLI::Option* file = verb->add_option("--file", o.check.file, "another kernel file");
  verb->add_option("--variant", o.check.variant, "flawed, optimized or one of the gallery")
      ->excludes(file);
  verb->add_flag("--json", o.check.json, "one object with a list of kernels");

  verb = add_verb(app, "code", "what a kernel file becomes, line by line", act,
                  [&o](const Context& c) { return code(c, o.check, o.flag); });
  verb->add_option("lab", o.check.lab, "the lab")->required();
  file = verb->add_option("--file", o.check.file, "another kernel file");
  verb->add_option("--variant", o.check.variant, "flawed, optimized or one of the gallery")
      ->excludes(file);
  CLI::Option* ptx = verb->add_flag("--ptx", o.needed, "the virtual instructions (the default)");
  verb->add_flag("--sass", o.flag, "the machine code; needs nvdisasm")->excludes(ptx);
  verb->add_flag("--json", o.check.json, "one object with a list of lines");

  verb =
      add_verb(app, "device", "the GPU's facts and measured ceilings", act, [&o](const Context& c) {
        return o.live ? device_live(c, o.seconds, o.json) : device(c, o.flag, o.json);
      });
  CLI::Option* measure = verb->add_flag("--measure", o.flag, "measure the ceilings now");
  CLI::Option* live = verb->add_flag("--live", o.live, "clocks, power, temperature as they change")
                          ->excludes(measure);
  verb->add_option("--seconds", o.seconds, "how long to watch; until Ctrl-C or an hour if absent")
      ->needs(live)
      ->check(CLI::Range(0.1, 3600.0));
  verb->add_flag("--json", o.json, "one object; with --live one a line");
  add_verb(app, "doctor", "what works here, and what to do about what does not", act,
           [&o](const Context& c) { return doctor(c, o.json); })
      ->add_flag("--json", o.json, "an array of findings");
}

void add_journal_verbs(CLI::App& app, Options& o, Act& act) {
  CLI::App* journal = app.add_subcommand("journal", "what you did and how well you predicted it");
  journal->require_subcommand(1);
  CLI::App* verb = add_verb(*journal, "list", "all entries, or those of one lab", act,
                            [&o](const Context& c) { return journal_list(c, o.lab, o.json); });
  verb->add_option("lab", o.lab, "the lab");
  verb->add_flag("--json", o.json, "an array of entries");
  add_verb(*journal, "show", "one entry with its source", act,
           [&o](const Context& c) { return journal_show(c, o.number); })
      ->add_option("number", o.number, "its number")
      ->required();
  add_verb(*journal, "restore", "make an attempt your kernel again; the present one is kept", act,
           [&o](const Context& c) { return journal_restore(c, o.number); })
      ->add_option("number", o.number, "its number")
      ->required();
  verb = add_verb(*journal, "note", "keep words of your own with a lab", act,
                  [&o](const Context& c) { return journal_note(c, o.lab, o.text); });
  verb->add_option("lab", o.lab, "the lab")->required();
  verb->add_option("text", o.text, "what you want to remember")->required();
  add_verb(*journal, "calibration", "what you predicted and what it was", act,
           [&o](const Context& c) { return journal_calibration(c, o.json); })
      ->add_flag("--json", o.json, "one object");
  verb = add_verb(*journal, "export", "the journal as Markdown or as one page with plots", act,
                  [&o](const Context& c) { return journal_export(c, o.output, o.html); });
  CLI::Option* output =
      verb->add_option("--output", o.output, "a file for Markdown; standard output if absent");
  verb->add_option("--html", o.html, "a file for the page, which needs no other file")
      ->excludes(output);
}

void add_course_verbs(CLI::App& app, Options& o, Act& act) {
  CLI::App* verb = add_verb(app, "build", "build the course's kernels ahead of time", act,
                            [&o](const Context& c) { return build(c, o.flag, o.json); });
  CLI::Option* needed = verb->add_flag("--needed", o.needed, "what a learner needs (the default)");
  verb->add_flag("--all", o.flag, "the galleries too")->excludes(needed);
  verb->add_flag("--json", o.json, "an array with one object a library");

  verb = add_verb(app, "record", "run the course on this GPU and write docs/results/", act,
                  [&o](const Context& c) {
                    return record(c, {o.labs, o.output});
                  });
  verb->add_option("labs", o.labs, "only these labs");
  verb->add_option("--output", o.output, "another file");
  add_verb(app, "report", "bring the recorded results into README.md", act, [&o](const Context& c) {
    return report(c, o.flag);
  })->add_flag("--check", o.flag, "change nothing; fail if anything is stale");

  verb = add_verb(app, "agree", "compare the simulator with this GPU, or with what was recorded",
                  act, [&o](const Context& c) { return agree(c, o.agree); });
  verb->add_option("--backend", o.agree.backend, "auto, gpu or sim");
  verb->add_option("--output", o.agree.output, "another file");
  verb->add_flag("--report", o.agree.report, "only bring the recordings into docs/agreement.md");
  verb->add_option("--random", o.agree.random.kernels, "compare so many random kernels instead")
      ->check(CLI::Range(1, 1'000'000));
  verb->add_option("--seed", o.agree.random.seed, "of the first random kernel");

  verb = add_verb(app, "bench", "figures about klab itself on this machine", act,
                  [&o](const Context& c) { return bench(c, o.bench); });
  verb->add_option("labs", o.bench.labs, "only these labs");
  verb->add_option("--repeats", o.bench.repeats, "runs of each figure")->check(CLI::Range(1, 100));
  CLI::Option* ncu = verb->add_flag("--against-ncu", o.bench.against_ncu,
                                    "our counters and our clock against Nsight Compute's, for the "
                                    "same launch");
  verb->add_flag("--simulator", o.bench.simulator, "how fast the simulator is, on two threads")
      ->excludes(ncu);
  verb->add_option("--output", o.bench.output, "with --simulator: another file");
  verb->add_flag("--json", o.bench.json, "one object");
}

void add_window_verbs(CLI::App& app, Options& o, Act& act) {
  CLI::App* verb =
      app.add_subcommand("ui", "open the window; its options follow: `klab ui --help`");
  verb->prefix_command();
  verb->fallthrough(false);  // the window knows its options itself
  verb->set_help_flag();
  verb->callback([verb, &act] {
    act = [words = verb->remaining()](const Context& c) { return window(c, words); };
  });
  add_verb(app, "present", "show a lab slide by slide, in large type", act, [&o](const Context& c) {
    return present(c, o.lab);
  })->add_option("lab", o.lab, "the lab; the one you are at if absent");
}

/// The first word that is no option, if it is no verb.
std::optional<std::string> unknown_verb(const CLI::App& app, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--root" || word == "--runner") {
      ++i;
      continue;
    }
    if (word.rfind("-", 0) == 0) continue;
    const auto verbs = app.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* verb : verbs)
      if (verb->get_name() == word) return std::nullopt;
    return word;
  }
  return std::nullopt;
}

Error no_such_verb(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  const auto near = near_names(word, names);
  return make_error(ErrorCode::usage, "klab has no verb \"" + word.substr(0, 60) + "\".",
                    near.empty() ? "" : "Did you mean " + join_or(near) + "?");
}

int run(int argc, char** argv) {
  Options options;
  Act act;
  CLI::App app("Kernel Lab: find what makes a CUDA kernel slow, fix it, and prove why it is fast.",
               "klab");
  app.footer(footer);
  app.require_subcommand(1);
  app.set_version_flag("--version", KLAB_VERSION);
  app.add_option("--root", options.root, "the repository, if it is not the one klab was built in");
  app.add_option("--runner", options.runner,
                 "command of a runner elsewhere, such as 'ssh host klab-runner-gpu'; also "
                 "KLAB_RUNNER in the environment");
  app.fallthrough();  // --root and --runner may also stand after the verb
  add_learner_verbs(app, options, act);
  add_check_verbs(app, options, act);
  add_investigation_verbs(app, options, act);
  add_machine_verbs(app, options, act);
  add_journal_verbs(app, options, act);
  add_course_verbs(app, options, act);
  add_window_verbs(app, options, act);

  Context bare{{}, Terminal::of(stdout), Terminal::of(stderr)};
  if (const auto word = unknown_verb(app, argc, argv)) return fail(bare, no_such_verb(app, *word));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    print((chosen.empty() ? app : *chosen.front()).help());
    return exit_ok;
  } catch (const CLI::Success& message) {
    print(std::string(message.what()) + "\n");
    return exit_ok;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string verb = chosen.empty() ? "" : " " + chosen.front()->get_name();
    std::string what = error.what();
    if (what.empty() || what.back() != '.') what += '.';
    return fail(bare, make_error(ErrorCode::usage, what, "Run `klab" + verb + " --help`."));
  }
  if (!options.runner.empty()) ::setenv("KLAB_RUNNER", options.runner.c_str(), 1);
  const auto context = make_context(options.root);
  if (!context) return fail(bare, context.error());
  return act(*context);
}

}  // namespace
}  // namespace klab::cli

int main(int argc, char** argv) { return klab::cli::run(argc, argv); }
