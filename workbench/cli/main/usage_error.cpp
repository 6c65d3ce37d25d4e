// Saying what is wrong with a command line, with the near names.
#include "cli/main/grammar.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/base/names.hpp"
#include "core/base/text.hpp"

namespace klab::cli {
namespace {

/// The launcher takes --help itself, and does not list the verbs.
std::string help_of(const std::string& name) {
  return name == "klab" ? "Run `./klab help`." : "Run `./" + name + " --help`.";
}

Error no_such_flag(const CLI::App& app, const CLI::App& at, const std::string& name,
                   const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* known : {&at, &app})
    for (const CLI::Option* flag : flags_of(*known)) names.push_back("--" + flag->get_lnames()[0]);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::string typed = word.substr(0, word.find('='));
  // It has been typed as it is written, behind "--", which makes it a word like others.
  if (std::find(names.begin(), names.end(), typed) != names.end())
    return make_error(ErrorCode::usage, in_quotes(typed) + " stands behind --, where options end.",
                      "Put it in front, or leave -- out.");
  return make_error(ErrorCode::usage, name + " has no option " + in_quotes(typed) + ".",
                    did_you_mean(near_names(typed, names)) + help_of(name));
}

std::string sentence(std::string text) {
  if (text.empty() || text.back() != '.') text += '.';
  return printable(text);
}

/// Where a verb of this name stands at all, written whole: "journal show".
std::vector<std::string> verbs_named(const CLI::App& at, const std::string& word) {
  std::vector<std::string> found;
  for (const CLI::App* verb : verbs_of(at)) {
    if (verb->get_name() == word) found.push_back(word);
    for (const std::string& below : verbs_named(*verb, word))
      found.push_back(verb->get_name() + " " + below);
  }
  return found;
}

/// A value that the parser could not take, of which it says "number = x", or the sentence of one of
/// our own validators: the library's differ from one version to the next.
std::string wrong_value(const CLI::ParseError& refusal) {
  // No regular expression: it would descend with every character of a word of any length.
  const std::string said = refusal.what();
  constexpr std::string_view unread = "Could not convert: ", equals = " = ", colon = ": ";
  if (const auto at = said.find(equals); said.starts_with(unread) && at != said.npos)
    return said.substr(unread.size(), at - unread.size()) + " must be a number, not " +
           in_quotes(said.substr(at + equals.size())) + ".";
  const auto at = said.find(colon);
  if (at == said.npos) return sentence(said);
  const std::string option = said.substr(0, at), why = said.substr(at + colon.size());
  if (why.starts_with("must be ")) return option + " " + why;
  if (said.ends_with(" missing") && said.find(" required ", at) != said.npos)
    return option + " needs a value.";
  return sentence(said);
}

/// What is missing, or not as it should be, in the words of the help.
std::string what_is_wrong(const std::string& name, const CLI::App& at,
                          const CLI::ParseError& refusal) {
  if (dynamic_cast<const CLI::RequiredError*>(&refusal) == nullptr) return wrong_value(refusal);
  if (!verbs_of(at).empty()) return name + " needs a verb.";
  for (const CLI::Option* wanted : positionals_of(at))
    if (wanted->get_required() && wanted->count() == 0)
      return name + " needs " + wanted->get_type_name() + ", " + wanted->get_description() + ".";
  return sentence(refusal.what());
}

}  // namespace

Error no_such_verb(const CLI::App& at, const std::string& name, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs_of(at)) names.push_back(verb->get_name());
  auto near = near_names(word, names);
  if (near.empty()) near = verbs_named(at, word);
  return make_error(ErrorCode::usage, "There is no verb " + in_quotes(name + " " + word) + ".",
                    did_you_mean(near) + help_of(name));
}

std::optional<Error> unknown_verb(const CLI::App& app) {
  const auto chosen = chosen_verbs(app);
  const CLI::App& at = chosen.empty() ? app : *chosen.back();
  if (verbs_of(at).empty()) return std::nullopt;
  for (const std::string& word : app.remaining(true))
    if (!word.starts_with("-")) return no_such_verb(at, name_of(app, chosen), word);
  return std::nullopt;
}

Error usage_error(const CLI::App& app, const CLI::ParseError& refusal) {
  const auto chosen = chosen_verbs(app);
  const CLI::App& at = chosen.empty() ? app : *chosen.back();
  const std::string name = name_of(app, chosen);
  // What the parser could not place says more than what it then missed.
  // Those behind a program to run are the program's.
  const auto words = at.get_prefix_command() ? std::vector<std::string>() : app.remaining(true);
  for (const std::string& word : words)
    if (word.starts_with("-") && word.size() > 1) return no_such_flag(app, at, name, word);
  if (words.empty())
    return make_error(ErrorCode::usage, what_is_wrong(name, at, refusal), help_of(name));
  if (!verbs_of(at).empty()) return no_such_verb(at, name, words.front());
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + in_quotes(word);
  return make_error(ErrorCode::usage, name + " has no use for " + list + ".", help_of(name));
}

}  // namespace klab::cli
