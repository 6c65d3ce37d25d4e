// Finding the course, reporting errors, and Ctrl-C.
#include "cli/terminal/context.hpp"

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/terminal/json_output.hpp"
#include "core/base/text.hpp"
#include "core/course/workbook.hpp"
#include "core/verdict/json/check_result_json.hpp"

namespace klab::cli {
namespace {

std::atomic<bool> canceled = false;

void on_interrupt(int) { canceled = true; }

int exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::no_toolkit:
    case ErrorCode::no_device:
    case ErrorCode::no_runner:
    case ErrorCode::driver_too_old:
    case ErrorCode::profiler_denied:
    case ErrorCode::profiler_busy:
    case ErrorCode::profiler_attached:
    case ErrorCode::profiler_unsupported:
    case ErrorCode::unsupported:
      return exit_not_checkable;
    case ErrorCode::usage:
    case ErrorCode::bad_lab:
    case ErrorCode::not_started:
    case ErrorCode::io:
      return exit_usage;
    case ErrorCode::canceled:
      return exit_stopped;
    default:
      return exit_failed;
  }
}

void write_error(const Context& context, Tone tone, std::string_view word, const Error& error) {
  std::string text = context.err.paint(tone, word) + ": ";
  text +=
      wrapped(with_separators(printable(error.what)), context.err.columns - word.size() - 2) + "\n";
  if (!error.detail.empty() && error.code == ErrorCode::build_failed)
    text += beginning_of(context.err, printable(error.detail), most_printed_lines);
  if (!error.remedy.empty())
    text +=
        context.err.paint(Tone::accent, "  → ") +
        wrapped(with_separators(printable(shell_words(error.remedy))), context.err.columns - 4, 4) +
        "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

Result<Context> make_context(const std::string& root, const std::string& runner) {
  Context context{find_tree(), Terminal::of(stdout), Terminal::of(stderr)};
  std::error_code failure, ignored;
  if (!root.empty()) {
    const auto absolute = std::filesystem::weakly_canonical(root, failure);
    context.tree.root = failure ? std::filesystem::path(root) : absolute;
  }
  if (!runner.empty()) context.tree.remote = runner;
  if (!std::filesystem::is_directory(context.tree.root / "labs", ignored))
    return make_error(
        ErrorCode::usage,
        "There is no course in " + context.tree.root.string() + ": it has no folder labs/.",
        "Name a clone of Kernel Lab with --root or KLAB_ROOT, or leave both out to use the one "
        "that klab was built in.");
  return context;
}

Result<Lab> lab_named(const Context& context, const std::string& name) {
  return find_lab(load_course(context.tree.root), name);
}

Result<std::vector<Lab>> labs_named(const Course& course, const std::vector<std::string>& names) {
  if (names.empty()) return course.labs;
  std::vector<Lab> labs;
  for (const std::string& name : names) {
    auto lab = find_lab(course, name);
    if (!lab) return lab.error();
    labs.push_back(std::move(*lab));
  }
  return labs;
}

namespace {

/// A verb may read the journal more than once; what is wrong with it is told once.
void warn_once(const Context& context, const Error& error) {
  static std::set<std::string> told;
  if (told.insert(error.what).second) warn(context, error);
}

}  // namespace

std::vector<JournalEntry> journal_entries(const Context& context) {
  auto contents = context.journal().read();
  if (!contents) {
    warn_once(context, contents.error());
    return {};
  }
  if (const auto error = unreadable_lines(contents->problems)) warn_once(context, *error);
  return std::move(contents->entries);
}

LabProgress progress_of(const Context& context, const Lab& lab) {
  return klab::progress_of(lab.id, learner_file(lab) != LearnerFile::missing,
                           journal_entries(context));
}

std::optional<Lab> lab_after(const Context& context, const Course& course, const std::string& id) {
  const auto entries = journal_entries(context);
  std::vector<LabStatus> statuses;
  std::optional<std::size_t> after;
  for (std::size_t i = 0; i < course.labs.size(); ++i) {
    const Lab& lab = course.labs[i];
    if (lab.id == id) after = i;
    const bool started = learner_file(lab) != LearnerFile::missing;
    statuses.push_back(klab::progress_of(lab.id, started, entries).status);
  }
  const auto next = next_open(statuses, after);
  return next ? std::optional(course.labs[*next]) : std::nullopt;
}

int fail(const Context& context, const Error& error, bool json) {
  if (json) print_json({{"error", to_json(error)}});
  write_error(context, Tone::bad, "error", error);
  return exit_code_of(error.code);
}

void warn(const Context& context, const Error& error) {
  write_error(context, Tone::doubtful, "warning", error);
}

void note(const Context& context, JournalEntry entry) {
  if (const auto number = context.journal().append(std::move(entry)); !number)
    warn(context, number.error());
}

std::atomic<bool>& canceled_by_user() {
  static const bool installed = [] {
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    return ::sigaction(SIGINT, &action, nullptr) == 0;
  }();
  (void)installed;
  return canceled;
}

std::string shown_path(const Context& context, const std::filesystem::path& path) {
  const auto relative = path.lexically_relative(context.tree.root);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  return inside ? relative.string() : path.string();
}

}  // namespace klab::cli
