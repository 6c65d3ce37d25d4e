// Checking and investigating kernels.
#include "cli/main/grammar.hpp"

namespace klab::cli {
namespace {

/// What every check can be asked.
void add_check_options(CLI::App& verb, CheckOptions& check, const char* group) {
  add_lab(verb, check.lab);
  add_variant_or_file(verb, check.variant, check.file);
  add_backend(verb, check.backend);
  verb.group(group);
}

/// What a check that ends can be asked as well.
void add_run_options(CLI::App& verb, CheckOptions& check) {
  verb.add_option("--seed", check.seed, "repeat a run with the inputs of this seed")
      ->transform(whole_number(1, highest_seed))
      ->type_name(value::number);
  verb.add_option("--budget", check.budget, "simulator: warp instructions one launch may execute")
      ->transform(whole_number(1, highest_budget))
      ->type_name(value::number);
  add_json(verb, check.json, "one object with everything that was found");
}

void add_recorded(CLI::App& verb, bool& recorded) {
  verb.add_flag("--recorded", recorded, "from the runs recorded in docs/results; runs nothing");
}

/// What every investigation can be asked.
void add_investigate_options(CLI::App& verb, InvestigateOptions& options) {
  add_lab(verb, options.lab);
  verb.add_option("--variant", options.variants,
                  "mine, flawed, optimized or one of the gallery; may be given several times")
      ->type_name(value::variant);
  verb.add_option("--file", options.file, "another kernel file instead of mine")
      ->check(named_file())
      ->type_name(value::file);
  add_backend(verb, options.backend);
  add_recorded(verb, options.recorded);
  verb.add_option("--output", options.output,
                  "add what was found to this file; --recorded reads *.jsonl of docs/results")
      ->check(file_to_write())
      ->type_name(value::file);
  add_json(verb, options.json, "one object with everything that was found");
  verb.group("Investigate");
}

}  // namespace

void add_check_verbs(CLI::App& app, Act& act) {
  const char* const group = "Check";
  {
    auto [verb, options] = add_verb<CheckOptions>(
        app, act, "check", "check your kernel: right, fast, for the taught reason",
        {"check coalescing", "check 2 --variant optimized --backend sim", "check 2 --json"}, check);
    add_check_options(verb, options, group);
    add_run_options(verb, options);
    verb.add_flag("--quick", options.quick,
                  "check only whether it builds and is right; if so, the exit status is 0, as "
                  "after a pass");
  }
  {
    auto [verb, options] =
        add_verb<CheckOptions>(app, act, "watch", "check on every save, until Ctrl-C",
                               {"watch coalescing", "watch 2 --backend sim"}, watch);
    add_check_options(verb, options, group);
  }
  auto [verb, options] = add_verb<CompareOptions>(
      app, act, "compare", "flawed, mine and optimized side by side",
      {"compare coalescing", "compare 2 --all", "compare 2 --recorded"}, compare);
  add_check_options(verb, options, group);
  add_run_options(verb, options);
  verb.add_flag("--all", options.all, "every counter, also those that no kernel changes");
  add_recorded(verb, options.recorded);
}

void add_investigation_verbs(CLI::App& app, Act& act) {
  {
    auto [verb, options] = add_verb<InvestigateOptions>(
        app, act, "diagnose", "what limits each kernel, why, and what to try next",
        {"diagnose coalescing", "diagnose 2 --recorded"}, diagnose);
    add_investigate_options(verb, options);
  }
  {
    auto [verb, options] = add_verb<InvestigateOptions>(
        app, act, "stalls", "what the warps of each kernel wait for, and where",
        {"stalls coalescing", "stalls 2 --variant flawed --json"}, stalls);
    add_investigate_options(verb, options);
  }
  {
    auto [verb, options] = add_verb<InvestigateOptions>(
        app, act, "roofline", "each kernel under the ceilings that this device was measured at",
        {"roofline coalescing", "roofline 2 --recorded"}, roofline);
    add_investigate_options(verb, options);
  }
  {
    auto [verb, options] = add_verb<SweepOptions>(
        app, act, "sweep", "time and counters over sizes or a lab's parameter",
        {"sweep coalescing", "sweep 2 --parameter BLOCK --values 64,128,256"}, sweep);
    add_investigate_options(verb, options);
    verb.add_option("--parameter", options.plan.parameter,
                    "size (the largest extent), or a parameter that the lab declares")
        ->type_name("NAME");
    verb.add_option("--values", options.plan.values, "whole numbers, separated by commas or blanks")
        ->delimiter(',')
        ->type_name(value::number);
  }
  auto [verb, options] =
      add_verb<TraceOptions>(app, act, "trace", "calls, kernels and copies over time, and the gaps",
                             {"trace sync", "trace 5 --chrome trace.json"}, trace);
  add_investigate_options(verb, options);
  verb.add_option("--chrome", options.chrome, "also write a file that ui.perfetto.dev opens")
      ->check(file_to_write())
      ->type_name(value::file);
}

}  // namespace klab::cli
