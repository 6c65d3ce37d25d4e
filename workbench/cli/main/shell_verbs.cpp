// help, completion and man: what a reader, a shell and a manual know of klab.
#include <algorithm>

#include "cli/main/grammar.hpp"

namespace klab::cli {
namespace {

struct HelpOptions {
  std::vector<std::string> verbs;
};

/// The help of the verb that the words name, such as "journal show", or of klab itself.
int help(const Context& context, const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  std::string name = app.get_name();
  for (const std::string& word : words) {
    const auto below = verbs_of(*at);
    const auto found = std::find_if(below.begin(), below.end(),
                                    [&](const CLI::App* verb) { return verb->get_name() == word; });
    if (found == below.end()) return fail(context, no_such_verb(*at, name, word));
    at = *found;
    name += " " + word;
  }
  show(context,
       hanging(context.out, app.get_formatter()->make_help(at, name, CLI::AppFormatMode::Normal)));
  return exit_ok;
}

struct CompletionOptions {
  std::string shell;
};

}  // namespace

void add_shell_verbs(CLI::App& app, Act& act) {
  const char* const group = "Shell";
  {
    auto [verb, options] =
        add_verb<HelpOptions>(app, act, "help", "what a verb does, with its options and examples",
                              {"help check", "help journal show"},
                              [&app](const Context& context, const HelpOptions& asked) {
                                return help(context, app, asked.verbs);
                              });
    verb.add_option("verb", options.verbs, "the verb; none: klab itself")->type_name("VERB");
    verb.group(group);
  }
  {
    auto [verb, options] = add_verb<CompletionOptions>(
        app, act, "completion", "a script that completes klab's words in your shell",
        {"completion bash", "completion fish"},
        [&app](const Context& context, const CompletionOptions& asked) {
          std::vector<std::string> labs;
          for (const Lab& lab : load_course(context.tree.root).labs) labs.push_back(lab.slug);
          print(completion_script(app, asked.shell, labs));
          return exit_ok;
        });
    verb.add_option("shell", options.shell, "the shell")
        ->required()
        ->check(one_of({"bash", "zsh", "fish"}))
        ->type_name("bash|zsh|fish");
    verb.group(group);
  }
  auto [verb, unused] =
      add_verb<ShownOptions>(app, act, "man", "the manual page, for `man -l -`", {"man | man -l -"},
                             [&app](const Context&, const ShownOptions&) {
                               print(manual_page(app));
                               return exit_ok;
                             });
  verb.group(group);
}

}  // namespace klab::cli
