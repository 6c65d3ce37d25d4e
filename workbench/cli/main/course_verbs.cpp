// Verbs of who keeps the course: `klab course ...`, and the two that others use as well.
#include "cli/main/grammar.hpp"

namespace klab::cli {
namespace {

constexpr const char* course_group = "Course";

CLI::Option* add_labs(CLI::App& verb, std::vector<std::string>& labs) {
  return verb.add_option("labs", labs, "only these labs")->type_name(value::lab);
}

CLI::Option* add_output(CLI::App& verb, std::string& output, const char* what = "another file") {
  return verb.add_option("--output", output, what)->check(file_to_write())->type_name(value::file);
}

void add_keepers_verbs(CLI::App& course, Act& act) {
  {
    auto [verb, options] = add_verb<CourseNewOptions>(
        course, act, "new", "begin a lab: three folders, marked where something is to be said",
        {"course new 30 shared_atomics --like 02"}, course_new);
    verb.add_option("number", options.number, "of the new lab")
        ->required()
        ->transform(whole_number(1, 99))
        ->type_name(value::number);
    verb.add_option("slug", options.slug, "its name: words joined by _")
        ->required()
        ->type_name("WORDS");
    verb.add_option("--like", options.like, "the lab that is nearest to it")
        ->required()
        ->type_name(value::lab);
  }
  {
    auto [verb, options] = add_verb<CourseCheckOptions>(
        course, act, "check", "is a lab fit for the course: its files, and what each kernel does",
        {"course check 06", "course check --files"}, course_check);
    add_labs(verb, options.labs);
    add_backend(verb, options.backend);
    verb.add_flag("--files", options.files_only, "only what the files alone show; runs nothing");
  }
  {
    auto [verb, options] = add_verb<RecordOptions>(
        course, act, "record", "run the course on this GPU and write docs/results/",
        {"course record", "course record 2 3"}, record);
    add_labs(verb, options.labs);
    verb.add_flag("--solutions", options.solutions_only,
                  "only the flawed kernels, the solutions and their stretch files");
    verb.add_flag("--changed", options.changed_only,
                  "only kernels that were not recorded as they are now");
    verb.add_flag("--judge-again", options.judge_again,
                  "run nothing: judge what --output holds by today's rules")
        ->needs(add_output(verb, options.output));
  }
  {
    auto [verb, options] = add_verb<RepeatOptions>(
        course, act, "repeat",
        "check on this GPU, again and again, that each kernel ends as it has to",
        {"course repeat", "course repeat 2 3 --times 5", "course repeat --times 0 --refused 2"},
        repeat);
    add_labs(verb, options.labs);
    verb.add_option("--times", options.times,
                    "how many checks each kernel is to have had that has to pass")
        ->transform(whole_number(0, 1000))
        ->type_name(value::number)
        ->capture_default_str();
    verb.add_option("--refused", options.refused, "and each that has to be refused")
        ->transform(whole_number(0, 1000))
        ->type_name(value::number)
        ->capture_default_str();
    verb.add_flag("--mended", options.mended,
                  "forget the checks of kernels that did not always end as they have to, and make "
                  "them anew");
    verb.add_option("--join", options.join,
                    "run nothing: add what another recording of such a GPU holds")
        ->type_name(value::file)
        ->excludes(add_output(verb, options.output));
  }
  {
    auto [verb, options] =
        add_verb<ReportOptions>(course, act, "report", "bring the recorded results into README.md",
                                {"course report", "course report --check"}, report);
    verb.add_flag("--check", options.check_only, "change nothing; fail if anything is stale");
  }
  auto [verb, options] = add_verb<AgreeOptions>(
      course, act, "agree", "compare the simulator with this GPU, or with what was recorded",
      {"course agree", "course agree --backend sim"}, agree);
  add_backend(verb, options.backend);
  add_output(verb, options.output);
  verb.add_flag("--report", options.report, "only bring the recordings into docs/agreement.md");
  CLI::Option* random =
      verb.add_option("--random", options.random.kernels, "compare so many random kernels instead")
          ->transform(whole_number(1, 1'000'000))
          ->type_name(value::number);
  verb.add_option("--seed", options.random.seed, "of the first random kernel")
      ->transform(whole_number(1, std::uint64_t{1} << 40))
      ->needs(random)
      ->type_name(value::number);
  verb.add_option("--kind", options.random.kind,
                  "of random kernels: usual, structured, masked or memory")
      ->check(one_of({"usual", "structured", "masked", "memory"}))
      ->needs(random);
}

void add_bench(CLI::App& app, Act& act) {
  auto [verb, options] = add_verb<BenchOptions>(
      app, act, "bench", "figures about klab itself on this machine",
      {"bench", "bench 2 --repeats 5", "bench --output docs/results/bench/nvidia-h200.json",
       "bench --simulator", "bench --peers"},
      bench);
  add_labs(verb, options.labs);
  verb.add_option("--repeats", options.repeats, "runs of each figure")
      ->transform(whole_number(1, 100))
      ->type_name(value::number);
  CLI::Option* ncu = verb.add_flag("--against-ncu", options.against_ncu,
                                   "our counters and our clock against Nsight Compute's, for the "
                                   "same launch");
  verb.add_flag("--simulator", options.simulator,
                "how fast the simulator is, on one thread and on two")
      ->excludes(ncu);
  CLI::Option* window =
      verb.add_flag("--window", options.window, "how fast the window is; needs a display")
          ->excludes(ncu);
  verb.add_flag("--peers", options.peers,
                "CUB, cuBLAS and PyTorch beside the labs' solutions, on the same task")
      ->excludes(ncu);
  verb.add_flag("--guards", options.guards,
                "what each guard of the verdict costs: a check with it and without, in turns")
      ->excludes(ncu);
  add_output(verb, options.output,
             "where to record it; what is there of other labs on such a GPU stays, but for --peers")
      ->excludes(window);
  add_json(verb, options.json, "one object");
  verb.group("Machine and compiler");
}

}  // namespace

void add_course_verbs(CLI::App& app, Act& act) {
  add_bench(app, act);
  {
    auto [verb, options] =
        add_verb<BuildOptions>(app, act, "build", "build the course's kernels ahead of time",
                               {"build", "build --all"}, build);
    CLI::Option* needed =
        verb.add_flag("--needed", options.needed, "what a learner needs (the default)");
    verb.add_flag("--all", options.all, "galleries and the ends of sweeps too")->excludes(needed);
    add_json(verb, options.json, "an array with one object a library");
    verb.group(course_group);
  }
  CLI::App* course = app.add_subcommand("course", "verbs for whoever maintains the course");
  course->require_subcommand(1);
  course->group(course_group);
  course->footer("Examples:\n  klab course check 06\n  klab course record");
  add_keepers_verbs(*course, act);
}

}  // namespace klab::cli
