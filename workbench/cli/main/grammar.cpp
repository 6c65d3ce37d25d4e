// What groups of verbs share, and walking through the grammar.
#include "cli/main/grammar.hpp"

#include <algorithm>
#include <charconv>

#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/course/workbook.hpp"
#include "core/measure/format.hpp"
#include "core/verdict/quantity.hpp"

namespace klab::cli {

CLI::Validator whole_number(std::uint64_t lowest, std::uint64_t highest) {
  const auto take = [lowest, highest](std::string& word) -> std::string {
    std::string digits = word;
    std::erase(digits, ',');
    std::uint64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, failure] = std::from_chars(digits.data(), end, number);
    if (failure != std::errc() || rest != end || number < lowest || number > highest)
      return "must be a whole number from " + format_count(static_cast<double>(lowest)) + " to " +
             format_count(static_cast<double>(highest)) + ", not " + in_quotes(word) + ".";
    word = digits;
    return {};
  };
  return {take, ""};
}

CLI::Validator named_file() {
  // As a script gives it whose variable is not set: what is left out would be another file.
  return {[](std::string& word) {
            return word.empty() ? "must be the name of a file." : std::string();
          },
          ""};
}

CLI::Validator number_between(double lowest, double highest) {
  const auto take = [lowest, highest](std::string& word) -> std::string {
    double number = 0;
    const char* const end = word.data() + word.size();
    const auto [rest, failure] = std::from_chars(word.data(), end, number);
    if (failure != std::errc() || rest != end || !(number >= lowest && number <= highest))
      return "must be from " + format_number(lowest) + " to " + format_number(highest) + ", not " +
             in_quotes(word) + ".";
    return {};
  };
  return {take, ""};
}

CLI::Validator file_to_write() {
  const auto take = [](std::string& word) -> std::string {
    if (!is_own_work(word)) return {};
    return "must be a file of its own: what is in " + in_quotes(word) + " would be lost.";
  };
  return {take, ""};
}

CLI::Validator one_of(std::vector<std::string> known) {
  const auto take = [known = std::move(known)](const std::string& word) -> std::string {
    if (std::find(known.begin(), known.end(), word) != known.end()) return {};
    return "must be " + join_or(known) + ", not " + in_quotes(word) + ".";
  };
  return {take, ""};
}

CLI::App& add_plain_verb(CLI::App& parent, Act& act, const std::string& name,
                         const std::string& what, const std::vector<std::string>& examples,
                         Act does) {
  CLI::App* verb = parent.add_subcommand(name, what);
  std::string footer = "Examples:";
  for (const std::string& example : examples) footer += "\n  klab " + example;
  verb->footer(footer);
  verb->callback([&act, does = std::move(does)] { act = does; });
  return *verb;
}

CLI::Option& add_lab(CLI::App& verb, std::string& lab, bool required) {
  return *verb.add_option("lab", lab, "the lab: its number, name or the beginning of it")
              ->required(required)
              ->type_name(value::lab);
}

void add_json(CLI::App& verb, bool& json, const std::string& what) {
  verb.add_flag("--json", json, what);
}

void add_backend(CLI::App& verb, std::string& backend) {
  verb.add_option("--backend", backend, "the GPU, the simulator, or what there is")
      ->type_name(value::backend);
}

void add_variant_or_file(CLI::App& verb, std::string& variant, std::string& file) {
  CLI::Option* other = verb.add_option("--file", file, "another kernel file")
                           ->check(named_file())
                           ->type_name(value::file);
  verb.add_option("--variant", variant, "flawed, optimized or one of the gallery")
      ->type_name(value::variant)
      ->excludes(other);
}

std::vector<const CLI::App*> chosen_verbs(const CLI::App& app) {
  std::vector<const CLI::App*> chosen;
  for (const CLI::App* at = &app; !at->get_subcommands().empty(); chosen.push_back(at))
    at = at->get_subcommands().front();
  return chosen;
}

std::string name_of(const CLI::App& app, const std::vector<const CLI::App*>& verbs) {
  std::string name = app.get_name();
  for (const CLI::App* verb : verbs) name += " " + verb->get_name();
  return name;
}

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> flags_of(const CLI::App& app) {
  return app.get_options([&](const CLI::Option* option) {
    return !option->get_lnames().empty() && option != app.get_help_ptr();
  });
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

}  // namespace klab::cli
