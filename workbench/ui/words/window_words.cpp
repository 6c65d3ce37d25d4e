// WindowWords: the places where the window does what the shell has verbs for.
#include "ui/words/window_words.hpp"

#include <algorithm>

#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/ceilings.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

constexpr std::string_view fence = "```";

/// Where the window does what the shell has a verb for; empty: only the shell does it.
std::string_view place_of(Verb verb) {
  switch (verb) {
    case Verb::measure_device:
      return "**M** on the page Device";
    case Verb::show_device:
    case Verb::doctor:
      return "**Device** (Alt+0)";
    case Verb::hint:
      return "**F2**";
    case Verb::start:
    case Verb::predict:
      return "**F5**";
    case Verb::journal:
      return "**Journal** (Alt+9)";
    case Verb::diagnose:
      return "**Diagnosis** (Alt+4)";
    case Verb::trace:
      return "**Timeline** (Alt+6)";
    case Verb::simulate:
      return "lower left";
    case Verb::raise_budget:  // a check of the window knows no other
      return "`./klab check` with the lab's number and `--budget 1000000000`, in a terminal";
    case Verb::build:
    case Verb::setup:
    case Verb::help:
    case Verb::list_labs:
    case Verb::reset:
    case Verb::metrics:
    case Verb::record:
    case Verb::agree:
      break;
  }
  return {};
}

/// The title of what `code` names, as Markdown; empty where it stays.
std::string title_in(std::string_view code) {
  const std::string title = title_of_name(code);
  return title == code ? std::string() : "**" + title + "**";
}

/// A line outside of fences, with the signs of print (typeset()) outside of code.
void append_line(std::string& words, std::string_view line) {
  while (!line.empty()) {
    const auto open = line.find('`');
    const auto close = open == line.npos ? open : line.find('`', open + 1);
    if (close == line.npos) break;
    const std::string title = title_in(line.substr(open + 1, close - open - 1));
    words += typeset(std::string(line.substr(0, open)));
    words += title.empty() ? std::string(line.substr(open, close - open + 1)) : title;
    line.remove_prefix(close + 1);
  }
  words += typeset(std::string(line));
}

void erase_all(std::string& words, std::string_view mark) {
  for (auto at = words.find(mark); at != words.npos; at = words.find(mark, at))
    words.erase(at, mark.size());
}

/// Where emphasis of one star ends that begins at `open`; npos where that star is none.
std::size_t end_of_emphasis(std::string_view words, std::size_t open) {
  const bool begins = open == 0 || words[open - 1] == ' ' || words[open - 1] == '(';
  const auto close = words.find('*', open + 1);
  if (!begins || close == words.npos || close == open + 1) return words.npos;
  return words[open + 1] == ' ' || words[close - 1] == ' ' ? words.npos : close;
}

void erase_emphasis(std::string& words) {
  for (auto open = words.find('*'); open != words.npos; open = words.find('*', open)) {
    const auto close = end_of_emphasis(words, open);
    if (close == words.npos) {
      ++open;
      continue;
    }
    words.erase(close, 1);
    words.erase(open, 1);
  }
}

}  // namespace

std::string title_of_name(std::string_view name) {
  if (const Metric* metric = find_metric(name)) return std::string(metric->label);
  if (const CeilingInfo* ceiling = find_ceiling(name)) return std::string(ceiling->label);
  return std::string(name);
}

std::string window_words(const Advice& advice) {
  std::string words;
  for (const Advice::Part& part : advice.parts()) {
    const auto* act = std::get_if<Act>(&part);
    const std::string_view place = act ? place_of(act->verb) : std::string_view();
    if (!act)
      words += std::get<std::string>(part);
    else if (!place.empty())
      words += place;
    else
      words += shell_words(Advice(*act));
  }
  return words;
}

std::string window_words(const Error& error) {
  return window_words(error.what + " " + error.remedy);
}

std::string for_window(std::string_view markdown) {
  std::string words;
  bool fenced = false;
  while (!markdown.empty()) {
    const auto end = std::min(markdown.find('\n'), markdown.size() - 1) + 1;
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(end);
    if (line.starts_with(fence)) fenced = !fenced;
    if (fenced)
      words += line;
    else
      append_line(words, line);
  }
  return words;
}

std::string plain_words(std::string_view markdown) {
  std::string words = for_window(markdown);
  erase_all(words, "**");
  erase_emphasis(words);
  erase_all(words, "`");
  return words;
}

}  // namespace klab::ui
