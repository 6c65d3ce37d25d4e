// The journal's lines as JSON, read as the untrusted data they are.
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/text.hpp"
#include "core/journal/journal.hpp"
#include "core/verdict/json_reading.hpp"

namespace klab {
namespace {

using Json = nlohmann::json;
using Kind = JournalEntry::Kind;

/// A check has a gate for each cause and a few more.
constexpr std::size_t most_gates = 64;
constexpr std::size_t most_rungs = 32;

constexpr std::array entry_kinds = {Kind::attempt,    Kind::started,  Kind::reset, Kind::hint,
                                    Kind::prediction, Kind::solution, Kind::note,  Kind::restored};

std::string text_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string{};
}

std::optional<std::int64_t> whole_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_number_integer()) return std::nullopt;
  return it->get<std::int64_t>();
}

std::optional<double> number_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_number()) return std::nullopt;
  const double value = it->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<Interval> interval_of(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_object()) return std::nullopt;
  const auto median = number_of(*it, "median"), low = number_of(*it, "low"),
             high = number_of(*it, "high");
  if (!median || !low || !high) return std::nullopt;
  return Interval{*median, *low, *high};
}

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

void set_source(Json& object, const std::string& source) {
  const bool is_text = is_utf8(source);
  object["source"] = is_text ? source : as_code_points(source);
  if (!is_text) object["source_bytes"] = true;
}

std::optional<std::string> source_in(const Json& object) {
  const auto it = object.find("source");
  if (it == object.end() || !it->is_string()) return std::nullopt;
  const auto bytes = object.find("source_bytes");
  if (bytes == object.end() || *bytes != true) return it->get<std::string>();
  return as_bytes(it->get<std::string>());
}

void set_if(Json& object, const char* key, const std::string& value) {
  if (!value.empty()) object[key] = value;
}

Json gate_json(const Gate& gate) {
  Json object = {{"name", to_string(gate.name)}, {"outcome", to_string(gate.outcome)}};
  set_if(object, "subject", gate.subject);
  if (gate.measured) object["measured"] = *gate.measured;
  set_if(object, "target", gate.target);
  set_if(object, "unit", gate.unit);
  if (gate.source) object["source"] = to_string(*gate.source);
  return object;
}

/// nullopt if it is not one of ours.
std::optional<Gate> gate_of(const Json& object) {
  if (!object.is_object()) return std::nullopt;
  const auto outcome = outcome_from(text_of(object, "outcome"));
  const auto name = gate_name_from(text_of(object, "name"));
  if (!outcome || !name) return std::nullopt;
  Gate gate{.name = *name, .subject = text_of(object, "subject")};
  gate.outcome = *outcome;
  gate.measured = number_of(object, "measured");
  gate.target = text_of(object, "target");
  gate.unit = text_of(object, "unit");
  gate.source = source_from(text_of(object, "source"));
  return gate;
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::attempt:
      return "attempt";
    case Kind::started:
      return "started";
    case Kind::reset:
      return "reset";
    case Kind::hint:
      return "hint";
    case Kind::prediction:
      return "prediction";
    case Kind::solution:
      return "solution";
    case Kind::note:
      return "note";
    case Kind::restored:
      return "restored";
  }
  return "";
}

std::string encode(const JournalEntry& entry) {
  Json object = {{"kind", to_string(entry.kind)},
                 {"number", entry.number},
                 {"date", entry.date},
                 {"lab", entry.lab}};
  set_if(object, "variant", entry.variant.shown());
  set_if(object, "backend", entry.backend);
  if (entry.verdict) object["verdict"] = to_string(*entry.verdict);
  set_if(object, "conclusion", entry.conclusion);
  if (entry.ratio)
    object["ratio"] = {
        {"median", entry.ratio->median}, {"low", entry.ratio->low}, {"high", entry.ratio->high}};
  set_if(object, "source_digest", entry.source_digest);
  set_if(object, "device", entry.device);
  if (entry.seed) object["seed"] = *entry.seed;
  if (entry.hint) object["hint"] = *entry.hint;
  if (!entry.answers.empty()) object["answers"] = entry.answers;
  for (const Gate& gate : entry.gates) object["gates"].push_back(gate_json(gate));
  if (!entry.reached.empty()) object["reached"] = entry.reached;
  if (entry.score) object["score"] = *entry.score;
  if (!entry.flawed.empty()) object["flawed"] = entry.flawed;
  if (entry.of) object["of"] = *entry.of;
  set_if(object, "text", entry.text);
  if (entry.source) set_source(object, *entry.source);
  // Bytes that are not UTF-8 become U+FFFD: a line must always be readable again.
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<JournalEntry> decode_journal_entry(std::string_view line) {
  // Our entries nest three deep; refusing more keeps hostile lines from costing memory.
  if (json_reading::nests_deeper(line, 4)) return not_ours("it nests too deep");
  const Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) return not_ours("it is not a JSON object");
  const std::string kind = text_of(object, "kind");
  const auto known = std::find_if(entry_kinds.begin(), entry_kinds.end(),
                                  [&](Kind candidate) { return to_string(candidate) == kind; });
  if (known == entry_kinds.end()) return not_ours("its kind is unknown");
  JournalEntry entry;
  entry.kind = *known;
  entry.number = whole_of(object, "number").value_or(0);
  entry.lab = text_of(object, "lab");
  if (entry.number < 1 || entry.lab.empty()) return not_ours("its number or lab is missing");
  if (entry.number > most_journal_number) return not_ours("its number is impossible");
  entry.date = text_of(object, "date");
  entry.variant = VariantName(text_of(object, "variant"));
  entry.backend = text_of(object, "backend");
  entry.verdict = outcome_from(text_of(object, "verdict"));
  entry.conclusion = text_of(object, "conclusion");
  entry.ratio = interval_of(object, "ratio");
  entry.source_digest = text_of(object, "source_digest");
  entry.device = text_of(object, "device");
  if (const auto it = object.find("seed"); it != object.end() && it->is_number_unsigned())
    entry.seed = it->get<std::uint64_t>();
  if (const auto hint = whole_of(object, "hint"); hint && *hint >= 1 && *hint <= 64)
    entry.hint = static_cast<int>(*hint);
  entry.source = source_in(object);
  if (const auto it = object.find("answers"); it != object.end() && it->is_array())
    for (const Json& answer : *it)
      if (answer.is_number_integer() && entry.answers.size() < 32)
        entry.answers.push_back(
            static_cast<int>(std::clamp<std::int64_t>(answer.get<std::int64_t>(), -1, 63)));
  if (const auto it = object.find("gates"); it != object.end() && it->is_array())
    for (const Json& one : *it)
      if (auto gate = gate_of(one); gate && entry.gates.size() < most_gates)
        entry.gates.push_back(std::move(*gate));
  if (const auto it = object.find("reached"); it != object.end() && it->is_array())
    for (const Json& name : *it)
      if (name.is_string() && entry.reached.size() < most_rungs)
        entry.reached.push_back(name.get<std::string>());
  entry.score = number_of(object, "score");
  if (const auto it = object.find("flawed"); it != object.end() && it->is_object())
    for (const auto& [metric, value] : it->items())
      if (const auto number = number_of(*it, metric.c_str());
          number && entry.flawed.size() < most_gates)
        entry.flawed[metric] = *number;
  if (const auto of = whole_of(object, "of"); of && *of >= 1) entry.of = of;
  entry.text = text_of(object, "text");
  return entry;
}

}  // namespace klab
