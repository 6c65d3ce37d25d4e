// The journal's verbs; `klab journal` alone lists.
#include "cli/main/grammar.hpp"

namespace klab::cli {
namespace {

void add_lab_and_json(CLI::App& verb, JournalListOptions& options) {
  add_lab(verb, options.lab, false);
  add_json(verb, options.json, "an array of entries");
}

void add_number(CLI::App& verb, EntryOptions& options) {
  verb.add_option("number", options.number, "its number")->required()->type_name(value::number);
}

}  // namespace

void add_journal_verbs(CLI::App& app, Act& act) {
  CLI::App* journal = app.add_subcommand("journal", "what you did and how well you predicted it");
  journal->require_subcommand(0, 1);
  journal->group("Learn");
  journal->footer(
      "Examples:\n  klab journal\n  klab journal list coalescing\n"
      "  klab journal restore 12");
  journal->callback([journal, &act] {
    if (journal->get_subcommands().empty())
      act = [](const Context& context) { return journal_list(context, {}); };
  });
  {
    auto [verb, options] =
        add_verb<JournalListOptions>(*journal, act, "list", "all entries, or those of one lab",
                                     {"journal list", "journal list 2 --json"}, journal_list);
    add_lab_and_json(verb, options);
  }
  {
    auto [verb, options] = add_verb<EntryOptions>(
        *journal, act, "show", "one entry with its source", {"journal show 12"}, journal_show);
    add_number(verb, options);
  }
  {
    auto [verb, options] = add_verb<EntryOptions>(
        *journal, act, "restore", "make an attempt your kernel again; the present one is kept",
        {"journal restore 12"}, journal_restore);
    add_number(verb, options);
  }
  {
    auto [verb, options] =
        add_verb<NoteOptions>(*journal, act, "note", "keep words of your own with a lab",
                              {"journal note 2 'rows first, then columns'"}, journal_note);
    add_lab(verb, options.lab);
    verb.add_option("text", options.text, "what you want to remember")
        ->required()
        ->type_name(value::text);
  }
  {
    auto [verb, options] =
        add_verb<ShownOptions>(*journal, act, "calibration", "what you predicted and what it was",
                               {"journal calibration"}, journal_calibration);
    add_json(verb, options.json, "one object");
  }
  auto [verb, options] = add_verb<JournalExportOptions>(
      *journal, act, "export", "the journal as Markdown or as one page with plots",
      {"journal export --output journal.md", "journal export --html journal.html"}, journal_export);
  CLI::Option* output =
      verb.add_option("--output", options.output, "a file for Markdown; standard output if absent")
          ->check(file_to_write())
          ->type_name(value::file);
  verb.add_option("--html", options.html, "a file for the page, which needs no other file")
      ->excludes(output)
      ->check(file_to_write())
      ->type_name(value::file);
}

}  // namespace klab::cli
