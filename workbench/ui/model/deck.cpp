// Deck: sources of numbers, excerpts of code, and stepping.
#include "ui/model/deck.hpp"

#include <algorithm>
#include <iterator>

#include "core/base/diff/line_diff.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"
#include "core/measure/statistics.hpp"
#include "core/verdict/lookup.hpp"
#include "ui/look/code_lines.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

/// Unchanged lines that are kept around a difference.
constexpr std::size_t context_lines = 2;
constexpr int scrolled_lines = 12;
constexpr std::string_view no_clock = "The simulator counts, but it has no clock.";

std::string day_of(const std::string& date) { return date.substr(0, 10); }

std::string machine_words(const DeviceFacts& device) {
  std::string words = device.name;
  if (!device.driver.empty()) words += ", driver " + device.driver;
  return words;
}

std::string no_time_words(const CheckResult& result) {
  if (result.backend == Backend::simulator) return std::string(no_clock);
  return result.errors.empty() ? "No time was measured." : result.errors.front().what;
}

bool is_prose(const std::string& line) {
  const auto at = line.find_first_not_of(' ');
  return at == std::string::npos || line.compare(at, 2, "//") == 0;
}

/// What stands around the code of every kernel file and teaches nothing: includes, namespaces, the
/// file's own description.
bool is_frame(const std::string& line) {
  for (const char* begin : {"#include", "#pragma", "namespace", "}  // namespace", "using "})
    if (line.starts_with(begin)) return true;
  return line.starts_with("//");
}

/// Without the frame, and without blank lines next to each other or at the edges.
std::vector<DeckLine> without_frame(const std::vector<DeckLine>& lines) {
  std::vector<DeckLine> kept;
  const auto blank = [](const DeckLine& line) {
    return line.kind != DeckLine::Kind::gap &&
           line.text.find_first_not_of(' ') == std::string::npos;
  };
  for (const DeckLine& line : lines) {
    if (is_frame(line.text) || (blank(line) && (kept.empty() || blank(kept.back())))) continue;
    kept.push_back(line);
  }
  while (!kept.empty() && (blank(kept.back()) || kept.back().kind == DeckLine::Kind::gap))
    kept.pop_back();
  return kept;
}

/// The window of at most `most` lines that holds the most marked ones, in the middle of the windows
/// that hold as many; without blank edges.
std::vector<DeckLine> key_part(const std::vector<DeckLine>& lines, std::size_t most) {
  const std::size_t length = std::min(most, lines.size());
  std::size_t first = 0, last = 0;
  std::ptrdiff_t best = -1;
  for (std::size_t from = 0; from + length <= lines.size(); ++from) {
    const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(from);
    const auto count = std::count_if(begin, begin + static_cast<std::ptrdiff_t>(length),
                                     [](const DeckLine& line) { return line.marked; });
    if (count > best) first = from;
    if (count > best || (count == best && from == last + 1)) last = from;
    best = std::max(best, count);
  }
  const auto begin = lines.begin() + static_cast<std::ptrdiff_t>((first + last) / 2);
  std::vector<DeckLine> part(begin, begin + static_cast<std::ptrdiff_t>(length));
  const auto blank = [](const DeckLine& line) { return is_prose(line.text) && !line.marked; };
  while (!part.empty() && blank(part.back())) part.pop_back();
  while (!part.empty() && blank(part.front())) part.erase(part.begin());
  return part;
}

std::vector<DeckLine> flaw_lines(const std::vector<std::string>& flawed,
                                 const std::vector<DiffRow>& rows) {
  std::vector<DeckLine> lines;
  for (const DiffRow& row : rows) {
    if (row.left < 0) continue;
    const std::string& text = flawed[static_cast<std::size_t>(row.left)];
    lines.push_back({.number = row.left + 1, .marked = !row.same && !is_prose(text), .text = text});
  }
  return key_part(without_frame(lines), most_code_rows);
}

/// Removed lines, then the added ones, block by block, with a few unchanged lines around.
std::vector<DeckLine> difference(const std::vector<std::string>& left,
                                 const std::vector<std::string>& right,
                                 const std::vector<DiffRow>& rows) {
  std::vector<DeckLine> all;
  for (std::size_t i = 0; i < rows.size();) {
    if (rows[i].same) {
      const auto at = static_cast<std::size_t>(rows[i].right);
      all.push_back({.number = rows[i].right + 1, .text = right[at]});
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < rows.size() && !rows[end].same) ++end;
    for (std::size_t k = i; k < end; ++k)
      if (rows[k].left >= 0)
        all.push_back({DeckLine::Kind::removed, rows[k].left + 1, true,
                       left[static_cast<std::size_t>(rows[k].left)]});
    for (std::size_t k = i; k < end; ++k)
      if (rows[k].right >= 0)
        all.push_back({DeckLine::Kind::added, rows[k].right + 1, true,
                       right[static_cast<std::size_t>(rows[k].right)]});
    i = end;
  }
  all = without_frame(all);
  std::vector<DeckLine> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t from = i - std::min(i, context_lines);
    const std::size_t to = std::min(all.size(), i + context_lines + 1);
    const bool near =
        std::any_of(all.begin() + static_cast<std::ptrdiff_t>(from),
                    all.begin() + static_cast<std::ptrdiff_t>(to),
                    [](const DeckLine& line) { return line.kind != DeckLine::Kind::same; });
    if (near)
      kept.push_back(all[i]);
    else if (!kept.empty() && kept.back().kind != DeckLine::Kind::gap)
      kept.push_back({.kind = DeckLine::Kind::gap});
  }
  return kept;
}

std::ptrdiff_t changes(const std::vector<DiffRow>& rows) {
  return std::ranges::count_if(rows, [](const DiffRow& row) { return !row.same; });
}

/// "a warp reads" as "A warp reads."
std::string sentence(std::string words) {
  if (words.empty()) return words;
  words = capitalized(words);
  return words.back() == '.' ? words : words + ".";
}

DeckCounter counter_line(const CauseTarget& cause, const DeckSource& source) {
  DeckCounter line;
  const Metric* metric = find_metric(cause.metric);
  line.label = metric ? std::string(metric->label) : cause.metric;
  line.why = sentence(cause.why);
  line.target = typeset(format_bound(cause.target, metric ? metric->unit : ""));
  const auto value = [&](const Counters& counters) -> std::optional<double> {
    const auto at = counters.find(cause.metric);
    if (at == counters.end()) return std::nullopt;
    if (at->second.value) line.source = std::string(to_string(at->second.source));
    return at->second.value;
  };
  const auto shown = [&](std::optional<double> number) {
    return typeset(format_value(number, metric ? metric->unit : ""));
  };
  const auto fixed = value(source.fixed), flawed = value(source.flawed);
  line.flawed = shown(flawed);
  line.fixed = shown(fixed);
  line.flawed_known = flawed.has_value();
  line.fixed_known = fixed.has_value();
  line.flawed_holds = flawed && cause.target.holds(*flawed);
  line.fixed_holds = fixed && cause.target.holds(*fixed);
  return line;
}

}  // namespace

const char* to_string(Slide slide) {
  switch (slide) {
    case Slide::question:
      return "Question";
    case Slide::flaw:
      return "The flawed kernel";
    case Slide::counters:
      return "What the counters say";
    case Slide::fix:
      return "The fix";
    case Slide::ratio:
      break;
  }
  return "What it gains";
}

std::optional<DeckSource> source_from(const CheckResult& result, const DeckCode& code,
                                      bool replayed) {
  const Counters* flawed = find_in(result.counters, VariantName::flawed);
  const bool passed = result.verdict == Outcome::pass && !code.mine.empty();
  DeckSource source;
  source.fixed_variant = passed ? VariantName::mine : VariantName::optimized;
  source.fixed_code = passed ? code.mine : code.optimized;
  if (!passed) source.plain_code = code.plain;
  if (flawed) source.flawed = *flawed;
  if (const Counters* fixed = find_in(result.counters, source.fixed_variant)) source.fixed = *fixed;
  source.flawed_s = seconds_of(result, VariantName::flawed);
  source.fixed_s = seconds_of(result, source.fixed_variant);
  if (passed) {
    source.ratio = result.timing.ratio;
  } else if (source.flawed_s && source.fixed_s) {
    source.ratio = ratio_interval(result.timing.variants.at(VariantName::flawed).samples_s,
                                  result.timing.variants.at(VariantName::optimized).samples_s);
  }
  if (source.flawed.empty() && !source.ratio) return std::nullopt;
  const char* how = replayed                               ? "recorded, "
                    : result.backend == Backend::simulator ? "counted here, "
                                                           : "measured here, ";
  source.label = how + machine_words(result.device) + ", " + day_of(result.date);
  if (source.flawed.empty()) source.no_counters = "No counters were collected in this check.";
  if (!source.ratio) source.no_time = no_time_words(result);
  return source;
}

std::optional<DeckSource> source_from(const RecordedResults& results, const Lab& lab,
                                      const DeckCode& code) {
  const CheckResult* flawed = find_run(results, lab.id, VariantName::flawed);
  const CheckResult* fixed = find_run(results, lab.id, VariantName::optimized);
  if (!flawed && !fixed) return std::nullopt;
  DeckSource source;
  source.label = "recorded, " + machine_words(results.device) + ", " +
                 recorded_day(results, fixed ? *fixed : *flawed);
  source.fixed_variant = VariantName::optimized;
  source.fixed_code = code.optimized;
  source.plain_code = code.plain;
  if (flawed)
    if (const Counters* counters = find_in(flawed->counters, VariantName::mine))
      source.flawed = *counters;
  if (fixed) {
    if (const Counters* counters = find_in(fixed->counters, VariantName::mine))
      source.fixed = *counters;
    source.flawed_s = seconds_of(*fixed, VariantName::flawed);
    source.fixed_s = seconds_of(*fixed, VariantName::mine);
    source.ratio = fixed->timing.ratio;
  }
  for (const Step& step : lab.steps)
    if (const CheckResult* run = find_run(results, lab.id, step.file))
      if (const auto seconds = seconds_of(*run, VariantName::mine))
        source.steps.push_back({step.name, *seconds});
  const auto changed = [](const CheckResult* run, const std::string& text) {
    return run && !run->source_digest.empty() && run->source_digest != sha256(text);
  };
  if (changed(flawed, code.flawed) || changed(fixed, code.optimized))
    source.caution = "A kernel has changed since.";
  if (source.flawed.empty()) source.no_counters = "The recording holds no counters of this lab.";
  if (!source.ratio)
    source.no_time = lab.kind == LabKind::measurement
                         ? "A report gains nothing but truth: how far it is off stands with the "
                           "counters."
                         : "The recording holds no times of this lab.";
  return source;
}

std::optional<DeckSource> source_from(const std::vector<JournalEntry>& journal) {
  const auto newest = [&](bool timed) {
    return std::find_if(journal.begin(), journal.end(), [&](const JournalEntry& entry) {
      return entry.kind == JournalEntry::Kind::attempt && entry.source &&
             (timed ? entry.ratio.has_value() : !entry.flawed.empty());
    });
  };
  auto at = newest(true);
  if (at == journal.end()) at = newest(false);
  if (at == journal.end()) return std::nullopt;
  DeckSource source;
  source.label = "attempt " + std::to_string(at->number) + " of the journal, " +
                 (at->device.empty() ? "" : at->device + ", ") + day_of(at->date);
  source.fixed_variant = VariantName::mine;
  source.fixed_code = *at->source;
  source.ratio = at->ratio;
  for (const Gate& gate : at->gates) {
    if (gate.name != GateName::cause || !gate.measured) continue;
    const Source from = gate.source.value_or(Source::measured);
    source.fixed[gate.subject] = {gate.measured, from, {}};
    if (const auto flawed = at->flawed.find(gate.subject); flawed != at->flawed.end())
      source.flawed[gate.subject] = {flawed->second, from, {}};
  }
  if (source.flawed.empty())
    source.no_counters = "This attempt kept no counters of the flawed kernel.";
  if (!source.ratio)
    source.no_time =
        at->backend == Backend::simulator ? std::string(no_clock) : "This attempt was not timed.";
  return source;
}

LabDeck make_lab_deck(const Lab& lab, const std::string& flawed_code, DeckSource source) {
  LabDeck deck;
  deck.number = (lab.number < 10 ? "0" : "") + std::to_string(lab.number);
  deck.id = lab.id;
  deck.title = lab.title;
  deck.category = lab.category;
  deck.summary = lab.summary;
  if (!lab.predictions.empty()) {
    const Prediction& prediction = lab.predictions.front();
    deck.question = prediction.question;
    deck.choices = prediction.choices;
    deck.answer = prediction.answer;
    deck.because = prediction.because;
  }
  // Bytes of unknown origin become text only here: digests are taken of the bytes.
  const auto flawed = lines_of(printable(flawed_code));
  auto fixed = lines_of(printable(source.fixed_code));
  auto rows = line_diff(flawed, fixed);
  if (!source.plain_code.empty() && !lab.steps.empty()) {
    auto plain = lines_of(printable(source.plain_code));
    auto plain_rows = line_diff(flawed, plain);
    if (changes(plain_rows) < changes(rows)) {
      fixed = std::move(plain);
      rows = std::move(plain_rows);
      deck.fix_name = lab.steps.front().name;
    }
  }
  deck.flaw = flaw_lines(flawed, rows);
  if (!source.fixed_code.empty()) deck.fix = difference(flawed, fixed, rows);
  // Those without a flawed side keep other ways out shut; the lab does not teach them.
  for (const CauseTarget& cause : lab.pass().causes)
    if (cause.flawed) deck.counters.push_back(counter_line(cause, source));
  // As in a recording from before the lab asked for these.
  if (source.no_counters.empty() && !deck.counters.empty() &&
      std::none_of(deck.counters.begin(), deck.counters.end(),
                   [](const DeckCounter& counter) { return counter.flawed_known; }))
    source.no_counters = "These runs hold none of the counters that the lab is about.";
  deck.source = std::move(source);
  return deck;
}

bool hides(Slide slide) {
  return slide == Slide::question || slide == Slide::counters || slide == Slide::ratio;
}

DeckPlace jumped(std::size_t lab) { return {.lab = lab}; }

DeckPlace stepped(DeckPlace place, DeckStep step, std::size_t labs, std::size_t sources) {
  const auto at = static_cast<std::size_t>(place.slide);
  const auto go = [&](std::size_t lab, std::size_t slide, bool revealed) {
    const std::size_t source = lab == place.lab ? place.source : 0;
    return DeckPlace{lab, static_cast<Slide>(slide), revealed, source, 0};
  };
  const std::size_t last = std::size(all_slides) - 1;
  switch (step) {
    case DeckStep::onward:
      if (hides(place.slide) && !place.revealed)
        place.revealed = true;
      else
        return stepped(place, DeckStep::next, labs, sources);
      break;
    case DeckStep::next:
      if (at < last) return go(place.lab, at + 1, false);
      if (place.lab + 1 < labs) return go(place.lab + 1, 0, false);
      break;
    case DeckStep::back:
      if (at > 0) return go(place.lab, at - 1, true);
      if (place.lab > 0) return go(place.lab - 1, last, true);
      break;
    case DeckStep::first:
      return go(place.lab, 0, false);
    case DeckStep::last:
      return go(place.lab, last, false);
    case DeckStep::reveal:
      place.revealed = !place.revealed;
      break;
    case DeckStep::source:
      if (sources > 0) place.source = (place.source + 1) % sources;
      break;
    case DeckStep::up:
      place.scroll = std::max(0, place.scroll - scrolled_lines);
      break;
    case DeckStep::down:
      place.scroll += scrolled_lines;
      break;
  }
  return place;
}

}  // namespace klab::ui
