// journal: list, show, restore and export what the learner did.
#include "core/journal.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/verbs.hpp"
#include "core/files.hpp"
#include "core/format.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "core/workbook.hpp"

namespace klab::cli {
namespace {

Cell result_cell(const JournalEntry& entry) {
  if (entry.verdict) return outcome_cell(*entry.verdict);
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
  for (JournalEntry& entry : journal_entries(context))
    if (entry.number == number) return std::move(entry);
  return make_error(ErrorCode::usage, "The journal has no entry " + std::to_string(number) + ".",
                    "Run `./klab journal list` to see the numbers.");
}

/// Text fit for a cell of a Markdown table.
std::string markdown_cell(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '|', '/');
  return printable(text);
}

}  // namespace

int journal_list(const Context& context, const std::string& name, bool json) {
  std::string id;
  if (!name.empty()) {
    const auto lab = lab_named(context, name);
    if (!lab) return fail(context, lab.error());
    id = lab->id;
  }
  const auto entries = entries_of(context, id);
  if (json) {
    std::string text = "[";
    for (const JournalEntry& entry : entries)
      text += (text.size() > 1 ? ",\n " : "\n ") + encode(entry);
    print(text + "\n]\n");
    return exit_ok;
  }
  Table table("rlllrll");
  table.add({{"#"}, {"when"}, {"lab"}, {"what"}, {"ratio"}, {"result"}, {""}});
  for (const JournalEntry& entry : entries)
    table.add({{std::to_string(entry.number), Tone::faint},
               {printable(entry.date.substr(0, 10) + " " +
                          (entry.date.size() > 16 ? entry.date.substr(11, 5) : "")),
                Tone::faint},
               {printable(entry.lab)},
               {std::string(to_string(entry.kind))},
               {ratio_of(entry)},
               result_cell(entry),
               {printable(entry.conclusion), Tone::faint}});
  print(entries.empty() ? "  The journal is empty. `./klab start <lab>` begins it.\n"
                        : "\n" + table.text(context.out) + "\n");
  return exit_ok;
}

int journal_show(const Context& context, std::int64_t number) {
  const auto entry = numbered(context, number);
  if (!entry) return fail(context, entry.error());
  Table table("ll");
  const auto row = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) table.add({{name, Tone::faint}, {printable(value)}});
  };
  row("entry", std::to_string(entry->number) + ", " + std::string(to_string(entry->kind)));
  row("date", entry->date);
  row("lab", entry->lab);
  row("verdict", entry->verdict ? std::string(to_string(*entry->verdict)) : "");
  row("conclusion", entry->conclusion);
  row("ratio", entry->ratio ? format_ratio(entry->ratio) : "");
  row("backend", entry->backend);
  row("device", entry->device);
  row("seed", entry->seed ? std::to_string(*entry->seed) : "");
  row("hint", entry->hint ? std::to_string(*entry->hint) : "");
  row("source digest", entry->source_digest);
  print("\n" + table.text(context.out) + "\n");
  if (entry->source) print(printable(*entry->source) + "\n");
  return exit_ok;
}

int journal_restore(const Context& context, std::int64_t number) {
  const auto entry = numbered(context, number);
  if (!entry) return fail(context, entry.error());
  if (!entry->source || sha256(*entry->source) != entry->source_digest)
    return fail(context, make_error(ErrorCode::usage,
                                    "Entry " + std::to_string(number) +
                                        " holds no source that could be restored.",
                                    "Choose an attempt; `./klab journal list` shows which are."));
  const auto lab = lab_named(context, entry->lab);
  if (!lab) return fail(context, lab.error());
  const auto kept = replace_learner_file(*lab, *entry->source);
  if (!kept) return fail(context, kept.error());
  print("  " + shown_path(context, workbook_file(*lab)) + " is attempt " + std::to_string(number) +
        " again.\n");
  if (!kept->empty()) print("  What was there is kept in " + shown_path(context, *kept) + ".\n");
  return exit_ok;
}

int journal_export(const Context& context, const std::string& output) {
  std::string text =
      "# Journal\n\n| # | date | lab | what | verdict | ratio | conclusion |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const JournalEntry& entry : journal_entries(context))
    text += "| " + std::to_string(entry.number) + " | " + markdown_cell(entry.date) + " | " +
            markdown_cell(entry.lab) + " | " + std::string(to_string(entry.kind)) + " | " +
            (entry.verdict ? std::string(to_string(*entry.verdict)) : "") + " | " +
            ratio_of(entry) + " | " + markdown_cell(entry.conclusion) + " |\n";
  if (output.empty() || output == "-") {
    print(text);
    return exit_ok;
  }
  std::error_code failure;
  if (auto written = write_file(std::filesystem::absolute(output, failure), text); !written)
    return fail(context, written.error());
  print("  Written to " + output + ".\n");
  return exit_ok;
}

}  // namespace klab::cli
