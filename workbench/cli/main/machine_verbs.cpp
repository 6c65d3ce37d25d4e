// What the machine is and what the compiler makes of a kernel.
#include "cli/main/grammar.hpp"

namespace klab::cli {
namespace {

constexpr const char* machine_group = "Machine and compiler";
constexpr double longest_watch_s = 3600;

void add_occupancy(CLI::App& app, Act& act) {
  auto [verb, options] = add_verb<OccupancyOptions>(
      app, act, "occupancy", "how many blocks fit a multiprocessor, and what limits them",
      {"occupancy 3", "occupancy --block 256 --registers 40 --shared 16384"}, occupancy);
  verb.add_option("lab", options.lab, "take registers and shared memory from its kernel")
      ->type_name(value::lab);
  verb.add_option("--variant", options.variant, "flawed, optimized or one of the gallery")
      ->type_name(value::variant);
  const auto number = [&](const char* name, auto& into, const char* what) {
    verb.add_option(name, into, what)->type_name(value::number);
  };
  number("--block", options.block, "threads of a block");
  number("--registers", options.registers, "registers a thread");
  number("--shared", options.shared_bytes, "bytes of shared memory a block, dynamic");
  const auto read_capability = [&into = options.compute_capability](const std::string& text) {
    into = compute_capability_from(text);
    if (!into) throw CLI::ValidationError("--cc", text + " is no compute capability such as 9.0");
  };
  verb.add_option_function<std::string>("--cc", read_capability, "compute capability, such as 9.0")
      ->type_name(value::number);
  add_json(verb, options.json, "an array with one object a kernel");
  verb.group(machine_group);
}

void add_code(CLI::App& app, Act& act) {
  auto [verb, options] =
      add_verb<CodeOptions>(app, act, "code", "what a kernel file becomes, line by line",
                            {"code coalescing", "code 2 --variant optimized --sass"}, code);
  add_lab(verb, options.lab);
  add_variant_or_file(verb, options.variant, options.file);
  CLI::Option* ptx = verb.add_flag("--ptx", options.ptx, "the virtual instructions (the default)");
  verb.add_flag("--sass", options.sass, "the machine code; needs nvdisasm")->excludes(ptx);
  add_json(verb, options.json, "one object with a list of lines");
  verb.group(machine_group);
}

void add_sim(CLI::App& app, Act& act) {
  auto options = std::make_shared<SimOptions>();
  CLI::App* verb = app.add_subcommand(
      "sim", "run PROGRAM [ARGS], built with `nvcc -cudart shared`, on the simulated GPU");
  verb->footer("Examples:\n  klab sim ./saxpy 1000\n  klab sim --check ./sort");
  verb->add_flag("--check", options->check,
                 "also find races on shared memory and reads of what nothing wrote");
  verb->add_option("--budget", options->budget, "warp instructions that one launch may execute")
      ->transform(whole_number(1, highest_budget))
      ->type_name(value::number);
  verb->add_option("--threads", options->threads, "threads of this machine (0: one a core)")
      ->transform(whole_number(0, 1024))
      ->type_name(value::number);
  add_json(*verb, options->json, "one object; what the program prints goes to standard error");
  verb->prefix_command();
  verb->fallthrough(false);  // the program knows its arguments itself
  verb->callback([verb, options, &act] {
    options->command = verb->remaining();
    if (options->command.empty())
      throw CLI::ValidationError("klab sim needs PROGRAM, followed by its arguments.");
    act = [options](const Context& context) { return sim(context, *options); };
  });
  verb->group(machine_group);
}

void add_device(CLI::App& app, Act& act) {
  auto [verb, options] = add_verb<DeviceOptions>(
      app, act, "device", "the GPU's facts and measured ceilings",
      {"device", "device --measure", "device --live --seconds 10"},
      [](const Context& context, const DeviceOptions& asked) {
        return asked.live ? device_live(context, asked) : device(context, asked);
      });
  add_backend(verb, options.backend);
  CLI::Option* measure = verb.add_flag("--measure", options.measure, "measure the ceilings now");
  CLI::Option* live =
      verb.add_flag("--live", options.live, "clocks, power, temperature as they change")
          ->excludes(measure);
  verb.add_option("--seconds", options.seconds,
                  "how long to watch; until Ctrl-C or an hour if absent")
      ->needs(live)
      ->check(number_between(0.1, longest_watch_s))
      ->type_name(value::seconds);
  add_json(verb, options.json, "one object; with --live one a line");
  verb.group(machine_group);
}

}  // namespace

void add_machine_verbs(CLI::App& app, Act& act) {
  {
    auto [verb, options] = add_verb<CheckOptions>(
        app, act, "facts", "registers, spills and occupancy of a file at once, not built",
        {"facts 3", "facts 3 --file draft.cu --json"}, facts);
    add_lab(verb, options.lab);
    add_variant_or_file(verb, options.variant, options.file);
    add_json(verb, options.json, "one object with a list of kernels");
    verb.group(machine_group);
  }
  add_sim(app, act);
  add_code(app, act);
  add_occupancy(app, act);
  {
    auto [verb, options] = add_verb<ProfileOptions>(
        app, act, "profile", "run a kernel under nsys or ncu, or print how",
        {"profile 2 --tool ncu", "profile 2 --print"}, profile);
    add_lab(verb, options.lab);
    verb.add_option("--variant", options.variant, "flawed, optimized or one of the gallery")
        ->type_name(value::variant);
    verb.add_option("--tool", options.tool, "nsys (timeline) or ncu (one kernel in depth)")
        ->check(one_of({"nsys", "ncu"}))
        ->type_name("nsys|ncu");
    verb.add_flag("--print", options.print_only, "print the command and run nothing");
    verb.group(machine_group);
  }
  add_device(app, act);
  auto [verb, options] = add_verb<ShownOptions>(
      app, act, "doctor", "what works here, and what to do about what does not", {"doctor"},
      doctor);
  add_json(verb, options.json, "an array of findings");
  verb.group(machine_group);
}

}  // namespace klab::cli
