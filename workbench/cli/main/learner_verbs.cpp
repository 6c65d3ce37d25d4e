// The learner's path and the window.
#include "cli/main/grammar.hpp"

namespace klab::cli {

void add_learner_verbs(CLI::App& app, Act& act) {
  const char* const group = "Learn";
  const auto simple = [&](const char* name, const char* what, auto does) {
    auto [verb, options] =
        add_verb<LabOptions>(app, act, name, what, {std::string(name) + " coalescing"}, does);
    add_lab(verb, options.lab);
    verb.group(group);
  };
  {
    auto [verb, options] = add_verb<ShownOptions>(
        app, act, "list", "show the labs and how far you are", {"list", "list --json"}, list);
    add_json(verb, options.json, "an array of id, slug, title, category, status");
    verb.group(group);
  }
  simple("start", "copy the flawed kernel into workbook/, never over your work", start);
  simple("lesson", "read the lesson", lesson);
  {
    auto [verb, options] =
        add_verb<PredictOptions>(app, act, "predict", "say what is wrong before you measure",
                                 {"predict 2", "predict 2 --answer 1 --answer 3"}, predict);
    add_lab(verb, options.lab);
    verb.add_option("--answer", options.answers, "the number of a choice, once for each question")
        ->type_name(value::number);
    verb.group(group);
  }
  simple("hint", "show one more hint", hint);
  {
    auto [verb, options] = add_verb<SolutionOptions>(
        app, act, "solution", "show the optimized kernel and why it works, once you passed",
        {"solution 2", "solution 2 --give-up"}, solution);
    add_lab(verb, options.lab);
    verb.add_flag("--give-up", options.give_up, "show it although the lab is not passed");
    verb.group(group);
  }
  simple("reset", "start over; your version is kept", reset);
  {
    auto [verb, options] =
        add_verb<ShownOptions>(app, act, "metrics", "the counters: unit, meaning, who counts them",
                               {"metrics", "metrics --json"}, metrics);
    add_json(verb, options.json, "an array with one object a counter");
    verb.group(group);
  }
}

void add_window_verbs(CLI::App& app, Act& act) {
  CLI::App* verb = app.add_subcommand("ui", "open the window; its options: `klab ui --help`");
  verb->prefix_command();
  verb->fallthrough(false);  // the window knows its options itself
  verb->set_help_flag();
  verb->callback([verb, &act] {
    act = [words = verb->remaining()](const Context& context) { return window(context, words); };
  });
  verb->group("Window");
  auto [present_verb, options] =
      add_verb<LabOptions>(app, act, "present", "show a lab slide by slide, in large type",
                           {"present", "present coalescing"}, present);
  add_lab(present_verb, options.lab, false);
  present_verb.group("Window");
}

}  // namespace klab::cli
