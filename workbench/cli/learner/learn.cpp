// The learner's path: list, start, lesson, hint, solution, reset.
#include <map>
#include <nlohmann/json.hpp>

#include "cli/investigate/figure_text.hpp"
#include "cli/terminal/json_output.hpp"
#include "cli/terminal/markdown.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/build/editor_settings.hpp"
#include "core/check/checkable.hpp"
#include "core/check/machine.hpp"
#include "core/course/workbook.hpp"
#include "core/journal/progress.hpp"
#include "core/lesson/lesson.hpp"
#include "core/measure/format.hpp"
#include "core/record/results.hpp"

namespace klab::cli {
namespace {

Cell status_cell(const LabProgress& progress) {
  switch (progress.status) {
    case LabStatus::passed:
      return {progress.solution_shown ? "✔ passed, solution seen" : "✔ passed", Tone::good};
    case LabStatus::provisional:
      return {"◐ passed provisionally", Tone::good};
    case LabStatus::failing:
      return {"✘ failing", Tone::bad};
    case LabStatus::started:
      return {"▸ started", Tone::doubtful};
    case LabStatus::not_started:
      return {"· not started", Tone::faint};
  }
  return {};
}

std::map<std::string, LabProgress> all_progress(const Context& context, const Course& course) {
  const auto entries = journal_entries(context);
  std::map<std::string, LabProgress> progress;
  for (const Lab& lab : course.labs)
    progress[lab.id] =
        klab::progress_of(lab.id, learner_file(lab) != LearnerFile::missing, entries);
  return progress;
}

int list_json(const Context& context, const Course& course) {
  const auto progress = all_progress(context, course);
  nlohmann::json array = nlohmann::json::array();
  for (const Lab& lab : course.labs)
    array.push_back({{"id", lab.id},
                     {"slug", lab.slug},
                     {"title", lab.title},
                     {"category", lab.category},
                     {"builds_on", lab.builds_on},
                     {"status", to_string(progress.at(lab.id).status)}});
  print_json(array);
  return exit_ok;
}

/// The symptom, and which labs come before.
std::string list_words(const Lab& lab) {
  const std::string labs = foundations(lab);
  return printable(lab.summary) + (labs.empty() ? "" : " Builds on " + labs + ".");
}

/// A lesson or explanation, its figures drawn from what the course recorded and the learner's last
/// attempt counted.
std::string prose_text(const Context& context, const Lab& lab, std::string_view markdown) {
  return render_markdown(context.out, markdown, [&](std::string_view body) {
    const auto request = parse_figure(body);
    if (!request) return std::string();  // read_lesson() has said so
    LessonFigure figure = make_figure(*request, lab, load_results(lab.root).good);
    show_own_counts(figure, lab.id, journal_entries(context));
    return figure_text(context.out, figure);
  });
}

JournalEntry act(JournalEntry::Kind kind, const Lab& lab) {
  JournalEntry entry;
  entry.kind = kind;
  entry.lab = lab.id;
  return entry;
}

/// Before any work: that this machine cannot check the lab.
void tell_obstacle(const Context& context, const Lab& lab) {
  const bool runs_anywhere = lab.sizes.simulator && lab.gpus == 1 &&
                             lab.minimum_compute_capability <= oldest_compute_capability;
  if (runs_anywhere) return;
  if (const auto chosen = choose_backend(context.tree, Backend::automatic))
    if (const auto obstacle = obstacle_of(lab, chosen->device)) warn(context, obstacle->error);
}

}  // namespace

int list(const Context& context, const ShownOptions& options) {
  const Course course = load_course(context.tree.root);
  int code = exit_ok;
  if (options.json) {
    code = list_json(context, course);
  } else {
    const auto progress = all_progress(context, course);
    Table table("rlll");
    ProgressCount count;
    for (const std::string& category : categories(course)) {
      bool first = true;
      for (const Lab& lab : course.labs) {
        if (lab.category != category) continue;
        if (first) table.add_line({category, Tone::accent});
        first = false;
        const LabProgress& own = progress.at(lab.id);
        count.add(own.status);
        table.add({{"  " + lab.id.substr(0, 2), Tone::faint},
                   {lab.slug, Tone::strong},
                   status_cell(own),
                   {list_words(lab)}});
      }
    }
    print("\n  " + context.out.paint(Tone::strong, "Kernel Lab") + "  " + to_string(count) +
          "\n\n" + table.text(context.out) + "\n");
    if (const auto next = lab_after(context, course, ""))
      print(context.out.paint(Tone::faint, "  Next: `./klab start " + next->slug + "`.") + "\n\n");
  }
  for (const Error& error : course.broken) code = fail(context, error);
  return code;
}

int start(const Context& context, const LabOptions& options) {
  const auto lab = lab_named(context, options.lab);
  if (!lab) return fail(context, lab.error());
  // First what only helps an editor: a draft of it that is cut short goes when the kernel is
  // written.
  if (learner_file(*lab) == LearnerFile::missing)
    if (const auto written = write_editor_settings(context.tree, load_course(context.tree.root));
        !written)
      warn(context, written.error());
  const auto started = start_lab(*lab);
  if (!started) return fail(context, started.error());
  const std::string file = shown_path(context, workbook_file(*lab));
  if (!*started) {
    if (const auto there = read_learner_file(*lab); !there) return fail(context, there.error());
    print(paragraph(context.out,
                    file + " is already there and was left as it is.\n`./klab reset " + lab->slug +
                        "` starts over and keeps a copy.",
                    2));
    return exit_ok;
  }
  note(context, act(JournalEntry::Kind::started, *lab));
  const auto step = [&](const std::string& command, const std::string& what) {
    return std::vector<Cell>{{"./klab " + command + " " + lab->slug, Tone::accent}, {what}};
  };
  Table steps("ll", 4);
  steps.add(step("lesson", "what happens in the hardware"));
  if (!lab->predictions.empty()) steps.add(step("predict", "say what is wrong before you measure"));
  steps.add(step("watch", "checks on every save"));
  steps.add(step("hint", "one more hint"));
  print("\n  " + context.out.paint(Tone::strong, printable(lab->title)) + "\n" +
        paragraph(context.out, printable(lab->summary), 2) + "\n  Edit " +
        context.out.paint(Tone::strong, file) + ", then:\n\n" + steps.text(context.out) + "\n");
  tell_obstacle(context, *lab);
  return exit_ok;
}

int lesson(const Context& context, const LabOptions& options) {
  const auto lab = lab_named(context, options.lab);
  if (!lab) return fail(context, lab.error());
  const auto text = read_lesson(*lab);
  if (!text) return fail(context, text.error());
  show(context, "\n" + prose_text(context, *lab, *text) + "\n");
  return exit_ok;
}

int hint(const Context& context, const LabOptions& options) {
  const auto lab = lab_named(context, options.lab);
  if (!lab) return fail(context, lab.error());
  const int shown = progress_of(context, *lab).hints_shown;
  const int count = static_cast<int>(lab->hints.size());
  const int now = std::min(shown + 1, count);
  for (int i = 0; i < now; ++i) {
    const bool fresh = i + 1 == now;
    print("\n  " +
          context.out.paint(fresh ? Tone::accent : Tone::faint,
                            "Hint " + std::to_string(i + 1) + " of " + std::to_string(count)) +
          "\n" +
          paragraph(context.out, printable(lab->hints[static_cast<std::size_t>(i)]), 2,
                    fresh ? Tone::plain : Tone::faint));
  }
  if (shown >= count) {
    print("\n" + paragraph(context.out,
                           "That was the last hint. `./klab solution " + lab->slug +
                               " --give-up` shows the answer.",
                           2));
    return exit_ok;
  }
  JournalEntry entry = act(JournalEntry::Kind::hint, *lab);
  entry.hint = now;
  note(context, entry);
  return exit_ok;
}

int solution(const Context& context, const SolutionOptions& options) {
  const auto lab = lab_named(context, options.lab);
  if (!lab) return fail(context, lab.error());
  const bool open = progress_of(context, *lab).solution_open();
  if (!open && !options.give_up)
    return fail(
        context,
        make_error(ErrorCode::usage,
                   lab->id + " is not passed yet; the solution is kept until then.",
                   "Run `./klab hint " + lab->slug + "` for the next hint, or `./klab solution " +
                       lab->slug + " --give-up` to see it anyway."));
  const auto code = read_file(lab->optimized());
  if (!code) return fail(context, code.error());
  const auto explanation = read_explanation(*lab);
  if (!explanation) return fail(context, explanation.error());
  if (!open) note(context, act(JournalEntry::Kind::solution, *lab));
  show(context, "\n" + context.out.paint(Tone::strong, shown_path(context, lab->optimized())) +
                    "\n\n" + printable(*code) + "\n" + prose_text(context, *lab, *explanation) +
                    "\n");
  return exit_ok;
}

int reset(const Context& context, const LabOptions& options) {
  const auto lab = lab_named(context, options.lab);
  if (!lab) return fail(context, lab.error());
  const auto kept = reset_lab(*lab);
  if (!kept) return fail(context, kept.error());
  note(context, act(JournalEntry::Kind::reset, *lab));
  print(paragraph(context.out,
                  shown_path(context, workbook_file(*lab)) +
                      " is the flawed kernel again.\nYour version is kept in " +
                      shown_path(context, *kept) + ".",
                  2));
  return exit_ok;
}

}  // namespace klab::cli
