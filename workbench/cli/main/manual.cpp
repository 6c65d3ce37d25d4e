// klab(1) from the grammar, as man reads it (groff_man(7)).
#include "cli/main/grammar.hpp"

namespace klab::cli {
namespace {

/// Text that troff takes as it is: no escapes, no hyphens that become dashes, no line that begins
/// with a control character.
std::string plain(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n'))
      safe += std::string("\\&") + c;
    else
      safe += c;
  }
  return safe;
}

std::string option_text(const CLI::Option& option) {
  const bool positional = option.get_positional();
  std::string head = positional ? "\\fI" + plain(option.get_name()) + "\\fR"
                                : "\\fB\\-\\-" + plain(option.get_lnames()[0]) + "\\fR";
  if (!positional && option.get_items_expected_max() > 0)
    head += " \\fI" + plain(option.get_type_name()) + "\\fR";
  return ".TP\n" + head + "\n" + plain(option.get_description()) + "\n";
}

/// "klab check [options] lab"
std::string synopsis(const CLI::App& verb, const std::string& name) {
  std::string line = ".B " + plain(name) + "\n";
  if (!flags_of(verb).empty()) line += "[\\fIoptions\\fR]\n";
  for (const CLI::Option* option : positionals_of(verb)) {
    const std::string word = "\\fI" + plain(option->get_name()) + "\\fR";
    line += option->get_required() ? word + "\n" : "[" + word + "]\n";
  }
  return line;
}

std::string verb_text(const CLI::App& verb, const std::string& name) {
  std::string text;
  if (verbs_of(verb).empty()) {
    text += ".SS " + plain(name) + "\n" + synopsis(verb, name) + ".PP\n" +
            plain(verb.get_description()) + "\n";
    for (const CLI::Option* option : positionals_of(verb)) text += option_text(*option);
    for (const CLI::Option* option : flags_of(verb)) text += option_text(*option);
    if (!verb.get_footer().empty()) text += ".PP\n.nf\n" + plain(verb.get_footer()) + "\n.fi\n";
  }
  for (const CLI::App* below : verbs_of(verb))
    text += verb_text(*below, name + " " + below->get_name());
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  const std::string name = app.get_name();
  std::string text =
      ".TH KLAB 1\n.SH NAME\nklab \\- a teaching lab for CUDA performance\n"
      ".SH SYNOPSIS\n.B klab\n\\fIverb\\fR\n[\\fIoptions\\fR]\n"
      ".SH DESCRIPTION\n" +
      plain(app.get_description()) + "\n.PP\n" + plain(app.get_footer()) + "\n.SH OPTIONS\n";
  for (const CLI::Option* option : flags_of(app)) text += option_text(*option);
  text += ".SH VERBS\n";
  for (const CLI::App* verb : verbs_of(app))
    text += verb_text(*verb, name + " " + verb->get_name());
  return text;
}

}  // namespace klab::cli
