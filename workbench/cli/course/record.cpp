// record and report: real runs of the course into docs/results/, and README's table from them.
#include <algorithm>

#include "cli/verbs/check_session.hpp"
#include "cli/views/verdict_view.hpp"
#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "core/check/checkable.hpp"
#include "core/check/machine.hpp"
#include "core/record/results.hpp"

namespace klab::cli {
namespace {

/// The labs named, or all.
Result<std::vector<Lab>> chosen_labs(const Context& context,
                                     const std::vector<std::string>& names) {
  const Course course = load_course(context.tree.root);
  if (names.empty() && !course.broken.empty()) return course.broken.front();
  if (names.empty()) return course.labs;
  std::vector<Lab> labs;
  for (const std::string& name : names) {
    auto lab = find_lab(course, name);
    if (!lab) return lab.error();
    labs.push_back(std::move(*lab));
  }
  return labs;
}

/// Replaces the run of the same lab and variant, or adds it.
void put(RecordedResults& results, CheckResult run) {
  const auto same =
      std::find_if(results.runs.begin(), results.runs.end(), [&](const CheckResult& other) {
        return other.lab == run.lab && other.variant == run.variant;
      });
  if (same != results.runs.end())
    *same = std::move(run);
  else
    results.runs.push_back(std::move(run));
}

/// Forgets runs of kernels that the course no longer has.
void prune(RecordedResults& results, const Course& course) {
  std::erase_if(results.runs, [&](const CheckResult& run) {
    for (const Lab& lab : course.labs)
      if (lab.id == run.lab)
        for (const Variant& variant : variants(lab))
          if (variant.name == run.variant) return false;
    return true;
  });
}

}  // namespace

int record(const Context& context, const RecordOptions& options) {
  const auto labs = chosen_labs(context, options.labs);
  if (!labs) return fail(context, labs.error());
  const auto facts = gpu_facts(context.tree, true);
  // Evidence is what a GPU did; the simulator's counts are reproducible anywhere.
  if (!facts) return fail(context, without_simulator(facts.error()));
  std::error_code failure;
  const auto path = options.output.empty() ? results_file(context.tree.root, *facts)
                                           : std::filesystem::absolute(options.output, failure);
  RecordedResults results;
  if (auto old = read_results(path); old && !options.labs.empty()) results = std::move(*old);
  int not_run = 0;
  for (const Lab& lab : *labs) {
    if (const auto obstacle = obstacle_of(lab, *facts)) {
      warn(context, obstacle->error);
      continue;
    }
    for (const Variant& variant : variants(lab)) {
      CheckRequest request{
          .lab = lab, .variant = variant.name, .source = variant.path, .backend = Backend::gpu};
      request.with_optimized = variant.name == "flawed";
      CheckResult result = run_check(context, request, canceled_by_user());
      if (canceled_by_user()) return exit_stopped;
      print(view_heading(context.out, result) + view_compact(context.out, result));
      // A kernel that could not be built has no digest; it is still tied to its source.
      if (const auto source = read_file(variant.path); source && result.source_digest.empty())
        result.source_digest = sha256(*source);
      not_run += result.backend != "gpu";
      results.device = result.device;
      put(results, std::move(result));
      // After every run: a crash later loses nothing.
      results.date = now_utc();
      if (auto written = write_results(path, results); !written)
        return fail(context, written.error());
    }
  }
  prune(results, load_course(context.tree.root));
  if (auto written = write_results(path, results); !written) return fail(context, written.error());
  print("\n  " + std::to_string(results.runs.size()) + " runs recorded in " +
        shown_path(context, path) + ".\n  `./klab course report` brings them into README.md.\n");
  return not_run == 0 ? exit_ok : exit_failed;
}

int report(const Context& context, const ReportOptions& options) {
  const auto path = context.tree.root / "README.md";
  const auto readme = read_file(path);
  if (!readme) return fail(context, readme.error());
  const AllResults results = load_results(context.tree.root);
  if (!results.broken.empty()) return fail(context, results.broken.front());
  const Course course = load_course(context.tree.root);
  const auto fresh = with_results(*readme, results_markdown(results.good, course));
  if (!fresh) return fail(context, fresh.error());
  if (options.check_only) {
    std::vector<std::string> stale;
    for (const RecordedResults& recorded : results.good)
      for (const std::string& line : stale_runs(recorded, course)) stale.push_back(line);
    if (*fresh != *readme) stale.push_back("README.md does not hold the table of docs/results/.");
    for (const std::string& line : stale) std::fprintf(stderr, "  %s\n", printable(line).c_str());
    if (!stale.empty())
      std::fprintf(stderr,
                   "  → Run `./klab course record` on that GPU, then `./klab course report`.\n");
    else
      print("  Every recorded digest matches, and README.md holds their table.\n");
    return stale.empty() ? exit_ok : exit_failed;
  }
  if (*fresh == *readme) {
    print("  README.md is up to date.\n");
    return exit_ok;
  }
  if (auto written = write_file(path, *fresh); !written) return fail(context, written.error());
  print("  README.md holds the table of " + std::to_string(results.good.size()) +
        " recording(s) now.\n");
  return exit_ok;
}

}  // namespace klab::cli
