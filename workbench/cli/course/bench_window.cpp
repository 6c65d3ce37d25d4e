// bench --window: how fast the window is here, by its own clock: the first frame, frames while a
// check builds and runs and while a million spans move, idleness, and the compiler's facts.
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/course/bench_figure.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/base/text/json_text.hpp"
#include "core/investigate/investigation.hpp"
#include "core/measure/format.hpp"
#include "core/measure/statistics.hpp"
#include "core/process/process.hpp"

namespace klab::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double window_time_limit_s = 600;
constexpr int typed_lines = 10;
constexpr int streams = 4, spans_of_stream = 250'000;

/// One script of the window, and what of its last figures is told.
struct Scene {
  const char* name;
  std::string acts;
  std::vector<std::pair<const char*, std::vector<std::string>>> told;  ///< words, path in the JSON
};

/// Started, with the questions answered, so that the next save is checked.
const std::string begun =
    "workbook fresh\nsize 1280x800\nopen 2\nkey F5 1 1 1 1 F5\nwait done\nkey F4 Ctrl+End\n";

std::string typing() {
  std::string acts = begun;
  for (int i = 0; i < typed_lines; ++i) acts += "type // " + std::to_string(i) + "\nwait done\n";
  return acts + "statistics\nquit\n";
}

std::vector<Scene> scenes(const std::string& stamp) {
  const auto frames = [](const char* part) {
    return std::vector<std::pair<const char*, std::vector<std::string>>>{
        {"median", {part, "median_ms"}},
        {"99 %", {part, "p99_ms"}},
        {"longest", {part, "longest_ms"}}};
  };
  const std::string checking =
      begun + "type // " + stamp + "\nstatistics\nkey Ctrl+S\nwait done\nstatistics\nquit\n";
  std::string keys;
  for (int i = 0; i < 60; ++i) keys += i % 20 < 10 ? " Right" : " Left";
  // A recording without a result goes on until it is stopped.
  const std::string moving =
      "size 1280x800\nreplay spans.jsonl\nkey Esc\nwait done\npage timeline\nkey + + + +\n"
      "statistics\nkey" +
      keys + "\nstatistics\nquit\n";
  return {{"first frame after the start", "statistics\nquit\n", {{"", {"first_frame_ms"}}}},
          {"from frame to frame while a check builds and runs", checking, frames("interval")},
          {"drawing one of them", checking, frames("processor")},
          {"from frame to frame while a million spans move", moving, frames("interval")},
          {"drawing one of these", moving, frames("processor")},
          {"the compiler's facts after a pause in typing", typing(), frames("facts")},
          {"processor while nothing happens",
           "workbook fresh\nopen 2\npage code\nwait done\nwait 2\nstatistics\nwait 5\nstatistics\n"
           "quit\n",
           {{"", {"processor_s"}}}}};
}

/// A recording whose timeline holds a million spans.
Result<> write_spans(const fs::path& path) {
  VariantTimeline spans{.variant = VariantName::flawed, .names = {"a", "b", "c"}};
  spans.runs.push_back({0, 1'000, 5'000'000'000});
  for (int stream = 0; stream < streams; ++stream) {
    TimelineTrack track{TrackKind::kernel, "Stream " + std::to_string(stream), {}};
    for (std::int64_t i = 0; i < spans_of_stream; ++i)
      track.spans.push_back({i * 20'000, i * 20'000 + 5'000 + (i * 7919) % 12'000,
                             static_cast<std::uint32_t>(i % 3)});
    spans.tracks.push_back(std::move(track));
  }
  Investigation found{.kind = InvestigationKind::timeline, .lab = "05-sync-heavy"};
  Timeline timeline;
  timeline.variants.push_back(trace_of(std::move(spans)));
  found.found = std::move(timeline);
  const Json head = {{"recording", 1}, {"lab", found.lab}, {"note", "a million spans"}};
  return write_file(path, json_text(head) + "\n" +
                              json_text(Json{{"at_s", 0}, {"investigation", to_json(found)}}) +
                              "\n");
}

/// The last figures that the window printed when it did these acts.
Result<Json> figures_of(const Context& context, const fs::path& folder, const Scene& scene) {
  const fs::path script = folder / "scene.klab";
  if (auto written = write_file(script, scene.acts); !written) return written.error();
  const auto run =
      run_process({.command = {(context.tree.build / "bin" / "klab-workbench").string(), "--root",
                               context.tree.root.string(), "--show", "--script", script.string()},
                   .time_limit_s = window_time_limit_s},
                  {}, &canceled_by_user());
  if (!run) return run.error();
  if (run->was_canceled) return make_error(ErrorCode::canceled, "The benchmark was stopped.");
  Json last;
  std::istringstream lines(run->out);
  for (std::string line; std::getline(lines, line);)
    if (auto json = json_from(line); json.is_object()) last = std::move(json);
  if (run->exit_code == 0 && last.is_object()) return last;
  const std::string said = run->err.substr(0, run->err.find('\n'));
  return make_error(ErrorCode::unsupported,
                    "The window did not come to the end of its script" +
                        (said.empty() ? "." : ": " + printable(said)),
                    "Run it where a display is; without one, `xvfb-run -s '-screen 0 1920x1080x24' "
                    "./klab bench --window`. If there is a display, the sentence above says what "
                    "failed.");
}

/// The number at `path`, in seconds; a share of a core for processor time.
std::optional<double> number_at(const Json& figures, const std::vector<std::string>& path) {
  const Json* at = &figures;
  for (const std::string& key : path) {
    if (!at->is_object() || !at->contains(key)) return std::nullopt;
    at = &at->at(key);
  }
  if (!at->is_number()) return std::nullopt;
  if (path.back() == "processor_s") return at->get<double>() / figures.value("wall_s", 1.0) * 100;
  return at->get<double>() / 1e3;
}

Result<std::vector<Figure>> measure(const Context& context, const fs::path& folder, int repeats) {
  if (auto written = write_spans(folder / "spans.jsonl"); !written) return written.error();
  std::vector<Figure> figures;
  for (int i = 0; i < repeats; ++i) {
    const auto all = scenes(now_utc() + " " + std::to_string(i));
    std::size_t next = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Scene& scene = all[k];
      if (context.err.interactive) std::fprintf(stderr, "  %s …\n", scene.name);
      const auto found = figures_of(context, folder, scene);
      if (!found) return found.error();
      for (const auto& [words, path] : scene.told) {
        const bool share = path.back() == "processor_s";
        if (i == 0)
          figures.push_back({.lab = scene.name,
                             .name = words,
                             .unit = share ? "%" : "s",
                             .why_missing = "Nothing of it was seen."});
        if (const auto number = number_at(*found, path)) figures[next].values.push_back(*number);
        ++next;
      }
    }
  }
  return figures;
}

}  // namespace

int bench_window(const Context& context, const BenchOptions& options) {
  const fs::path folder = context.tree.build / "bench";
  const auto figures = measure(context, folder, options.repeats);
  std::error_code ignored;
  for (const char* name : {"scene.klab", "spans.jsonl"}) fs::remove(folder / name, ignored);
  if (!figures) return fail(context, figures.error(), options.json);
  Json list = Json::array();
  Table table("lrl");
  for (const Figure& figure : *figures) {
    const auto middle = median(figure.values);
    Json item = {{"scene", figure.lab},
                 {"name", figure.name},
                 {"unit", figure.unit},
                 {"values", figure.values}};
    if (middle)
      item["median"] = *middle;
    else
      item["reason"] = figure.why_missing;
    list.push_back(std::move(item));
    table.add({{figure.lab + (figure.name.empty() ? "" : ", " + figure.name)},
               {format_value(middle, figure.unit), Tone::strong},
               {middle ? std::to_string(figure.values.size()) + " run(s)" : figure.why_missing,
                Tone::faint}});
  }
  if (options.json)
    print(json_text(Json{{"date", now_utc()}, {"figures", list}}, 2) + "\n");
  else
    print("\n" + table.text(context.out) + "\n");
  return exit_ok;
}

}  // namespace klab::cli
