// doctor: what works here, and what to do about what does not.
#include <sys/statvfs.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/base/files.hpp"
#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/base/tree.hpp"
#include "core/build/toolchain.hpp"
#include "core/check/health.hpp"
#include "core/check/machine.hpp"
#include "core/course/workbook.hpp"
#include "core/measure/format.hpp"
#include "core/process/process.hpp"

namespace klab::cli {
namespace {

HealthCheck course_health(const Context& context) {
  const Course course = load_course(context.tree.root);
  if (!course.broken.empty()) return unhealthy("course", course.broken.front(), true);
  if (course.labs.empty())
    return unhealthy("course",
                     make_error(ErrorCode::bad_lab,
                                "There is no lab in " + context.tree.root.string() + "/labs.",
                                "Restore the folder labs/ from the repository."),
                     true);
  return healthy("course",
                 std::to_string(course.labs.size()) + " labs in " + context.tree.root.string());
}

HealthCheck toolkit_health(const Context& context) {
  const auto toolchain = find_toolchain(context.tree);
  if (!toolchain) return unhealthy("toolkit", toolchain.error(), true);
  return healthy("toolkit", "CUDA " + toolchain->version + " at " + toolchain->root.string());
}

/// The runner elsewhere, where one was named: then nothing depends on the ones here.
HealthCheck remote_health(const Context& context, const Result<DeviceFacts>& facts) {
  if (!facts) return unhealthy("runner", facts.error(), true);
  return healthy("runner", "`" + context.tree.remote + "` answers" +
                               (facts->simulated ? ", as a simulator." : "."));
}

/// With a driver that of the GPU is needed, without one that of the simulator.
HealthCheck runner_health(const Context& context, bool simulator) {
  const std::string subject = simulator ? "simulator" : "runner";
  const auto path = context.tree.runner(simulator);
  const bool needed = simulator != driver_health().works;
  if (::access(path.c_str(), X_OK) == 0) return healthy(subject, shown_path(context, path));
  if (!simulator && !needed)
    return unhealthy(subject,
                     make_error(ErrorCode::runner_failed, "Not built: there is no GPU to run on.",
                                "For a machine with one that shares this folder, `./klab --setup` "
                                "builds it."));
  return unhealthy(subject,
                   make_error(ErrorCode::runner_failed, path.string() + " is not built.",
                              "Run `./klab` in the repository: it builds what is missing."),
                   needed);
}

HealthCheck display_health() {
  for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"})
    if (const std::string value = environment(name); !value.empty())
      return healthy("display", std::string(name) + " is " + value);
  return unhealthy(
      "display",
      make_error(ErrorCode::usage, "There is no display for the window.",
                 "Log in to a desktop or use `ssh -X`; every act of the window is a verb "
                 "too: see `./klab help`."));
}

/// Programs that are of use beside klab; their absence takes nothing away from it.
HealthCheck tools_health() {
  std::vector<std::string> missing;
  std::string found;
  for (const std::string name : {"nsys", "ncu", "compute-sanitizer"}) {
    if (!programs_called(name).empty())
      found += (found.empty() ? "" : ", ") + name;
    else
      missing.push_back(name);
  }
  if (missing.empty()) return healthy("tools", found);
  return unhealthy("tools", make_error(ErrorCode::usage, "Not installed: " + join_or(missing) + ".",
                                       "Optional: NVIDIA's Nsight Systems, Nsight Compute and "
                                       "compute-sanitizer come with the full CUDA toolkit."));
}

HealthCheck disk_health(const Context& context) {
  // The build of everything takes about a quarter of this.
  constexpr double least_free_bytes = 1e9;
  // The build tree may not be there yet.
  std::error_code ignored;
  const auto folder =
      std::filesystem::exists(context.tree.build, ignored) ? context.tree.build : context.tree.root;
  struct statvfs facts {};
  if (::statvfs(folder.c_str(), &facts) != 0)
    return unhealthy("disk", io_error("ask for the space of", folder, errno));
  const double free_bytes =
      static_cast<double>(facts.f_bavail) * static_cast<double>(facts.f_frsize);
  const std::string what = format_bytes(free_bytes) + " free for builds";
  if (free_bytes >= least_free_bytes) return healthy("disk", what);
  return unhealthy("disk", make_error(ErrorCode::io, "Only " + what + ".",
                                      "Free some space on the disk of " + folder.string() + "."));
}

HealthCheck workbook_health(const Context& context) {
  const auto probe = probe_workbook(context.tree.root);
  if (!probe) return unhealthy("workbook", probe.error(), true);
  const auto contents = context.journal().read();
  if (!contents) return unhealthy("workbook", contents.error());
  if (auto error = unreadable_lines(contents->problems))
    return unhealthy("workbook", std::move(*error));
  return healthy("workbook", "Writable; " + std::to_string(contents->entries.size()) +
                                 " entries in the journal.");
}

std::vector<HealthCheck> examine(const Context& context) {
  const auto facts = gpu_facts(context.tree, true);
  if (!context.tree.remote.empty())
    return {course_health(context),  toolkit_health(context), remote_health(context, facts),
            device_health(facts),    display_health(),        disk_health(context),
            workbook_health(context)};
  return {course_health(context),
          toolkit_health(context),
          runner_health(context, false),
          runner_health(context, true),
          driver_health(),
          device_health(facts),
          counters_health(facts),
          room_health(context.tree.open_room),
          display_health(),
          tools_health(),
          disk_health(context),
          workbook_health(context)};
}

}  // namespace

int doctor(const Context& context, const ShownOptions& options) {
  const auto checks = examine(context);
  bool usable = true;
  nlohmann::json array = nlohmann::json::array();
  Table table("lll");
  for (const HealthCheck& check : checks) {
    usable = usable && (check.works || !check.needed);
    array.push_back({{"subject", check.subject},
                     {"works", check.works},
                     {"needed", check.needed},
                     {"what", check.what},
                     {"remedy", shell_words(check.remedy)}});
    const Tone tone = check.works ? Tone::good : check.needed ? Tone::bad : Tone::doubtful;
    const std::string remedy = check.remedy.empty() ? "" : "\n→ " + shell_words(check.remedy);
    table.add({{check.works    ? "✔"
                : check.needed ? "✘"
                               : "~",
                tone},
               {check.subject, Tone::strong},
               {printable(check.what + remedy)}});
  }
  if (options.json)
    print_json(array);
  else
    print("\n" + table.text(context.out) + "\n");
  return usable ? exit_ok : exit_failed;
}

}  // namespace klab::cli
