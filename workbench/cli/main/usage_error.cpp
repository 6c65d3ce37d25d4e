// Saying what is wrong with a command line, with the near names.
#include "cli/main/grammar.hpp"
#include "core/base/names.hpp"
#include "core/base/text.hpp"

namespace klab::cli {
namespace {

constexpr std::size_t longest_shown_word = 60;

std::string in_quotes(const std::string& word) {
  return "\"" + printable(word.substr(0, longest_shown_word)) + "\"";
}

std::string did_you_mean(const std::vector<std::string>& near) {
  return near.empty() ? "" : "Did you mean " + join_or(near) + "? ";
}

std::string help_of(const std::string& name) { return "Run `./" + name + " --help`."; }

Error no_such_flag(const CLI::App& app, const CLI::App& at, const std::string& name,
                   const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* known : {&at, &app})
    for (const CLI::Option* flag : flags_of(*known)) names.push_back("--" + flag->get_lnames()[0]);
  const std::string typed = word.substr(0, word.find('='));
  return make_error(ErrorCode::usage, name + " has no option " + in_quotes(typed) + ".",
                    did_you_mean(near_names(typed, names)) + help_of(name));
}

std::string sentence(std::string text) {
  if (text.empty() || text.back() != '.') text += '.';
  return printable(text);
}

}  // namespace

Error no_such_verb(const CLI::App& at, const std::string& name, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs_of(at)) names.push_back(verb->get_name());
  return make_error(ErrorCode::usage, "There is no verb " + in_quotes(name + " " + word) + ".",
                    did_you_mean(near_names(word, names)) + help_of(name));
}

Error usage_error(const CLI::App& app, const CLI::ParseError& refusal) {
  const auto chosen = chosen_verbs(app);
  const CLI::App& at = chosen.empty() ? app : *chosen.back();
  const std::string name = name_of(app, chosen);
  // What the parser could not place says more than what it then missed.
  const std::vector<std::string> words = app.remaining(true);
  for (const std::string& word : words)
    if (word.starts_with("-") && word.size() > 1) return no_such_flag(app, at, name, word);
  if (words.empty())
    return make_error(ErrorCode::usage,
                      chosen.empty() && verbs_of(at).size() > 0 && app.count_all() <= 1
                          ? "klab needs a verb."
                          : sentence(refusal.what()),
                      help_of(name));
  if (!verbs_of(at).empty()) return no_such_verb(at, name, words.front());
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + in_quotes(word);
  return make_error(ErrorCode::usage, name + " has no use for " + list + ".", help_of(name));
}

}  // namespace klab::cli
