// doctor: what works here, and what to do about what does not.
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/base/files.hpp"
#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/build/toolchain.hpp"
#include "core/check/findings.hpp"
#include "core/check/machine.hpp"
#include "core/course/workbook.hpp"
#include "core/measure/format.hpp"
#include "core/process/process.hpp"

namespace klab::cli {
namespace {

Finding course_finding(const Context& context) {
  const Course course = load_course(context.tree.root);
  if (!course.broken.empty()) return bad_finding("course", course.broken.front(), true);
  if (course.labs.empty())
    return bad_finding("course",
                       make_error(ErrorCode::bad_lab,
                                  "There is no lab in " + context.tree.root.string() + "/labs.",
                                  "Restore the folder labs/ from the repository."),
                       true);
  return good_finding(
      "course", std::to_string(course.labs.size()) + " labs in " + context.tree.root.string());
}

Finding toolkit_finding(const Context& context) {
  const auto toolchain = find_toolchain(context.tree);
  if (!toolchain) return bad_finding("toolkit", toolchain.error(), true);
  return good_finding("toolkit", "CUDA " + toolchain->version + " at " + toolchain->root.string());
}

/// The runner elsewhere, where one was named: then nothing depends on the ones here.
Finding remote_finding(const Context& context, const Result<DeviceFacts>& facts) {
  if (!facts) return bad_finding("runner", facts.error(), true);
  return good_finding("runner", "`" + context.tree.remote + "` answers" +
                                    (facts->simulated ? ", as a simulator." : "."));
}

Finding runner_finding(const Context& context, bool simulator) {
  const std::string subject = simulator ? "simulator" : "runner";
  const auto path = context.tree.runner(simulator);
  if (::access(path.c_str(), X_OK) == 0) return good_finding(subject, shown_path(context, path));
  return bad_finding(subject,
                     make_error(ErrorCode::runner_failed, path.string() + " is not built.",
                                "Run `./klab` in the repository: it builds what is missing."),
                     !simulator);
}

Finding display_finding() {
  for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
      return good_finding("display", std::string(name) + " is " + value);
  return bad_finding(
      "display",
      make_error(ErrorCode::usage, "There is no display for the window.",
                 "Log in to a desktop or use `ssh -X`; every act of the window is a verb "
                 "too: see `./klab --help`."));
}

/// Programs that are of use beside klab; their absence takes nothing away from it.
Finding tools_finding() {
  std::vector<std::string> missing;
  std::string found;
  for (const std::string name : {"nsys", "ncu", "compute-sanitizer"}) {
    if (!programs_called(name).empty())
      found += (found.empty() ? "" : ", ") + name;
    else
      missing.push_back(name);
  }
  if (missing.empty()) return good_finding("tools", found);
  return bad_finding("tools",
                     make_error(ErrorCode::usage, "Not installed: " + join_or(missing) + ".",
                                "Optional: NVIDIA's Nsight Systems, Nsight Compute and "
                                "compute-sanitizer come with the full CUDA toolkit."));
}

Finding disk_finding(const Context& context) {
  // The build of everything takes about a quarter of this.
  constexpr double least_free_bytes = 1e9;
  // The build tree may not be there yet.
  std::error_code ignored;
  const auto folder =
      std::filesystem::exists(context.tree.build, ignored) ? context.tree.build : context.tree.root;
  struct statvfs facts {};
  if (::statvfs(folder.c_str(), &facts) != 0)
    return bad_finding("disk", io_error("ask for the space of", folder, errno));
  const double free_bytes =
      static_cast<double>(facts.f_bavail) * static_cast<double>(facts.f_frsize);
  const std::string what = format_bytes(free_bytes) + " free for builds";
  if (free_bytes >= least_free_bytes) return good_finding("disk", what);
  return bad_finding("disk", make_error(ErrorCode::io, "Only " + what + ".",
                                        "Free some space on the disk of " + folder.string() + "."));
}

Finding workbook_finding(const Context& context) {
  const auto probe = probe_workbook(context.tree.root);
  if (!probe) return bad_finding("workbook", probe.error(), true);
  const auto contents = context.journal().read();
  if (!contents) return bad_finding("workbook", contents.error());
  if (!contents->problems.empty())
    return bad_finding(
        "workbook",
        make_error(ErrorCode::io,
                   std::to_string(contents->problems.size()) +
                       " line(s) of the journal cannot be read. " + contents->problems.front(),
                   "Nothing else is lost; remove the line if it is of no use."));
  return good_finding("workbook", "Writable; " + std::to_string(contents->entries.size()) +
                                      " entries in the journal.");
}

std::vector<Finding> examine(const Context& context) {
  const auto facts = gpu_facts(context.tree, true);
  if (!context.tree.remote.empty())
    return {course_finding(context),  toolkit_finding(context), remote_finding(context, facts),
            device_finding(facts),    display_finding(),        disk_finding(context),
            workbook_finding(context)};
  return {course_finding(context),
          toolkit_finding(context),
          runner_finding(context, false),
          runner_finding(context, true),
          driver_finding(),
          device_finding(facts),
          counters_finding(facts),
          room_finding(context.tree.open_room),
          display_finding(),
          tools_finding(),
          disk_finding(context),
          workbook_finding(context)};
}

}  // namespace

int doctor(const Context& context, const ShownOptions& options) {
  const auto findings = examine(context);
  bool usable = true;
  nlohmann::json array = nlohmann::json::array();
  Table table("lll");
  for (const Finding& finding : findings) {
    usable = usable && (finding.works || !finding.needed);
    array.push_back({{"subject", finding.subject},
                     {"works", finding.works},
                     {"needed", finding.needed},
                     {"what", finding.what},
                     {"remedy", finding.remedy}});
    const Tone tone = finding.works ? Tone::good : finding.needed ? Tone::bad : Tone::doubtful;
    const std::string remedy = finding.remedy.empty() ? "" : "\n→ " + finding.remedy;
    table.add({{finding.works    ? "✔"
                : finding.needed ? "✘"
                                 : "~",
                tone},
               {finding.subject, Tone::strong},
               {printable(finding.what + remedy)}});
  }
  if (options.json)
    print_json(array);
  else
    print("\n" + table.text(context.out) + "\n");
  return usable ? exit_ok : exit_failed;
}

}  // namespace klab::cli
