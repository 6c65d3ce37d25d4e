// Grammar: what the command line may say. Help, suggestions, shell completion and the manual page
// all come from these definitions.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/verbs/verbs.hpp"

namespace klab::cli {

/// What the verb that was asked for does; set by the parser.
using Act = std::function<int(const Context&)>;

/// Kinds of values, as help shows them and as completion knows them. A closed set is written
/// "auto|gpu|sim".
namespace value {
inline constexpr const char* lab = "LAB";
inline constexpr const char* variant = "VARIANT";
inline constexpr const char* file = "FILE";
inline constexpr const char* number = "N";
inline constexpr const char* seconds = "SECONDS";
inline constexpr const char* text = "TEXT";
inline constexpr const char* backend = "auto|gpu|sim";
}  // namespace value

/// Takes whole numbers of this range, also with separators of thousands, as they are shown.
CLI::Validator whole_number(std::uint64_t lowest, std::uint64_t highest);
/// Takes numbers of this range, both ends included.
CLI::Validator number_between(double lowest, double highest);
/// Takes names, and not nothing.
CLI::Validator named_file();
/// Takes files that something is to be written to: none that is_own_work().
CLI::Validator file_to_write();
/// Takes these words.
CLI::Validator one_of(std::vector<std::string> known);
/// The seeds that JSON keeps whole; see fresh_seed().
inline constexpr std::uint64_t highest_seed = (std::uint64_t{1} << 53) - 1;
/// More than any machine executes in a year.
inline constexpr std::uint64_t highest_budget = 1'000'000'000'000'000'000;

/// A verb with the options that the parser fills and its function reads.
template <class Options>
struct Verb {
  CLI::App& app;
  Options& options;
};

/// Adds a verb to `parent`. `examples` are what one would type after "klab ".
CLI::App& add_plain_verb(CLI::App& parent, Act& act, const std::string& name,
                         const std::string& what, const std::vector<std::string>& examples,
                         Act does);
template <class Options, class Does>
Verb<Options> add_verb(CLI::App& parent, Act& act, const std::string& name, const std::string& what,
                       const std::vector<std::string>& examples, Does does) {
  // The act owns the options: they live as long as the parser.
  auto options = std::make_shared<Options>();
  CLI::App& verb =
      add_plain_verb(parent, act, name, what, examples,
                     [options, does](const Context& context) { return does(context, *options); });
  return {verb, *options};
}

CLI::Option& add_lab(CLI::App& verb, std::string& lab, bool required = true);
void add_json(CLI::App& verb, bool& json, const std::string& what);
void add_backend(CLI::App& verb, std::string& backend);
void add_variant_or_file(CLI::App& verb, std::string& variant, std::string& file);

// Groups of verbs, a file each.
void add_learner_verbs(CLI::App& app, Act& act);
void add_check_verbs(CLI::App& app, Act& act);
void add_investigation_verbs(CLI::App& app, Act& act);
void add_machine_verbs(CLI::App& app, Act& act);
void add_journal_verbs(CLI::App& app, Act& act);
void add_course_verbs(CLI::App& app, Act& act);
void add_window_verbs(CLI::App& app, Act& act);
/// help, completion and man, which describe `app` itself.
void add_shell_verbs(CLI::App& app, Act& act);

/// The verbs below `app` that the command line named, outermost first.
std::vector<const CLI::App*> chosen_verbs(const CLI::App& app);
/// "klab journal list"
std::string name_of(const CLI::App& app, const std::vector<const CLI::App*>& verbs);
/// The verbs directly below `app`, in order.
std::vector<const CLI::App*> verbs_of(const CLI::App& app);
/// Its options without the help, positional ones apart.
std::vector<const CLI::Option*> flags_of(const CLI::App& app);
std::vector<const CLI::Option*> positionals_of(const CLI::App& app);

/// `name` is the verb `at`, below which there is no `word`.
Error no_such_verb(const CLI::App& at, const std::string& name, const std::string& word);
/// Of a command line that asks for help: no_such_verb() where it asks for that of none.
std::optional<Error> unknown_verb(const CLI::App& app);
/// What is wrong with a command line that the parser refused, with the near names.
Error usage_error(const CLI::App& app, const CLI::ParseError& refusal);

/// A script that completes klab's command line in bash, zsh or fish; `labs` are offered as names.
std::string completion_script(const CLI::App& app, const std::string& shell,
                              const std::vector<std::string>& labs);
/// klab(1), for man.
std::string manual_page(const CLI::App& app);

}  // namespace klab::cli
