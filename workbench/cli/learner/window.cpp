// ui and present: hand over to the window.
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/verbs/verbs.hpp"
#include "core/process/process.hpp"

namespace klab::cli {

int window(const Context& context, const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == "present")
    return present(context, {arguments.size() > 1 ? arguments[1] : ""});
  const auto program = context.tree.build / "bin" / "klab-workbench";
  std::vector<std::string> words = {program.string(), "--root", context.tree.root.string()};
  if (!context.tree.remote.empty()) words.insert(words.end(), {"--runner", context.tree.remote});
  words.insert(words.end(), arguments.begin(), arguments.end());
  // A help text is the terminal's, whoever writes it.
  for (const std::string& word : arguments)
    if (word == "-h" || word == "--help") {
      const auto help = run_process({.command = words, .time_limit_s = 20});
      if (help && help->exit_code == 0)
        return show(context, hanging(context.out, help->out)), exit_ok;
    }
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  return fail(context, make_error(ErrorCode::unsupported,
                                  "The window's program " + program.string() +
                                      " could not be started: " + std::strerror(errno) + ".",
                                  "Run `./klab --setup` to build it; every act of the window is a "
                                  "verb too: see `./klab help`."));
}

int present(const Context& context, const LabOptions& options) {
  std::vector<std::string> arguments = {"--present"};
  if (!options.lab.empty()) {
    const auto found = lab_named(context, options.lab);
    if (!found) return fail(context, found.error());
    arguments.insert(arguments.end(), {"--lab", found->id});
  }
  return window(context, arguments);
}

}  // namespace klab::cli
