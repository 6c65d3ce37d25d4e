// Script: reading and checking.
#include "ui/replay/script.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "core/base/files.hpp"
#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "ui/replay/key_script.hpp"

namespace klab::ui {
namespace {

using Act = ScriptStep::Act;

constexpr std::size_t longest_script_bytes = 1u << 20;

constexpr std::pair<Act, std::string_view> acts[] = {{Act::workbook, "workbook"},
                                                     {Act::open, "open"},
                                                     {Act::page, "page"},
                                                     {Act::key, "key"},
                                                     {Act::type, "type"},
                                                     {Act::wait, "wait"},
                                                     {Act::screenshot, "screenshot"},
                                                     {Act::size, "size"},
                                                     {Act::theme, "theme"},
                                                     {Act::zoom, "zoom"},
                                                     {Act::replay, "replay"},
                                                     {Act::investigate, "investigate"},
                                                     {Act::present, "present"},
                                                     {Act::statistics, "statistics"},
                                                     {Act::expect, "expect"},
                                                     {Act::quit, "quit"}};

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<double> number_in(std::string_view text, double low, double high) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(value >= low && value <= high)) return std::nullopt;
  return value;
}

/// Fills what the act's words say; a sentence if they say nothing sensible.
std::optional<std::string> fill(ScriptStep& step) {
  const std::string& words = step.text;
  const auto one_of = [&](std::initializer_list<std::string_view> choices) {
    return std::find(choices.begin(), choices.end(), words) != choices.end();
  };
  const auto wanted = [&](const std::string& what) -> std::optional<std::string> {
    return "here stands " + (words.empty() ? "nothing" : in_quotes(words)) + " where " + what +
           " is wanted";
  };
  switch (step.act) {
    case Act::workbook:
      return one_of({"fresh"}) ? std::nullopt : wanted("\"fresh\"");
    case Act::theme:
      return one_of({"light", "dark"}) ? std::nullopt : wanted("light or dark");
    case Act::present:
      return one_of({"on", "off"}) ? std::nullopt : wanted("on or off");
    case Act::page:
      step.page = page_named(words);
      return step.page ? std::nullopt : wanted("a page such as lesson, code or result");
    case Act::investigate:
      step.investigation = investigation_kind_from(words);
      return step.investigation ? std::nullopt : wanted("timeline, stalls, roofline or sweep");
    case Act::key:
      if (words.empty()) return wanted("a key such as F5 or Ctrl+S");
      if (const std::string unknown = KeyScript::unknown_key(words); !unknown.empty())
        return "there is no key " + in_quotes(unknown);
      return std::nullopt;
    case Act::size:
      if (const auto size = parse_size(words))
        std::tie(step.width, step.height) = *size;
      else
        return wanted("a size such as 1280x800");
      return std::nullopt;
    case Act::zoom:
      step.number = number_in(words, 0.5, 4);
      return step.number ? std::nullopt : wanted("a number from 0.5 to 4");
    case Act::wait:
      if (words == "done") return std::nullopt;
      step.number = number_in(words, 0, 600);
      return step.number ? std::nullopt : wanted("\"done\" or seconds up to 600");
    case Act::replay: {
      constexpr std::string_view until = " until ";
      if (const auto at = words.rfind(until); at != std::string::npos) {
        step.number = number_in(trimmed(std::string_view(words).substr(at + until.size())), 0, 1e6);
        if (!step.number) return wanted("seconds after \"until\"");
        step.text.resize(at);
      }
      return step.text.empty() ? wanted("a recording") : std::nullopt;
    }
    case Act::open:
    case Act::type:
    case Act::screenshot:
    case Act::expect:
      return words.empty() ? wanted("a word") : std::nullopt;
    case Act::statistics:
    case Act::quit:
      break;
  }
  return words.empty() ? std::nullopt : wanted("nothing");
}

Error script_error(const std::string& name, int line, const std::string& what,
                   const std::string& remedy = {}) {
  return make_error(ErrorCode::usage, name + ":" + std::to_string(line) + ": " + what + ".",
                    remedy.empty() ? "docs/teaching.md lists the acts of a script." : remedy);
}

}  // namespace

Result<std::vector<ScriptStep>> parse_script(std::string_view text, const std::string& name) {
  std::vector<ScriptStep> steps;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    const auto known = std::find_if(std::begin(acts), std::end(acts),
                                    [&](const auto& act) { return act.second == word; });
    if (known == std::end(acts)) {
      const auto near = near_names(std::string(word.substr(0, 60)), script_acts());
      return script_error(name, number, "there is no act " + in_quotes(word),
                          near.empty() ? "" : "Did you mean " + join_or(near) + "?");
    }
    ScriptStep step{.act = known->first, .line = number};
    step.text = trimmed(line.substr(word.size()));
    if (step.act == Act::workbook && !steps.empty())
      return script_error(name, number, "\"workbook fresh\" has to be the first act");
    if (const auto problem = fill(step)) return script_error(name, number, *problem);
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<std::string> script_acts() {
  std::vector<std::string> words;
  for (const auto& act : acts) words.emplace_back(act.second);
  return words;
}

Result<std::vector<ScriptStep>> read_script(const std::filesystem::path& path) {
  const auto text = read_file(path, longest_script_bytes);
  if (!text) return text.error();
  return parse_script(*text, path.filename().string());
}

std::optional<std::pair<int, int>> parse_size(std::string_view text) {
  const auto cross = text.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits) -> std::optional<int> {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
  };
  const auto width = number(text.substr(0, cross)), height = number(text.substr(cross + 1));
  if (!width || !height || *width < 320 || *height < 240 || *width > 7680 || *height > 4320)
    return std::nullopt;
  return std::pair(*width, *height);
}

std::optional<Page> page_named(std::string_view name) {
  for (const Page page : all_pages)
    if (lowered(name) == lowered(to_string(page))) return page;
  return std::nullopt;
}

}  // namespace klab::ui
