// Context: what every verb has at hand, and how verbs end.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/terminal/terminal.hpp"
#include "core/base/tree.hpp"
#include "core/course/lab.hpp"
#include "core/journal/progress.hpp"

namespace klab::cli {

/// Exit codes of every verb; those of `check` are the values of Outcome. A verb that Ctrl-C stopped
/// proved nothing: it ends as shells report a program that SIGINT (2) ended, with 128 + 2.
enum Exit : int {
  exit_ok = 0,
  exit_failed = 1,
  exit_usage = 2,
  exit_not_checkable = 4,
  exit_stopped = 130
};

struct Context {
  Tree tree;
  Terminal out;  ///< standard output
  Terminal err;  ///< standard error

  Journal journal() const { return Journal(tree.workbook()); }
};

/// The tree and both streams. `root` names another repository and `runner` a runner elsewhere;
/// empty for what the environment and the program's own place say. Errors: ErrorCode::usage if
/// there is no course there.
Result<Context> make_context(const std::string& root, const std::string& runner);

/// The lab of that name. A broken lab.toml elsewhere does not matter.
Result<Lab> lab_named(const Context& context, const std::string& name);
/// The labs of those names; all that can be read where none is named.
Result<std::vector<Lab>> labs_named(const Course& course, const std::vector<std::string>& names);
/// How far the learner is. A journal that cannot be read is reported on standard error.
LabProgress progress_of(const Context& context, const Lab& lab);
/// The next lab behind the one of that id that is not passed, or the first one for "".
std::optional<Lab> lab_after(const Context& context, const Course& course, const std::string& id);
/// All entries; problems are reported on standard error.
std::vector<JournalEntry> journal_entries(const Context& context);

/// Writes the sentence, the raw text and the remedy to standard error, and gives the exit code that
/// fits; with `json` one object {"error": {...}} on standard output as well.
int fail(const Context& context, const Error& error, bool json = false);
/// A sentence on standard error that does not end the verb.
void warn(const Context& context, const Error& error);

/// Appends to the journal; a failure is a warning, because the act itself is done.
void note(const Context& context, JournalEntry entry);

/// Writes to standard output at once. Nothing that a terminal could obey gets through but our own
/// colours.
void print(std::string_view text);
/// The same through a pager ($PAGER, else less) if it is longer than the terminal; returns when the
/// reader is done.
void show(const Context& context, const std::string& text);
/// A line on standard error that says what is being done, where somebody may be watching.
void say(const Context& context, std::string_view text);
/// What went wrong when standard output was written, if anything did: then something is unsaid.
std::optional<Error> output_failure();
/// Whether that is because who read it closed the pipe, as `head` does.
bool reader_left();

/// Set by Ctrl-C from now on; a second Ctrl-C ends the program as usual.
std::atomic<bool>& canceled_by_user();

/// A path as the user would write it: relative to the repository if it lies inside.
std::string shown_path(const Context& context, const std::filesystem::path& path);

}  // namespace klab::cli
