// The journal's lines as JSON, read as the untrusted data they are.
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/base/text/json_text.hpp"
#include "core/journal/journal.hpp"
#include "core/verdict/json/check_result_json.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {
namespace {

using json_fields::word;
using Json = nlohmann::json;
using Kind = JournalEntry::Kind;

/// A check has a gate for each cause and a few more.
constexpr std::size_t most_gates = 64;
constexpr std::size_t most_rungs = 32;
constexpr std::size_t most_answers = 32;
constexpr int most_hints = 64, last_choice = 63;

constexpr std::pair<Kind, std::string_view> kinds[] = {
    {Kind::attempt, "attempt"}, {Kind::started, "started"},       {Kind::reset, "reset"},
    {Kind::hint, "hint"},       {Kind::prediction, "prediction"}, {Kind::solution, "solution"},
    {Kind::note, "note"},       {Kind::restored, "restored"}};

std::optional<Kind> kind_from(std::string_view name) { return value_in(kinds, name); }

Error not_ours(const std::string& why) {
  return make_error(ErrorCode::io, "This is not a journal entry: " + why + ".",
                    "Remove the line, or restore the journal from a copy.");
}

/// JSON holds text and a file any bytes: those of a source that is not UTF-8 go as the code points
/// of the same numbers, and "source_bytes" says so.
std::string as_code_points(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) text += static_cast<char>(0xC0 | (byte >> 6));
    text += static_cast<char>(byte >= 0x80 ? 0x80 | (byte & 0x3F) : byte);
  }
  return text;
}

/// nullopt if there are others than those of bytes.
std::optional<std::string> as_bytes(std::string_view text) {
  std::string bytes;
  for (; !text.empty(); text.remove_prefix(utf8_length(text))) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0 || length > 2 || (length == 2 && first > 0xC3)) return std::nullopt;
    bytes += length == 1 ? text.front()
                         : static_cast<char>(((first & 0x03) << 6) |
                                             (static_cast<unsigned char>(text[1]) & 0x3F));
  }
  return bytes;
}

/// A gate without its sentences.
struct KeptGate {
  Gate gate;
  bool known = true;  ///< its name and outcome are of ours
};

template <class Visit>
void fields(Visit& visit, KeptGate& kept) {
  Gate& gate = kept.gate;
  std::optional<GateName> name;
  std::optional<Outcome> outcome;
  if constexpr (!Visit::reads) name = gate.name, outcome = gate.outcome;
  visit("name", json_fields::optional_word(name, gate_name_from));
  visit("outcome", json_fields::optional_word(outcome, outcome_from));
  gate.name = name.value_or(GateName::built);
  gate.outcome = outcome.value_or(Outcome::not_checkable);
  kept.known = name && outcome;
  visit.if_there("subject", gate.subject);
  visit.if_there("measured", gate.measured);
  visit.if_there("target", gate.target);
  visit.if_there("unit", gate.unit);
  visit.if_there("source", json_fields::optional_word(gate.source, source_from));
}

}  // namespace

/// Text as it is, other bytes as code points.
template <class Visit>
void source_field(Visit& visit, std::optional<std::string>& source) {
  std::optional<std::string> shown = source;
  std::optional<bool> bytes;
  if (source && !is_utf8(*source)) {
    shown = as_code_points(*source);
    bytes = true;
  }
  visit.if_there("source", shown);
  visit.if_there("source_bytes", bytes);
  if constexpr (Visit::reads) source = shown && bytes.value_or(false) ? as_bytes(*shown) : shown;
}

template <class Visit>
void gates_field(Visit& visit, std::vector<Gate>& gates) {
  std::vector<KeptGate> kept;
  for (const Gate& gate : gates) kept.push_back({gate});
  visit.if_there("gates", kept);
  if constexpr (!Visit::reads) return;
  for (KeptGate& one : kept)
    if (one.known && gates.size() < most_gates) gates.push_back(std::move(one.gate));
}

template <class Visit>
void fields(Visit& visit, JournalEntry& entry) {
  visit("kind", word(entry.kind, kind_from, "unknown kind"));
  visit("number", entry.number);
  visit("date", entry.date);
  visit("lab", entry.lab);
  visit.if_there("variant", json_fields::Shown{entry.variant});
  visit.if_there("backend", json_fields::optional_word(entry.backend, backend_from));
  visit.if_there("verdict", json_fields::optional_word(entry.verdict, outcome_from));
  visit.if_there("conclusion", entry.conclusion);
  visit.if_there("ratio", entry.ratio);
  visit.if_there("source_digest", entry.source_digest);
  visit.if_there("device", entry.device);
  visit.if_there("seed", entry.seed);
  visit.if_there("hint", entry.hint);
  visit.if_there("answers", entry.answers);
  gates_field(visit, entry.gates);
  visit.if_there("reached", entry.reached);
  visit.if_there("score", entry.score);
  visit.if_there("flawed", entry.flawed);
  visit.if_there("of", entry.of);
  visit.if_there("text", entry.text);
  source_field(visit, entry.source);
}

namespace {

/// What is possible of what was read.
void keep_within_bounds(JournalEntry& entry) {
  if (entry.hint && (*entry.hint < 1 || *entry.hint > most_hints)) entry.hint.reset();
  if (entry.of && *entry.of < 1) entry.of.reset();
  if (entry.answers.size() > most_answers) entry.answers.resize(most_answers);
  for (int& answer : entry.answers) answer = std::clamp(answer, -1, last_choice);
  if (entry.reached.size() > most_rungs) entry.reached.resize(most_rungs);
  while (entry.flawed.size() > most_gates) entry.flawed.erase(std::prev(entry.flawed.end()));
}

}  // namespace

std::string_view to_string(Kind kind) { return name_in(kinds, kind); }

std::string encode(const JournalEntry& entry) { return json_text(json_fields::of_fields(entry)); }

Result<JournalEntry> decode_journal_entry(std::string_view line) {
  // Our entries nest three deep; refusing more keeps hostile lines from costing memory.
  if (json_reading::nests_deeper(line, 4)) return not_ours("it nests too deep");
  const Json object = json_from(line);
  if (!object.is_object()) return not_ours("it is not a JSON object");
  if (!kind_from(json_reading::get<std::string>(object, "kind", {})))
    return not_ours("its kind is unknown");
  auto entry = json_fields::lenient<JournalEntry>(object);
  if (entry.number < 1 || entry.lab.empty()) return not_ours("its number or lab is missing");
  if (entry.number > most_journal_number) return not_ours("its number is impossible");
  keep_within_bounds(entry);
  return entry;
}

}  // namespace klab
