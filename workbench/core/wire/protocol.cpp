// Encoding and defensively decoding requests and records.
#include "core/wire/protocol.hpp"

#include <nlohmann/json.hpp>

#include "core/timeline/json.hpp"
#include "core/verdict/check_result_json.hpp"
#include "core/verdict/json_reading.hpp"

namespace klab {
namespace {

using json_reading::integer;
using json_reading::line_of;
using json_reading::number;
using json_reading::optional_number;
using nlohmann::json;

constexpr std::pair<Phase, std::string_view> phases[] = {
    {Phase::verify, "verify"},     {Phase::time, "time"},         {Phase::agreement, "agreement"},
    {Phase::counters, "counters"}, {Phase::trace, "trace"},       {Phase::stalls, "stalls"},
    {Phase::device, "device"},     {Phase::ceilings, "ceilings"}, {Phase::timeline, "timeline"},
    {Phase::live, "live"}};

json least_json(const LeastWork& least) {
  json amounts = json::object();
  for (const auto& [resource, amount] : least.amounts)
    amounts[std::string(to_string(resource))] = amount;
  return amounts;
}
/// What is unknown or not positive is left out. Recordings of before have two numbers instead.
LeastWork least_from(const json& record) {
  LeastWork least;
  const auto take = [&](Resource resource, const json& amount) {
    if (amount.is_number() && amount.get<double>() > 0) least.amounts[resource] = amount;
  };
  if (const auto found = record.find("least"); found != record.end() && found->is_object())
    for (const auto& [name, amount] : found->items())
      if (const auto resource = resource_from(name)) take(*resource, amount);
  if (record.contains("least_bytes")) take(Resource::device_memory, record["least_bytes"]);
  if (record.contains("least_flops")) take(Resource::fp32, record["least_flops"]);
  return least;
}

json body(const record::Hello& r) {
  return {{"type", "hello"}, {"protocol", r.protocol}, {"backend", r.backend}};
}
json body(const record::Device& r) { return {{"type", "device"}, {"facts", to_json(r.facts)}}; }
json body(const record::Progress& r) {
  return {{"type", "progress"},
          {"step", r.step},
          {"index", integer(r.index)},
          {"total", integer(r.total)}};
}
json body(const record::Verified& r) {
  return {{"type", "verified"},     {"variant", r.variant},      {"size", r.size},
          {"seed", r.seed},         {"correct", r.correct},      {"problem", r.problem},
          {"buffer", r.buffer},     {"index", integer(r.index)}, {"got", number(r.got)},
          {"want", number(r.want)}, {"got_text", r.got_text},    {"tolerance", number(r.tolerance)},
          {"wrong", r.wrong},       {"total", r.total},          {"digest", r.digest}};
}
json body(const record::Sample& r) {
  return {{"type", "sample"},
          {"variant", r.variant},
          {"seconds", r.seconds},
          {"sm_clock_mhz", number(r.sm_clock_mhz)},
          {"launches", r.launches}};
}
json body(const record::Timed& r) {
  json watches = json::array();
  for (const record::Watch& watch : r.watches)
    watches.push_back({{"variant", watch.variant},
                       {"alone_s", number(watch.alone_s)},
                       {"outside_s", watch.outside_s}});
  return {{"type", "timed"},
          {"watches", watches},
          {"stopped_because", r.stopped_because},
          {"throttle_reasons", r.throttle_reasons},
          {"launches_per_sample", r.launches_per_sample},
          {"least", least_json(r.least)}};
}
json body(const record::CounterSet& r) {
  return {{"type", "counters"},
          {"variant", r.variant},
          {"values", to_json(r.values)},
          {"passes", integer(r.passes)},
          {"least", least_json(r.least)}};
}
json body(const record::LineCosts& r) {
  json lines = json::array();
  for (const LineHeat& line : r.lines)
    lines.push_back({{"file", line.file},
                     {"line", line.line},
                     {"value", line.value},
                     {"unit", line.unit},
                     {"source", to_string(line.source)},
                     {"by_reason", line.by_reason}});
  return {{"type", "line_costs"}, {"variant", r.variant}, {"lines", lines}};
}
json body(const record::Finding& r) {
  return {{"type", "finding"},      {"variant", r.variant}, {"kind", r.kind},
          {"message", r.message},   {"kernel", r.kernel},   {"file", r.file},
          {"line", integer(r.line)}};
}
json body(const record::CeilingSet& r) { return {{"type", "ceilings"}, {"values", r.values}}; }
json body(const record::Stalls& r) {
  json object = to_json(r.samples);
  object["type"] = "stalls";
  return object;
}
json body(const SpanBatch& r) {
  json object = to_json(r);
  object["type"] = "spans";
  return object;
}
json body(const TimelineEnd& r) {
  json object = to_json(r);
  object["type"] = "timeline";
  return object;
}
json body(const record::Launched& r) {
  return {{"type", "launched"},
          {"variant", r.variant},
          {"kernel", r.kernel},
          {"blocks", r.blocks},
          {"block_threads", r.block_threads},
          {"dynamic_shared_bytes", r.dynamic_shared_bytes}};
}
json body(const record::DeviceSample& r) {
  return {{"type", "device_sample"},
          {"at_s", r.at_s},
          {"held", r.held},
          {"sm_clock_mhz", number(r.sm_clock_mhz)},
          {"sm_clock_most_mhz", number(r.sm_clock_most_mhz)},
          {"memory_clock_mhz", number(r.memory_clock_mhz)},
          {"power_w", number(r.power_w)},
          {"power_limit_w", number(r.power_limit_w)},
          {"temperature_c", number(r.temperature_c)},
          {"memory_used_bytes", number(r.memory_used_bytes)},
          {"memory_total_bytes", number(r.memory_total_bytes)},
          {"busy_pct", number(r.busy_pct)},
          {"throttle_reasons", r.throttle_reasons}};
}
json body(const record::Failure& r) {
  return {{"type", "failure"}, {"error", to_json(r.error)}, {"variant", r.variant}};
}
json body(const record::Done&) { return {{"type", "done"}}; }

record::LineCosts line_costs_from(const json& j) {
  record::LineCosts r;
  r.variant = j.at("variant");
  for (const json& line : j.at("lines")) {
    const auto source = source_from(line.at("source").get<std::string>());
    if (!source) throw std::invalid_argument("unknown source");
    r.lines.push_back({r.variant, line.at("file"), line.at("line"), line.at("value"),
                       line.at("unit"), *source,
                       line.at("by_reason").get<std::map<std::string, double>>()});
  }
  return r;
}

record::Verified verified_from(const json& j) {
  record::Verified r;
  r.variant = j.at("variant");
  r.size = j.at("size").get<Size>();
  r.seed = j.at("seed");
  r.correct = j.at("correct");
  r.problem = j.value("problem", ResultProblem::none);
  r.buffer = j.value("buffer", "");
  r.index = optional_number<std::int64_t>(j, "index");
  r.got = optional_number(j, "got");
  r.want = optional_number(j, "want");
  r.tolerance = optional_number(j, "tolerance");
  r.got_text = j.value("got_text", "");
  r.wrong = j.value("wrong", std::int64_t{0});
  r.total = j.value("total", std::int64_t{0});
  r.digest = j.value("digest", "");
  return r;
}

record::DeviceSample device_sample_from(const json& j) {
  record::DeviceSample r;
  r.at_s = j.at("at_s");
  r.held = j.at("held");
  r.sm_clock_mhz = optional_number(j, "sm_clock_mhz");
  r.sm_clock_most_mhz = optional_number(j, "sm_clock_most_mhz");
  r.memory_clock_mhz = optional_number(j, "memory_clock_mhz");
  r.power_w = optional_number(j, "power_w");
  r.power_limit_w = optional_number(j, "power_limit_w");
  r.temperature_c = optional_number(j, "temperature_c");
  r.memory_used_bytes = optional_number(j, "memory_used_bytes");
  r.memory_total_bytes = optional_number(j, "memory_total_bytes");
  r.busy_pct = optional_number(j, "busy_pct");
  r.throttle_reasons = j.at("throttle_reasons").get<std::vector<std::string>>();
  return r;
}

record::Timed timed_from(const json& j) {
  record::Timed r{j.at("stopped_because"),
                  j.at("throttle_reasons"),
                  j.at("launches_per_sample"),
                  least_from(j),
                  {}};
  if (const auto watches = j.find("watches"); watches != j.end())
    for (const json& watch : *watches)
      r.watches.push_back(
          {watch.at("variant"), optional_number(watch, "alone_s"), watch.at("outside_s")});
  return r;
}

/// Throws json::exception on anything missing or of the wrong type; decode_record() turns that into
/// an Error.
Record record_from(const json& j) {
  const std::string type = j.at("type");
  if (type == "hello") return record::Hello{j.at("protocol"), j.at("backend")};
  if (type == "device") return record::Device{device_from(j.at("facts"))};
  if (type == "progress")
    return record::Progress{j.at("step"), optional_number<int>(j, "index"),
                            optional_number<int>(j, "total")};
  if (type == "verified") return verified_from(j);
  if (type == "sample")
    return record::Sample{j.at("variant"), j.at("seconds"), optional_number(j, "sm_clock_mhz"),
                          j.value("launches", 1)};
  if (type == "timed") return timed_from(j);
  if (type == "counters")
    return record::CounterSet{j.at("variant"), counters_from(j.at("values")),
                              optional_number<int>(j, "passes"), least_from(j)};
  if (type == "line_costs") return line_costs_from(j);
  if (type == "finding")
    return record::Finding{j.at("variant"), j.at("kind"), j.at("message"),
                           j.at("kernel"),  j.at("file"), optional_number<int>(j, "line")};
  if (type == "ceilings")
    return record::CeilingSet{j.at("values").get<std::map<std::string, double>>()};
  if (type == "stalls") return record::Stalls{stall_samples_from(j)};
  if (type == "spans") return span_batch_from(j);
  if (type == "timeline") return timeline_end_from(j);
  if (type == "launched")
    return record::Launched{j.at("variant"), j.at("kernel"), j.at("blocks"), j.at("block_threads"),
                            j.at("dynamic_shared_bytes")};
  if (type == "device_sample") return device_sample_from(j);
  if (type == "failure") return record::Failure{error_from(j.at("error")), j.at("variant")};
  if (type == "done") return record::Done{};
  throw std::invalid_argument("unknown record type " + type);
}

/// Sizes as a lab may name them: at least one extent each, as many in each, none impossible.
std::vector<Size> sizes_from(const json& list) {
  if (list.size() > most_sizes) throw std::invalid_argument("it names too many sizes");
  auto sizes = list.get<std::vector<Size>>();
  for (const Size& size : sizes) {
    if (size.empty() || size.size() > most_dimensions || size.size() != sizes.front().size())
      throw std::invalid_argument("a size has an impossible number of dimensions");
    for (const std::int64_t extent : size)
      if (extent < 1 || extent > longest_extent)
        throw std::invalid_argument("a size is impossible");
  }
  return sizes;
}

Request request_from(const json& j) {
  if (j.at("protocol") != protocol_version)
    throw std::invalid_argument("another version of the protocol");
  Request r;
  const auto phase = phase_from(j.at("phase").get<std::string>());
  if (!phase) throw std::invalid_argument("unknown phase");
  r.phase = *phase;
  r.lab = j.at("lab");
  r.workload = j.at("workload");
  if (j.at("plugins").size() > most_plugins || j.at("metrics").size() > most_metrics)
    throw std::invalid_argument("it asks for too much");
  for (const json& plugin : j.at("plugins"))
    r.plugins.push_back({plugin.at("variant"), plugin.at("library")});
  r.sizes = sizes_from(j.at("sizes"));
  if (j.contains("huge")) {
    r.huge = sizes_from(json::array({j.at("huge")})).front();
    if (!r.sizes.empty() && r.huge.size() != r.sizes.front().size())
      throw std::invalid_argument("a size has an impossible number of dimensions");
  }
  r.seed = j.at("seed");
  r.timing = j.at("timing") == "wall" ? TimingMode::wall : TimingMode::device;
  r.time_cap_s = j.at("time_cap_s");
  r.in_turns = j.value("in_turns", false);
  r.metrics = j.at("metrics").get<std::vector<std::string>>();
  r.full_checks = j.at("full_checks");
  if (const auto budget = j.find("instruction_budget"); budget != j.end())
    r.instruction_budget = budget->get<std::uint64_t>();
  r.digest_results = j.value("digest_results", false);
  r.minimum_compute_capability = j.at("minimum_compute_capability");
  r.secret = j.value("secret", "");
  r.scratch = j.value("scratch", "");
  return r;
}

Turn turn_from(const json& j) {
  Turn turn;
  const std::string act = j.at("act");
  if (act != "sample" && act != "verify") throw std::invalid_argument("unknown act");
  turn.act = act == "sample" ? Turn::Act::sample : Turn::Act::verify;
  turn.seed = j.at("seed");
  turn.launches = j.at("launches");
  if (turn.launches < 1 || turn.launches > most_launches_in_a_turn)
    throw std::invalid_argument("an impossible number of launches");
  return turn;
}

template <class T, class Decode>
Result<T> decode_protocol(std::string_view line, Decode decode) {
  return json_reading::decode_line<T>(line, longest_record_bytes, decode, [&](const char* why) {
    return make_error(ErrorCode::protocol_mismatch,
                      std::string("A line is not a record of this version: ") + why + ".", {},
                      std::string(line.substr(0, 200)));
  });
}

}  // namespace

std::string_view to_string(Phase phase) {
  for (const auto& [value, name] : phases)
    if (value == phase) return name;
  return "";
}

std::optional<Phase> phase_from(std::string_view name) {
  for (const auto& [value, text] : phases)
    if (text == name) return value;
  return std::nullopt;
}

std::string encode(const Record& record) {
  return line_of(std::visit([](const auto& r) { return body(r); }, record));
}

std::string encode(const Request& request) {
  json plugins = json::array();
  for (const PluginRequest& plugin : request.plugins)
    plugins.push_back({{"variant", plugin.variant}, {"library", plugin.library}});
  json encoded = {{"protocol", protocol_version},
                  {"phase", to_string(request.phase)},
                  {"lab", request.lab},
                  {"workload", request.workload},
                  {"plugins", plugins},
                  {"sizes", request.sizes},
                  {"seed", request.seed},
                  {"timing", request.timing == TimingMode::wall ? "wall" : "device"},
                  {"time_cap_s", request.time_cap_s},
                  {"in_turns", request.in_turns},
                  {"metrics", request.metrics},
                  {"full_checks", request.full_checks},
                  {"digest_results", request.digest_results},
                  {"minimum_compute_capability", request.minimum_compute_capability}};
  if (!request.secret.empty()) encoded["secret"] = request.secret;
  if (!request.scratch.empty()) encoded["scratch"] = request.scratch;
  if (!request.huge.empty()) encoded["huge"] = request.huge;
  if (request.instruction_budget) encoded["instruction_budget"] = *request.instruction_budget;
  return line_of(encoded);
}

std::string encode(const Turn& turn) {
  return line_of({{"act", turn.act == Turn::Act::sample ? "sample" : "verify"},
                  {"seed", turn.seed},
                  {"launches", turn.launches}});
}

Result<Record> decode_record(std::string_view line) {
  return decode_protocol<Record>(line, record_from);
}
Result<Request> decode_request(std::string_view line) {
  return decode_protocol<Request>(line, request_from);
}
Result<Turn> decode_turn(std::string_view line) { return decode_protocol<Turn>(line, turn_from); }

}  // namespace klab
