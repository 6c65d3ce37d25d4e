// build: makes the libraries of the course ahead of time, so that the first check starts at once.
#include <algorithm>
#include <deque>
#include <functional>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/admission/expectation.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/check/checkable.hpp"
#include "core/check/machine.hpp"
#include "core/course/parameter_ends.hpp"
#include "core/measure/format.hpp"
#include "core/verdict/json/check_result_json.hpp"

namespace klab::cli {
namespace {

struct Task {
  std::string lab;
  std::string variant;
  bool may_be_refused = false;  ///< a file of the gallery whose first line says so
  std::function<Result<BuiltPlugin>()> build;
};

struct Built {
  const Task* task;
  Result<BuiltPlugin> result;

  bool failed() const { return !result && !task->may_be_refused; }
};

/// Runs as many tasks at a time as there are processors; `on_built` hears of each in their order.
std::vector<Built> run(const std::vector<Task>& tasks,
                       const std::function<void(const Built&)>& on_built) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::deque<std::future<Result<BuiltPlugin>>> running;
  std::vector<Built> done;
  std::size_t next = 0;
  while (done.size() < tasks.size()) {
    while (next < tasks.size() && running.size() < workers && !canceled_by_user())
      running.push_back(std::async(std::launch::async, tasks[next++].build));
    if (running.empty()) break;
    const Task& task = tasks[done.size()];
    done.push_back({&task, running.front().get()});
    running.pop_front();
    on_built(done.back());
  }
  return done;
}

bool was_stopped(const Built& built) {
  return !built.result && built.result.error().code == ErrorCode::canceled;
}

std::string status_of(const Built& built) {
  if (was_stopped(built)) return "stopped";
  if (!built.result) return built.failed() ? "failed" : "refused, as its first line says";
  return built.result->from_cache ? "up to date" : "built";
}

nlohmann::json to_json(const std::vector<Built>& all) {
  nlohmann::json array = nlohmann::json::array();
  for (const Built& built : all) {
    nlohmann::json item = {
        {"lab", built.task->lab}, {"variant", built.task->variant}, {"status", status_of(built)}};
    if (built.result) {
      item["library"] = built.result->library.string();
      item["seconds"] = built.result->seconds;
    } else {
      item["error"] = klab::to_json(built.result.error());
    }
    array.push_back(item);
  }
  return array;
}

bool may_be_refused(const std::filesystem::path& kernel) {
  return expectation_of(kernel).may_be_rejected_by(GateName::built);
}

std::string shown(const ParameterEnd& end) {
  return end.variant.name.shown() + ", " + end.parameter->define + " " + std::to_string(end.value);
}

}  // namespace

int build(const Context& context, const BuildOptions& options) {
  const bool all = options.all, json = options.json;
  const auto toolchain = find_toolchain(context.tree);
  if (!toolchain) return fail(context, toolchain.error(), json);
  const auto chosen = choose_backend(context.tree, Backend::automatic);
  const ComputeCapability capability = chosen ? chosen->capability() : default_compute_capability;
  const Course course = load_course(context.tree.root);
  std::vector<Task> tasks;
  for (const Lab& lab : course.labs) {
    if (chosen && obstacle_of(lab, chosen->device)) continue;
    tasks.push_back({lab.id, "workload", false, [&] {
                       return build_workload(context.tree, *toolchain, lab, capability,
                                             &canceled_by_user());
                     }});
    for (const Variant& variant : variants(lab))
      if (all || variant.name == VariantName::flawed)
        tasks.push_back({lab.id, variant.name.shown(), may_be_refused(variant.path), [&, variant] {
                           return build_plugin(context.tree, *toolchain, lab, variant.name,
                                               variant.path, capability, &canceled_by_user());
                         }});
    if (!all) continue;
    for (const ParameterEnd& end : parameter_ends(lab))
      tasks.push_back({lab.id, shown(end), may_be_refused(end.variant.path), [&, end] {
                         return build_plugin(context.tree, *toolchain, lab, end.variant.name,
                                             end.variant.path, capability, &canceled_by_user(),
                                             Define{end.parameter->define, end.value});
                       }});
  }
  int code = exit_ok;
  const auto done = run(tasks, [&](const Built& built) {
    if (was_stopped(built)) return;  // said once, below
    if (built.failed()) code = fail(context, built.result.error());
    if (!json)
      print(row_text(context.out, {{built.task->lab}, {built.task->variant}, {status_of(built)}}));
  });
  for (const Error& error : course.broken) code = fail(context, error);
  if (json) print_json(to_json(done));
  if (!canceled_by_user()) return code;
  return fail(context, make_error(ErrorCode::canceled, "The build was stopped.",
                                  "What is built is kept; run it again for the rest."));
}

}  // namespace klab::cli
