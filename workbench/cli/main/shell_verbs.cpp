// completion and man: what a shell and a manual reader know of klab.
#include "cli/main/grammar.hpp"

namespace klab::cli {
namespace {

struct CompletionOptions {
  std::string shell;
};

}  // namespace

void add_shell_verbs(CLI::App& app, Act& act) {
  const char* const group = "Shell";
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
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
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
