// The fields of requests and records, and refusing what has others.
#include "core/wire/protocol.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/names.hpp"
#include "core/base/text/json_text.hpp"
#include "core/timeline/json.hpp"
#include "core/verdict/json/check_result_fields.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {
namespace {

using json_fields::at_most;
using json_fields::word;
using nlohmann::json;

constexpr std::pair<Phase, std::string_view> phases[] = {
    {Phase::verify, "verify"},     {Phase::time, "time"},         {Phase::agreement, "agreement"},
    {Phase::counters, "counters"}, {Phase::trace, "trace"},       {Phase::stalls, "stalls"},
    {Phase::device, "device"},     {Phase::ceilings, "ceilings"}, {Phase::timeline, "timeline"},
    {Phase::live, "live"}};

/// The name of each kind of record, in the order of Record.
constexpr std::array<std::string_view, std::variant_size_v<Record>> record_types = {
    "hello",    "device",      "progress",   "verified",      "sample",   "timed",
    "counters", "fewer_steps", "line_costs", "finding",       "ceilings", "stalls",
    "spans",    "timeline",    "launched",   "device_sample", "failure",  "done"};

std::optional<TimingMode> timing_from(std::string_view name) {
  return name == "wall" ? TimingMode::wall : TimingMode::device;
}

std::optional<Turn::Act> act_from(std::string_view name) {
  if (name == "sample") return Turn::Act::sample;
  if (name == "verify") return Turn::Act::verify;
  return std::nullopt;
}

void take_positive(LeastWork& least, Resource resource, const json& amount) {
  if (amount.is_number() && amount.get<double>() > 0) least.amounts[resource] = amount;
}

}  // namespace

std::string_view to_string(TimingMode mode) { return mode == TimingMode::wall ? "wall" : "device"; }
std::string_view to_string(Turn::Act act) { return act == Turn::Act::sample ? "sample" : "verify"; }

json to_json(const LeastWork& least) {
  json amounts = json::object();
  for (const auto& [resource, amount] : least.amounts)
    amounts[std::string(to_string(resource))] = amount;
  return amounts;
}
/// What is unknown or not positive is left out.
bool read_json(const json& object, LeastWork& least) {
  if (!object.is_object()) return true;
  for (const auto& [name, amount] : object.items())
    if (const auto resource = resource_from(name)) take_positive(least, *resource, amount);
  return true;
}
/// Recordings of before have two numbers instead.
template <class Visit>
void least_field(Visit& visit, LeastWork& least) {
  visit.may("least", least);
  if constexpr (Visit::reads) {
    json bytes, flops;
    visit.may("least_bytes", bytes);
    visit.may("least_flops", flops);
    take_positive(least, Resource::device_memory, bytes);
    take_positive(least, Resource::fp32, flops);
  }
}

// Columns of spans read themselves.
bool read_json(const json& object, SpanBatch& batch) {
  batch = span_batch_from(object);
  return true;
}
bool read_json(const json& object, TimelineEnd& end) {
  end = timeline_end_from(object);
  return true;
}

template <class Visit>
void fields(Visit& visit, LineHeat& line) {
  visit("file", line.file);
  visit("line", line.line);
  visit("value", line.value);
  visit("unit", line.unit);
  visit("source", word(line.source, source_from, "unknown source"));
  visit("by_reason", line.by_reason);
}

namespace record {

json to_json(const Stalls& r) { return to_json(r.samples); }
bool read_json(const json& object, Stalls& r) {
  r.samples = stall_samples_from(object);
  return true;
}

template <class Visit>
void fields(Visit& visit, Hello& r) {
  visit("protocol", r.protocol);
  visit("backend", json_fields::or_empty(r.backend));
}
template <class Visit>
void fields(Visit& visit, Device& r) {
  visit("facts", r.facts);
}
template <class Visit>
void fields(Visit& visit, Progress& r) {
  visit("step", r.step);
  visit("index", r.index);
  visit("total", r.total);
}
template <class Visit>
void fields(Visit& visit, Verified& r) {
  visit("variant", r.variant);
  visit("size", r.size);
  visit("seed", r.seed);
  visit("correct", r.correct);
  visit.may("problem", word(r.problem, result_problem_from, "unknown problem"));
  visit.may("buffer", r.buffer);
  visit("index", r.index);
  visit("got", r.got);
  visit("want", r.want);
  visit("tolerance", r.tolerance);
  visit.may("got_text", r.got_text);
  visit.may("wrong", r.wrong);
  visit.may("total", r.total);
  visit.may("digest", r.digest);
  visit.may("unusual", r.unusual);
  visit.may("in_other_memory", r.in_other_memory);
  visit.if_there("multiprocessors", r.multiprocessors);
}
template <class Visit>
void fields(Visit& visit, Sample& r) {
  visit("variant", r.variant);
  visit("seconds", r.seconds);
  visit("sm_clock_mhz", r.sm_clock_mhz);
  visit.may("launches", r.launches);
}
template <class Visit>
void fields(Visit& visit, Watch& watch) {
  visit("variant", watch.variant);
  visit("alone_s", watch.alone_s);
  visit("outside_s", watch.outside_s);
  visit.may("allocates", watch.allocates);
}
template <class Visit>
void fields(Visit& visit, Timed& r) {
  visit("stopped_because", r.stopped_because);
  visit("throttle_reasons", r.throttle_reasons);
  visit("launches_per_sample", r.launches_per_sample);
  least_field(visit, r.least);
  visit.may("watches", r.watches);
}
template <class Visit>
void fields(Visit& visit, CounterSet& r) {
  visit("variant", r.variant);
  visit("values", r.values);
  visit("passes", r.passes);
  least_field(visit, r.least);
  visit.if_there("size", r.size);
  visit.may("one_kernel", r.shape.one_kernel);
  visit.may("asks_if_done", r.shape.asks_if_done);
  visit.may("pieces", r.shape.pieces);
}
template <class Visit>
void fields(Visit& visit, FewerSteps& r) {
  visit("variant", r.variant);
  visit("values", r.values);
  least_field(visit, r.least);
  visit("size", r.size);
}
template <class Visit>
void fields(Visit& visit, LineCosts& r) {
  visit("variant", r.variant);
  visit("lines", r.lines);
  if constexpr (Visit::reads)
    for (LineHeat& line : r.lines) line.variant = r.variant;
}
template <class Visit>
void fields(Visit& visit, Finding& r) {
  const auto kind_from = [](std::string_view name) {
    return std::optional(finding_kind_from(name));
  };
  visit("variant", r.variant);
  visit("kind", word(r.kind, kind_from, "unknown kind"));
  visit("message", r.message);
  visit("kernel", r.kernel);
  visit("file", r.file);
  visit("line", r.line);
}
template <class Visit>
void fields(Visit& visit, CeilingSet& r) {
  visit("values", r.values);
}
template <class Visit>
void fields(Visit& visit, Launched& r) {
  visit("variant", r.variant);
  visit("kernel", r.kernel);
  visit("blocks", r.blocks);
  visit("block_threads", r.block_threads);
  visit("dynamic_shared_bytes", r.dynamic_shared_bytes);
}
template <class Visit>
void fields(Visit& visit, DeviceSample& r) {
  visit("at_s", r.at_s);
  visit("held", r.held);
  visit("sm_clock_mhz", r.sm_clock_mhz);
  visit("sm_clock_most_mhz", r.sm_clock_most_mhz);
  visit("memory_clock_mhz", r.memory_clock_mhz);
  visit("power_w", r.power_w);
  visit("power_limit_w", r.power_limit_w);
  visit("temperature_c", r.temperature_c);
  visit("memory_used_bytes", r.memory_used_bytes);
  visit("memory_total_bytes", r.memory_total_bytes);
  visit("busy_pct", r.busy_pct);
  visit("throttle_reasons", r.throttle_reasons);
}
template <class Visit>
void fields(Visit& visit, Failure& r) {
  visit("error", r.error);
  visit("variant", r.variant);
}
template <class Visit>
void fields(Visit&, Done&) {}

}  // namespace record

template <class Visit>
void fields(Visit& visit, PluginRequest& plugin) {
  visit("variant", plugin.variant);
  visit("library", plugin.library);
  visit.may("uses_local_memory", plugin.uses_local_memory);
  visit.may("allocates", plugin.allocates);
}

template <class Visit>
void fields(Visit& visit, Request& r) {
  visit.version("protocol", protocol_version, "another version of the protocol");
  visit("phase", word(r.phase, phase_from, "unknown phase"));
  visit("lab", r.lab);
  visit("workload", r.workload);
  visit("plugins", at_most(most_plugins, r.plugins, "it asks for too much"));
  visit("sizes", at_most(most_sizes, r.sizes, "it names too many sizes"));
  visit.may("beyond", at_most(most_sizes, r.beyond, "it names too many sizes"));
  visit.may("huge", at_most(most_sizes, r.huge, "it names too many sizes"));
  visit.may("alike", at_most(most_sizes, r.alike, "it names too many sizes"));
  visit.if_there("between", r.between);
  visit("seed", r.seed);
  visit("timing", word(r.timing, timing_from, ""));
  visit("time_cap_s", r.time_cap_s);
  visit.if_there("speedup", r.speedup);
  visit.may("in_turns", r.in_turns);
  visit.may("waits", r.waits);
  visit.may("processes", r.processes);
  visit.may("gives_pages_to", r.gives_pages_to);
  visit.may("takes_pages", r.takes_pages);
  visit("metrics", at_most(most_metrics, r.metrics, "it asks for too much"));
  visit("full_checks", r.full_checks);
  visit.if_there("instruction_budget", r.instruction_budget);
  visit.if_there("patience_s", r.patience_s);
  visit.if_there("share_of_blocks", r.share_of_blocks);
  visit.if_there("stands_for", r.stands_for);
  visit.if_there("multiprocessors", r.multiprocessors);
  visit.may("digest_results", r.digest_results);
  visit("minimum_compute_capability", r.minimum_compute_capability);
  visit.if_there("gpus", r.gpus);
  visit.if_there("secret", r.secret);
  visit.if_there("scratch", r.scratch);
}

template <class Visit>
void fields(Visit& visit, Turn& turn) {
  visit("act", word(turn.act, act_from, "unknown act"));
  visit("seed", turn.seed);
  visit("launches", turn.launches);
  visit.if_there("processor", turn.processor);
}

namespace {

template <std::size_t... Kind>
Record read_record(std::size_t kind, const json& object, std::index_sequence<Kind...>) {
  Record record;
  ((Kind == kind
        ? void(record = json_fields::whole<std::variant_alternative_t<Kind, Record>>(object))
        : void()),
   ...);
  return record;
}

/// Throws on anything missing or of the wrong type; decode_record() turns that into an Error.
Record typed_record(const json& object) {
  const std::string type = object.at("type");
  const auto found = std::find(record_types.begin(), record_types.end(), type);
  if (found == record_types.end()) throw std::invalid_argument("unknown record type " + type);
  return read_record(static_cast<std::size_t>(found - record_types.begin()), object,
                     std::make_index_sequence<record_types.size()>());
}

/// As a lab may name it: as many extents as the others have, none impossible.
void check_size(const Size& size, const Size& other) {
  if (size.empty() || size.size() > most_dimensions || size.size() != other.size())
    throw std::invalid_argument("a size has an impossible number of dimensions");
  for (const std::int64_t extent : size)
    if (extent < 1 || extent > longest_extent) throw std::invalid_argument("a size is impossible");
}

Request request_from(const json& object) {
  auto request = json_fields::whole<Request>(object);
  for (const Size& size : request.sizes) check_size(size, request.sizes.front());
  if (!request.between.empty())
    check_size(request.between, request.sizes.empty() ? request.between : request.sizes.front());
  for (const auto* more : {&request.beyond, &request.huge, &request.alike})
    for (const Size& size : *more)
      check_size(size, request.sizes.empty() ? size : request.sizes.front());
  return request;
}

Turn turn_from(const json& object) {
  const auto turn = json_fields::whole<Turn>(object);
  if (turn.launches < 1 || turn.launches > most_launches_in_a_turn)
    throw std::invalid_argument("an impossible number of launches");
  return turn;
}

Error not_ours(const char* why, std::string_view line) {
  return make_error(ErrorCode::protocol_mismatch,
                    std::string("A line is not a record of this version: ") + why + ".", {},
                    std::string(line.substr(0, 200)));
}

template <class T, class Decode>
Result<T> decode_protocol(std::string_view line, Decode decode) {
  return json_reading::decode_line<T>(line, longest_record_bytes, decode,
                                      [&](const char* why) { return not_ours(why, line); });
}

}  // namespace

std::string_view to_string(Phase phase) { return name_in(phases, phase); }
std::optional<Phase> phase_from(std::string_view name) { return value_in(phases, name); }

json record_json(const Record& record) {
  json object = std::visit([](const auto& r) { return json_fields::written(r); }, record);
  object["type"] = record_types[record.index()];
  return object;
}

Result<Record> record_from(const json& object) {
  return json_reading::decode_object<Record>(
      object, typed_record, [&](const char* why) { return not_ours(why, json_text(object)); });
}

std::string encode(const Record& record) { return json_text(record_json(record)); }
std::string encode(const Request& request) { return json_text(json_fields::of_fields(request)); }
std::string encode(const Turn& turn) { return json_text(json_fields::of_fields(turn)); }

Result<Record> decode_record(std::string_view line) {
  return decode_protocol<Record>(line, typed_record);
}
Result<Request> decode_request(std::string_view line) {
  return decode_protocol<Request>(line, request_from);
}
Result<Turn> decode_turn(std::string_view line) { return decode_protocol<Turn>(line, turn_from); }

}  // namespace klab
