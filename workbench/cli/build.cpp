// build: makes the libraries of the course ahead of time, so that the first check starts at once.
#include <nlohmann/json.hpp>

#include "cli/verbs.hpp"
#include "core/check_result_json.hpp"
#include "core/format.hpp"
#include "core/machine.hpp"
#include "core/plugin_builder.hpp"

namespace klab::cli {
namespace {

struct Built {
  std::string lab;
  std::string variant;
  Result<BuiltPlugin> result;
};

std::string status_of(const Built& built) {
  if (!built.result) return "failed";
  return built.result->from_cache ? "up to date" : "built";
}

nlohmann::json to_json(const std::vector<Built>& all) {
  nlohmann::json array = nlohmann::json::array();
  for (const Built& built : all) {
    nlohmann::json item = {
        {"lab", built.lab}, {"variant", built.variant}, {"status", status_of(built)}};
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

}  // namespace

int build(const Context& context, bool all, bool json) {
  const auto toolchain = find_toolchain(context.tree);
  if (!toolchain)
    return json ? fail_json(context, toolchain.error()) : fail(context, toolchain.error());
  const auto facts = gpu_facts(context.tree);
  const int capability = facts ? facts->compute_capability : default_compute_capability;
  const Course course = load_course(context.tree.root);
  std::vector<Built> done;
  int code = exit_ok;
  const auto add = [&](const Lab& lab, const std::string& variant, Result<BuiltPlugin> result) {
    done.push_back({lab.id, variant, std::move(result)});
    if (!done.back().result) code = fail(context, done.back().result.error());
    if (!json) print("  " + lab.id + "  " + variant + "  " + status_of(done.back()) + "\n");
  };
  for (const Lab& lab : course.labs) {
    add(lab, "workload",
        build_workload(context.tree, *toolchain, lab, capability, &canceled_by_user()));
    for (const Variant& variant : variants(lab)) {
      const bool needed = variant.name == "flawed" || variant.name == "optimized";
      if (!all && !needed) continue;
      if (canceled_by_user()) return exit_failed;
      add(lab, variant.name,
          build_plugin(context.tree, *toolchain, lab, variant.name, variant.path, capability,
                       &canceled_by_user()));
    }
  }
  for (const Error& error : course.broken) code = fail(context, error);
  if (json) print(to_json(done).dump(2) + "\n");
  return code;
}

}  // namespace klab::cli
