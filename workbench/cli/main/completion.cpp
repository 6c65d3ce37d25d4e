// Shell completion from the grammar: verbs and options below each verb, and the values that are
// known.
#include "cli/main/grammar.hpp"
#include "core/base/text.hpp"

namespace klab::cli {
namespace {

constexpr const char* usual_variants = "mine flawed optimized";

/// A verb with the path of names that leads to it: "/journal/list"; the program's own is empty.
struct Place {
  const CLI::App* app;
  std::string path;
};

void add_places(std::vector<Place>& places, const CLI::App& app, const std::string& path) {
  places.push_back({&app, path});
  for (const CLI::App* verb : verbs_of(app))
    add_places(places, *verb, path + "/" + verb->get_name());
}

std::vector<Place> places_of(const CLI::App& app) {
  std::vector<Place> places;
  add_places(places, app, "");
  return places;
}

/// "/list|/journal|/journal/list": everything that leads to a verb.
std::string paths(const std::vector<Place>& places, const std::string& between) {
  std::string text;
  for (const Place& place : places)
    if (!place.path.empty()) text += (text.empty() ? "" : between) + place.path;
  return text;
}

std::string words(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& word : list) text += (text.empty() ? "" : " ") + word;
  return text;
}

bool takes_file(const CLI::Option& option) { return option.get_type_name() == value::file; }
bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// The values that the option can take, as far as they are known.
std::string values_of(const CLI::Option& option, const std::string& labs) {
  std::string kind = option.get_type_name();
  if (kind == value::lab) return labs;
  if (kind == value::variant) return usual_variants;
  if (kind.find('|') == std::string::npos) return {};
  for (char& letter : kind)
    if (letter == '|') letter = ' ';
  return kind;
}

/// What may stand at a place: verbs, names of labs.
std::string words_at(const CLI::App& app, const std::string& labs) {
  std::vector<std::string> list;
  for (const CLI::App* verb : verbs_of(app)) list.push_back(verb->get_name());
  for (const CLI::Option* option : positionals_of(app))
    if (const std::string known = values_of(*option, labs); !known.empty()) list.push_back(known);
  return words(list);
}

/// Offered behind a dash, and where nothing else may stand.
std::string options_at(const CLI::App& app) {
  std::vector<std::string> list;
  for (const CLI::Option* option : flags_of(app)) list.push_back("--" + option->get_lnames()[0]);
  list.emplace_back("--help");
  return words(list);
}

/// In single quotes for a shell; `escape` is how a quote stands inside.
std::string single_quoted(const std::string& text, const std::string& escape) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? escape : std::string(1, c);
  return result + "'";
}

std::string bash_script(const CLI::App& app, const std::string& labs) {
  const auto places = places_of(app);
  std::string values, options;
  for (const auto& [at, path] : places) {
    for (const CLI::Option* option : flags_of(*at)) {
      if (!takes_value(*option)) continue;
      const std::string pattern = "    " + path + ":--" + option->get_lnames()[0] + ") ";
      if (takes_file(*option))
        values += pattern + "COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n";
      else
        values += pattern + "words='" + values_of(*option, labs) + "' ;;\n";
    }
    options += "    " + path + ":*) words='" + words_at(*at, labs) + "' options='" +
               options_at(*at) + "' ;;\n";
  }
  return "# Completion of klab in bash: source <(./klab completion bash)\n"
         "_klab() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
         "  local at= words= options= i\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    case \"$at/${COMP_WORDS[i]}\" in\n"
         "      " +
         paths(places, "|") +
         ") at=\"$at/${COMP_WORDS[i]}\" ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$at:$previous\" in\n" +
         values + options +
         "  esac\n"
         "  [[ $current == -* || -z $words ]] && words=$options\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o filenames -F _klab klab\n";
}

/// The same in zsh, with what each word means.
std::string zsh_script(const CLI::App& app, const std::string& labs) {
  const auto places = places_of(app);
  const auto item = [](const std::string& word, const std::string& meaning) {
    return " " + single_quoted(word + ":" + meaning, "'\\''");
  };
  std::string values, options;
  for (const auto& [at, path] : places) {
    for (const CLI::Option* option : flags_of(*at)) {
      if (!takes_value(*option)) continue;
      const std::string pattern = "    (" + path + ":--" + option->get_lnames()[0] + ") ";
      if (takes_file(*option))
        values += pattern + "_files; return ;;\n";
      else
        values += pattern + "compadd -- " + values_of(*option, labs) + "; return ;;\n";
    }
    options += "    (" + path + ":*) verbs=(";
    for (const CLI::App* verb : verbs_of(*at))
      options += item(verb->get_name(), verb->get_description());
    options += ") options=(";
    for (const CLI::Option* option : flags_of(*at))
      options += item("--" + option->get_lnames()[0], option->get_description());
    options += item("--help", "what the verb does and takes") + ")";
    for (const CLI::Option* option : positionals_of(*at))
      if (const std::string known = values_of(*option, labs); !known.empty())
        options += " known=(" + known + ")";
    options += " ;;\n";
  }
  return "#compdef klab\n# Completion of klab in zsh: source <(./klab completion zsh)\n"
         "_klab() {\n"
         "  local at= i\n"
         "  local -a verbs known options\n"
         "  for ((i = 2; i < CURRENT; ++i)); do\n"
         "    case \"$at/$words[i]\" in\n"
         "      (" +
         paths(places, "|") +
         ") at=\"$at/$words[i]\" ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$at:$words[CURRENT-1]\" in\n" +
         values + options +
         "  esac\n"
         "  (( $#known )) && compadd -- $known\n"
         "  (( $#verbs )) && _describe 'verb' verbs\n"
         "  [[ $PREFIX == -* ]] || (( ! $#known && ! $#verbs )) && _describe 'option' options\n"
         "}\n"
         "compdef _klab klab\n";
}

std::string fish_script(const CLI::App& app, const std::string& labs) {
  const auto places = places_of(app);
  const auto text = [](const std::string& words) { return single_quoted(words, "\\'"); };
  std::string lines;
  for (const auto& [at, path] : places) {
    const std::string begin = "complete -c klab -n \"__klab_at '" + path + "'\"";
    for (const CLI::App* verb : verbs_of(*at))
      lines += begin + " -a " + verb->get_name() + " -d " + text(verb->get_description()) + "\n";
    for (const CLI::Option* option : positionals_of(*at))
      if (const std::string known = values_of(*option, labs); !known.empty())
        lines += begin + " -a " + text(known) + "\n";
    for (const CLI::Option* option : flags_of(*at)) {
      lines += begin + " -l " + option->get_lnames()[0] + " -d " + text(option->get_description());
      if (takes_file(*option))
        lines += " -r -F";
      else if (takes_value(*option))
        lines += " -x -a " + text(values_of(*option, labs));
      lines += "\n";
    }
  }
  return "# Completion of klab in fish: ./klab completion fish | source\n"
         "function __klab_at\n"
         "  set -l at ''\n"
         "  for word in (commandline -opc)[2..-1]\n"
         "    switch \"$at/$word\"\n"
         "      case " +
         paths(places, " ") +
         "\n"
         "        set at \"$at/$word\"\n"
         "    end\n"
         "  end\n"
         "  test \"$at\" = \"$argv[1]\"\n"
         "end\n"
         "complete -c klab -f\n" +
         lines;
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell,
                              const std::vector<std::string>& labs) {
  const std::string names = printable(words(labs));
  if (shell == "bash") return bash_script(app, names);
  if (shell == "zsh") return zsh_script(app, names);
  return fish_script(app, names);
}

}  // namespace klab::cli
