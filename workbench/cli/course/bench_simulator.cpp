// bench --simulator: how fast the simulator runs here, against the bounds that it is built to.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "core/base/text/json_text.hpp"
#include "core/measure/format.hpp"
#include "core/measure/statistics.hpp"
#include "core/process/process.hpp"

namespace klab::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The bounds hold for this many threads; each figure is taken on one, too.
constexpr int bound_threads = 2;
constexpr double bench_time_limit_s = 600;

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name") || line.starts_with("Model"))
      if (const auto colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "unknown";
}

/// One digest of all sources of the simulator, in the order of their names.
std::string simulator_digest(const fs::path& root) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator it(root / "workbench" / "simulator", error), end;
       !error && it != end; it.increment(error))
    if (it->is_regular_file(error)) paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  std::string digests;
  for (const fs::path& path : paths)
    if (const auto text = read_file(path))
      digests += path.lexically_relative(root).generic_string() + sha256(*text);
  return sha256(digests);
}

/// What the benchmark program says, with medians.
Result<Json> measured(const Context& context, int repeats) {
  const fs::path program = context.tree.build / "bin" / "klab-simulator-bench";
  std::error_code ignored;
  if (!fs::exists(program, ignored))
    return make_error(ErrorCode::runner_failed, program.string() + " is not built.",
                      "Build it: `cmake --build " + context.tree.build.string() +
                          " --target klab-simulator-bench`.");
  const auto run = run_process(
      {.command = {program.string(), std::to_string(repeats)}, .time_limit_s = bench_time_limit_s},
      {}, &canceled_by_user());
  if (!run) return run.error();
  if (run->was_canceled) return make_error(ErrorCode::canceled, "The benchmark was stopped.");
  Json json = json_from(run->out);
  if (run->exit_code != 0 || !json.is_object() || !json.contains("figures"))
    return make_error(ErrorCode::runner_failed, "The benchmark of the simulator did not finish.",
                      {}, run->err);
  for (Json& figure : json["figures"])
    figure["median_us"] = median(figure.at("values_us").get<std::vector<double>>()).value_or(0);
  return json;
}

/// Each figure on one thread and on two, and whether those on two keep their bounds.
std::pair<Table, bool> table_of(const Json& figures) {
  Table table("lrrrr");
  table.add({{""}, {"one thread"}, {"two threads"}, {""}, {"thread instructions/s on two"}});
  bool reached = true;
  for (const Json& figure : figures) {
    if (figure["threads"] != bound_threads) continue;
    const double middle = figure["median_us"], bound = figure["bound_us"],
                 instructions = figure.value("thread_instructions", 0.0);
    const auto alone = std::find_if(figures.begin(), figures.end(), [&](const Json& other) {
      return other["threads"] == 1 && other["name"] == figure["name"];
    });
    const std::optional<double> rate =
        instructions > 0 && middle > 0 ? std::optional(1e6 * instructions / middle) : std::nullopt;
    reached = reached && middle <= bound;
    table.add(
        {{figure["name"].get<std::string>()},
         {alone == figures.end() ? std::string(missing_text)
                                 : format_seconds(1e-6 * (*alone)["median_us"].get<double>())},
         {format_seconds(1e-6 * middle), middle <= bound ? Tone::good : Tone::bad},
         {"at most " + format_seconds(1e-6 * bound), Tone::faint},
         {rate ? format_number(1e-9 * *rate) + " G" : std::string(missing_text)}});
  }
  return {std::move(table), reached};
}

}  // namespace

int bench_simulator(const Context& context, const BenchOptions& options) {
  auto result = measured(context, options.repeats);
  if (!result) return fail(context, result.error(), options.json);
  Json& record = *result;
  record["date"] = now_utc();
  record["processor"] = processor();
  record["cores"] = std::thread::hardware_concurrency();
  record["simulator_digest"] = simulator_digest(context.tree.root);
  const auto path = options.output.empty()
                        ? context.tree.root / "docs" / "results" / "bench" / "simulator.json"
                        : fs::absolute(options.output);
  if (auto written = write_file(path, json_text(record, 2) + "\n"); !written)
    return fail(context, written.error());
  const auto [table, reached] = table_of(record["figures"]);
  if (options.json)
    print_json(record);
  else
    print("\n  " +
          context.out.paint(Tone::strong, printable(record["processor"].get<std::string>())) +
          "\n\n" + table.text(context.out) + "\n  Recorded in " + shown_path(context, path) +
          ".\n");
  return reached ? exit_ok : exit_failed;
}

}  // namespace klab::cli
