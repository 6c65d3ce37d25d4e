// journal: list, show, note and restore. Export and calibration are in journal_export.cpp.
#include "core/journal/journal.hpp"

#include <algorithm>

#include "cli/terminal/json_output.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/base/text.hpp"
#include "core/course/workbook.hpp"
#include "core/journal/report.hpp"
#include "core/journal/search.hpp"
#include "core/measure/format.hpp"

namespace klab::cli {
namespace {

Cell result_cell(const JournalEntry& entry) {
  if (entry.verdict) return verdict_cell(*entry.verdict, entry.gates);
  if (entry.hint) return {"hint " + std::to_string(*entry.hint), Tone::faint};
  return {"", Tone::faint};
}

std::string ratio_of(const JournalEntry& entry) {
  return entry.ratio ? format_ratio(entry.ratio->median) : "";
}

std::vector<JournalEntry> entries_of(const Context& context, const std::string& lab) {
  auto entries = journal_entries(context);
  if (!lab.empty())
    entries.erase(std::remove_if(entries.begin(), entries.end(),
                                 [&](const JournalEntry& entry) { return entry.lab != lab; }),
                  entries.end());
  return entries;
}

Result<JournalEntry> numbered(const Context& context, std::int64_t number) {
  return find_entry(journal_entries(context), number);
}

/// What each gate saw, with its label.
std::string numbers(const Context& context, const JournalEntry& entry) {
  Table table("llrll");
  for (const GateRow& row : gate_rows(entry))
    table.add({outcome_cell(row.outcome),
               {printable(row.name)},
               {printable(row.value)},
               {printable(row.target), Tone::faint},
               {row.label, Tone::faint}});
  return table.text(context.out);
}

}  // namespace

int journal_list(const Context& context, const JournalListOptions& options) {
  std::string id;
  if (!options.lab.empty()) {
    const auto lab = lab_named(context, options.lab);
    if (!lab) return fail(context, lab.error(), options.json);
    id = lab->id;
  }
  const auto entries = entries_of(context, id);
  if (options.json) {
    std::string text = "[";
    for (const JournalEntry& entry : entries)
      text += (text.size() > 1 ? ",\n " : "\n ") + encode(entry);
    print(terminal_safe(text) + "\n]\n");
    return exit_ok;
  }
  Table table("rlllrll");
  table.add({{"#"}, {"when"}, {"lab"}, {"what"}, {"ratio"}, {"result"}, {""}});
  for (const JournalEntry& entry : entries)
    table.add(
        {{std::to_string(entry.number), Tone::faint},
         {printable(entry.date.substr(0, 10) + " " +
                    (entry.date.size() > 16 ? entry.date.substr(11, 5) : "")),
          Tone::faint},
         {printable(entry.lab)},
         {std::string(to_string(entry.kind))},
         {ratio_of(entry)},
         result_cell(entry),
         {printable(entry.kind == JournalEntry::Kind::note ? headline(entry) : entry.conclusion),
          Tone::faint}});
  print(entries.empty()
            ? paragraph(context.out, "The journal is empty. `./klab start <lab>` begins it.", 2)
            : "\n" + table.text(context.out) + "\n");
  return exit_ok;
}

int journal_show(const Context& context, const EntryOptions& options) {
  const auto entry = numbered(context, options.number);
  if (!entry) return fail(context, entry.error());
  Table table("ll");
  const auto row = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) table.add({{name, Tone::faint}, {printable(value)}});
  };
  row("entry", std::to_string(entry->number) + ", " + std::string(to_string(entry->kind)));
  row("date", entry->date);
  row("lab", entry->lab);
  row("verdict", verdict_words(*entry));
  row("conclusion", entry->conclusion);
  row("ratio", entry->ratio ? format_ratio(entry->ratio) : "");
  row("goals", ladder_words(*entry));
  row("backend", std::string(to_string(entry->backend)));
  row("device", entry->device);
  row("seed", entry->seed ? format_count(static_cast<double>(*entry->seed)) : "");
  row("hint", entry->hint ? std::to_string(*entry->hint) : "");
  row("restored", entry->of ? "entry " + std::to_string(*entry->of) : "");
  row("note", entry->text);
  row("source digest", entry->source_digest);
  print("\n" + table.text(context.out) + "\n");
  if (!entry->gates.empty()) print(numbers(context, *entry) + "\n");
  if (entry->source) print(printable(*entry->source) + "\n");
  return exit_ok;
}

int journal_restore(const Context& context, const EntryOptions& options) {
  const std::int64_t number = options.number;
  const auto entry = numbered(context, number);
  if (!entry) return fail(context, entry.error());
  const auto source = source_of(*entry);
  if (!source) return fail(context, source.error());
  const auto lab = lab_named(context, entry->lab);
  if (!lab) return fail(context, lab.error());
  const auto kept = replace_learner_file(*lab, *source);
  if (!kept) return fail(context, kept.error());
  note(context, JournalEntry{.kind = JournalEntry::Kind::restored, .lab = lab->id, .of = number});
  std::string text = shown_path(context, workbook_file(*lab)) + " is attempt " +
                     std::to_string(number) + " again.";
  if (!kept->empty()) text += "\nWhat was there is kept in " + shown_path(context, *kept) + ".";
  print(paragraph(context.out, text, 2));
  return exit_ok;
}

int journal_note(const Context& context, const NoteOptions& options) {
  const auto lab = lab_named(context, options.lab);
  if (!lab) return fail(context, lab.error());
  const auto entry = note_entry(lab->id, options.text);
  if (!entry) return fail(context, entry.error());
  // Not note(): here the entry is the act itself, so a failure is the verb's.
  const auto number = context.journal().append(*entry);
  if (!number) return fail(context, number.error());
  print("  Noted as entry " + std::to_string(*number) + ".\n");
  return exit_ok;
}

}  // namespace klab::cli
