// Encoding and defensively decoding requests and records.
#include "core/protocol.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/check_result_json.hpp"
#include "core/timeline_json.hpp"

namespace klab {
namespace {

using nlohmann::json;

constexpr std::pair<Phase, std::string_view> phases[] = {
    {Phase::verify, "verify"},    {Phase::time, "time"},     {Phase::counters, "counters"},
    {Phase::trace, "trace"},      {Phase::stalls, "stalls"}, {Phase::device, "device"},
    {Phase::ceilings, "ceilings"},
    {Phase::timeline, "timeline"}};

json optional(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? json(*value) : json(nullptr);
}

template <class T>
json optional_integer(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

template <class T>
std::optional<T> optional_from(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<T>();
}

json body(const record::Hello& r) {
  return {{"type", "hello"}, {"protocol", r.protocol}, {"backend", r.backend}};
}
json body(const record::Device& r) { return {{"type", "device"}, {"facts", to_json(r.facts)}}; }
json body(const record::Progress& r) {
  return {{"type", "progress"},
          {"step", r.step},
          {"index", optional_integer(r.index)},
          {"total", optional_integer(r.total)}};
}
json body(const record::Verified& r) {
  return {{"type", "verified"},     {"variant", r.variant},
          {"size", r.size},         {"seed", r.seed},
          {"correct", r.correct},   {"problem", r.problem},
          {"buffer", r.buffer},     {"index", optional_integer(r.index)},
          {"got", optional(r.got)}, {"want", optional(r.want)},
          {"got_text", r.got_text}, {"tolerance", optional(r.tolerance)},
          {"wrong", r.wrong},       {"total", r.total},
          {"digest", r.digest}};
}
json body(const record::Sample& r) {
  return {{"type", "sample"},
          {"variant", r.variant},
          {"seconds", r.seconds},
          {"sm_clock_mhz", optional(r.sm_clock_mhz)}};
}
json body(const record::Timed& r) {
  return {{"type", "timed"},
          {"stopped_because", r.stopped_because},
          {"throttle_reasons", r.throttle_reasons},
          {"launches_per_sample", r.launches_per_sample},
          {"least_bytes", r.least_bytes},
          {"least_flops", r.least_flops}};
}
json body(const record::CounterSet& r) {
  return {{"type", "counters"},
          {"variant", r.variant},
          {"values", to_json(r.values)},
          {"passes", optional_integer(r.passes)}};
}
json body(const record::Finding& r) {
  return {{"type", "finding"},
          {"variant", r.variant},
          {"kind", r.kind},
          {"message", r.message},
          {"kernel", r.kernel},
          {"file", r.file},
          {"line", optional_integer(r.line)}};
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
json body(const record::Failure& r) {
  return {{"type", "failure"}, {"error", to_json(r.error)}, {"variant", r.variant}};
}
json body(const record::Done&) { return {{"type", "done"}}; }

record::Verified verified_from(const json& j) {
  record::Verified r;
  r.variant = j.at("variant");
  r.size = j.at("size").get<Size>();
  r.seed = j.at("seed");
  r.correct = j.at("correct");
  r.problem = j.value("problem", "");
  r.buffer = j.value("buffer", "");
  r.index = optional_from<std::int64_t>(j, "index");
  r.got = optional_from<double>(j, "got");
  r.want = optional_from<double>(j, "want");
  r.tolerance = optional_from<double>(j, "tolerance");
  r.got_text = j.value("got_text", "");
  r.wrong = j.value("wrong", std::int64_t{0});
  r.total = j.value("total", std::int64_t{0});
  r.digest = j.value("digest", "");
  return r;
}

/// Throws json::exception on anything missing or of the wrong type; decode_record() turns that into
/// an Error.
Record record_from(const json& j) {
  const std::string type = j.at("type");
  if (type == "hello") return record::Hello{j.at("protocol"), j.at("backend")};
  if (type == "device") return record::Device{device_from(j.at("facts"))};
  if (type == "progress")
    return record::Progress{j.at("step"), optional_from<int>(j, "index"),
                            optional_from<int>(j, "total")};
  if (type == "verified") return verified_from(j);
  if (type == "sample")
    return record::Sample{j.at("variant"), j.at("seconds"),
                          optional_from<double>(j, "sm_clock_mhz")};
  if (type == "timed")
    return record::Timed{j.at("stopped_because"), j.at("throttle_reasons"),
                         j.at("launches_per_sample"), j.at("least_bytes"), j.at("least_flops")};
  if (type == "counters")
    return record::CounterSet{j.at("variant"), counters_from(j.at("values")),
                              optional_from<int>(j, "passes")};
  if (type == "finding")
    return record::Finding{j.at("variant"), j.at("kind"), j.at("message"),
                           j.at("kernel"),  j.at("file"), optional_from<int>(j, "line")};
  if (type == "ceilings")
    return record::CeilingSet{j.at("values").get<std::map<std::string, double>>()};
  if (type == "stalls") return record::Stalls{stall_samples_from(j)};
  if (type == "spans") return span_batch_from(j);
  if (type == "timeline") return timeline_end_from(j);
  if (type == "failure") return record::Failure{error_from(j.at("error")), j.at("variant")};
  if (type == "done") return record::Done{};
  throw std::invalid_argument("unknown record type " + type);
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
  for (const json& plugin : j.at("plugins"))
    r.plugins.push_back({plugin.at("variant"), plugin.at("library")});
  r.sizes = j.at("sizes").get<std::vector<Size>>();
  r.seed = j.at("seed");
  r.timing = j.at("timing") == "wall" ? TimingMode::wall : TimingMode::device;
  r.time_cap_s = j.at("time_cap_s");
  r.metrics = j.at("metrics").get<std::vector<std::string>>();
  r.full_checks = j.at("full_checks");
  r.digest_results = j.value("digest_results", false);
  r.minimum_compute_capability = j.at("minimum_compute_capability");
  return r;
}

Error not_ours(std::string_view line, const char* why) {
  return make_error(ErrorCode::protocol_mismatch,
                    std::string("A line is not a record of this version: ") + why + ".", {},
                    std::string(line.substr(0, 200)));
}

template <class T, class Decode>
Result<T> decode(std::string_view line, Decode decode_body) {
  if (line.size() > longest_record_bytes) return not_ours(line, "it is too long");
  const json parsed = json::parse(line, nullptr, false);
  if (!parsed.is_object()) return not_ours(line, "it is not a JSON object");
  try {
    return decode_body(parsed);
  } catch (const std::exception& failure) {
    return not_ours(line, failure.what());
  }
}

/// Text from a learner's program may hold any bytes; invalid UTF-8 is replaced, never thrown.
std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
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
  return dump(std::visit([](const auto& r) { return body(r); }, record));
}

std::string encode(const Request& request) {
  json plugins = json::array();
  for (const PluginRequest& plugin : request.plugins)
    plugins.push_back({{"variant", plugin.variant}, {"library", plugin.library}});
  return dump({{"protocol", protocol_version},
               {"phase", to_string(request.phase)},
               {"lab", request.lab},
               {"workload", request.workload},
               {"plugins", plugins},
               {"sizes", request.sizes},
               {"seed", request.seed},
               {"timing", request.timing == TimingMode::wall ? "wall" : "device"},
               {"time_cap_s", request.time_cap_s},
               {"metrics", request.metrics},
               {"full_checks", request.full_checks},
               {"digest_results", request.digest_results},
               {"minimum_compute_capability", request.minimum_compute_capability}});
}

Result<Record> decode_record(std::string_view line) { return decode<Record>(line, record_from); }
Result<Request> decode_request(std::string_view line) {
  return decode<Request>(line, request_from);
}

}  // namespace klab
