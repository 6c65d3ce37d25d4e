// klab-workbench: the window's options.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <CLI/CLI.hpp>
#include <csignal>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/base/tree.hpp"
#include "core/course/workbook.hpp"
#include "ui/app/app.hpp"
#include "ui/replay/script.hpp"

namespace klab::ui {
namespace {

/// What is given as text.
struct Given {
  std::string root, size, theme, replay, record, script, runner;
  bool show = false;
};

/// Sentences of our own: the library's differ from one version to the next.
CLI::Validator one_of(std::vector<std::string> known) {
  const auto take = [known](const std::string& word) -> std::string {
    if (std::find(known.begin(), known.end(), word) != known.end()) return {};
    return "must be " + join_or(known) + ", not " + in_quotes(word) + ".";
  };
  std::string shown;
  for (const std::string& word : known) shown += (shown.empty() ? "" : "|") + word;
  return {take, shown};
}

CLI::Validator scale_factor() {
  const auto take = [](const std::string& word) -> std::string {
    float factor = 0;
    const char* const end = word.data() + word.size();
    const auto [rest, failure] = std::from_chars(word.data(), end, factor);
    if (failure == std::errc() && rest == end && factor >= 0.5f && factor <= 4) return {};
    return "must be a number from 0.5 to 4, not " + in_quotes(word) + ".";
  };
  return {take, "0.5 to 4"};
}

void define(CLI::App& cli, AppOptions& options, Given& given) {
  cli.footer(
      "Examples:\n  klab ui --lab 2 --page code\n  klab ui --theme dark --size 1920x1080\n"
      "  klab ui --replay docs/results/window-02-coalescing.jsonl");
  cli.set_help_flag("-h,--help", "this text");
  const auto add = [&](const char* name, auto& value, const char* what, const char* kind) {
    return cli.add_option(name, value, what)->type_name(kind);
  };
  add("--lab", options.lab, "lab to open: number, slug or id", "LAB");
  add("--page", options.page, "page to show first", "PAGE")
      ->check(one_of({"lesson", "code", "result", "diagnosis", "roofline", "timeline", "sweep",
                      "occupancy", "journal", "device"}));
  add("--size", given.size, "size of the window in pixels, such as 1920x1080", "WIDTHxHEIGHT");
  add("--scale", options.window.scale,
      "scale of text and controls; as the display says if not given", "FACTOR")
      ->check(scale_factor());
  add("--theme", given.theme, "light or dark", "THEME")->check(one_of({"light", "dark"}));
  add("--script", given.script, "do the acts in this file, one a line, without showing a window",
      "FILE");
  cli.add_flag("--show", given.show, "with --script: show the window");
  cli.add_flag("--gpu-drawing", options.window.any_gpu,
               "let the system choose what draws the window, even the GPU that is measured");
  cli.add_flag("--present", options.present, "begin in present mode");
  add("--root", given.root, "the repository, if it is not the one this was built in", "FOLDER");
  add("--runner", given.runner, "command of a runner elsewhere, such as 'ssh host klab-runner-gpu'",
      "COMMAND");
  add("--replay", given.replay, "play a recorded check instead of running one", "FILE");
  add("--record", given.record, "also write each check's events to this file", "FILE");
  cli.add_flag("--statistics", options.statistics,
               "print frame times and processor time at the end, as one JSON object a line");
}

int refuse(const std::string& what, const std::string& advice = {}) {
  fmt::print(stderr, "error: {}{}\n  → {}Run `./klab ui --help`.\n", printable(what),
             what.ends_with('.') ? "" : ".", advice);
  return 2;
}

/// Of a command line that the parser did not take, with the near names.
int refuse(const CLI::App& cli, const CLI::ParseError& refusal) {
  std::vector<std::string> names;
  for (const CLI::Option* option : cli.get_options()) names.push_back(option->get_name());
  for (const std::string& word : cli.remaining()) {
    if (!word.starts_with("-")) return refuse("klab ui has no use for " + in_quotes(word));
    return refuse("klab ui has no option " + in_quotes(word),
                  did_you_mean(near_names(word, names)));
  }
  const std::string said = refusal.what();
  const std::size_t name = said.find(": ");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&refusal) != nullptr)
    return refuse(said.substr(0, name) + " needs a value");
  const bool ours = name != std::string::npos && said.compare(name + 2, 7, "must be") == 0;
  return refuse(ours ? said.substr(0, name) + said.substr(name + 1) : said);
}

}  // namespace
}  // namespace klab::ui

int main(int argc, char** argv) {
  using namespace klab::ui;
  AppOptions options;
  Given given;
  CLI::App cli("The Kernel Lab workbench: lessons, your kernel, and what it does on the GPU.",
               "klab ui");
  define(cli, options, given);
  try {
    cli.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return cli.exit(asked);
  } catch (const CLI::ParseError& refusal) {
    return refuse(cli, refusal);
  }
  if (!given.size.empty()) {
    const auto pixels = parse_size(given.size);
    if (!pixels)
      return refuse("--size must be WIDTHxHEIGHT, from 320x240 to 7680x4320, not " +
                    klab::in_quotes(given.size));
    std::tie(options.window.width, options.window.height) = *pixels;
    options.sized = true;
  }
  if (!given.theme.empty()) options.dark = given.theme == "dark";
  if (!given.script.empty()) {
    options.script = given.script;
    options.window.visible = given.show;
    if (options.window.scale == 0) options.window.scale = 1;
  }
  if (!given.replay.empty()) options.replay = given.replay;
  if (klab::is_own_work(given.record))
    return refuse("--record must be a file of its own: what is in \"" + given.record +
                  "\" would be lost");
  if (!given.record.empty()) options.record = given.record;
  // A file-size limit is told as a failed write, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  options.tree = klab::find_tree();
  if (!given.root.empty()) options.tree.root = given.root;
  if (!given.runner.empty()) options.tree.remote = given.runner;
  return run_app(options);
}
