// klab-workbench: the window's options.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <tuple>

#include "core/base/tree.hpp"
#include "ui/app/app.hpp"
#include "ui/replay/script.hpp"

int main(int argc, char** argv) {
  using klab::ui::AppOptions;
  AppOptions options;
  std::string root, size, theme, replay, record, script, runner;
  bool show = false;
  CLI::App cli("The Kernel Lab workbench: lessons, your kernel, and what it does on the GPU.");
  cli.add_option("--lab", options.lab, "Lab to open: number, slug or id");
  cli.add_option("--page", options.page, "Page to show first")
      ->check(CLI::IsMember({"lesson", "code", "result", "diagnosis", "roofline", "timeline",
                             "sweep", "occupancy", "journal", "device"}));
  cli.add_option("--size", size, "Window size in pixels, e.g. 1920x1080");
  cli.add_option("--scale", options.window.scale,
                 "Scale of text and controls; as the display says "
                 "if not given")
      ->check(CLI::Range(0.5, 4.0));
  cli.add_option("--theme", theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
  cli.add_option("--script", script,
                 "Do the acts in this file, one a line, without showing a window");
  cli.add_flag("--show", show, "With --script: show the window");
  cli.add_flag("--gpu-drawing", options.window.any_gpu,
               "Let the system choose what draws the window, even the GPU that is measured");
  cli.add_flag("--present", options.present, "Begin in present mode");
  cli.add_option("--root", root, "The repository, if it is not the one this was built in");
  cli.add_option("--runner", runner,
                 "Command of a runner elsewhere, such as 'ssh host klab-runner-gpu'");
  cli.add_option("--replay", replay, "Play a recorded check instead of running one");
  cli.add_option("--record", record, "Also write each check's events to this file");
  cli.add_flag("--statistics", options.statistics,
               "Print frame times and processor time at the end, as one JSON object a line");
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return cli.exit(error) == 0 ? 0 : 2;
  }
  if (!size.empty()) {
    const auto pixels = klab::ui::parse_size(size);
    if (!pixels) {
      fmt::print(stderr, "--size must be WIDTHxHEIGHT, at least 320x240; got \"{}\".\n", size);
      return 2;
    }
    std::tie(options.window.width, options.window.height) = *pixels;
    options.sized = true;
  }
  if (!theme.empty()) options.dark = theme == "dark";
  if (!script.empty()) {
    options.script = script;
    options.window.visible = show;
    if (options.window.scale == 0) options.window.scale = 1;
  }
  if (!replay.empty()) options.replay = replay;
  if (!record.empty()) options.record = record;
  // A file-size limit is told as a failed write, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  options.tree = klab::find_tree();
  if (!root.empty()) options.tree.root = root;
  if (!runner.empty()) options.tree.remote = runner;
  return klab::ui::run_app(options);
}
